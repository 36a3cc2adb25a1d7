"""Write tests/fixtures/scores.json.gz: files of scores from other programs, and figures of tests on scores.

    PYTHON scripts/dev/oracles scores --comet FILE --mteval FOLDER

PYTHON is a Python 3.11 that has `sacrebleu==2.6.0`, `scipy==1.17.1` and `jsonargparse`. FILE is comet/cli/score.py of
github.com/Unbabel/COMET at da61b81. Its command is run with a model that returns the scores of the case. FOLDER is a
checkout of github.com/google-research/mt-metrics-eval at 68a481a. Its reader of score files is run. (Tests write the
files of MetricX and BLEURT themselves: metricx24/predict.py writes JSON Lines with a member `prediction`, and
bleurt/score_files.py writes a number on each line.) Nothing is downloaded.

The figures of two systems' scores are the p-values and intervals of sacreBLEU's tests (the metric is the mean), the
p-value of scipy's permutation test with all trials (the statistic is the difference of means), and scipy's t statistic
(the size and direction of the difference).
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from argparse import ArgumentParser
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Callable, Iterator, Sequence
from unittest.mock import MagicMock, patch

from dev.oracles.files import Case, module_at, write_answers


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--comet", required=True, type=Path, metavar="FILE", help="comet-score's score.py")
    parser.add_argument("--mteval", required=True, type=Path, metavar="FOLDER", help="mt-metrics-eval's checkout")
    options = parser.parse_args()
    # (These are imported before `sys.modules` is patched, because NumPy can be imported only once.)
    import_module("scipy.stats")
    import_module("sacrebleu.significance")
    answers: dict[str, Callable[[Case], Case]] = {
        "comet": partial(comet, options.comet, iter(COMET_OPTIONS)), "mteval": partial(mteval, options.mteval),
        "mqm": partial(mqm, options.mteval), "sampled": sampled, "exact": exact,
    }
    versions = f"sacrebleu {version('sacrebleu')}, scipy {version('scipy')}, COMET da61b81, mt-metrics-eval 68a481a"
    return write_answers("scores.json.gz", lambda case: answers[case["kind"]](case), versions)


#: Further arguments of comet-score, in the order of its cases.
COMET_OPTIONS: Sequence[Sequence[str]] = ((), (), ("--gpus", "2"), ("--only_system",))


def comet(path: Path, further: Iterator[Sequence[str]], case: Case) -> Case:
    """Return the text and the JSON that comet-score writes if its model returns the scores of the case."""
    names, scores = case["systems"], case["scores"]
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
                     "--gpus", "1", *next(further)]
        module = module_at(path)
        with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()) as printed:
            module.score_command()
        return {"printed": printed.getvalue(), "written": Path("all.json").read_text(encoding="utf-8")}


def mteval(folder: Path, case: Case) -> Case:
    """Return the scores by system that mt-metrics-eval reads from a file."""
    with patch.dict(sys.modules, {"apache_beam": MagicMock(), "glob": MagicMock()}):
        sys.path.insert(0, str(folder))
        data = import_module("mt_metrics_eval.data")
    with TemporaryDirectory() as target:
        path = Path(target) / "metric.seg.score"
        path.write_text(case["text"], encoding="utf-8")
        return {"read": dict(data.ReadScoreFile(str(path)))}


def mqm(folder: Path, case: Case) -> Case:
    """Return the scores that mt-metrics-eval's converter computes from a table of MQM errors."""
    with TemporaryDirectory() as target:
        path = Path(target) / "mqm.tsv"
        path.write_text(case["text"], encoding="utf-8")
        subprocess.run([sys.executable, "-m", "mt_metrics_eval.converters.score_mqm", f"--input={path}",
                        f"--output={path}.score"], check=True, cwd=folder)
        lines = (Path(target) / "mqm.tsv.score").read_text(encoding="utf-8").splitlines()
    scores: dict[str, list[float]] = {}
    for line in lines:
        scores.setdefault(line.split("\t")[0], []).append(float(line.split("\t")[3]))
    return {"scores": scores}


class Mean:
    """A metric with the methods of sacreBLEU's metrics. Its hypotheses are numbers, and its score is their mean."""

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], _: object) -> Any:
        return [[float(number), 1.0] for number in hypotheses]

    def _aggregate_and_compute(self, stats: Sequence[Any]) -> Any:
        return self._compute_score_from_stats([sum(column) for column in zip(*stats)])

    def _compute_score_from_stats(self, sums: Sequence[float]) -> Any:
        return import_module("sacrebleu.metrics.base").Score("Mean", float(sums[0]) / float(sums[1]))

    def get_signature(self) -> Any:
        return import_module("sacrebleu.metrics.base").Signature({"num_refs": 1})


def sampled(case: Case) -> Case:
    """Return the results of sacreBLEU's tests on scores."""
    os.environ["SACREBLEU_SEED"] = "12345"
    systems = [(f"s{index}", system) for index, system in enumerate(case["systems"])]
    found: Case = {}
    for test in ("bs", "ar"):
        samples = case[test]["samples"]
        _, table = import_module("sacrebleu.significance").PairedTest(
            systems, {"Mean": Mean()}, None, test_type=test, n_samples=samples, n_ar_confidence=case["resamples"])()
        found[test] = {"samples": samples, "results": [
            [result.score, result.p_value, result.mean, result.ci] for result in table["Mean"]]}
    return found


def exact(case: Case) -> Case:
    """Return the p-value of scipy's permutation test with all trials, and scipy's t statistic."""
    stats = import_module("scipy.stats")
    numbers, others = [list(map(float, system)) for system in case["systems"]]
    result = stats.permutation_test((numbers, others), lambda x, y, axis: x.mean(axis) - y.mean(axis),
                                    permutation_type="samples", n_resamples=float("inf"), vectorized=True)
    return {"p": float(result.pvalue), "t": float(stats.ttest_rel(others, numbers).statistic)}
