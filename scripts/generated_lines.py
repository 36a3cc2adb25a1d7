"""Lines and segments, made up by a seeded generator, that hold whatever equal scores may stumble over.

Everything here depends on the seed alone: neither on the interpreter nor on its Unicode tables. Standard library only;
`make_fixtures` and `compare_with_oracle.py` import it, and so may tests.
"""

from __future__ import annotations

import random
from itertools import product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, List, Optional, Sequence

    #: Makes lines of one kind that have their words in common.
    Maker = Callable[[], str]
    Stream = List[Optional[str]]

#: Characters for which `str.isspace` holds, beyond line feed and carriage return.
WHITE_SPACE = ("\t\x0b\x0c\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
               "\u200a\u2028\u2029\u202f\u205f\u3000")

#: Characters that only look like white space, or like nothing.
INVISIBLE = "\0\x01\x7f\xad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2066\ufe0f\ufeff\U000e0020"

#: First and last code points of stretches that tokenizers treat in different ways. No high surrogates: one of them
#: before a low one would come back from JSON as a single character.
BLOCKS = {
    "ASCII": (0x20, 0x7E),
    "Latin-1": (0x80, 0xFF),
    "Latin Extended": (0x100, 0x24F),
    "combining marks": (0x300, 0x36F),
    "Greek and Cyrillic": (0x370, 0x4FF),
    "Hebrew and Arabic": (0x590, 0x6FF),
    "Indic digits and signs": (0x900, 0xDFF),
    "Thai and Tibetan": (0xE00, 0xFFF),
    "Georgian": (0x10A0, 0x10FF),
    "Ethiopic": (0x1360, 0x1399),
    "Mongolian": (0x1800, 0x18AF),
    "Greek Extended": (0x1F00, 0x1FFF),
    "general punctuation": (0x2000, 0x206F),
    "currency": (0x20A0, 0x20CF),
    "letter-like, numbers, arrows": (0x2100, 0x21FF),
    "mathematics, technical": (0x2200, 0x23FF),
    "enclosed, boxes, dingbats": (0x2400, 0x27BF),
    "Chinese by sacreBLEU's slip": (0x2A00, 0x2A90),
    "supplemental punctuation": (0x2E00, 0x2E7F),
    "radicals": (0x2E80, 0x2FFF),
    "CJK punctuation and kana": (0x3000, 0x30FF),
    "bopomofo, hangul letters": (0x3100, 0x31FF),
    "enclosed CJK": (0x3200, 0x33FF),
    "end of extension A": (0x4DA0, 0x4DFF),
    "ideographs": (0x4E00, 0x4EFF),
    "end of ideographs": (0x9F90, 0x9FFF),
    "hangul": (0xAC00, 0xAD00),
    "low surrogates": (0xDC00, 0xDC20),
    "private": (0xE000, 0xE010),
    "compatibility ideographs": (0xF900, 0xFAFF),
    "presentation forms": (0xFE00, 0xFE6F),
    "full-width forms": (0xFF00, 0xFFEF),
    "specials": (0xFFF0, 0xFFFF),
    "Aegean and Gothic numbers": (0x10100, 0x1034F),
    "musical symbols": (0x1D100, 0x1D1FF),
    "mathematical letters and digits": (0x1D400, 0x1D7FF),
    "legacy computing (Unicode 16)": (0x1CC00, 0x1CEBF),
    "old emoji": (0x1F300, 0x1F64F),
    "newer emoji": (0x1F900, 0x1F9FF),
    "newest emoji": (0x1FA70, 0x1FAFF),
    "unassigned": (0x1FC00, 0x1FC20),
    "ideographs of plane 2": (0x20000, 0x20040),
    "compatibility supplement": (0x2F800, 0x2FA1F),
    "variation selectors": (0xE0100, 0xE0120),
    "last plane": (0x10FFF0, 0x10FFFF),
}

