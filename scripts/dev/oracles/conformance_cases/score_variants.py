"""Simple wrong ways to score, each of which some case of the set tells apart from sacreBLEU's.

A variant is a function from a request, and a function that asks sacreBLEU, to a wrong score (`None`: it does not apply
here). Some ask sacreBLEU for something else: other options, fewer references, other texts. The others are plain forms
of BLEU and chrF with a mistake in them, and TER with other limits in sacreBLEU's search.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from contextlib import contextmanager
from importlib import import_module

from conformance.serving import DEFAULTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

    from conformance.serving import Answer, Request

    Ask = Callable[[Request], Answer]
    Variant = Callable[[Request, Ask], Optional[float]]
    #: A change of a request; `None` where there is nothing to change.
    Change = Callable[[Request], Optional[Request]]
    Row = List[float]
    Counts = Dict[int, "Counter[str]"]

#: How many characters a request has, from which it may meet a limit of TER's search.
LONG = 90

#: The score of a variant that can't compute any.
FAILURE = -1.0


def score_variants(request: Request) -> dict[str, Variant]:
    """Wrong ways to answer a request, by name."""
    task = request["task"]
    variants = {"bleu": BLEU_VARIANTS, "chrf": CHRF_VARIANTS, "ter": TER_VARIANTS}[task]
    if task == "ter" and not request["options"] and sum(map(len, texts_of(request))) > LONG:
        variants = {**variants, **TER_LIMITS}
    changes = {**CHANGES, **{f"{name}: {value}": with_option(name, value)
                             for name, values in OTHER_OPTIONS[task].items() for value in values}}
    return {**{name: asking(change) for name, change in changes.items()}, "mean of sentences": mean_of_sentences,
            **variants}


def texts_of(request: Request) -> list[str]:
    """All hypotheses, then all references."""
    return [*request["hypotheses"], *[text for several in request["references"] for text in several]]


# Other requests

def asking(change: Change) -> Variant:
    def variant(request: Request, ask: Ask) -> float | None:
        changed = change(request)
        if changed is None or changed == request:
            return None
        if not changed["hypotheses"] or not all(changed["references"]):
            return FAILURE
        return float(ask(changed)["score"])
    return variant


def with_option(name: str, value: object) -> Change:
    return lambda request: {**request, "options": {**request["options"], name: value}}


def with_references(change: Callable[[list[str], str], list[str]]) -> Change:
    """A change of the references of each segment, beside its hypothesis."""
    return lambda request: {**request, "sentence": False, "references": [
        change(list(several), hypothesis)
        for several, hypothesis in zip(request["references"], request["hypotheses"])]}


def with_texts(change: Callable[[str], str]) -> Change:
    return lambda request: {**request, "hypotheses": list(map(change, request["hypotheses"])),
                            "references": [list(map(change, several)) for several in request["references"]]}


def with_segments(keep: Callable[[str, list[str]], bool]) -> Change:
    """The request with some of its segments."""
    def change(request: Request) -> Request:
        pairs = [pair for pair in zip(request["hypotheses"], request["references"]) if keep(*pair)]
        return {**request, "sentence": False, "hypotheses": [pair[0] for pair in pairs],
                "references": [pair[1] for pair in pairs]}
    return change


def swapped(request: Request) -> Request:
    """Hypotheses and first references in each other's place."""
    return {**request, "hypotheses": [several[0] for several in request["references"]],
            "references": [[hypothesis, *several[1:]]
                           for hypothesis, several in zip(request["hypotheses"], request["references"])]}


def joined(request: Request) -> Request | None:
    """All segments as one, where each has one reference."""
    if max(map(len, request["references"])) > 1:
        return None
    return {**request, "sentence": False, "hypotheses": [" ".join(request["hypotheses"])],
            "references": [[" ".join([several[0] for several in request["references"]])]]}


