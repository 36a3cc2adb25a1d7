"""Parts of a text that a translation keeps: markup, placeholders, addresses; and characters that nobody sees."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

    from .texts import Against, Span

#: The endings of names of files.
_ENDINGS = "txt|pdf|docx?|xlsx?|pptx?|csv|json|xml|html?|py|js|zip|exe|png|jpe?g|gif|mp[34]|md|ya?ml"

#: A pattern for each check, in whose matches output and source are compared; before it, one that is found faster, and
#: that every text with such a part has.
_PARTS = {
    "markup": (
        r"[<*`#_\]~]",
        r"</?(?!think)[A-Za-z][\w:-]{0,40}(?:\s[^<>]{0,300})?/?>"
        r"|```|`|\*\*|~~|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|\]\((?=[^\s()])|^\s{0,3}#{1,6}\s"),
    "placeholders": (
        r"[{%$<#_]",
        r"\{\{[^{}\n]{1,80}\}\}|[$#]\{[^{}\n]{1,80}\}"
        r"|\{\s?\w{1,60}\s?,\s?(?:plural|select|selectordinal|number|date|time)\b|\{[A-Za-z_0-9][\w.:\[\]-]{0,60}\}|\{\}"
        r"|%\(\w{1,60}\)[-+ #0-9.]{0,8}[a-zA-Z]"
        r"|(?<![\d%\w])%(?:\d{1,2}\$)?[-+#0]{0,3}\d{0,3}(?:\.\d{1,3})?(?:ll?|h)?[@dfisuxXgc](?![^\W\d_])"
        r"|<(?:x|g|ph|bx|ex|bpt|ept|it|mrk|var)\b[^<>]{0,80}/?>"
        r"|#[A-Z][A-Z0-9_]{1,40}#|(?<!\w)__[A-Z0-9_]{2,40}__(?!\w)"),
    "addresses": (
        rf"://|www\.|@|\.(?:{_ENDINGS})(?![A-Za-z0-9])",
        r"(?:https?|ftp)://[!#$%&*+,\-./0-9:;=?@A-Z\[\]_a-z~]{1,2000}|(?<![A-Za-z0-9./])www\.[A-Za-z0-9_./%#?=&~+-]{1,2000}"
        r"|[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}|(?<![\w@.])@[A-Za-z_][A-Za-z0-9_]{1,30}"
        rf"|[A-Za-z0-9_-]{{1,60}}\.(?:{_ENDINGS})(?![A-Za-z0-9])"),
}

#: Tags that stand alone.
_SINGLE_TAGS = ("<br>", "<hr>", "<img>", "<x>", "<ph>", "<input>", "<wbr>", "<bx>", "<ex>")

#: Characters that are not seen, or that no text has: controls, marks of direction and of width, halves of surrogate
#: pairs, private ones, those that stand for bytes that could not be read.
_ODD = ("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
        "\ufff9-\ufffd\ufdd0-\ufdef\ue000-\uf8ff\ud800-\udfff\ufffe\uffff\U000f0000-\U0010ffff]")

#: Joiners, which scripts other than Latin need within words, and emoji within pictures.
_JOINERS = "\u200c\u200d"


@lru_cache(maxsize=None)
def _pattern_of(check: str) -> tuple[Pattern[str], Pattern[str]]:
    import re

    first, whole = _PARTS[check]
    return re.compile(first), re.compile(whole, re.MULTILINE)


def parts_in(text: str, check: str) -> list[Span]:
    """Return the parts of a text that a check compares.

    >>> parts_in("Hi {name}, 100% of %s", "placeholders")
    [(3, 9, '{name}'), (19, 21, '%s')]
    """
    first, whole = _pattern_of(check)
    if not first.search(text):
        return []
    parts: list[Span] = []
    for match in whole.finditer(text):
        start, end, part = match.start(), match.end(), match.group()
        if check == "addresses":
            part = part.rstrip(".,;:!?'*")
            end = start + len(part)
        elif check == "markup" and part.startswith("<"):  # (attributes may be translated)
            part = part.split()[0].rstrip("/>") + ">"
        parts.append((start, end, part))
    return parts


def _counts(text: str, check: str) -> Counter[str]:
    return Counter([part for _, _, part in parts_in(text, check)])


def changed_parts(check: str, output: str, against: Against, index: int) -> list[Span]:
    """Return the parts that an output has beyond its source and references, and those that it lacks.

    A part that is lacking is at the end of the output, without length. It is excused if a reference lacks it, too.
    Handles count if they are lacking, since they may be names, which are translated.

    >>> from purebleu.checks.texts import Against
    >>> changed_parts("placeholders", "{Anzahl} Dateien", Against(["{count} files"]), 0)
    [(0, 8, '{Anzahl}'), (16, 16, '{count}')]
    """
    ours = parts_in(output, check)
    if against.source is None:
        return []
    source = _counts(against.source[index], check)
    if not ours and not source:
        return []
    needed, allowed = source.copy(), source.copy()
    for reference in against.references_of(index):
        counts = _counts(reference, check)
        needed &= counts
        allowed |= counts
    spans: list[Span] = []
    for span in ours:
        allowed[span[2]] -= 1
        needed[span[2]] -= 1
        if allowed[span[2]] < 0 and not span[2].startswith("@"):
            spans.append(span)
    return spans + [(len(output), len(output), part) for part in needed.elements()]


def changed_markup(output: str, against: Against, index: int) -> list[Span]:
    """Return tags and Markdown that were added or lost; without a source, tags that are not closed.

    >>> from purebleu.checks.texts import Against
    >>> changed_markup("<b>Ja", Against(["<b>Yes</b>"]), 0), changed_markup("<b>Ja", Against(), 0)
    ([(5, 5, '</b>')], [(0, 3, '<b>')])
    """
    if against.source is not None:
        return changed_parts("markup", output, against, index)
    tags = [span for span in parts_in(output, "markup") if span[2].startswith("<") and span[2] not in _SINGLE_TAGS]
    balance: Counter[str] = Counter()
    for _, _, tag in tags:
        balance[tag.replace("/", "")] += -1 if tag[1] == "/" else 1
    return [span for span in tags if balance[span[2].replace("/", "")]]


@lru_cache(maxsize=None)
def _odd() -> Pattern[str]:
    import re

    return re.compile(_ODD)


def odd_characters(output: str, against: Against, index: int) -> list[Span]:
    r"""Return characters that nobody sees or means, and text in another normal form than that of the references.

    These do not count: characters that the source or a reference has, too; joiners behind letters that are not Latin;
    marks of direction beside letters that are read from the right.

    >>> from purebleu.checks.texts import Against
    >>> odd_characters("a\u200bb", Against(), 0)
    [(1, 2, 'U+200B')]
    """
    if output.isascii() and output.isprintable():
        return []
    texts = against.texts_of(index)
    known = {*"".join(texts)}
    if any("\u0590" <= character <= "\u08ff" for character in output):
        known.update("\u200e\u200f")
    spans: list[Span] = []
    for match in _odd().finditer(output):
        character, start = match.group(), match.start()
        joins = character in _JOINERS and start > 0 and output[start - 1] >= "\u0250"
        if not joins and character not in known:
            spans.append((start, start + 1, f"U+{ord(character):04X}"))
    from unicodedata import is_normalized

    if max(output) >= "\u0300" and not is_normalized("NFC", output) and all(
            is_normalized("NFC", text) for text in texts):
        spans.append((0, len(output), "not NFC"))
    return spans
