"""Edits of TER: in corpora of plain words, too, some of which meet a limit of its search."""

from __future__ import annotations

import random
from itertools import product

from dev.oracles.cases.generated_lines import Segment, as_streams

from .corpora import corpora
from .oracle import oracle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, Sequence

    from .corpora import Corpus
    from .oracle import Options

#: Segments that are tokenized in ways of TER's own: a reference twice, which parts "Ann's," only then.
TER_PAIRS = (
    ("Ann's, x", "Ann's, x"), ("Ann 's , x", "Ann's, x"), ("it's Ann's.", "It's Ann's ."), ("&lt; a", "&amp;amp;lt; A"),
    ("日本語、です。", "日本語です"), ("日本語、です。", "日 本 語 です 。"), ("（全角）です！", "(全角)です!"),
    ("ひらがな", "ひら がな"), ("line\n-feed", "line feed"), ("line\n-feed", "linefeed"), ("end\n-", "end"),
    ("A\u00a0b\u3000c\x1cd", "a b c d"), ("it's\u00a0", "it 's"), ("it 's", "it's\u2028"), ("it's\u00a0x", "it 's x"),
)


def equal_in_a_row(rows: int, columns: int, row: int, column: int, ahead: bool) -> tuple[list[object], list[object]]:
    """A pair of `rows` and `columns` words, equal only in a run that begins, or ends, at a row and a column."""
    hypothesis, reference = ["z"] * rows, ["x"] * columns
    length = 1 + min(rows - row, columns - column) if ahead else min(row, column)
    for step in range(length):
        place = step if ahead else -step
        hypothesis[row - 1 + place] = reference[column - 1 + place] = str(step)
    return [*hypothesis], [*reference]


#: Pairs, words or letters, whose edits are others where a limit of the search is one less or one more.
LIMITS: dict[str, list[tuple[Sequence[object], Sequence[object]]]] = {
    "1,000 shifts tried": [
        ("acccaacccbaccczacabaaacaaba", "cccacaabcaaababaacaccaccacz"),
        ("aababzbbbbbbbbbaaaabbb", "babbbbaaaababbbbbbbabz"),
        ("aabbbaabbbabbbbbaaaabbba", "abbabbbbbaaaabbbaababbba"),
        ("cccbabbabccacabbbbbabcaa", "ccabbbbbabcaacaccbabbabc")],
    "10 words in a block": [
        ("almnopqrstubcdefghijkv", "abcdefghijklmnopqrstuv"),
        ("lmnopqrstuvwxabcdefghijk", "abcdefghijklmnopqrstuvwx")],
    "50 words to go": [
        *[([*range(1, length), 0], range(length)) for length in (50, 51, 52, 53)],
        *[([1, *range(length, 1, -1), 0], range(length, -1, -1)) for length in (49, 50, 51, 52)]],
    "25 words beside the diagonal": [
        *[(range(length), [*range(length), *"x" * length]) for length in (23, 24, 25, 26, 27)],
        *[([*"x" * 30, *range(length)], range(more)) for length, more in ((25, 48), (39, 60), (41, 64))],
        *[(range(length), [*"x" * 25, *range(less)]) for length, less in ((26, 15), (26, 25), (28, 15))]],
    "a beam that grows": [
        *[("a", "a" + "x" * length) for length in (48, 49, 50, 51)],
        *[("za", "x" * before + "a" + "x" * behind) for before in range(48, 55) for behind in range(45, 55)]],
    "a diagonal in floating point": [
        equal_in_a_row(69, 39, 23, 37, False), equal_in_a_row(66, 45, 44, 4, True),
        equal_in_a_row(74, 78, 37, 15, True), equal_in_a_row(65, 75, 13, 39, True)],
}

#: Numbers of words of a short side, and how many times as many there are on the other side: the beam grows at 50.
FAR_LONGER = ((2, 65), (1, 48), (1, 49), (1, 50), (1, 51), (1, 52), (2, 51), (3, 50), (3, 53), (4, 26))