ENTITIES = ("&", "&amp;", "&quot;", "&lt;", "&gt;", "&amp;lt;", "&amp;amp;", "&amp;quot;", "&apos;", "&#38;", "&AMP;",
            "&quot", "&amp", "&lt", "amp;", "&&lt;", "&am&amp;p;", "&<skipped>lt;", "<skipped>", "<skip<skipped>ped>")

#: Letters whose lower case is longer, depends on the letters around it, or came late to Unicode.
CASED = ("İ", "I", "ı", "ß", "ẞ", "Ǆ", "ǅ", "ǆ", "Σ", "ς", "ΑΣ", "ΌΣΟΣ", "ΑΣ.", "Σ'Α", "Å", "K", "Ω", "ᾈ", "ΐ", "ŉ",
         "\u03a3\u0301", "\u1c80", "\u1c90", "\u1c89", "\u2c2f", "\ua7c0", "\ua7cb", "\ua7d0", "\uab70", "\u13a0",
         "\U00010400", "\U00010570", "\U0001e900", "\U00016e40", "\U00010d50", "Ａ", "Ⅷ", "Ⓐ", "ÀÉ", "Ж", "ABC")

_SYLLABLES = ("ba", "den", "fo", "gra", "hin", "jo", "kel", "lu", "ma", "nor", "pi", "que", "ra", "stü", "ti", "vé",
              "wex", "ya", "zo", "ø")
_COMMON_WORDS = ("the", "The", "of", "a", "and", "to", "in", "is", "it", "that", "was", "not", "der", "die", "und")
_NUMBERS = ("3", "12", "1,000", "3.14", "1.000.000", "2-3", "20-fold", "1990's", "0.5%", "-7", "+7", ".5", "5.", "1st",
            "10:30", "1/2", "½", "²", "٣", "Ⅳ", "1,2,3", "1..2", "3,.4", "$5", "€5", "5€", "№5", "#5")
_MARKS = (".", ",", "!", "?", ";", ":", "...", "-", "--", "–", "—", "'", '"', "“", "”", "„", "‘", "’", "«", "»", "(",
          ")", "[", "]", "{", "}", "/", "\\", "|", "@", "#", "%", "^", "*", "_", "=", "+", "~", "`", "<", ">", "$",
          "。", "，", "、", "！", "？", "「", "」", "·", "…", "•", "™", "°", "§", "¿", "¡", "؟", "।", "෴", "\u2028")


class Segment:
    """A hypothesis and its references; of these, some may be `None` but never all."""

    def __init__(self, hypothesis: str, references: list[str | None]) -> None:
        self.hypothesis = hypothesis
        self.references = references


def special_lines() -> list[str]:
    """Lines that are worth trying one by one, without any chance in it."""
    spaces = [*WHITE_SPACE, "\n", "\r", "\r\n", "-\n", "3-\n", "\n\n", *INVISIBLE]
    lines = ["", "  "]
    lines += [pattern.replace("_", space) for space in spaces for pattern in ("_", "a_b", "_a.", "a._", "1,_2", "3-_4")]
    lines += [pattern.replace("_", chr(code)) for code in range(0x100) for pattern in ("_", "a_b", "1_2", "1_ _a_._1")
              if chr(code) not in "\n\r"]
    lines += [pattern.replace("_", entity) for entity in ENTITIES for pattern in ("_", "x_y", "3_.5", "_ _", "_._")]
    lines += [pattern.replace("_", letter) for letter in CASED for pattern in ("_", "x_", "_x", "ΑΣ_Α", "Σ_", "_Σ")]
    lines += [pattern.replace("_", mark) for mark in _MARKS for pattern in ("__", "a__1", "1_._a", "1_2_3", "._.1")]
    return lines


def short_lines(alphabet: Sequence[str], longest: int) -> Iterator[str]:
    """Every string of up to `longest` symbols of the alphabet.

    So the rules about full stops, commas and hyphens next to digits meet every situation that there is.
    """
    for length in range(longest + 1):
        for symbols in product(alphabet, repeat=length):
            yield "".join(symbols)


