"""Simple wrong ways to tokenize, each of which some case of the set tells apart from sacreBLEU's.

Each tokenizer is written once more as a list of rules: substitutions by their names, in their order. A variant leaves
out one rule, or has another one in its place. The rules follow what is published of mteval-v13a.pl and mteval-v14.pl,
and of Tercom's `Normalizer`; `make_conformance.py` refuses to go on where they are not sacreBLEU's without a variant.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Mapping, Tuple

    #: A name, and a function from text to text.
    Rule = Tuple[str, Callable[[str], str]]
    #: From a text to its words.
    Words = Callable[[str], List[str]]
    Options = Mapping[str, object]
    Variants = Dict[str, Words]

ASCII_MARKS = "!\"#$%&()*+/:;<=>?@[\\]^_`{|}~"


def substitution(pattern: str, replacement: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(replacement, text)


def replacement(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


ENTITIES: list[Rule] = [
    ("&quot;", replacement("&quot;", '"')), ("&amp;", replacement("&amp;", "&")),
    ("&lt;", replacement("&lt;", "<")), ("&gt;", replacement("&gt;", ">")),
]
EDGES: Rule = ("spaces at the edges", lambda text: f" {text} ")
MARKS: Rule = ("marks are words", substitution(f"([{re.escape(ASCII_MARKS)}])", r" \1 "))
BEFORE: Rule = ("no digit before", substitution(r"([^0-9])([.,])", r"\1 \2 "))
AFTER: Rule = ("no digit after", substitution(r"([.,])([^0-9])", r" \1 \2"))
DASH: Rule = ("dash after a digit", substitution(r"([0-9])(-)", r"\1 \2 "))
WESTERN = [MARKS, BEFORE, AFTER, DASH]

#: Wrong rules by the name of the rule that they take the place of.
INSTEAD: dict[str, list[Rule]] = {
    "marks are words": [
        *[(f"{mark} is no word", substitution(f"([{re.escape(ASCII_MARKS.replace(mark, ''))}])", r" \1 "))
          for mark in ASCII_MARKS],
        *[(f"{mark} is a word", substitution(f"([{re.escape(ASCII_MARKS)}\\{mark}])", r" \1 ")) for mark in "'-.,"],
        ("runs of marks are words", substitution(f"([{re.escape(ASCII_MARKS)}]+)", r" \1 ")),
        ("Latin-1's marks are words", substitution(f"([{re.escape(ASCII_MARKS)}\xa1-\xbf\xd7\xf7])", r" \1 ")),
        ("Unicode's marks are words", substitution(f"([{re.escape(ASCII_MARKS)}\u2010-\u2027\u3001-\u3011])", r" \1 ")),
    ],
    "no digit before": [
        ("no digit of any script before", substitution(r"([^\d])([.,])", r"\1 \2 ")),
        ("no letter or digit before", substitution(r"([\W_])([.,])", r"\1 \2 ")),
        ("a look behind", substitution(r"(?<=[^0-9])([.,])", r" \1 ")),
        ("commas only", substitution(r"([^0-9])(,)", r"\1 \2 ")),
        ("full stops only", substitution(r"([^0-9])(\.)", r"\1 \2 ")),
    ],
    "no digit after": [
        ("no digit of any script after", substitution(r"([.,])([^\d])", r" \1 \2")),
        ("a look ahead", substitution(r"([.,])(?=[^0-9])", r" \1 ")),
        ("commas only", substitution(r"(,)([^0-9])", r" \1 \2")),
        ("full stops only", substitution(r"(\.)([^0-9])", r" \1 \2")),
        ("no digit before", BEFORE[1]),
    ],
    "dash after a digit": [
        ("dash after a digit of any script", substitution(r"(\d)(-)", r"\1 \2 ")),
        ("dash before a digit", substitution(r"(-)([0-9])", r" \1 \2")),
        ("dash between digits", substitution(r"([0-9])(-)(?=[0-9])", r"\1 \2 ")),
        ("all dashes", substitution(r"(-)", r" \1 ")),
    ],
    "&amp;": [("&amp; last", lambda text: text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")),
              ("&AMP;", substitution("(?i)&amp;", "&"))],
    "&quot;": [("&apos;, too", lambda text: text.replace("&quot;", '"').replace("&apos;", "'"))],
    "&lt;": [("&lt", substitution("&lt;?", "<"))],
    "<skipped>": [("<skipped> again", lambda text: text.replace("<skipped>", "").replace("<skipped>", "")),
                  ("<skipped> is a space", replacement("<skipped>", " "))],
    "hyphen at a line's end": [("hyphen stays", replacement("-\n", "-"))],
    "line feed": [("line feed is nothing", replacement("\n", ""))],
    "'s": [("'S, too", substitution("(?i)('s) ", r" \1 ")), ("'s before any space", substitution(r"('s)\s", r" \1 ")),
           ("'s of words", substitution("(?<=[a-z])('s) ", r" \1 "))],
}

_13A: list[Rule] = [
    ("<skipped>", replacement("<skipped>", "")), ("hyphen at a line's end", replacement("-\n", "")),
    ("line feed", replacement("\n", " ")), *ENTITIES, EDGES, *WESTERN]


@lru_cache(maxsize=None)
def characters(*categories: str) -> str:
    """The characters of these general categories, as in a regular expression's brackets."""
    return "".join([re.escape(chr(code)) for code in range(sys.maxunicode + 1)
                    if unicodedata.category(chr(code)) in categories])


