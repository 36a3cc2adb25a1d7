"""Find wrong parts of outputs: changed markup, placeholders, addresses and numbers; escapes; odd characters."""

from __future__ import annotations

from collections import Counter

from ..runtime.hints import CharacterTable, Iterable, Sequence
from .texts import Against, Span, compiled

#: The characters that stand for the bytes 0x80 to 0xBF in Latin-1 and Windows-1252. Spaces and quotation marks are left
#: out, because they often follow a letter.
_CONTINUED = "\u0080-\u009f\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ•˜™šœžŸ"

#: The endings of file names.
_ENDINGS = "txt|pdf|docx?|xlsx?|pptx?|csv|json|xml|html?|py|js|zip|exe|png|jpe?g|gif|mp[34]|md|ya?ml"

#: Characters that are invisible or should not occur in texts: controls, direction marks, zero-width characters, halves
#: of surrogate pairs, private-use characters, replacement characters for unreadable bytes.
_ODD = ("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
        "\ufff9-\ufffd\ufdd0-\ufdef\ue000-\uf8ff\ud800-\udfff\ufffe\uffff\U000f0000-\U0010ffff]")

#: Two patterns for each check. The first pattern is a fast test: it matches somewhere in each text that has parts for
#: the check. The second pattern matches these parts.
_PARTS = {
    "unicode": (_ODD, _ODD),
    "escapes": (
        r"[&@▁￭⁇<\[\\ÂÃÐÑà-ð]",
        r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"  # entities of HTML and XML
        r"|@-@|@[.,/]@|@@(?!\S)|▁|￭|⁇"  # marks that join tokens: Moses, BPE, SentencePiece, OpenNMT
        r"|</?s>|<(?:unk|UNK|pad|PAD|bos|BOS|eos|EOS|mask|MASK|0x[0-9A-F]{2}|\|[a-z_]{1,30}\|)>"  # special tokens
        r"|\[(?:UNK|PAD|CLS|SEP|MASK)\]"  # special tokens of BERT
        r"|\\(?:[nrt\"']|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})"  # escapes of JSON and of programs
        # UTF-8 that was read as Latin-1 or Windows-1252: characters of two bytes, of three bytes, and emoji.
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

#: Tags without an end tag.
_SINGLE_TAGS = ("<br>", "<hr>", "<img>", "<x>", "<ph>", "<input>", "<wbr>", "<bx>", "<ex>")

#: Joiners, which are valid within words of some scripts and within emoji.
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
    """Return the parts that occur more often than their counts in `allowed`. This function changes `allowed`."""
    spans: list[Span] = []
    for span in parts:
        allowed[span[2]] -= 1
        if allowed[span[2]] < 0:
            spans.append(span)
    return spans


def escapes(output: str, against: Against, index: int) -> list[Span]:
    r"""Return entities, escapes, special tokens and garbled characters that the source and references do not have.

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
    """Return the parts that only the output has (not its source and references), and the parts that the output lacks.

    The span of a missing part is empty and at the end of the output. A missing part does not count if a reference lacks
    it, too. Additional handles (@name) do not count, because a handle may be the translation of a name.

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
    """Return tags and Markdown that an output adds or lacks. If there is no source, return tags that are not closed.

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
    r"""Return the characters of an output that are in `_ODD`.

    If the output is not in the normal form NFC, but the source and all references are, the last span is the whole
    output. Characters that the source or a reference also has do not count. Joiners do not count after a character that
    is not Latin. Direction marks do not count if the output has letters of scripts that are written from right to left.

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


# Numbers. A figure (digits in a text) may stand for several numbers: 1,000 may equal 1.000, but 3.5 does not equal 35.

#: Digits in groups of three with spaces between the groups, or digits with other separators.
_FIGURE = r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*"

#: Signs for powers of ten in Chinese, Japanese and Korean, after a figure or within a number, as in 615万2524.
_POWERS = {"十": 1, "百": 2, "千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "亿": 8, "億": 8, "억": 8, "兆": 12, "조": 12}

#: The beginnings of words for powers of ten, which follow a figure. ("Billion" is 10^9 or 10^12, by language.)
_WORDS = {
    (2,): r"hund|cent|cien|сот|yüz", (5,): r"lakh|lac|लाख", (7,): r"crore|करोड़",
    (3,): r"k\b|t\b|thou|taus|tsd|mille\b|mil\b|mila\b|duiz|tys|tis|тис|тыс|bin\b|nghìn|ngàn|rb\b|ribu|हज़ार|ألف|آلاف",
    (9,): r"bn\b|b\b|mrd|mld|mlr|md\b|milliar|miliar|milyar|млрд|мільярд|миллиард|tỷ|tỉ|mia\b|अरब|مليار",
    (6,): r"m\b|mn\b|mm\b|mio|mln|millio|milló|milh|milj|milione|milyon|млн|миллион|мільйон|triệu|juta|jt|मिलियन|مليون",
    (9, 12): r"bil|bio\b", (12, 18): r"tril|трлн|триль",
}

#: Whole numbers up to this limit are often written as words. (The number of a month is often replaced by its name.)
_SMALL = 12

#: The largest number of figures in a compared text; figures of this number of digits or more are not joined.
_MAX_FIGURES, _MAX_JOINED = 200, 40

#: The largest number of signs for powers of ten after a figure, as in 3千万.
_MAX_SIGNS = 2

#: The pattern of signs in `_POWERS` (group 1), or of the beginning of a word in `_WORDS` (a group for each list).
_SCALE = rf"(?i)\s?(?:([{''.join(_POWERS)}]{{1,{_MAX_SIGNS}}})|({')|('.join(_WORDS.values())}))"


class _Digits(CharacterTable):
    """A table for `str.translate` that replaces digits and decimal separators of all scripts by ASCII characters."""

    def __missing__(self, code: int) -> str:
        from unicodedata import decimal

        self[code] = {0x66B: ".", 0x66C: ",", 0xFF0E: "."}.get(code) or str(decimal(chr(code), chr(code)))
        return self[code]


_DIGITS = _Digits()


class Figure:
    """A figure in a text: digits, perhaps with separators.

    Attributes:
        span: the position and the text of the figure.
        values: the numbers that the figure may stand for, each as `_plain` returns it.
        parts: the numbers before and after a point or comma, if they may be a time or a date: 5.30, 18.12.
        powers: the powers of ten that the next word may mean; empty if the word means no power.
        in_name: whether a letter precedes the figure, as in COVID-19 and G7.
    """

    def __init__(self, span: Span, values: frozenset[str], powers: Sequence[int], in_name: bool) -> None:
        self.span = span
        self.values = values
        self.powers = powers
        self.in_name = in_name
        words = span[2].replace(",", ".").split(".")
        is_pair = len(words) == 2 and max(map(len, words)) < 3
        self.parts: frozenset[str] = frozenset(map(_plain, words if is_pair else ()))

    def amounts(self) -> set[str]:
        """Return the numbers that the figure may stand for together with the next word, such as "million"."""
        return {_plain(_shifted(value, power)) for value in self.values for power in self.powers or (0,)}


def _shifted(number: str, power: int) -> str:
    """Return a number times a power of ten."""
    whole, _, rest = number.partition(".")
    rest = rest.ljust(power, "0")
    return f"{whole}{rest[:power]}.{rest[power:]}"


def figures_in(text: str) -> list[Figure]:
    """Return the figures in a text.

    >>> [sorted(figure.values) for figure in figures_in("1.234,5 or 1 000; 12,34,567; ३.५")]
    [['1234.5'], ['1000'], ['1234567'], ['3.5']]
    """
    figure = compiled(_FIGURE)
    if not figure.search(text):
        return []
    if not text.isascii():
        text = text.translate(_DIGITS)
    figures: list[Figure] = []
    for match in figure.finditer(text):
        start, end = match.span()
        powers = _powers_at(text, end)
        for values, first, last in _numbers(match.group()):
            span = (start + first, start + last, text[start + first:start + last])
            before = text[max(span[0] - 2, 0):span[0]].rstrip("-")
            is_in_name = before[-1:].isascii() and before[-1:].isalpha()
            found = Figure(span, values, powers, is_in_name)
            joined = _joined(figures[-1], found, text) if figures and figures[-1].powers else None
            if joined is not None:
                figures.pop()
            figures.append(joined or found)
    return figures


def _joined(first: Figure, second: Figure, text: str) -> Figure | None:
    """Return two figures as one figure, if signs for powers of ten join them, as in 615万2524; else `None`."""
    signs = text[first.span[1]:second.span[0]].strip()
    high, low = _largest_amount(first), _largest_amount(second)
    if not 1 <= len(signs) <= _MAX_SIGNS or not set(signs) <= _POWERS.keys() or high is None or low is None:
        return None
    if low >= 10 ** sum(map(_POWERS.__getitem__, signs)):
        return None
    start, end = first.span[0], second.span[1]
    return Figure((start, end, text[start:end]), frozenset([str(high + low)]), (0,) if second.powers else (), False)


def _largest_amount(figure: Figure) -> int | None:
    """Return the largest whole number that a figure may stand for; `None` if all numbers are fractions or too long."""
    amounts = [int(amount) for amount in figure.amounts() if amount.isdigit() and len(amount) < _MAX_JOINED]
    return max(amounts, default=None)


def _powers_at(text: str, start: int) -> Sequence[int]:
    """Return the powers of ten that the word at a position in a text may mean; empty if the word means no power."""
    word = compiled(_SCALE).match(text, start)
    if word is None or word.lastindex is None:
        return ()
    if word.lastindex == 1:
        return (sum(map(_POWERS.__getitem__, word.group(1))),)
    return list(_WORDS)[word.lastindex - 2]


def _numbers(figure: str) -> list[tuple[frozenset[str], int, int]]:
    """Split a figure into parts that are numbers. Return the possible values, the start and the end of each part.

    >>> _numbers("12.05.2021")
    [(frozenset({'12'}), 0, 2), (frozenset({'5'}), 3, 5), (frozenset({'2021'}), 6, 10)]
    """
    marks = [character for character in figure if not character.isdigit()]
    if not marks:
        return [(frozenset([_plain(figure)]), 0, len(figure))]
    head, _, tail = figure.rpartition(marks[-1])
    joined = "".join(filter(str.isdigit, head))
    values: set[str] = set()
    is_last_decimal = len(marks) == 1 or (
        len(set(marks)) == 2 and marks.count(marks[-1]) == 1 and _is_grouped(head, marks[0]))
    if marks[-1] in ".," and is_last_decimal:
        values.add(_plain(f"{joined}.{tail}"))
    if len(set(marks)) == 1 and _is_grouped(figure, marks[0]):
        values.add(_plain(joined + tail))
    if values:
        return [(frozenset(values), 0, len(figure))]
    parts: list[tuple[frozenset[str], int, int]] = []
    start = 0
    for position, character in enumerate(f"{figure}."):
        if not character.isdigit():
            parts.append((frozenset([_plain(figure[start:position])]), start, position))
            start = position + 1
    return parts


def _is_grouped(figure: str, mark: str) -> bool:
    """Return whether a mark separates groups of three digits, or (as in India) pairs and the last three digits."""
    first, *middle, last = figure.split(mark)
    lengths = {len(group) for group in middle}
    return len(last) == 3 and 1 <= len(first) <= 3 and first[0] != "0" and (
        lengths <= {3} or (lengths == {2} and len(first) < 3))


def _plain(number: str) -> str:
    """Return a number without leading zeros, and without trailing zeros after the point."""
    whole, point, rest = number.partition(".")
    rest = rest.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest and point else "")


def _has(figures: list[Figure], sought: Figure) -> bool:
    """Return whether one of the figures may be the number `sought`, or several figures may be the parts of `sought`.

    If there are more than `_MAX_FIGURES` figures, the result is true.
    """
    if len(figures) > _MAX_FIGURES:
        return True
    for figure in figures:
        if figure.powers or sought.powers:
            if figure.values & sought.values or figure.amounts() & sought.amounts():
                return True
        elif _are_near(sought.values, figure.values | figure.parts):
            return True
    return bool(sought.parts) and all(_has_value(figures, part) for part in sought.parts)


def _has_value(figures: list[Figure], value: str) -> bool:
    return any(_are_near({value}, figure.values) for figure in figures)


def _are_near(values: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether a value equals one of `others`, or is the same hour or year (5 and 17, 80 and 1980)."""
    for value in values:
        for other in others:
            if value == other:
                return True
            if value.isdigit() and other.isdigit() and len(value) < 5 and len(other) < 5:
                low, high = sorted((int(value), int(other)))
                if (high <= 24 and high - low == 12) or (1000 < high < 2100 and low > 9 and high % 100 == low):
                    return True
    return False


def changed_numbers(output: str, against: Against, index: int) -> list[Span]:
    """Return the figures that only the output has, and the figures of the source that the output lacks.

    An additional figure does not count if a reference has it, and a missing figure does not count if a reference lacks
    it. Small and round numbers may be written as words in one of the texts. So an additional small or round number
    counts only if the output lacks a figure, and a missing small or round number counts only if the output has an
    additional figure.

    >>> from purebleu.checks.texts import Against
    >>> changed_numbers("Es sind 35 km.", Against(["It is 3.5 km."]), 0)
    [(8, 10, '35'), (14, 14, '3.5')]
    """
    assert against.source is not None
    output_figures, source_figures = figures_in(output), figures_in(against.source[index])
    if not output_figures and not source_figures:
        return []
    missing = [figure for figure in source_figures if not _has(output_figures, figure)]
    added = [figure for figure in output_figures if not _has(source_figures, figure)]
    if not missing and not added:
        return []
    references = [figures_in(reference) for reference in against.references_of(index)]
    for figures in references:
        added = [figure for figure in added if not _has(figures, figure)]
    lost = missing
    for figures in references:
        lost = [figure for figure in lost if _has(figures, figure)]
    if not missing:
        added = [figure for figure in added if not _may_be_words(figure)]
    if not added:
        lost = [figure for figure in lost if not _may_be_words(figure, is_sure=bool(references))]
    return [figure.span for figure in added] + [(len(output), len(output), figure.span[2]) for figure in lost]


def _may_be_words(figure: Figure, is_sure: bool = False) -> bool:
    """Return whether a figure may be written in words: a small or round number, in a name, or before "million".

    If all references have the number as a figure (`is_sure`), round numbers are not taken for words.
    """
    if figure.powers or figure.in_name:
        return True
    return any(value.isdigit() and ((len(value) < 3 and int(value) <= _SMALL)
                                    or (not is_sure and len(value.rstrip("0")) < 2))
               for value in figure.values)