def random_lines(seed: int, count: int) -> list[str]:
    """So many lines of all kinds."""
    rng = random.Random(seed)
    return [_some_maker(rng)() for _ in range(count)]


def random_segments(seed: int, count: int, streams: int = 1, missing: bool = False) -> list[Segment]:
    """So many segments with `streams` references each; with `missing`, some of those are `None`.

    Hypotheses are equal to the first reference, derived from it, permuted, or unrelated; other references likewise.
    """
    rng = random.Random(seed)
    segments = []
    for _ in range(count):
        maker = _some_maker(rng)
        line = maker()
        references: list[str | None] = [line]
        references += [_related(rng, line, maker) for _ in range(streams - 1)]
        if missing:
            references = [None if rng.random() < 0.4 else reference for reference in references]
            if references.count(None) == streams:
                references[rng.randrange(streams)] = line
        segments.append(Segment(_related(rng, line, maker), references))
    return segments


def as_streams(segments: Sequence[Segment]) -> tuple[list[str], list[Stream]]:
    """The hypotheses, and a stream for each reference, as `corpus_score` takes them."""
    hypotheses = [segment.hypothesis for segment in segments]
    return hypotheses, [list(stream) for stream in zip(*[segment.references for segment in segments])]


def as_file_line(line: str) -> str:
    """The line as it comes back from a file that it is written to: without line feeds, without white space at its end.

    Lone surrogates, which no file holds, become question marks.
    """
    line = line.replace("\n", " ").replace("\r", " ").rstrip()
    return "".join("?" if 0xD800 <= ord(character) < 0xE000 else character for character in line)


def random_moses_lines(seed: int, count: int) -> list[str]:
    """`count` lines of what the tokenizer of Moses has rules for, or stumbles over."""
    rng = random.Random(seed)
    return [_moses_line(rng) for _ in range(count)]


# Makers of lines: each takes the generator and returns a function that makes lines with some words in common.

def _some_maker(rng: random.Random) -> Maker:
    kind = rng.choices(_KINDS, cum_weights=_CUMULATIVE_WEIGHTS)[0]
    return kind(rng)


def _prose(rng: random.Random) -> Maker:
    """Sentences with numbers, punctuation and entities in them."""
    vocabulary = [_word(rng) for _ in range(rng.randint(4, 40))] + list(_COMMON_WORDS)

    def make() -> str:
        pieces: list[str] = []
        for _ in range(_length(rng)):
            chance = rng.random()
            pieces.append(rng.choice(_NUMBERS) if chance < 0.07 else
                          rng.choice(ENTITIES) if chance < 0.09 else rng.choice(vocabulary))
            if rng.random() < 0.15:
                pieces[-1] += rng.choice(_MARKS)
            elif rng.random() < 0.05:
                pieces[-1] = rng.choice(_MARKS) + pieces[-1]
        return " ".join(pieces) + rng.choice(("", ".", ".", "!", "?", " .", ".”", ' ."', "...", "。"))
    return make


def _few_words(rng: random.Random) -> Maker:
    """Lines over 2 to 6 words, up to 120 of them (now and then 400): many repetitions."""
    vocabulary = [rng.choice(("a", "b", "c", "the", "字", "x.", "1", "É", "A", "B")) for _ in range(rng.randint(2, 6))]

    def make() -> str:
        longest = rng.choice((6, 20, 20, 60, 120)) if rng.random() < 0.99 else 400
        return " ".join([rng.choice(vocabulary) for _ in range(rng.randint(0, longest))])
    return make


def _digits_and_marks(rng: random.Random) -> Maker:
    """Runs of punctuation around digits and letters."""
    alphabet = rng.choice(("1a.,- ", "10.,-", "1a.,-&;$ ", "1½²٣a.,—“· ", "7x..,,--  \u2028", "字1.，。 a",
                           "1_.'\"%a/"))

    def make() -> str:
        return "".join([rng.choice(alphabet) for _ in range(rng.randint(0, 40))])
    return make


