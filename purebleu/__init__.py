"""purebleu: comparable, reproducible BLEU, chrF and TER scores, sacreBLEU's own, from the standard library alone.

>>> import purebleu
>>> purebleu.corpus_bleu(["The cat sat on the mat."], [["The cat sat on a mat."]])
BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
"""

from __future__ import annotations

from .version import __version__ as __version__

#: The public names and the modules that hold them; a module is imported when one of its names is first used.
_MODULES = {
    "BLEU": "metrics",
    "BLEUScore": "metrics",
    "CER": "metrics",
    "CERScore": "metrics",
    "CHARACTER": "metrics",
    "CHARACTERScore": "metrics",
    "CHRF": "metrics",
    "CHRFScore": "metrics",
    "DATASETS": "datasets",
    "EED": "metrics",
    "EEDScore": "metrics",
    "GLEU": "metrics",
    "GLEUScore": "metrics",
    "MER": "metrics",
    "MERScore": "metrics",
    "NIST": "metrics",
    "NISTScore": "metrics",
    "PairedTest": "significance",
    "PurebleuError": "errors",
    "PurebleuWarning": "errors",
    "RIBES": "metrics",
    "RIBESScore": "metrics",
    "ROUGE1": "metrics",
    "ROUGE1Score": "metrics",
    "ROUGE2": "metrics",
    "ROUGE2Score": "metrics",
    "ROUGEL": "metrics",
    "ROUGELSUM": "metrics",
    "ROUGELSUMScore": "metrics",
    "ROUGELScore": "metrics",
    "SACREBLEU_DIR": "utils",
    "SegmentScores": "metrics",
    "TER": "metrics",
    "TERScore": "metrics",
    "WER": "metrics",
    "WERScore": "metrics",
    "WIL": "metrics",
    "WILScore": "metrics",
    "corpus_bleu": "compat",
    "corpus_chrf": "compat",
    "corpus_ter": "compat",
    "download_test_set": "datasets",
    "extract_char_ngrams": "metrics.helpers",
    "extract_word_ngrams": "metrics.helpers",
    "get_available_testsets": "datasets",
    "get_available_testsets_for_langpair": "datasets",
    "get_langpairs_for_testset": "datasets",
    "get_reference_files": "datasets",
    "get_source_file": "datasets",
    "install_as_sacrebleu": "compat.alias",
    "mbr": "decoding",
    "raw_corpus_bleu": "compat",
    "resegment": "resegmentation",
    "results_of": "significance",
    "sentence_bleu": "compat",
    "sentence_chrf": "compat",
    "sentence_ter": "compat",
    "smart_open": "files.text",
    "sum_statistics": "metrics.evaluation",
    "transpose_references": "metrics.segments",
    "uninstall_as_sacrebleu": "compat.alias",
}

#: The modules that are public, too.
_SUBMODULES = ("compat", "dataset", "datasets", "errors", "evaluate", "meta_evaluation", "metrics", "rows",
               "significance", "tokenizers", "utils")

#: Public names that this copy was made without: none. (`scripts/vendor.py` fills them in.)
_LEFT_OUT: frozenset[str] = frozenset()

__all__ = [name for name in [*_MODULES, "__version__"] if name not in _LEFT_OUT]  # pyright: ignore[reportUnsupportedDunderAll]  # it sees the imports below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import compat as compat
    from . import dataset as dataset
    from . import datasets as datasets
    from . import errors as errors
    from . import evaluate as evaluate
    from . import meta_evaluation as meta_evaluation
    from . import metrics as metrics
    from . import rows as rows
    from . import significance as significance
    from . import tokenizers as tokenizers
    from . import utils as utils
    from .compat import corpus_bleu as corpus_bleu
    from .compat import corpus_chrf as corpus_chrf
    from .compat import corpus_ter as corpus_ter
    from .compat import raw_corpus_bleu as raw_corpus_bleu
    from .compat import sentence_bleu as sentence_bleu
    from .compat import sentence_chrf as sentence_chrf
    from .compat import sentence_ter as sentence_ter
    from .compat.alias import install_as_sacrebleu as install_as_sacrebleu
    from .compat.alias import uninstall_as_sacrebleu as uninstall_as_sacrebleu
    from .datasets import DATASETS as DATASETS
    from .datasets import download_test_set as download_test_set
    from .datasets import get_available_testsets as get_available_testsets
    from .datasets import get_available_testsets_for_langpair as get_available_testsets_for_langpair
    from .datasets import get_langpairs_for_testset as get_langpairs_for_testset
    from .datasets import get_reference_files as get_reference_files
    from .datasets import get_source_file as get_source_file
    from .decoding import mbr as mbr
    from .errors import PurebleuError as PurebleuError
    from .errors import PurebleuWarning as PurebleuWarning
    from .metrics import BLEU as BLEU
    from .metrics import CER as CER
    from .metrics import CHARACTER as CHARACTER
    from .metrics import CHRF as CHRF
    from .metrics import EED as EED
    from .metrics import GLEU as GLEU
    from .metrics import MER as MER
    from .metrics import NIST as NIST
    from .metrics import RIBES as RIBES
    from .metrics import ROUGE1 as ROUGE1
    from .metrics import ROUGE2 as ROUGE2
    from .metrics import ROUGEL as ROUGEL
    from .metrics import ROUGELSUM as ROUGELSUM
    from .metrics import TER as TER
    from .metrics import WER as WER
    from .metrics import WIL as WIL
    from .metrics import BLEUScore as BLEUScore
    from .metrics import CERScore as CERScore
    from .metrics import CHARACTERScore as CHARACTERScore
    from .metrics import CHRFScore as CHRFScore
    from .metrics import EEDScore as EEDScore
    from .metrics import GLEUScore as GLEUScore
    from .metrics import MERScore as MERScore
    from .metrics import NISTScore as NISTScore
    from .metrics import RIBESScore as RIBESScore
    from .metrics import ROUGE1Score as ROUGE1Score
    from .metrics import ROUGE2Score as ROUGE2Score
    from .metrics import ROUGELScore as ROUGELScore
    from .metrics import ROUGELSUMScore as ROUGELSUMScore
    from .metrics import SegmentScores as SegmentScores
    from .metrics import TERScore as TERScore
    from .metrics import WERScore as WERScore
    from .metrics import WILScore as WILScore
    from .metrics.evaluation import sum_statistics as sum_statistics
    from .metrics.helpers import extract_char_ngrams as extract_char_ngrams
    from .metrics.helpers import extract_word_ngrams as extract_word_ngrams
    from .metrics.segments import transpose_references as transpose_references
    from .resegmentation import resegment as resegment
    from .significance import PairedTest as PairedTest
    from .significance import results_of as results_of
    from .utils import SACREBLEU_DIR as SACREBLEU_DIR
    from .utils import smart_open as smart_open


if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        """A public name, imported on first use; or a module that clients reach as an attribute, such as `metrics`."""
        from importlib import import_module

        if name == "SACREBLEU_DIR":
            return getattr(import_module(".utils", __name__), name)  # as the environment says at the time
        if name in _MODULES:
            value = getattr(import_module("." + _MODULES[name], __name__), name)
        elif name in _SUBMODULES:
            value = import_module("." + name, __name__)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