PUNCTUATION = ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po")
SYMBOLS = ("Sm", "Sc", "Sk", "So")
NUMBERS = ("Nd", "Nl", "No")


def international(punctuation: tuple[str, ...] = PUNCTUATION, symbols: tuple[str, ...] = SYMBOLS,
                  numbers: tuple[str, ...] = NUMBERS) -> list[Rule]:
    """The rules of `intl`, with the categories that count as punctuation, symbols and numbers."""
    marks, signs, digits = characters(*punctuation), characters(*symbols), characters(*numbers)
    return [("no number before", substitution(f"([^{digits}])([{marks}])", r"\1 \2 ")),
            ("no number after", substitution(f"([{marks}])([^{digits}])", r" \1 \2")),
            ("symbols", substitution(f"([{signs}])", r" \1 "))]


def without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple([other for other in names if other != name])


def rules_in_order(rules: list[Rule]) -> Callable[[str], str]:
    def apply(text: str) -> str:
        for _, rule in rules:
            text = rule(text)
        return text
    return apply


def altered(rules: list[Rule]) -> dict[str, Callable[[str], str]]:
    """The rules without each of them, and with each of `INSTEAD` in its place."""
    variants = {}
    for place, (name, _) in enumerate(rules):
        variants[f"without: {name}"] = rules_in_order(rules[:place] + rules[place + 1:])
        for other in INSTEAD.get(name, []):
            variants[f"{name}: {other[0]}"] = rules_in_order([*rules[:place], other, *rules[place + 1:]])
    return variants


#: Wrong ways to prepare a text, or to split it at white space, for all tokenizers.
ON_TEXTS: dict[str, Callable[[str], str]] = {
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "no byte-order mark": replacement("\ufeff", ""),
    "zero-width space is a space": replacement("\u200b", " "),
    "control characters are spaces": substitution("[\x00-\x08\x0e-\x1b\x7f]", " "),
    "ASCII only": lambda text: text.encode("ascii", "ignore").decode("ascii"),
    "Latin-1 only": lambda text: text.encode("latin-1", "replace").decode("latin-1"),
    "no planes beyond the first": substitution("[\U00010000-\U0010ffff]", "\ufffd"),
    "UTF-16 units": lambda text: "".join([f"{chr(0xe000)}{chr(0xe001)}" if ord(c) > 0xffff else c for c in text]),
    "no soft hyphen": replacement("\xad", ""),
    "marks of other scripts are ASCII's": lambda text: text.translate(
        {ord("\u2018"): "'", ord("\u2019"): "'", ord("\u201c"): '"', ord("\u201d"): '"', ord("\u2013"): "-"}),
}
SPLITTING: dict[str, Words] = {
    "spaces only": lambda text: [word for word in text.split(" ") if word],
    "ASCII's white space": lambda text: re.findall(r"[^ \t\n\r\x0b\x0c]+", text),
    "white space but no no-break spaces": lambda text: re.sub("[\xa0\u2007\u202f]", "\ue000", text).split(),
    "white space but no separators of information": lambda text: re.sub("[\x1c-\x1f]", "\ue000", text).split(),
    "white space but no next line": lambda text: text.replace("\x85", "\ue000").split(),
    "white space but no line separators": lambda text: re.sub("[\u2028\u2029]", "\ue000", text).split(),
    "white space but no ideographic space": lambda text: text.replace("\u3000", "\ue000").split(),
    "white space and format characters": lambda text: re.sub("[\u180e\u200b-\u200f\u2060\ufeff]", " ", text).split(),
}