def _blocks(rng: random.Random) -> Maker:
    """Characters of a few of `BLOCKS`, with digits, full stops and blanks between them."""
    blocks = [rng.choice(list(BLOCKS.values())) for _ in range(rng.randint(1, 3))]
    characters = [chr(rng.randint(first, last)) for first, last in blocks for _ in range(rng.randint(2, 12))]
    plain = rng.random() * 0.5

    def make() -> str:
        return "".join([rng.choice("1a., -A") if rng.random() < plain else rng.choice(characters)
                        for _ in range(rng.randint(0, 50))])
    return make


def _spaces(rng: random.Random) -> Maker:
    """Words between all sorts of white space, and of what looks like it."""
    vocabulary = ["a", "b", "3", "x.", "1,"]

    def make() -> str:
        pieces = []
        for _ in range(rng.randint(0, 20)):
            pieces.append(rng.choice(vocabulary))
            pieces.append(rng.choice(WHITE_SPACE if rng.random() < 0.7 else INVISIBLE))
        return "".join(pieces)
    return make


def _letter_case(rng: random.Random) -> Maker:
    """Letters for which lower-casing is not plain."""
    def make() -> str:
        return "".join([rng.choice(CASED) + rng.choice(("", "", " ", "-", ".", "a"))
                        for _ in range(rng.randint(0, 20))])
    return make


def _broken(rng: random.Random) -> Maker:
    """Lines with line ends in them, which only the Python API lets through."""
    vocabulary = ["a", "b-", "3-", "4", "x.", "&amp;", "字"]

    def make() -> str:
        return "".join([rng.choice(vocabulary) + rng.choice(("\n", "\r", "\r\n", " ", "-\n", ""))
                        for _ in range(rng.randint(0, 15))])
    return make


def _blank(rng: random.Random) -> Maker:
    """Lines of nothing, white space, or one character."""
    def make() -> str:
        return rng.choice(("", "", " ", "\t ", "\u3000", "\xa0", "\u2028", ".", "a", "字", "1", "\0", "\ufeff"))
    return make


_KINDS = (_prose, _few_words, _digits_and_marks, _blocks, _spaces, _letter_case, _broken, _blank)
_CUMULATIVE_WEIGHTS = (30, 55, 67, 85, 89, 94, 97, 100)


def _word(rng: random.Random) -> str:
    word = "".join([rng.choice(_SYLLABLES) for _ in range(rng.randint(1, 4))])
    return word.title() if rng.random() < 0.2 else word


def _length(rng: random.Random) -> int:
    """A number of words like that of sentences: mostly 5 to 30, now and then far more."""
    return min(int(rng.lognormvariate(2.7, 0.6)) + 1, 350)


# Lines for Moses, whose rules look at what is next to apostrophes, commas, periods, hyphens and colons

_MOSES_MARKS = ("'", "'", ",", ",", ".", ".", "-", "`", ":", "\xb7", "\xc2\xb7", "\xc2", "''", ",,", "..", "...", ",,,",
                ".'", "',", "'s", "'S", "-'", "@-@", "@", '"', "&apos;", "\u2019", "<b>", "</s>", "|", "[", "%", "/")
_MOSES_LETTERS = ("a", "b", "s", "S", "D", "\xdf", "\xe9", "\u0130", "\u0455", "\u0438", "\u05d0", "\u0628",
                  "\u0915\u093e", "\u0e01\u0e33", "\u4e2d", "\u304b", "\ud55c", "\u01c5", "\xaa", "\u02b0", "\u2170",
                  "\u24d0", "\u0345", "\u0301", "e\u0301", "\u2163", "\U00010400", "\U00010428", "\U00020000",
                  "\U0001d400", "\U0001d41a")
_MOSES_NUMBERS = ("1", "5", "42", "\u0663", "\u096a", "\uff14", "\xbd", "\xb2", "\u2160", "\u3007", "\u3229",
                  "\u4e09", "\U0001d7ce")