CHANGES: dict[str, Change] = {
    "first reference only": with_references(lambda several, _: several[:1]),
    "last reference only": with_references(lambda several, _: several[-1:]),
    "references in reverse": with_references(lambda several, _: several[::-1]),
    "shortest reference only": with_references(lambda several, _: [min(several, key=len)]),
    "longest reference only": with_references(lambda several, _: [max(several, key=len)]),
    "no empty references": with_references(lambda several, _: [text for text in several if text] or several),
    "a missing reference is empty": lambda request: {**request, "sentence": False, "references": [
        several + [""] * (max(map(len, request["references"])) - len(several)) for several in request["references"]]},
    "a missing reference is the first": lambda request: {**request, "sentence": False, "references": [
        several + several[:1] * (max(map(len, request["references"])) - len(several))
        for several in request["references"]]},
    "fewest references": lambda request: {**request, "sentence": False, "references": [
        several[:min(map(len, request["references"]))] for several in request["references"]]},
    "references as one": with_references(lambda several, _: [" ".join(several)]),
    "hypothesis and reference swapped": swapped,
    "segments as one": joined,
    "no segments without a hypothesis": with_segments(lambda hypothesis, _: bool(hypothesis.strip())),
    "no segments without a reference": with_segments(lambda _, several: any(text.strip() for text in several)),
    "no last segment": lambda request: {**request, "sentence": False, "hypotheses": request["hypotheses"][:-1],
                                        "references": request["references"][:-1]},
    "no repeated segments": lambda request: {
        **request, "sentence": False, "hypotheses": list(dict.fromkeys(request["hypotheses"])),
        "references": [request["references"][request["hypotheses"].index(text)]
                       for text in dict.fromkeys(request["hypotheses"])]},
    "NFC": with_texts(lambda text: unicodedata.normalize("NFC", text)),
    "NFKC": with_texts(lambda text: unicodedata.normalize("NFKC", text)),
    "case folding": with_texts(str.casefold),
    "one space between words": with_texts(lambda text: " ".join(text.split())),
    "ASCII's white space": with_texts(lambda text: re.sub("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f"
                                                          "\u205f\u3000]", "\ue000", text)),
    "no byte-order mark": with_texts(lambda text: text.replace("\ufeff", "")),
    "UTF-16 units": with_texts(lambda text: "".join(["\ue000\ue001" if c > "\uffff" else c for c in text])),
    "bytes": with_texts(lambda text: text.encode("utf-8").decode("latin-1")),
}

OTHER_OPTIONS: dict[str, dict[str, tuple[object, ...]]] = {
    "bleu": {"tokenize": ("13a", "intl", "zh", "char", "none"), "lowercase": (False, True),
             "smooth_method": ("exp", "none", "floor", "add-k"), "smooth_value": (None, 0.0, 0.1, 0.5, 1),
             "max_ngram_order": (1, 2, 3, 4, 5), "effective_order": (False, True)},
    "chrf": {"char_order": (0, 1, 2, 3, 5, 6, 7), "word_order": (0, 1, 2, 3), "beta": (0, 1, 2, 3),
             "lowercase": (False, True), "whitespace": (False, True), "eps_smoothing": (False, True)},
    "ter": {"normalized": (False, True), "no_punct": (False, True), "asian_support": (False, True),
            "case_sensitive": (False, True)},
}


def mean_of_sentences(request: Request, ask: Ask) -> float | None:
    if len(request["hypotheses"]) == 1:
        return None
    scores = [ask({**request, "hypotheses": [hypothesis], "references": [several]})["score"]
              for hypothesis, several in zip(request["hypotheses"], request["references"])]
    return float(sum(scores) / len(scores))


def option(request: Request, name: str) -> Any:
    return request["options"].get(name, DEFAULTS[request["task"]][name])


# BLEU, with a mistake

def ngrams_of(words: Sequence[str], order: int, separator: str = " ") -> Counter[str]:
    return Counter([separator.join(words[start:start + order]) for start in range(len(words) - order + 1)])


def sacrebleu_words(request: Request) -> Callable[[str], list[str]]:
    metric = import_module("sacrebleu").BLEU(**{name: value for name, value in request["options"].items()
                                                if name in ("tokenize", "lowercase")})
    return lambda text: metric._preprocess_segment(text).split()


#: How a mistaken BLEU takes the length of the references.
LENGTHS: dict[str, Callable[[int, list[int]], float]] = {
    "": lambda length, lengths: min(lengths, key=lambda other: (abs(other - length), other)),
    "shortest length": lambda length, lengths: min(lengths),
    "longest length": lambda length, lengths: max(lengths),
    "mean length": lambda length, lengths: sum(lengths) / len(lengths),
    "length of the first": lambda length, lengths: lengths[0],
    "first of the closest lengths": lambda length, lengths: min(lengths, key=lambda other: abs(other - length)),
    "longest of the closest lengths": lambda length, lengths: min(
        lengths, key=lambda other: (abs(other - length), -other)),
}


