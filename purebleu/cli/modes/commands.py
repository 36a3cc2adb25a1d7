"""What the command line does with its options: from the corpus to results, and the text to print."""

from __future__ import annotations

from ...errors import OptionError, warn
from ..scoring.corpus import evaluate_systems, list_of_units
from ..scoring.metrics import make_metrics
from ..scoring.naming import naming_of, shown_names, system_inputs
from ..scoring.types import Scored
from .outputs import told_and_written
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options
    from ..scoring.texts import CorpusTexts


def run_command(options: Options) -> str | Iterable[str] | None:
    """What the options ask for, as the text to print; a long one comes in pieces of whole lines."""
    for note in options.notes:
        warn(note)
    if hasattr(globals().get("__loader__"), "archive"):  # (asked here, so as to import nothing where it is not so)
        from .carried import run_with_carried

        return run_with_carried(options, _run_with_source)
    return _run_with_source(options)


def _run_with_source(options: Options) -> str | Iterable[str] | None:
    if options.mirror or options.offline:
        from ...files.download import fetching

        with fetching(options.mirror, options.offline):
            return _run(options)
    return _run(options)


def _run(options: Options) -> str | Iterable[str] | None:
    if options.doctor:
        from .doctor import doctor

        return doctor(options, run_mode)
    return run_mode(options)


def run_mode(options: Options) -> str | Iterable[str] | None:
    """What a mode gives to print; a long text comes in pieces of whole lines."""
    return _RUN[options.mode](options)


def _serve_page(options: Options) -> None:
    from .serve import serve

    serve(options)


def _rescore(options: Options) -> str:
    from .rows import results_of_rows

    return results_of_rows(options)


def _list(options: Options) -> str:
    if options.rows:
        from .rows import list_of_rows

        return list_of_rows(options.rows)
    from .testsets import listing

    return listing(options)


def _command_of_test_sets(options: Options) -> str | None:
    from .testsets import COMMANDS

    return COMMANDS[options.mode](options)


def _score_manifest(options: Options) -> str:
    from .manifest import score_manifest

    return score_manifest(options)


def _score_runs(options: Options) -> str:
    from .runs import score_runs

    return score_runs(options)


def _audit(options: Options) -> str:
    from .audit import audit

    return audit(options)


def _agreement(options: Options) -> str:
    from .agreement import agreement

    return agreement(options)


def _select(options: Options) -> str:
    from .select import select_segments

    return select_segments(options)


def _check_outputs(options: Options) -> str:
    from .check import check_outputs

    return check_outputs(options)


def _choose(options: Options) -> str:
    from .mbr import chosen_samples

    return chosen_samples(options, make_metrics(options)[0])


def _score_sentences(options: Options) -> Iterable[str]:
    from .sentences import score_sentences

    return score_sentences(options, make_metrics(options))


def _score_files(options: Options) -> str:
    return score_corpus(options, make_metrics(options))


#: What runs each mode.
_RUN: dict[str, Callable[[Options], str | Iterable[str] | None]] = {
    "serve": _serve_page, "download": _command_of_test_sets, "bundle": _command_of_test_sets,
    "unbundle": _command_of_test_sets, "rows": _rescore, "list": _list, "citation": _command_of_test_sets,
    "echo": _command_of_test_sets, "manifest": _score_manifest, "runs": _score_runs, "mbr": _choose, "audit": _audit,
    "check": _check_outputs, "agreement": _agreement, "select": _select,
    "sentences": _score_sentences, "views": _score_files, "score": _score_files,
}


def score_corpus(options: Options, metrics: list[Metric[Score]]) -> str:
    """The results of one system, or a table of several."""
    if not (options.report or options.views or options.alignments or options.fail_on):
        return _score_corpus(options, metrics, None)
    from ..process.collected_warnings import collected_warnings
    from ..scoring.texts import CorpusTexts

    with collected_warnings() as warned:
        return _score_corpus(options, metrics, CorpusTexts(warned))


def _score_corpus(options: Options, metrics: list[Metric[Score]], texts: CorpusTexts | None) -> str:
    """The results of a corpus, whose text is kept in `texts` for what shows it."""
    if options.left_out:
        warn(f"{options.left_out[0]} is the baseline, and left out of the systems that are compared with it")
    references_sha256: list[str] = []
    see, listed = (texts.see, texts.listed) if texts else (None, list_of_units(options))
    if options.save_rows or options.stored_baseline:
        from ..scoring.digests import evaluate_with_digests

        systems, references_sha256 = evaluate_with_digests(options, metrics, see, listed)
    else:
        systems = evaluate_systems(options, metrics, see, listed)
    if not systems:
        raise OptionError(NOTHING_LEFT)
    inputs, naming = system_inputs(options, len(systems)), naming_of(options)
    if options.stored_baseline:
        from .gates import named_with_baseline, with_baseline

        systems = with_baseline(options.baseline, metrics, systems, references_sha256)
        inputs, naming = named_with_baseline(options, inputs, naming)
    scored = Scored(metrics, systems, shown_names(options, inputs, naming), naming, texts)
    if options.has_units:
        from ..scoring.units import units_of

        scored.units = units_of(options, listed)
    return told_and_written(options, scored)