_MOSES_WORDS = ("Mr", "Dr", "No", "Nr", "z.B", "i.e", "U.S", "A", "pp", "usw", "Art", "St", "bzw", "EU", "M", "USA",
                "it", "dogs", "l", "d'eau", "x.y.z", "1990", "II", "XXI", "den", "Foo", "foo", "fo", "to", "Abb",
                "vgl", "b")
_MOSES_DOTS = ("DOTMULTI", "DOTMULTI.", "DOTDOTMULTI", "DOT", "MULTI", "DOTMULTI..", "DOTMULTI...", "..DOTMULTI.",
               "...DOTMULTI.x", "xDOTMULTI'", "DOTMULTI.DOTMULTI.", "THISISPROTECTED000", "DOTDOTMULTIMULTI")
_MOSES_OTHERS = ("\0", "\x01", "\x07", "\x1b", "\x7f", "\x80", "\x9f", "\xad", "\u200b", "\u180e", "\u2060", "\ufeff",
                 "\ufffd", "\uffff", "\ue000", "\U0001f600", "\U000e0020", "\U0010ffff", "\u0378", "\u20ac", "\u2028")


def _moses_line(rng: random.Random) -> str:
    kinds = (_MOSES_MARKS, _MOSES_LETTERS, _MOSES_NUMBERS, _MOSES_WORDS, _MOSES_DOTS, _MOSES_OTHERS, WHITE_SPACE, " ")
    weights = rng.choice((
        (30, 15, 15, 5, 1, 1, 1, 15), (30, 2, 5, 25, 0, 0, 0, 25), (20, 30, 10, 10, 0, 0, 0, 20),
        (20, 0, 5, 5, 30, 2, 2, 10), (20, 5, 5, 5, 3, 20, 10, 10)))
    kinds_of_pieces = rng.choices(kinds, weights, k=rng.choice((1, 2, 3, 5, 8, 12, 20, 30)))
    return "".join([rng.choice(kind) for kind in kinds_of_pieces])


# Lines that have something to do with another one

def _related(rng: random.Random, line: str, maker: Maker) -> str:
    """A line that is equal to the given one, a variation of it, or another one that the maker makes."""
    change = rng.choice((_equal, _edited, _edited, _edited, _misspelt, _permuted, _part, _doubled, _other_case, None))
    if change is None:
        return maker() if rng.random() < 0.8 else _some_maker(rng)()
    return change(rng, line)


def _equal(rng: random.Random, line: str) -> str:
    return line