def word_corpora() -> Iterator[Corpus]:
    """Corpora of plain words: blocks of them have moved, and the search for these meets its limits."""
    rng = random.Random(500)
    many = [f"w{number}" for number in range(200)]
    short = [some_words(rng, rng.choice(("abc", "abcd", "abcde")), 4, 13) for _ in range(400)]
    yield pairs_corpus("short pairs", [(rearranged(rng, words, rng.randint(1, 3)), words) for words in short])
    few = [some_words(rng, rng.choice(("ab", "abc", "abcd")), 0, 60) for _ in range(50)]
    yield pairs_corpus("many repetitions", [(rearranged(rng, words, rng.randint(0, 4)), words) for words in few])
    yield pairs_corpus("unrelated, many repetitions", [(some_words(rng, "abc", 0, 40), words) for words in few[:20]])
    permuted = [some_words(rng, many[:rng.choice((5, 20, 200))], 5, 25) for _ in range(30)]
    yield pairs_corpus("permuted", [(rng.sample(words, len(words)), words) for words in permuted])
    long = [some_words(rng, many, 20, 75) for _ in range(20)]
    yield pairs_corpus("blocks moved", [(rearranged(rng, words, rng.randint(1, 3)), words) for words in long])
    beside = [(some_words(rng, many, 60, 75), some_words(rng, "xy", 15, 45), 20 * (number % 4)) for number in range(16)]
    yield pairs_corpus("beside the diagonal", both_ways([
        (words[:place] + added + words[place:], words) for words, added, place in beside]))
    yield pairs_corpus("far longer", both_ways([
        (some_words(rng, "abc", length, length), some_words(rng, "abcde", times * length - 1, times * length + 1))
        for length, times in FAR_LONGER]))
    for limit, pairs in LIMITS.items():
        yield pairs_corpus(f"at a limit: {limit}",
                              [(list(map(str, one)), list(map(str, two))) for one, two in pairs])
    for missing in (False, True):
        segments = []
        for words in [some_words(rng, rng.choice(("abc", many[:12])), 0, 30) for _ in range(30)]:
            references: list[str | None] = [" ".join(rearranged(rng, words, changes)) for changes in (0, 2, 3)]
            if missing:
                references[1:] = [rng.choice((reference, reference, None, "")) for reference in references[1:]]
            segments.append(Segment(" ".join(rearranged(rng, words, 2)), references))
        yield (f"words, three references{' at most' if missing else ''}", *as_streams(segments))


def some_words(rng: random.Random, vocabulary: Sequence[str], least: int, most: int) -> list[str]:
    return [rng.choice(vocabulary) for _ in range(rng.randint(least, most))]


def rearranged(rng: random.Random, words: Sequence[str], changes: int) -> list[str]:
    """The words after `changes` changes: in each, a block is moved, and a word put in, replaced or left out."""
    words = list(words)
    for _ in range(changes):
        start = rng.randint(0, len(words))
        end = start + rng.randint(1, 12)
        rest = words[:start] + words[end:]
        target = max(0, min(len(rest), start + rng.randint(-60, 60)))
        words = rest[:target] + words[start:end] + rest[target:]
        place = rng.randint(0, len(words))
        words[place:place + rng.randint(0, 1)] = rng.choice((["new"], words[:1], []))
    return words


def both_ways(pairs: Sequence[tuple[list[str], list[str]]]) -> list[tuple[list[str], list[str]]]:
    return [*pairs, *[(two, one) for one, two in pairs]]


def pairs_corpus(name: str, pairs: Iterable[tuple[list[str], list[str]]]) -> Corpus:
    """A corpus of pairs of a hypothesis and a reference, in words."""
    return (name, *as_streams([Segment(" ".join(one), [" ".join(two)]) for one, two in pairs]))


def ter_cases() -> Iterator[dict[str, object]]:
    """A corpus, options of TER, the row of each segment, the score of the corpus and of its first segment.

    Corpora of words, for which options do not matter, and others with very long lines have the default options only.
    """
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    every: list[Options] = [dict(zip(names, chosen)) for chosen in product((False, True), repeat=len(names))]
    pairs: Corpus = ("tokens", [one for one, _ in TER_PAIRS], [[two for _, two in TER_PAIRS]])
    for corpus in (pairs, *corpora()):
        has_long_lines = max(map(len, corpus[1])) > 500
        for options in every[:1] if has_long_lines else every:
            yield ter_case(corpus, options)
    for corpus in word_corpora():
        yield ter_case(corpus, every[0])


def ter_case(corpus: Corpus, options: Options) -> dict[str, object]:
    name, hypotheses, references = corpus
    metric = oracle().TER(**options)
    rows = metric._extract_corpus_statistics(hypotheses, references)
    score, signature = metric._aggregate_and_compute(rows), metric.get_signature()
    sentence = metric.sentence_score(hypotheses[0], [stream[0] for stream in references])
    return {"corpus": name, "hypotheses": hypotheses, "references": references, "options": options,
            "rows": [[edits, length.hex()] for edits, length in rows], "score": float(score.score).hex(),
            "num_edits": score.num_edits, "ref_length": score.ref_length.hex(), "text": str(score),
            "signature": signature.format(), "short": signature.format(True),
            "sentence": float(sentence.score).hex()}
