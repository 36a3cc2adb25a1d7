"""Random streams, and intervals beside a paired test."""

from __future__ import annotations

import random
from importlib import import_module

from dev.oracles.cases.generated_lines import as_streams, random_word_segments

from .oracle import oracle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator


def random_stream_cases() -> Iterator[dict[str, object]]:
    """Samples of NumPy's default_rng from a seed: indices below a count, and random bits, three times each."""
    numpy = import_module("numpy")

    for seed in (0, 1, 7, 12345, 2 ** 32 - 1, 2 ** 32, 2 ** 64 + 5, 3 ** 90, 10 ** 60):
        for count in (1, 2, 3, 7, 10, 64, 100, 1000):
            draws = numpy.random.default_rng(seed).choice(count, size=(3, count), replace=True)
            coins = numpy.random.default_rng(seed).integers(2, size=(3, count), dtype=bool)
            yield {"seed": str(seed), "count": count, "draws": draws.tolist(),
                   "coins": ["".join(map(str, map(int, trial))) for trial in coins]}


def paired_test_cases() -> Iterator[dict[str, object]]:
    """Intervals beside a randomization test, for which sacreBLEU's command line has no option.

    TER has one reference, because the sums of fractions are in single precision there.
    """
    significance = import_module("sacrebleu.significance")
    hypotheses, references = as_streams(random_word_segments(7, 61, streams=1))
    rng = random.Random(7)
    systems = [(name, [rng.choice([line, line, reference]) for line, reference in zip(hypotheses, references[0])])
               for name in ("baseline", "second", "third")]
    for trials, resamples in ((40, 50), (7, 41), (100, 100)):
        metrics = {name: getattr(oracle(), name)() for name in ("BLEU", "CHRF", "TER")}
        test = significance.PairedTest(systems, metrics, references, test_type="ar", n_samples=trials,
                                       n_ar_confidence=resamples)
        signatures, table = test()
        yield {"systems": systems, "references": references, "trials": trials, "resamples": resamples,
               "signatures": {name: signature.format() for name, signature in signatures.items()},
               "results": {name: [{key: None if value is None else float(value).hex()
                                   for key, value in vars(result).items()} for result in table[name]]
                           for name in signatures}}
