"""Write tests/fixtures/wer.json.gz with jiwer's own results, or compare them with purebleu's.

    PYTHON scripts/dev/oracles wer [--compare N]

PYTHON is an interpreter that has `jiwer==4.0.0`. With --compare, no file is written: N random segments, and a number of
large ones, are aligned by both, as words and as characters; counts and alignments that differ are printed.

Exit codes: 0 fine, 1 something differs, 2 wrong usage.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Any, Iterator, Sequence

from dev.oracles.cases.wer import large_pair, random_corpus
from dev.oracles.making import maker_parser, write_cases

#: The number of random corpora in the fixture; their seeds count from 0. Likewise, of large pairs.
CORPORA = 1200
LARGE = 4

#: Where the seeds of comparisons begin, beyond those of the fixture, and the number of large pairs in them.
FIRST_COMPARED = 1_000_000
LARGE_COMPARED = 25

#: Hypotheses and references: jiwer's documentation, empty lines, and whitespace.
WRITTEN: Sequence[tuple[Sequence[str], Sequence[str]]] = [
    (["shoe order one", "quite bit of an even longest sentence here"],
     ["short one here", "quite a bit of longer sentence"]),
    (["b a"], ["a b"]), ([""], [""]), (["a b"], [""]), ([""], ["a b"]), ([" \t"], ["\n"]), (["a b", "c"], ["", " "]),
    (["a\tb c"], ["a b c"]), (["a\xa0b  c"], ["a\xa0b \t c"]), (["\ta\t\tb\t"], ["a b"]), (["A b"], ["a B"]),
]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture, or compare; returns the exit code."""
    parser = maker_parser(__doc__, "random segments")
    options = parser.parse_args(argv)
    if options.compare:
        return int(compare(options.compare))
    return write_cases("wer.json.gz", cases(), f"jiwer {version('jiwer')}")


def cases() -> Iterator[dict[str, Any]]:
    """Corpora as they are, or by their seeds: counts of each segment, rates of the corpus, and an alignment."""
    for hypotheses, references in WRITTEN:
        yield {"hypotheses": hypotheses, "references": references, **figures(hypotheses, references)}
    for seed in range(CORPORA):
        yield {"seed": seed, **figures(*random_corpus(seed))}
    for seed in range(LARGE):
        hypothesis, reference = large_pair(seed)
        yield {"large": seed, **figures([hypothesis], [reference])}


def figures(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """The figures of a corpus in a case of the fixture."""
    jiwer = import_module("jiwer")
    words = jiwer.process_words(list(references), list(hypotheses))
    characters = jiwer.process_characters(list(references), list(hypotheses))
    return {
        "words": counts(words), "characters": counts(characters), "alignment": alignments(words)[0],
        "rates": {"WER": float(words.wer).hex(), "MER": float(words.mer).hex(), "WIL": float(words.wil).hex(),
                  "CER": float(characters.cer).hex()},
    }


def alignments(output: Any) -> list[list[list[Any]]]:
    """For each segment the runs of steps: their kind, and where they begin and end in reference and hypothesis."""
    return [[[chunk.type, chunk.ref_start_idx, chunk.ref_end_idx, chunk.hyp_start_idx, chunk.hyp_end_idx]
             for chunk in chunks] for chunks in output.alignments]


def counts(output: Any) -> list[list[int]]:
    """For each segment the hits, substitutions, deletions and insertions."""
    rows: list[list[int]] = []
    for chunks in alignments(output):
        sums = dict.fromkeys(("equal", "substitute", "delete", "insert"), 0)
        for kind, first, end, first_of_hypothesis, end_of_hypothesis in chunks:
            sums[kind] += max(end - first, end_of_hypothesis - first_of_hypothesis)
        rows.append(list(sums.values()))
    assert list(map(sum, zip(*rows))) == [output.hits, output.substitutions, output.deletions, output.insertions]
    return rows


def compare(number: int) -> bool:
    """Print how many segments are aligned alike; returns whether any are not."""
    jiwer = import_module("jiwer")
    units = import_module("purebleu.tokenizers.jiwer_words")
    segments = different = 0
    seeds = iter(range(FIRST_COMPARED, FIRST_COMPARED + number))
    large = [large_pair(seed) for seed in range(FIRST_COMPARED, FIRST_COMPARED + LARGE_COMPARED)]
    corpora = [([hypothesis for hypothesis, _ in large], [reference for _, reference in large])]
    while segments < number + LARGE_COMPARED:
        hypotheses, references = corpora.pop() if corpora else random_corpus(next(seeds))
        segments += len(hypotheses)
        for theirs, name, split in ((jiwer.process_words, "WER", units.jiwer_words),
                                    (jiwer.process_characters, "CER", units.jiwer_characters)):
            expected = theirs(list(references), list(hypotheses))
            rows = getattr(import_module("purebleu"), name)().corpus_statistics(hypotheses, [references])
            pairs = zip(split(hypotheses), split(references))
            for row, steps, expected_row, expected_steps, hypothesis in zip(
                    rows, map(aligned, pairs), counts(expected), alignments(expected), hypotheses):
                if list(row) != expected_row or steps != expected_steps:
                    different += 1
                    print(f"{name} of {hypothesis!r:.60}: {expected_row} and not {row}")
    print(f"{segments} segments, as words and as characters; {different} differ", flush=True)
    return different > 0


def aligned(pair: tuple[Any, Any]) -> list[list[Any]]:
    """purebleu's alignment of a pair, with jiwer's names of steps."""
    kinds = {"hit": "equal", "substitution": "substitute", "deletion": "delete", "insertion": "insert"}
    return [[kinds[kind], *ends] for kind, *ends in import_module("purebleu.engines.edits.alignment").align(*pair)]


if __name__ == "__main__":
    raise SystemExit(main())