def _edited(rng: random.Random, line: str) -> str:
    """Some words left out, repeated, swapped with the next one, or replaced."""
    words = line.split(" ")
    for _ in range(rng.randint(1, 2 + len(words) // 4)):
        place = rng.randrange(len(words))
        words[place:place + 2] = rng.choice((
            words[place + 1:place + 2], words[place:place + 1] * 2, words[place:place + 2][::-1],
            [rng.choice(words), *words[place + 1:place + 2]], [_word(rng)]))
        words = words or [""]
    return " ".join(words)


def _misspelt(rng: random.Random, line: str) -> str:
    """A few characters left out, repeated or replaced."""
    characters = list(line)
    for _ in range(rng.randint(1, 3)):
        if characters:
            place = rng.randrange(len(characters))
            characters[place:place + 1] = rng.choice(([], characters[place:place + 1] * 2, ["x"], ["."], [" "]))
    return "".join(characters)


def _permuted(rng: random.Random, line: str) -> str:
    words = line.split(" ")
    rng.shuffle(words)
    return " ".join(words)


def _part(rng: random.Random, line: str) -> str:
    words = line.split(" ")
    first = rng.randrange(len(words))
    return " ".join(words[first:rng.randint(first, len(words))])


def _doubled(rng: random.Random, line: str) -> str:
    return f"{line} {line}" if len(line) < 500 else line


def _other_case(rng: random.Random, line: str) -> str:
    return line.replace("e", "E").replace("a", "A") if rng.random() < 0.7 else line.replace("A", "a").replace("T", "t")


# Segments for metrics that move blocks of words

def random_word_segments(seed: int, count: int, streams: int = 1, missing: bool = False) -> list[Segment]:
    """So many segments of plain words, with `streams` references each; with `missing`, some are `None` or empty.

    Most have few different words, so that there are many ways to align them. Hypotheses are equal to the first
    reference, derived from it by moving, swapping and editing words, or unrelated to it; other references likewise.
    Some are far longer than the other side.
    """
    rng = random.Random(seed)
    segments = []
    for _ in range(count):
        make = rng.choices(_PAIRS_OF_WORDS, cum_weights=_CUMULATIVE_WEIGHTS_OF_PAIRS)[0]
        hypothesis, reference = make(rng)
        references: list[str | None] = [" ".join(reference)]
        references += [" ".join(_rearranged(rng, reference)) for _ in range(streams - 1)]
        if missing:
            references = [rng.choice((None, "", reference, reference)) for reference in references]
            if references.count(None) == streams:
                references[rng.randrange(streams)] = " ".join(reference)
        segments.append(Segment(" ".join(hypothesis), references))
    return segments


#: Words whose order as strings is neither that of their first letters' codes in UTF-16 nor that of their lengths.
_WORDS_IN_DISORDER = ("b", "a", "ab", "aa", "B", "Z", "z", "1", "é", "e\u0301", "字", "\uffee", "\U0001f600", "a-b",
                      "\0", "ß", "ss", "İ", "\ud7ff", "\udc00")

#: How far to make a long side longer than a short one: around where its limits make an alignment widen its beam (50).
_RATIOS = (8, 20, 40, 45, 48, 49, 50, 51, 52, 55, 60, 65, 80)


def _few_different_words(rng: random.Random) -> tuple[list[str], list[str]]:
    words = rng.sample(_WORDS_IN_DISORDER, rng.randint(2, 6))
    return _pair_of_words(rng, words, rng.choice((3, 6, 9, 12, 12, 15, 18)))


def _more_of_few_different_words(rng: random.Random) -> tuple[list[str], list[str]]:
    words = rng.sample(_WORDS_IN_DISORDER, rng.randint(2, 6))
    return _pair_of_words(rng, words, rng.choice((30, 40, 60, 120)))


def _many_different_words(rng: random.Random) -> tuple[list[str], list[str]]:
    words = [f"w{number}" for number in range(rng.choice((8, 12, 20, 50, 100)))]
    return _pair_of_words(rng, words, rng.choice((10, 20, 20, 30, 40)))


def _more_of_many_different_words(rng: random.Random) -> tuple[list[str], list[str]]:
    words = [f"w{number}" for number in range(rng.choice((30, 60, 120, 400)))]
    return _pair_of_words(rng, words, rng.choice((60, 90, 120)))


def _far_longer(rng: random.Random) -> tuple[list[str], list[str]]:
    """One side of 0 to 4 words, the other one of many times as many."""
    words = rng.sample(_WORDS_IN_DISORDER, rng.randint(2, 6))
    short = [rng.choice(words) for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 2, 3, 4)))]
    length = max(1, len(short)) * rng.choice(_RATIOS) + rng.randint(-1, 1)
    long = [rng.choice(words) for _ in range(min(length, 210))]
    if rng.random() < 0.5:
        place = rng.randint(0, len(long))
        long[place:place] = short
    return (short, long) if rng.random() < 0.6 else (long, short)


def _off_the_diagonal(rng: random.Random) -> tuple[list[str], list[str]]:
    """Where an alignment should leave the diagonal farther than a beam lets it."""
    words = [f"w{number}" for number in range(rng.choice((4, 60, 60, 300)))]
    reference = [rng.choice(words) for _ in range(rng.randint(20, 70))]
    added = [rng.choice(("x", *words)) for _ in range(rng.randint(15, 60))]
    place = rng.choice((0, 0, len(reference), rng.randint(0, len(reference))))
    hypothesis = reference[:place] + added + reference[place:]
    if rng.random() < 0.5:
        hypothesis = hypothesis[:max(1, len(reference))]
    return (hypothesis, reference) if rng.random() < 0.5 else (reference, hypothesis)