def bleu_rows(request: Request, wrong: str = "") -> list[Row]:
    """The rows of BLEU: hypothesis length, reference length, matches and n-grams by order."""
    words_of, order = sacrebleu_words(request), option(request, "max_ngram_order")
    length_of = LENGTHS.get(wrong, LENGTHS[""])
    rows: list[Row] = []
    for hypothesis, several in zip(request["hypotheses"], request["references"]):
        words, references = words_of(hypothesis), list(map(words_of, several))
        row: Row = [len(words), length_of(len(words), list(map(len, references)))]
        matches: Row = []
        for n in range(1, order + 1):
            found, theirs = ngrams_of(words, n), [ngrams_of(reference, n) for reference in references]
            limit: Counter[str] = Counter()
            for counts in theirs:
                limit = limit + counts if wrong == "limits are added" else limit | counts
            if wrong == "no clipping":
                matches.append(sum([count for ngram, count in found.items() if ngram in limit]))
            elif wrong == "kinds of n-grams":
                matches.append(len([ngram for ngram in found if ngram in limit]))
            elif wrong == "best reference of each order":
                matches.append(max([sum((found & counts).values()) for counts in theirs]))
            else:
                matches.append(sum((found & limit).values()))
        totals = [max(0, len(words) - n) for n in range(order)]
        if wrong == "a total is at least 1":
            totals = [max(1, total) for total in totals]
        rows.append([*row, *matches, *totals])
    return rows


def bleu_score(request: Request, rows: list[Row], wrong: str = "") -> float:
    """BLEU from its rows."""
    order, method = option(request, "max_ngram_order"), option(request, "smooth_method")
    value = option(request, "smooth_value")
    if value is None:
        value = {"floor": 0.1, "add-k": 1}.get(method)
    length, reference_length, *counts = map(sum, zip(*rows))
    matches, totals = counts[:order], counts[order:]
    if not any(matches) and wrong != "smoothing without any match":
        return 0.0
    logarithms, zeros, effective = [], 0, order
    for n, (match, total) in enumerate(zip(matches, totals), 1):
        if method == "add-k" and (n > 1 or wrong == "add-k from the first order"):
            match, total = match + value, (total if wrong == "add-k to matches only" else total + value)
        if total == 0:
            logarithms += [-math.inf] * (order - n + 1)
            break
        if option(request, "effective_order") and (match or wrong != "effective orders have matches"):
            effective = n
        if match == 0 and method == "exp":
            zeros = 1 if wrong == "exp halves once" else zeros + 1
            precision = 1 / ((3 if wrong == "exp with thirds" else 2) ** zeros * total)
        elif match == 0 and method == "floor":
            precision = value if wrong == "floor is the precision" else value / total
        else:
            precision = match / total
        logarithms.append(math.log(precision) if precision > 0 else -math.inf)
    penalty = brevity_penalty(length, reference_length, wrong)
    return 100 * penalty * math.exp(sum(logarithms[:effective]) / effective)


def brevity_penalty(length: float, reference_length: float, wrong: str) -> float:
    if wrong == "no brevity penalty":
        return 1.0
    if wrong == "brevity penalty is a ratio":
        return min(1.0, length / reference_length) if reference_length else 1.0
    if wrong == "longer hypotheses gain" and length:
        return math.exp(1 - reference_length / length)
    if length >= reference_length:
        return 1.0
    if length == 0:
        return 0.0
    return math.exp(1 - reference_length / length)


def bleu_with(wrong: str) -> Variant:
    def variant(request: Request, ask: Ask) -> float | None:
        try:
            return bleu_score(request, bleu_rows(request, wrong), wrong)
        except (ValueError, ZeroDivisionError, OverflowError):
            return FAILURE
    return variant


BLEU_VARIANTS: dict[str, Variant] = {name: bleu_with(name) for name in (
    *[name for name in LENGTHS if name], "limits are added", "no clipping", "kinds of n-grams",
    "best reference of each order", "a total is at least 1", "smoothing without any match",
    "add-k from the first order", "add-k to matches only", "effective orders have matches", "exp halves once",
    "exp with thirds", "floor is the precision", "no brevity penalty", "brevity penalty is a ratio",
    "longer hypotheses gain")}


# chrF, with a mistake