LOWER_CASE: dict[str, Callable[[str], str]] = {
    "mixed case": lambda text: text,
    "case folding": str.casefold,
    "ASCII's lower case": lambda text: "".join([c.lower() if c < "\x80" else c for c in text]),
    "lower case of each character": lambda text: "".join(map(str.lower, text)),
    "one character for each": lambda text: "".join([c.lower() if len(c.lower()) == 1 else c for c in text]),
    "lower case of the upper case": lambda text: text.upper().lower(),
    "Turkish lower case": lambda text: text.replace("I", "\u0131").replace("\u0130", "i").lower(),
    "lower case in the first plane": lambda text: "".join([c.lower() if c < "\U00010000" else c for c in text]),
    "Latin-1's lower case": lambda text: "".join([c.lower() if c < "\u0100" else c for c in text]),
}


def chinese_rules(is_chinese: Callable[[str], bool]) -> list[Rule]:
    """The rules of `zh`: `is_chinese` tells which characters are words."""
    return [("strip", str.strip),
            ("characters are words", lambda text: "".join([f" {c} " if is_chinese(c) else c for c in text])), *WESTERN]


def tercom_rules(options: Options, is_asian: Callable[[str], bool], is_asian_mark: Callable[[str], bool]) -> list[Rule]:
    """The rules of Tercom's tokenizer with these options."""
    rules: list[Rule] = []
    if options.get("normalized"):
        rules += [("line feed, hyphen", replacement("\n-", "")), ("line feed", replacement("\n", " ")), *ENTITIES,
                  EDGES, MARKS, ("'s", replacement("'s ", " 's ")), BEFORE, AFTER, DASH]
        if options.get("asian_support"):
            rules.append(("Asian characters are words", lambda text: "".join(
                [f" {c} " if is_asian(c) else c for c in text])))
    if options.get("no_punct"):
        rules.append(("no punctuation", substitution(r'[.,?:;!"()]', "")))
        if options.get("asian_support"):
            rules.append(("no Asian punctuation", lambda text: "".join([c for c in text if not is_asian_mark(c)])))
    return rules


class Sets:
    """The characters that sacreBLEU's tokenizers treat as Chinese or as Asian, as found by asking it about each."""

    def __init__(self, chinese: frozenset[str], asian: frozenset[str], asian_marks: frozenset[str]) -> None:
        self.chinese, self.asian, self.asian_marks = chinese, asian, asian_marks


def ranges_of(some: frozenset[str]) -> list[tuple[int, int]]:
    """The first and last code points of each run of characters."""
    codes = sorted(map(ord, some))
    starts = [code for code in codes if chr(code - 1) not in some]
    return list(zip(starts, [code for code in codes if chr(code + 1) not in some]))


def plain_rules(options: Options, sets: Sets) -> list[Rule]:
    """The rules that a tokenizer consists of, without lower case."""
    name = options["tokenize"]
    if name == "13a":
        return _13A
    if name == "zh":
        return chinese_rules(sets.chinese.__contains__)
    if name == "intl":
        return international()
    if name == "char":
        return [("characters are words", " ".join)]
    if name == "tercom":
        return tercom_rules(options, sets.asian.__contains__, sets.asian_marks.__contains__)
    return []


def is_lower_case(options: Options) -> bool:
    return not options.get("case_sensitive") if options["tokenize"] == "tercom" else bool(options.get("lowercase"))


def plain_words(options: Options, sets: Sets) -> Words:
    """The steps of a tokenizer, in the plain form."""
    rules, lower = rules_in_order(plain_rules(options, sets)), is_lower_case(options)
    return lambda text: rules((text.lower() if lower else text).rstrip()).split()


def word_variants(options: Options, sets: Sets) -> Variants:
    """Wrong ways to tokenize with these options, by name."""
    rules = plain_rules(options, sets)
    plain, lower = rules_in_order(rules), is_lower_case(options)
    case: Callable[[str], str] = str.lower if lower else str
    variants: Variants = {}

    def add(name: str, text_of: Callable[[str], str], words_of: Words = str.split) -> None:
        variants[name] = lambda text: words_of(text_of(text))

    for name, rule in {**altered(rules), **_others(options, sets)}.items():
        add(name, lambda text, rule=rule: rule(case(text).rstrip()))  # type: ignore[misc]  # mypy's issue 15459
    for name, prepare in ON_TEXTS.items():
        add(name, lambda text, prepare=prepare: plain(case(prepare(text)).rstrip()))  # type: ignore[misc]
    for name, split in SPLITTING.items():
        add(name, lambda text: plain(case(text).rstrip()), split)
    add("no strip at the end", lambda text: plain(case(text)))
    add("strip", lambda text: plain(case(text).strip()))
    if lower:
        for name, other_case in LOWER_CASE.items():
            add(name, lambda text, to=other_case: plain(to(text).rstrip()))  # type: ignore[misc]
        add("lower case after all", lambda text: plain(text.rstrip()).lower())
    else:
        add("lower case", lambda text: plain(text.lower().rstrip()))
    return variants


