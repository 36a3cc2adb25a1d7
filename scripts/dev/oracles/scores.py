"""Write tests/fixtures/scores.json.gz: scores as other programs write them, and what others make of such scores.

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
import random
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Iterator, Sequence
from unittest.mock import MagicMock, patch

from dev.oracles.making import maker_parser, write_cases

#: Outputs of comet-score: for each, the numbers of segments and of systems, and further arguments.
COMET_RUNS = ((5, 1, ()), (4, 3, ()), (12, 2, ("--gpus", "2")), (3, 2, ("--only_system",)))

#: Tests of columns: their numbers of segments, and the decimal places of their numbers.
COLUMNS = ((40, 4), (40, 1), (200, 4), (150, 6))

#: Exact tests of columns, likewise.
SMALL_COLUMNS = ((8, 1), (9, 4), (10, 2), (7, 0))

SEED = 41


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture; returns the exit code."""
    parser = maker_parser(__doc__)
    parser.add_argument("--comet", required=True, type=Path, metavar="FILE", help="comet-score's score.py")
    parser.add_argument("--mteval", required=True, type=Path, metavar="FOLDER", help="mt-metrics-eval's checkout")
    options = parser.parse_args(argv)
    # (Before lists of modules are patched: NumPy can be imported only once.)
    import_module("scipy.stats")
    import_module("sacrebleu.significance")
    cases = [*comet_cases(options.comet), *mteval_cases(options.mteval), *mqm_cases(options.mteval), *sampled_cases(),
             *exact_cases()]
    versions = f"sacrebleu {version('sacrebleu')}, scipy {version('scipy')}, COMET da61b81, mt-metrics-eval 68a481a"
    return write_cases("scores.json.gz", cases, versions)


def comet_cases(path: Path) -> Iterator[dict[str, Any]]:
    """Texts and JSON of comet-score for random scores."""
    source = random.Random(SEED)
    for segments, systems, further in COMET_RUNS:
        scores = [[source.gauss(0.7, 0.4) for _ in range(segments)] for _ in range(systems)]
        names = [f"system{index}.txt" for index in range(systems)]
        printed, written = run_comet(path, names, scores, further)
        yield {"kind": "comet", "systems": names, "scores": scores, "printed": printed, "written": written,
               "only_system": "--only_system" in further}


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
        spec = spec_from_file_location("comet_score", path)
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()) as printed:
            module.score_command()
        return printed.getvalue(), Path("all.json").read_text(encoding="utf-8")


def mteval_cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Files of scores by system, and what mt-metrics-eval reads in them."""
    with patch.dict(sys.modules, {"apache_beam": MagicMock(), "glob": MagicMock()}):
        sys.path.insert(0, str(folder))
        data = import_module("mt_metrics_eval.data")

    source = random.Random(SEED + 1)
    for separator, missing in (("\t", False), (" ", False), ("\t", True)):
        lines = [f"{system}{separator}{source.gauss(-3, 2)!r}" for system in ("refA", "Online-B", "M2M100")
                 for _ in range(4)]
        if missing:
            lines[5] = f"Online-B{separator}None"
        text = "\n".join([*lines, ""])
        with TemporaryDirectory() as target:
            path = Path(target) / "metric.seg.score"
            path.write_text(text, encoding="utf-8")
            yield {"kind": "mteval", "text": text, "read": dict(data.ReadScoreFile(str(path)))}


def mqm_cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Tables of MQM's errors, and the scores that mt-metrics-eval's converter makes of them."""
    source = random.Random(SEED + 4)
    kinds = [("Accuracy/Mistranslation", "Major"), ("Fluency/Punctuation", "Minor"), ("Fluency/Grammar", "Minor"),
             ("Fluency/Punctuation", "Major"), ("Non-translation!", "Major"), ("No-error", "no-error"),
             ("Style/Awkward", "Neutral"), ("Source error", "Minor"), ("Fluency/Punctuation/Comma", "minor")]
    for raters in (1, 3):
        rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
        for system in ("A", "B"):
            for segment in range(1, 9):
                for rater in range(raters):
                    for category, severity in source.choices(kinds, k=source.randint(1, 4)):
                        rows.append(f"{system}\tdoc\t{segment}\t{segment}\trater{rater}\ts\t<v>t</v>\t{category}"
                                    f"\t{severity}")
        text = "\n".join([*rows, ""])
        with TemporaryDirectory() as target:
            path = Path(target) / "mqm.tsv"
            path.write_text(text, encoding="utf-8")
            subprocess.run([sys.executable, "-m", "mt_metrics_eval.converters.score_mqm", f"--input={path}",
                            f"--output={path}.score"], check=True, cwd=folder)
            lines = (Path(target) / "mqm.tsv.score").read_text(encoding="utf-8").splitlines()
        scores: dict[str, list[float]] = {}
        for line in lines:
            scores.setdefault(line.split("\t")[0], []).append(float(line.split("\t")[3]))
        yield {"kind": "mqm", "text": text, "scores": scores}


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
    source = random.Random(SEED + 2)
    os.environ["SACREBLEU_SEED"] = "12345"
    for segments, places in COLUMNS:
        systems = [[f"{source.gauss(mean, 0.2):.{places}f}" for _ in range(segments)] for mean in (0.70, 0.72, 0.60)]
        found: dict[str, Any] = {}
        for test, samples in (("bs", 300), ("ar", 400)):
            _, table = paired_test([(f"s{index}", system) for index, system in enumerate(systems)], {"Mean": Mean()},
                                   None, test_type=test, n_samples=samples, n_ar_confidence=200)()
            found[test] = {"samples": samples, "results": [
                [result.score, result.p_value, result.mean, result.ci] for result in table["Mean"]]}
        yield {"kind": "sampled", "systems": systems, "resamples": 200, **found}


def exact_cases() -> Iterator[dict[str, Any]]:
    """scipy's test with all trials, and its t statistic."""
    stats = import_module("scipy.stats")
    source = random.Random(SEED + 3)
    for segments, places in SMALL_COLUMNS:
        one, other = [[f"{source.gauss(mean, 2):.{places}f}" for _ in range(segments)] for mean in (3.0, 4.5)]
        numbers, others = [float(number) for number in one], [float(number) for number in other]
        result = stats.permutation_test((numbers, others), lambda x, y, axis: x.mean(axis) - y.mean(axis),
                                        permutation_type="samples", n_resamples=float("inf"), vectorized=True)
        yield {"kind": "exact", "systems": [one, other], "p": float(result.pvalue),
               "t": float(stats.ttest_rel(others, numbers).statistic)}


if __name__ == "__main__":
    sys.exit(main())