def _at_the_limits(rng: random.Random) -> tuple[list[str], list[str]]:
    """Different words with one block moved: about as long, or about as far, as a shift may be (10 and 50 words)."""
    reference = [f"w{number}" for number in range(rng.randint(24, 75))]
    length, distance = rng.choice(((1, 49), (1, 50), (1, 51), (2, 50), (3, 48), (9, 10), (10, 12), (11, 11), (12, 14)))
    first = rng.randint(0, max(0, len(reference) - length - distance))
    rest = reference[:first] + reference[first + length:]
    hypothesis = rest[:first + distance] + reference[first:first + length] + rest[first + distance:]
    if rng.random() < 0.3:
        hypothesis = _rearranged(rng, hypothesis)
    return (hypothesis, reference) if rng.random() < 0.5 else (reference, hypothesis)


_PAIRS_OF_WORDS = (_few_different_words, _more_of_few_different_words, _many_different_words,
                   _more_of_many_different_words, _far_longer, _off_the_diagonal, _at_the_limits)
_CUMULATIVE_WEIGHTS_OF_PAIRS = (775, 780, 900, 905, 978, 990, 1000)


def _pair_of_words(rng: random.Random, words: Sequence[str], longest: int) -> tuple[list[str], list[str]]:
    """A hypothesis and a reference of these words, with at most so many of them to begin with."""
    reference = [rng.choice(words) for _ in range(rng.randint(0, longest))]
    if rng.random() < 0.2:
        return [rng.choice(words) for _ in range(rng.randint(0, longest))], reference
    return _rearranged(rng, reference), reference


def _rearranged(rng: random.Random, words: list[str]) -> list[str]:
    """The words, some of them moved in blocks, swapped with the next one, left out, repeated or replaced; or as is."""
    changed = list(words)
    for change in rng.choice(_REARRANGEMENTS):
        if changed:
            changed = change(rng, changed)
    return changed


def _block_moved(rng: random.Random, words: list[str]) -> list[str]:
    first = rng.randrange(len(words))
    last = min(len(words), first + rng.choice((1, 1, 2, 3, 5, 9, 10, 11, 12, 20)))
    rest = words[:first] + words[last:]
    target = rng.randint(0, len(rest))
    return rest[:target] + words[first:last] + rest[target:]


def _neighbours_swapped(rng: random.Random, words: list[str]) -> list[str]:
    place = rng.randrange(len(words))
    return words[:place] + words[place:place + 2][::-1] + words[place + 2:]


def _word_left_out(rng: random.Random, words: list[str]) -> list[str]:
    place = rng.randrange(len(words))
    return words[:place] + words[place + 1:]


def _word_put_in(rng: random.Random, words: list[str]) -> list[str]:
    place = rng.randint(0, len(words))
    return [*words[:place], rng.choice((*words, "new")), *words[place:]]


def _word_replaced(rng: random.Random, words: list[str]) -> list[str]:
    place = rng.randrange(len(words))
    return [*words[:place], rng.choice((*words, "new")), *words[place + 1:]]


def _shuffled(rng: random.Random, words: list[str]) -> list[str]:
    return rng.sample(words, len(words))


def _turned_round(rng: random.Random, words: list[str]) -> list[str]:
    return words[::-1]


_EDITS = (_word_left_out, _word_put_in, _word_replaced)
_REARRANGEMENTS: tuple[tuple[Callable[[random.Random, list[str]], list[str]], ...], ...] = (
    (), (_block_moved,), (_block_moved,) * 2, (_block_moved,) * 4, (_neighbours_swapped,), (_neighbours_swapped,) * 3,
    (_block_moved, _neighbours_swapped, *_EDITS), (_block_moved, *_EDITS, _block_moved), _EDITS, _EDITS * 3,
    (_block_moved, *_EDITS * 2), (_word_replaced,), (_shuffled,), (_shuffled, *_EDITS), (_turned_round,),
)
