"""Write tests/fixtures/means.json.gz: scores of segments by the oracle of each metric.

    PYTHON scripts/dev/oracles means --ribes FILE --eed FILE

PYTHON is a Python 3.11 that has `rouge_score==0.1.2` (with its `nltk`) and `cer==1.2.0`. `--ribes` is RIBES.py 1.03.1
(github.com/nttcslab-nlp/RIBES). Its licence is the GPL, so it is only run. `--eed` is functional/text/eed.py of
torchmetrics 1.9.0. Only functions that do not need PyTorch are run. Nothing is downloaded.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Iterator, List
from unittest.mock import MagicMock

from dev.oracles.files import golden_cases, module_at, write_cases

#: A score of a segment, or several figures; `None` if the oracle has none.
Figures = Any

#: A function that returns the figures of a segment.
Oracle = Callable[[str, List[str]], Figures]

#: CharacTER's oracle is not run on segments with more pairs of equal words than this.
MAX_EQUAL = 250

#: EED's oracle is not run on hypotheses of more characters than this, because it would take seconds.
MAX_CHARACTERS = 150

#: rouge_score's names of its scores.
ROUGE_TYPES = {"ROUGE1": "rouge1", "ROUGE2": "rouge2", "ROUGEL": "rougeL", "ROUGELSUM": "rougeLsum"}


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--ribes", required=True, type=Path, metavar="FILE", help="RIBES.py")
    parser.add_argument("--eed", required=True, type=Path, metavar="FILE", help="torchmetrics' eed.py")
    options = parser.parse_args()
    ORACLES["RIBES"] = partial(ribes, module_at(options.ribes))
    ORACLES["EED"] = partial(eed, options.eed)
    return write_cases("means.json.gz", cases(), "rouge_score 0.1.2, RIBES.py 1.03.1, cer 1.2.0, torchmetrics 1.9.0")


def cases() -> Iterator[dict[str, Any]]:
    """Yield the segments of the fixture, and then the figures of all segments for each metric and its options."""
    first, *golden = golden_cases("means.json.gz")
    yield first
    for case in golden:
        oracle = ORACLES[case["metric"]](**case["options"])
        yield {**case, "figures": [oracle(*segment) for segment in first["segments"]]}


def rouge(kind: str, stemmer: bool = False) -> Oracle:
    """Return the oracle of ROUGE, rouge_score: precision, recall and F-measure."""
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer([kind], use_stemmer=stemmer)

    def score(hypothesis: str, references: list[str]) -> Figures:
        return list(map(float, scorer.score_multi(references, hypothesis)[kind]))

    return score


def ribes(module: Any, lowercase: bool = False) -> Oracle:
    """Return the oracle of RIBES, RIBES.py. Lines are prepared as RIBES.py prepares lines of files."""
    def words(text: str) -> list[str]:
        text = module.multiws_pattern.sub(" ", text.strip())
        return (text.lower() if lowercase else text).split(" ") if text else []

    def score(hypothesis: str, references: list[str]) -> Figures:
        scores: list[float] = []
        for reference in references:
            correlation, precision, penalty = module.kendall(words(reference), words(hypothesis), emptyref=True)
            if correlation is not None:
                scores.append(correlation * (precision ** 0.25) * (penalty ** 0.10))
        return max(scores, default=None)

    return score


def character() -> Oracle:
    """Return the oracle of CharacTER, cer: the lowest score."""
    calculate = import_module("cer").calculate_cer

    def score(hypothesis: str, references: list[str]) -> Figures:
        words, lists = hypothesis.split(), [reference.split() for reference in references]
        # (cer divides by the number of words of a reference, and many equal words take minutes.)
        if not all(lists) or max([_pairs_of_equal_words(words, reference) for reference in lists]) > MAX_EQUAL:
            return None
        return min([float(calculate(words, reference)) for reference in lists])

    return score


def eed(path: Path) -> Oracle:
    """Return the oracle of EED, torchmetrics: the lowest score."""
    for name in ("torch", "typing_extensions", "torchmetrics.functional.text.helper"):
        sys.modules.setdefault(name, MagicMock())
    module = module_at(path)

    def score(hypothesis: str, references: list[str]) -> Figures:
        if len(hypothesis) > MAX_CHARACTERS:
            return None
        prepared = module._preprocess_en(hypothesis)
        return min([float(module._eed_function(prepared, module._preprocess_en(reference)))
                    for reference in references])

    return score


def _pairs_of_equal_words(words: list[str], reference: list[str]) -> int:
    return sum([reference.count(word) for word in words])


#: Functions that take options and return an oracle, by metric. (`main` adds those that need files.)
ORACLES: dict[str, Callable[..., Oracle]] = {metric: partial(rouge, kind) for metric, kind in ROUGE_TYPES.items()}
ORACLES["CharacTER"] = character
