"""purebleu: the BLEU, chrF and TER scores of sacreBLEU, computed with the Python standard library alone.

    BLEU().corpus_score(hypotheses, [references])             score a corpus; CHRF and TER have the same methods
    metric("chrF++").corpus_score(hypotheses, [references])   make any metric from its name or a published signature
    CHRF().sentence_scores(hypotheses, references)            score each segment
    compare({"base": base, "new": new}, references)           compare systems, with significance tests
    Accumulator(BLEU()): update, merge, compute               score a corpus in batches, or from several processes
    score_files("out.txt", "ref.txt")["BLEU"]                 score a file of any size
    check(outputs, source=sources, references=references)     find faulty lines: copies, chatter, lost numbers
    metric_from("EXACT", function); class Mine(Metric)        write your own metric
    test_set("wmt22", "en-de")                                download a test set
    mbr, resegment, compare_runs                              choose among samples; mend line breaks; compare seeds
    corpus_bleu, sentence_chrf, DATASETS                      call functions by sacreBLEU's names

`help(purebleu.BLEU)` and `purebleu help python` (a page of the manual) say more.

>>> import purebleu
>>> purebleu.corpus_bleu(["The cat sat on the mat."], [["The cat sat on a mat."]])
BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
"""

from __future__ import annotations

from .version import __version__ as __version__

#: The public names of each module. The module is imported when one of them is first used.
_MODULES = {
    "compat": ("corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu", "sentence_bleu", "sentence_chrf",
               "sentence_ter"),
    "checks.findings": ("check",),
    "cli.programs": ("score_files",),
    "compat.alias": ("install_as_sacrebleu",),
    "datasets": ("DATASETS", "download_test_set", "get_available_testsets", "get_langpairs_for_testset",
                 "get_reference_files", "get_source_file"),
    "datasets.registry": ("test_set",),
    "decoding": ("mbr",),
    "files.opening": ("smart_open",),
    "metrics": ("BLEU", "CHRF", "TER"),
    "metrics.base": ("Metric",),
    "metrics.evaluation": ("sum_statistics",),
    "metrics.external": ("metric_from",),
    "metrics.helpers": ("extract_char_ngrams", "extract_word_ngrams"),
    "metrics.making": ("Accumulator", "metric"),
    "metrics.score": ("Score", "Signature"),
    "report.compare": ("compare", "compare_rows", "compare_runs"),
    "resegmentation": ("resegment",),
    "runtime.errors": ("PurebleuError", "PurebleuWarning"),
    "utils": ("SACREBLEU_DIR",),
}

#: The public modules.
_SUBMODULES = ("compat", "dataset", "datasets", "evaluate", "harness", "meta_evaluation", "metrics", "rows",
               "significance", "tokenizers", "utils")

#: Public names that this copy lacks: none. (`scripts/vendor.py` lists them in copies.)
_LEFT_OUT: frozenset[str] = frozenset()

__all__ = [name for names in (*_MODULES.values(), ("__version__",)) for name in names if name not in _LEFT_OUT]  # pyright: ignore[reportUnsupportedDunderAll]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import (compat as compat, dataset as dataset, datasets as datasets, evaluate as evaluate,
                   harness as harness, meta_evaluation as meta_evaluation, metrics as metrics, rows as rows,
                   significance as significance, tokenizers as tokenizers, utils as utils)
    from .checks.findings import check as check
    from .cli.programs import score_files as score_files
    from .compat import (corpus_bleu as corpus_bleu, corpus_chrf as corpus_chrf, corpus_ter as corpus_ter,
                         raw_corpus_bleu as raw_corpus_bleu, sentence_bleu as sentence_bleu,
                         sentence_chrf as sentence_chrf, sentence_ter as sentence_ter)
    from .compat.alias import install_as_sacrebleu as install_as_sacrebleu
    from .datasets import (DATASETS as DATASETS, download_test_set as download_test_set,
                           get_available_testsets as get_available_testsets,
                           get_langpairs_for_testset as get_langpairs_for_testset,
                           get_reference_files as get_reference_files, get_source_file as get_source_file)
    from .datasets.registry import test_set as test_set
    from .decoding import mbr as mbr
    from .metrics import BLEU as BLEU, CHRF as CHRF, TER as TER
    from .metrics.base import Metric as Metric
    from .metrics.evaluation import sum_statistics as sum_statistics
    from .metrics.external import metric_from as metric_from
    from .metrics.helpers import extract_char_ngrams as extract_char_ngrams, extract_word_ngrams as extract_word_ngrams
    from .metrics.making import Accumulator as Accumulator, metric as metric
    from .metrics.score import Score as Score, Signature as Signature
    from .report.compare import compare as compare, compare_rows as compare_rows, compare_runs as compare_runs
    from .resegmentation import resegment as resegment
    from .runtime.errors import PurebleuError as PurebleuError, PurebleuWarning as PurebleuWarning
    from .utils import SACREBLEU_DIR as SACREBLEU_DIR, smart_open as smart_open


if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        """Import a public name, or a public module such as `metrics`, when it is first used."""
        from importlib import import_module

        if name == "SACREBLEU_DIR":
            return getattr(import_module(".utils", __name__), name)  # not stored, because the environment may change it
        if name in _SUBMODULES:
            return import_module("." + name, __name__)
        for module, names in _MODULES.items():
            if name in names:
                return globals().setdefault(name, getattr(import_module("." + module, __name__), name))
        message = f"module {__name__!r} has no attribute {name!r}"
        if name in import_module(".metrics", __name__).__all__:
            message += f": import it from {__name__}.metrics"
        raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBMODULES})
