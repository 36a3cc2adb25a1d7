"""Write tests/fixtures/scores.json.gz: scores as other programs write them, and as other programs read them.

    PYTHON scripts/dev/oracles scores --comet FILE --mteval FOLDER

PYTHON is a Python 3.11 that has `sacrebleu==2.6.0`, `scipy==1.17.1` and `jsonargparse`. FILE is comet/cli/score.py of
github.com/Unbabel/COMET at da61b81; its command is run with a model that returns the numbers of a random stream. FOLDER
is a checkout of github.com/google-research/mt-metrics-eval at 68a481a, whose reader of files of scores is run. (What
MetricX and BLEURT write is a line of code each: a member `prediction` of JSON Lines in metricx24/predict.py, and a
number a line in bleurt/score_files.py. These are made by hand in the tests.) Nothing is downloaded.

The figures: of two systems' columns of numbers, the p-values and intervals of sacreBLEU's own tests, whose metric here
is the mean; the p-value of scipy's permutation test with all trials, whose statistic is the difference of means; and
scipy's t statistic for the size and the direction of the difference.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Iterator, Sequence
from unittest.mock import MagicMock, patch

from dev.oracles.files import golden_cases, module_at, write_cases


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--comet", required=True, type=Path, metavar="FILE", help="comet-score's score.py")
    parser.add_argument("--mteval", required=True, type=Path, metavar="FOLDER", help="mt-metrics-eval's checkout")
    options = parser.parse_args()
    # (Before lists of modules are patched: NumPy can be imported only once.)
    import_module("scipy.stats")
    import_module("sacrebleu.significance")
    cases = [*comet_cases(options.comet), *mteval_cases(options.mteval), *mqm_cases(options.mteval), *sampled_cases(),
             *exact_cases()]
    versions = f"sacrebleu {version('sacrebleu')}, scipy {version('scipy')}, COMET da61b81, mt-metrics-eval 68a481a"
    return write_cases("scores.json.gz", cases, versions)


def cases_of(kind: str) -> list[dict[str, Any]]:
    """The cases of a kind in the fixture, whose questions are asked again."""
    return [case for case in golden_cases("scores.json.gz") if case["kind"] == kind]


#: The further arguments of comet-score in each of its cases.
COMET_OPTIONS: Sequence[Sequence[str]] = ((), (), ("--gpus", "2"), ("--only_system",))


def comet_cases(path: Path) -> Iterator[dict[str, Any]]:
    """Texts and JSON of comet-score for random scores."""
    for case, further in zip(cases_of("comet"), COMET_OPTIONS):
        printed, written = run_comet(path, case["systems"], case["scores"], further)
        yield {**case, "printed": printed, "written": written}


def run_comet(path: Path, names: Sequence[str], scores: Sequence[Sequence[float]],
              further: Sequence[str]) -> tuple[str, str]:
    """The text that comet-score prints, and the JSON that it writes, where its model gives these scores."""
    waiting = [list(system_scores) for system_scores in scores]

    def predict(samples: Sequence[object], **_: object) -> Any:
        found: list[float] = []
        while len(found) < len(samples):
            found += waiting.pop(0)
        return type("Output", (dict,), {"scores": found, "system_score": sum(found) / len(found)})()

    model = SimpleNamespace(eval=lambda: None, half=lambda: None, requires_references=lambda: True,
                            set_embedding_cache=lambda: None, predict=predict)
    fakes: dict[str, Any] = {"torch": MagicMock(), "pytorch_lightning": MagicMock(), "comet": MagicMock(),
                             "comet.models": MagicMock(), "comet.models.utils": MagicMock()}
    fakes["comet"].load_from_checkpoint = lambda _: model
    fakes["comet.models.utils"].split_sequence_into_sublists = lambda *_: [[] for _ in names]
    with TemporaryDirectory() as folder, patch.dict(sys.modules, fakes), contextlib.chdir(folder):
        for name in ("source.txt", "reference.txt", *names):
            Path(name).write_text("line\n" * len(scores[0]), encoding="utf-8")
        arguments = ["comet-score", "-s", "source.txt", "-t", *names, "-r", "reference.txt", "--to_json", "all.json",
                     "--gpus", "1", *further]
        module = module_at(path)
        with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()) as printed:
            module.score_command()
        return printed.getvalue(), Path("all.json").read_text(encoding="utf-8")


def mteval_cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Files of scores by system, and what mt-metrics-eval reads in them."""
    with patch.dict(sys.modules, {"apache_beam": MagicMock(), "glob": MagicMock()}):
        sys.path.insert(0, str(folder))
        data = import_module("mt_metrics_eval.data")

    for case in cases_of("mteval"):
        with TemporaryDirectory() as target:
            path = Path(target) / "metric.seg.score"
            path.write_text(case["text"], encoding="utf-8")
            yield {**case, "read": dict(data.ReadScoreFile(str(path)))}


def mqm_cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Tables of MQM's errors, and the scores that mt-metrics-eval's converter makes of them."""
    for case in cases_of("mqm"):
        with TemporaryDirectory() as target:
            path = Path(target) / "mqm.tsv"
            path.write_text(case["text"], encoding="utf-8")
            subprocess.run([sys.executable, "-m", "mt_metrics_eval.converters.score_mqm", f"--input={path}",
                            f"--output={path}.score"], check=True, cwd=folder)
            lines = (Path(target) / "mqm.tsv.score").read_text(encoding="utf-8").splitlines()
        scores: dict[str, list[float]] = {}
        for line in lines:
            scores.setdefault(line.split("\t")[0], []).append(float(line.split("\t")[3]))
        yield {**case, "scores": scores}


class Mean:
    """A metric of sacreBLEU's form, whose hypotheses are numbers, and whose score is their mean."""

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], _: object) -> Any:
        return [[float(number), 1.0] for number in hypotheses]

    def _aggregate_and_compute(self, stats: Sequence[Any]) -> Any:
        return self._compute_score_from_stats([sum(column) for column in zip(*stats)])

    def _compute_score_from_stats(self, sums: Sequence[float]) -> Any:
        return import_module("sacrebleu.metrics.base").Score("Mean", float(sums[0]) / float(sums[1]))

    def get_signature(self) -> Any:
        return import_module("sacrebleu.metrics.base").Signature({"num_refs": 1})


def sampled_cases() -> Iterator[dict[str, Any]]:
    """sacreBLEU's tests of columns of numbers."""
    paired_test = import_module("sacrebleu.significance").PairedTest
    os.environ["SACREBLEU_SEED"] = "12345"
    for case in cases_of("sampled"):
        found: dict[str, Any] = {}
        for test, samples in [(test, case[test]["samples"]) for test in ("bs", "ar")]:
            _, table = paired_test([(f"s{index}", system) for index, system in enumerate(case["systems"])],
                                   {"Mean": Mean()}, None, test_type=test, n_samples=samples,
                                   n_ar_confidence=case["resamples"])()
            found[test] = {"samples": samples, "results": [
                [result.score, result.p_value, result.mean, result.ci] for result in table["Mean"]]}
        yield {**case, **found}


def exact_cases() -> Iterator[dict[str, Any]]:
    """scipy's test with all trials, and its t statistic."""
    stats = import_module("scipy.stats")
    for case in cases_of("exact"):
        numbers, others = [list(map(float, system)) for system in case["systems"]]
        result = stats.permutation_test((numbers, others), lambda x, y, axis: x.mean(axis) - y.mean(axis),
                                        permutation_type="samples", n_resamples=float("inf"), vectorized=True)
        yield {**case, "p": float(result.pvalue), "t": float(stats.ttest_rel(others, numbers).statistic)}
