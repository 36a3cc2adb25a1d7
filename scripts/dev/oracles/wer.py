"""Write tests/fixtures/wer.json.gz with jiwer's own results.

    PYTHON scripts/dev/oracles wer

PYTHON is an interpreter that has `jiwer==4.0.0`.
"""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from importlib.metadata import version
from typing import Any

from dev.oracles.cases.wer import large_pair, random_corpus
from dev.oracles.files import Case, write_answers


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    return write_answers("wer.json.gz", figures, f"jiwer {version('jiwer')}")


def figures(case: Case) -> Case:
    """Return counts, rates and an alignment of a corpus. The corpus is in the case, or is made from the case's seed."""
    if "seed" in case:
        hypotheses, references = random_corpus(case["seed"])
    elif "large" in case:
        hypotheses, references = [[line] for line in large_pair(case["large"])]
    else:
        hypotheses, references = case["hypotheses"], case["references"]
    jiwer = import_module("jiwer")
    words = jiwer.process_words(list(references), list(hypotheses))
    characters = jiwer.process_characters(list(references), list(hypotheses))
    return {
        "words": counts(words), "characters": counts(characters), "alignment": alignments(words)[0],
        "rates": {"WER": float(words.wer).hex(), "MER": float(words.mer).hex(), "WIL": float(words.wil).hex(),
                  "CER": float(characters.cer).hex()},
    }


def alignments(output: Any) -> list[list[list[Any]]]:
    """Return, for each segment, runs of equal edits: the kind, and the start and end in reference and hypothesis."""
    return [[[chunk.type, chunk.ref_start_idx, chunk.ref_end_idx, chunk.hyp_start_idx, chunk.hyp_end_idx]
             for chunk in chunks] for chunks in output.alignments]


def counts(output: Any) -> list[list[int]]:
    """Return, for each segment, the numbers of hits, substitutions, deletions and insertions."""
    rows: list[list[int]] = []
    for chunks in alignments(output):
        sums = dict.fromkeys(("equal", "substitute", "delete", "insert"), 0)
        for kind, first, end, first_of_hypothesis, end_of_hypothesis in chunks:
            sums[kind] += max(end - first, end_of_hypothesis - first_of_hypothesis)
        rows.append(list(sums.values()))
    assert list(map(sum, zip(*rows))) == [output.hits, output.substitutions, output.deletions, output.insertions]
    return rows