def _others(options: Options, sets: Sets) -> dict[str, Callable[[str], str]]:
    """Variants that are a tokenizer's own, and other tokenizers in its place."""
    name = options["tokenize"]
    others = {f"as {other}": rules_in_order(plain_rules({"tokenize": other}, sets))
              for other in ("13a", "intl", "zh", "char", "none") if other != name}
    if name == "intl":
        for category in PUNCTUATION:
            others[f"{category} is no punctuation"] = rules_in_order(international(without(PUNCTUATION, category)))
        for category in SYMBOLS:
            others[f"{category} is no symbol"] = rules_in_order(international(symbols=without(SYMBOLS, category)))
            others[f"{category} is punctuation"] = rules_in_order(international((*PUNCTUATION, category)))
        for category in NUMBERS:
            others[f"{category} is no number"] = rules_in_order(international(numbers=without(NUMBERS, category)))
        edges = rules_in_order(international())
        others["spaces at the edges"] = lambda text: edges(f" {text} ")
        others["entities"] = lambda text: edges(rules_in_order(ENTITIES)(text))
        symbols_first = rules_in_order([*international()[2:], *international()[:2]])
        others["symbols first"] = symbols_first
    if name == "char":
        others["accents belong to letters"] = substitution("(.[\u0300-\u036f\ufe0f\u200d]*)", r"\1 ")
        others["only letters"] = substitution(r"(\w)", r" \1 ")
        others["only beyond ASCII"] = substitution("([^\x00-\x7f])", r" \1 ")
    if name == "none":
        others["marks at the end"] = substitution(r"([.,!?])(\s|$)", r" \1\2")
    if name == "zh":
        others.update(_wrong_ranges(sets.chinese, chinese_rules))
        western = rules_in_order(WESTERN)
        spaced = rules_in_order(chinese_rules(sets.chinese.__contains__))
        others["spaces at the edges"] = lambda text: spaced(f" {text} ")
        others["Western first"] = lambda text: "".join([f" {c} " if c in sets.chinese else c for c in western(text)])
    if name == "tercom":
        flips = ("normalized", "no_punct", "asian_support")
        for flip in flips:
            flipped = {**options, flip: not options.get(flip)}
            others[f"{flip} the other way"] = rules_in_order(plain_rules(flipped, sets))
        if options.get("normalized") and options.get("asian_support"):
            others.update(_wrong_ranges(sets.asian, lambda member: tercom_rules(
                options, member, sets.asian_marks.__contains__)))
        if options.get("no_punct") and options.get("asian_support"):
            others.update({f"marks, {key}": rule for key, rule in _wrong_ranges(
                sets.asian_marks, lambda member: tercom_rules(options, sets.asian.__contains__, member)).items()})
        if options.get("no_punct"):
            rules = plain_rules({**options, "no_punct": False}, sets)
            plain = rules_in_order(rules)
            for mark in '.,?:;!"()':
                kept = re.compile("[" + re.escape('.,?:;!"()'.replace(mark, "")) + "]")
                others[f"{mark} stays"] = lambda text, kept=kept: kept.sub("", plain(text))  # type: ignore[misc]
            others["all of ASCII's marks go"] = lambda text: re.sub("[!-/:-@\\[-`{-~]", "", plain(text))
    return others


def _wrong_ranges(some: frozenset[str], rules_of: Callable[[Callable[[str], bool]], list[Rule]],
                  ) -> dict[str, Callable[[str], str]]:
    """Variants in which a range of characters is missing, or begins or ends one too late."""
    variants = {}
    for first, last in ranges_of(some):
        name = f"U+{first:04X}-{last:04X}"
        changed = {f"{name} is missing": (first, last + 1), f"{name} begins too early": (first - 1, first),
                   f"{name} ends too late": (last + 1, last + 2)}
        if last > first:
            changed.update({f"{name} begins too late": (first, first + 1), f"{name} ends too early": (last, last + 1)})
        for key, (start, stop) in changed.items():
            variants[key] = rules_in_order(rules_of(_other_way(some, start, stop)))
    return variants


def _other_way(some: frozenset[str], start: int, stop: int) -> Callable[[str], bool]:
    """Whether a character is one of some, but for those from `start` up to `stop`, of which the contrary is told."""
    return lambda character: (character in some) != (start <= ord(character) < stop)
