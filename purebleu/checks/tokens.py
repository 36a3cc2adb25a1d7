"""Parts that a translation keeps (markup, placeholders, addresses), leftovers of processing, invisible characters."""

from __future__ import annotations

from collections import Counter

from .texts import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .texts import Against, Span

#: The characters for bytes from 0x80 to 0xBF in Latin-1 and Windows-1252, without spaces and quotation marks, which
#: often follow a letter.
_CONTINUED = "\u0080-\u009f\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ•˜™šœžŸ"

#: The endings of names of files.
_ENDINGS = "txt|pdf|docx?|xlsx?|pptx?|csv|json|xml|html?|py|js|zip|exe|png|jpe?g|gif|mp[34]|md|ya?ml"

#: Characters that are not seen, or that no text has: controls, marks of direction and of width, halves of surrogate
#: pairs, private ones, those that stand for bytes that could not be read.
_ODD = ("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
        "\ufff9-\ufffd\ufdd0-\ufdef\ue000-\uf8ff\ud800-\udfff\ufffe\uffff\U000f0000-\U0010ffff]")

#: For each check, the pattern of the parts that it compares. The pattern before it is faster: it matches in every text
#: with such a part.
_PARTS = {
    "unicode": (_ODD, _ODD),
    "escapes": (
        r"[&@▁￭⁇<\[\\ÂÃÐÑà-ð]",
        r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"  # entities of HTML and XML
        r"|@-@|@[.,/]@|@@(?!\S)|▁|￭|⁇"  # joints of tokens and pieces: Moses, BPE, SentencePiece, OpenNMT
        r"|</?s>|<(?:unk|UNK|pad|PAD|bos|BOS|eos|EOS|mask|MASK|0x[0-9A-F]{2}|\|[a-z_]{1,30}\|)>"  # special tokens
        r"|\[(?:UNK|PAD|CLS|SEP|MASK)\]"  # those of BERT
        r"|\\(?:[nrt\"']|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})"  # escapes of JSON and of programs
        # UTF-8 that was read as Latin-1 or Windows-1252: characters of two bytes, of three, and emoji.
        rf"|[ÂÃ][{_CONTINUED}]|(?:[ÐÑ][{_CONTINUED}]){{2}}|[à-ï][{_CONTINUED}“”]{{2}}|â€[{_CONTINUED}“”]?|ðŸ"),
    "markup": (
        r"[<*`#_\]~]",
        r"(?m)</?(?!think)[A-Za-z][\w:-]{0,40}(?:\s[^<>]{0,300})?/?>"
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

#: Joiners, which scripts other than Latin need within words, and emoji within pictures.
_JOINERS = "\u200c\u200d"


def parts_in(text: str, check: str) -> list[Span]:
    """Return the parts of a text that a check compares.

    >>> parts_in("Hi {name}, 100% of %s", "placeholders")
    [(3, 9, '{name}'), (19, 21, '%s')]
    """
    first, whole = _PARTS[check]
    if not compiled(first).search(text):
        return []
    parts: list[Span] = []
    for match in compiled(whole).finditer(text):
        start, end, part = match.start(), match.end(), match.group()
        if check == "addresses":
            part = part.rstrip(".,;:!?'*")
            end = start + len(part)
        elif check == "markup" and part.startswith("<"):  # (Attributes may be translated.)
            part = part.split()[0].rstrip("/>") + ">"
        parts.append((start, end, part))
    return parts


def _counts(parts: Sequence[Span]) -> Counter[str]:
    return Counter([text for _, _, text in parts])


def _beyond(parts: Sequence[Span], allowed: Counter[str]) -> list[Span]:
    """Return the parts that occur more often than allowed. (`allowed` is changed.)"""
    spans: list[Span] = []
    for span in parts:
        allowed[span[2]] -= 1
        if allowed[span[2]] < 0:
            spans.append(span)
    return spans


def escapes(output: str, against: Against, index: int) -> list[Span]:
    r"""Return the entities, escapes, special tokens and garbled characters beyond those in the source and references.

    >>> from purebleu.checks.texts import Against
    >>> escapes(r"He &amp; I\n", Against(["Er und ich"]), 0)
    [(3, 8, '&amp;'), (10, 12, '\\n')]
    """
    parts = parts_in(output, "escapes")
    if not parts:
        return []
    allowed: Counter[str] = Counter()
    for text in against.texts_of(index):
        allowed |= _counts(parts_in(text, "escapes"))
    return _beyond(parts, allowed)


def changed_parts(check: str, output: str, against: Against, index: int) -> list[Span]:
    """Return the parts that an output has beyond its source and references, and those that it lacks.

    A part that is lacking is at the end of the output, without length. It is excused if a reference lacks it, too.
    Handles (@name) count only if they are lacking: they may be names, which are translated.

    >>> from purebleu.checks.texts import Against
    >>> changed_parts("placeholders", "{Anzahl} Dateien", Against(["{count} files"]), 0)
    [(0, 8, '{Anzahl}'), (16, 16, '{count}')]
    """
    assert against.source is not None
    parts, source_parts = parts_in(output, check), parts_in(against.source[index], check)
    if not parts and not source_parts:
        return []
    counts, allowed = _counts(parts), _counts(source_parts)
    if counts == allowed:
        return []
    needed = allowed.copy()
    for reference in against.references_of(index):
        counts_of_reference = _counts(parts_in(reference, check))
        needed &= counts_of_reference
        allowed |= counts_of_reference
    added = [span for span in _beyond(parts, allowed) if not span[2].startswith("@")]
    return added + [(len(output), len(output), part) for part in (needed - counts).elements()]


def changed_markup(output: str, against: Against, index: int) -> list[Span]:
    """Return tags and Markdown that were added or lost; without a source, tags that are not closed.

    >>> from purebleu.checks.texts import Against
    >>> changed_markup("<b>Ja", Against(["<b>Yes</b>"]), 0), changed_markup("<b>Ja", Against(), 0)
    ([(5, 5, '</b>')], [(0, 3, '<b>')])
    """
    if against.source is not None:
        return changed_parts("markup", output, against, index)
    tags: list[tuple[Span, str]] = []
    balance: Counter[str] = Counter()
    for span in parts_in(output, "markup"):
        start, end, tag = span
        name = tag.lower().replace("/", "")
        if tag.startswith("<") and name not in _SINGLE_TAGS and not output.endswith("/>", start, end):
            tags.append((span, name))
            balance[name] += -1 if tag[1] == "/" else 1
    return [span for span, name in tags if balance[name]]


def odd_characters(output: str, against: Against, index: int) -> list[Span]:
    r"""Return invisible characters, those that no text has, and text in another normal form than the references.

    These do not count: characters that the source or a reference has, too; joiners behind letters that are not Latin;
    marks of direction beside letters that are read from the right.

    >>> from purebleu.checks.texts import Against
    >>> odd_characters("a\u200bb", Against(), 0)
    [(1, 2, 'U+200B')]
    """
    if output.isascii() and output.isprintable():
        return []
    from unicodedata import is_normalized

    parts, is_nfc = parts_in(output, "unicode"), is_normalized("NFC", output)
    if is_nfc and not parts:
        return []
    texts = against.texts_of(index)
    known = {*"".join(texts)}
    if any("\u0590" <= character <= "\u08ff" for character in output):
        known.update("\u200e\u200f")
    spans: list[Span] = []
    for start, end, character in parts:
        joins = character in _JOINERS and start > 0 and output[start - 1] >= "\u0250"
        if not joins and character not in known:
            spans.append((start, end, f"U+{ord(character):04X}"))
    if not is_nfc and all(is_normalized("NFC", text) for text in texts):
        spans.append((0, len(output), "not NFC"))
    return spans