CHRF_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def chrf_words(text: str, wrong: str = "") -> list[str]:
    """The words of chrF++: one mark at the end of each, else one at the beginning, is a word."""
    words = []
    marks = CHRF_MARKS + ("\u201c\u201d\u2018\u2019\u3001\u3002\uff0c" if wrong == "marks of Unicode" else "")
    for word in text.split():
        first, last = word[0] in marks, word[-1] in marks
        if wrong == "words between spaces" or (len(word) == 1 and wrong != "a lone mark has an empty word"):
            words.append(word)
        elif wrong == "marks at both ends" and first and last:
            words += [word[0], word[1:-1], word[-1]]
        elif wrong == "marks at the beginning first" and first:
            words += [word[0], word[1:]]
        elif wrong == "all marks" or (wrong == "runs of marks" and (first or last)):
            words += re.findall(f"[{re.escape(marks)}]" + ("+" * (wrong == "runs of marks"))
                                + f"|[^{re.escape(marks)}]+", word)
        elif last:
            words += [word[:-1], word[-1]]
        elif first and wrong != "marks at the end only":
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def chrf_ngrams(request: Request, text: str, wrong: str) -> list[Counter[str]]:
    """The n-grams of a text, those of characters first, by order."""
    if option(request, "lowercase"):
        text = text.lower()
    words = chrf_words(text, wrong)
    if not option(request, "whitespace"):
        text = text.replace(" ", "") if wrong == "only spaces are left out" else "".join(text.split())
    elif wrong == "white space within words only":
        text = text.strip()
    characters = [ngrams_of(text, n, "") for n in range(1, option(request, "char_order") + 1)]
    if wrong == "n-grams within words":
        characters = [sum([ngrams_of(word, n, "") for word in words], Counter())
                      for n in range(1, option(request, "char_order") + 1)]
    return characters + [ngrams_of(words, n) for n in range(1, option(request, "word_order") + 1)]


def chrf_rows(request: Request, wrong: str = "") -> list[Row]:
    """The rows of chrF: n-grams of the hypothesis and of the reference, and matches, by order."""
    rows = []
    for hypothesis, several in zip(request["hypotheses"], request["references"]):
        found = chrf_ngrams(request, hypothesis, wrong)
        best, best_score = [], -1.0
        for reference in several:
            row: Row = []
            for ours, theirs in zip(found, chrf_ngrams(request, reference, wrong)):
                count = sum(ours.values()) if theirs or wrong == "orders that the reference lacks" else 0
                matches = (ours & theirs).values() if wrong != "kinds of n-grams" else [1 for ngram in ours
                                                                                        if ngram in theirs]
                row += [count, sum(theirs.values()), sum(matches)]
            score = chrf_score(request, [row], "eps" if wrong == "best reference by the mean of orders" else "")
            if score > best_score or (wrong == "last of the best" and score == best_score):
                best, best_score = row, score
        rows.append(best)
    return rows


def chrf_score(request: Request, rows: list[Row], wrong: str = "") -> float:
    """chrF from its rows."""
    sums = list(map(sum, zip(*rows)))
    factor = option(request, "beta") ** (1 if wrong == "beta is not squared" else 2)
    triples = list(zip(sums[::3], sums[1::3], sums[2::3]))
    if wrong == "eps" or (option(request, "eps_smoothing") and wrong != "no eps"):
        total = 0.0
        for count, other, matches in triples:
            precision, recall = matches / count if count else 1e-16, matches / other if other else 1e-16
            total += f_score(precision, recall, factor) or 1e-16
        return 100 * total / len(triples)
    used = [(matches / count, matches / other) for count, other, matches in triples if count and other]
    if wrong == "orders without n-grams count":
        used += [(0.0, 0.0)] * (len(triples) - len(used))
    if not used:
        return 0.0
    if wrong == "F of each order":
        return 100 * sum([f_score(precision, recall, factor) for precision, recall in used]) / len(used)
    precision, recall = (sum(values) / len(used) for values in zip(*used))
    return 100 * f_score(precision, recall, factor)


def f_score(precision: float, recall: float, factor: float) -> float:
    below = factor * precision + recall
    return (1 + factor) * precision * recall / below if below else 0.0


def chrf_with(wrong: str) -> Variant:
    def variant(request: Request, ask: Ask) -> float | None:
        return chrf_score(request, chrf_rows(request, wrong), wrong)
    return variant


CHRF_VARIANTS: dict[str, Variant] = {name: chrf_with(name) for name in (
    "marks of Unicode", "words between spaces", "a lone mark has an empty word", "marks at both ends",
    "marks at the beginning first", "all marks", "runs of marks", "marks at the end only", "only spaces are left out",
    "white space within words only", "n-grams within words", "orders that the reference lacks", "kinds of n-grams",
    "best reference by the mean of orders", "last of the best", "beta is not squared", "orders without n-grams count",
    "F of each order")}


# TER, with other limits and other divisors

@contextmanager
def limits(**others: int) -> Iterator[None]:
    """sacreBLEU's search with other limits."""
    module = import_module("sacrebleu.metrics.lib_ter")
    before = {name: getattr(module, name) for name in others}
    try:
        for name, value in others.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def ter_with_limits(**others: int) -> Variant:
    from conformance.sacrebleu_adapter import scored

    def variant(request: Request, ask: Ask) -> float | None:
        with limits(**others):
            return float(scored(request)["score"])
    return variant


def ter_words(request: Request) -> Callable[[str], list[str]]:
    metric = import_module("sacrebleu").TER(**request["options"])
    return lambda text: metric._preprocess_segment(text).split()


def ter_divided(length_of: Callable[[list[int], int, int], float]) -> Variant:
    """A variant with another divisor: from lengths of references, the length of the hypothesis, and edits."""
    def variant(request: Request, ask: Ask) -> float | None:
        words_of, edits, total = ter_words(request), 0.0, 0.0
        for (few, _), hypothesis, several in zip(ask(request)["statistics"], request["hypotheses"],
                                                 request["references"]):
            edits += few
            total += length_of([len(words_of(text)) for text in several], len(words_of(hypothesis)), few)
        return 100 * edits / total if total else FAILURE
    return variant


def ter_of_best(request: Request, ask: Ask) -> float | None:
    """TER with the length of the reference that has the fewest edits."""
    words_of, edits, total = ter_words(request), 0.0, 0
    for hypothesis, several in zip(request["hypotheses"], request["references"]):
        found = [(ask({**request, "hypotheses": [hypothesis], "references": [[text]]})["statistics"][0][0],
                  len(words_of(text))) for text in several]
        few, length = min(found)
        edits, total = edits + few, total + length
    return 100 * edits / total if total else FAILURE


def at_most_100(request: Request, ask: Ask) -> float | None:
    return min(100.0, float(ask(request)["score"]))


def plain_edits(request: Request, ask: Ask) -> float | None:
    """Levenshtein's distance: no shifts at all."""
    words_of, edits, total = ter_words(request), 0.0, 0.0
    for hypothesis, several in zip(request["hypotheses"], request["references"]):
        ours, theirs = words_of(hypothesis), list(map(words_of, several))
        edits += min([levenshtein(ours, words) for words in theirs])
        total += sum(map(len, theirs)) / len(theirs)
    return 100 * edits / total if total else FAILURE


def levenshtein(one: Sequence[str], other: Sequence[str]) -> int:
    row = list(range(len(other) + 1))
    for count, word in enumerate(one, 1):
        before, row[0] = row[0], count
        for place, another in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (word != another))
    return row[-1]


def in_other_order(request: Request, ask: Ask) -> float | None:
    """The words of both sides in reverse, which finds other shifts."""
    return asking(with_texts(lambda text: " ".join(text.split()[::-1])))(request, ask)


#: Other limits, which take long to try.
TER_LIMITS: dict[str, Variant] = {
    "shifts of 9 words": ter_with_limits(_MAX_SHIFT_SIZE=9), "shifts of 11 words": ter_with_limits(_MAX_SHIFT_SIZE=11),
    "shifts of 1 word": ter_with_limits(_MAX_SHIFT_SIZE=1), "shifts of 2 words": ter_with_limits(_MAX_SHIFT_SIZE=2),
    "shifts over 49 words": ter_with_limits(_MAX_SHIFT_DIST=49),
    "shifts over 51 words": ter_with_limits(_MAX_SHIFT_DIST=51),
    "shifts over any distance": ter_with_limits(_MAX_SHIFT_DIST=10 ** 6),
    "a beam of 24": ter_with_limits(_BEAM_WIDTH=24), "a beam of 26": ter_with_limits(_BEAM_WIDTH=26),
    "no beam": ter_with_limits(_BEAM_WIDTH=10 ** 6),
    "999 shifts tried": ter_with_limits(_MAX_SHIFT_CANDIDATES=999),
    "1,001 shifts tried": ter_with_limits(_MAX_SHIFT_CANDIDATES=1001),
    "any number of shifts tried": ter_with_limits(_MAX_SHIFT_CANDIDATES=10 ** 9),
}

TER_VARIANTS: dict[str, Variant] = {
    "length of the shortest reference": ter_divided(lambda lengths, _, __: min(lengths)),
    "length of the longest reference": ter_divided(lambda lengths, _, __: max(lengths)),
    "length of the first reference": ter_divided(lambda lengths, _, __: lengths[0]),
    "length of the hypothesis": ter_divided(lambda _, length, __: length),
    "length of the longer side": ter_divided(lambda lengths, length, _: max(length, *lengths)),
    "length of the closest reference": ter_divided(
        lambda lengths, length, _: min(lengths, key=lambda other: (abs(other - length), other))),
    "length of the best reference": ter_of_best, "at most 100": at_most_100, "no shifts": plain_edits,
    "words in reverse": in_other_order,
}
