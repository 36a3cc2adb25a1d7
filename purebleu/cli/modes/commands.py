"""From the options to the answer: the function of each mode, and the scoring of a corpus."""

from __future__ import annotations

from ...errors import OptionError, warn
from ..answer import Answer
from ..scoring.corpus import evaluate_systems, list_of_units
from ..scoring.metrics import make_metrics
from ..scoring.naming import naming_of, shown_names, system_inputs
from ..scoring.types import CorpusTexts, Scored
from .outputs import write_outputs
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options


def run_command(options: Options) -> Answer:
    """Run the mode of the options, or the doctor: warn of their notes, and use their archive and mirror."""
    for note in options.notes:
        warn(note)
    if hasattr(globals().get("__loader__"), "archive"):  # (tested here, so that other runs do not import `carried`)
        from .carried import run_with_carried

        return run_with_carried(options, _run_with_source)
    return _run_with_source(options)


def _run_with_source(options: Options) -> Answer:
    if options.mirror or options.offline:
        from ...files.download import fetching

        with fetching(options.mirror, options.offline):
            return _run(options)
    return _run(options)


def _run(options: Options) -> Answer:
    if options.doctor:
        from .doctor import doctor

        return doctor(options, run_mode)
    return run_mode(options)


def run_mode(options: Options) -> Answer:
    """Run the mode of the options."""
    return _RUN[options.mode](options)


def _serve_page(options: Options) -> Answer:
    from .serve import serve

    serve(options)
    return Answer()


def _rescore(options: Options) -> Answer:
    from .rows import results_of_rows

    return results_of_rows(options)


def _list(options: Options) -> Answer:
    if options.rows:
        from .rows import list_of_rows

        return Answer(list_of_rows(options.rows))
    from .testsets import listing

    return Answer(listing(options))


def _command_of_test_sets(options: Options) -> Answer:
    from .testsets import COMMANDS

    return COMMANDS[options.mode](options)


def _score_manifest(options: Options) -> Answer:
    from .manifest import score_manifest

    return Answer(score_manifest(options))


def _score_runs(options: Options) -> Answer:
    from .runs import score_runs

    return Answer(score_runs(options))


def _audit(options: Options) -> Answer:
    from .audit import audit

    return Answer(audit(options))


def _agreement(options: Options) -> Answer:
    from .agreement import agreement

    return Answer(agreement(options))


def _select(options: Options) -> Answer:
    from .select import select_segments

    return Answer(select_segments(options))


def _check_outputs(options: Options) -> Answer:
    from .check import check_outputs

    return check_outputs(options)


def _choose(options: Options) -> Answer:
    from .mbr import chosen_samples

    return Answer(chosen_samples(options, make_metrics(options)[0]))


def _score_sentences(options: Options) -> Answer:
    from .sentences import score_sentences

    return Answer(score_sentences(options, make_metrics(options)))


def _score_files(options: Options) -> Answer:
    return score_corpus(options)


#: The function of each mode.
_RUN: dict[str, Callable[[Options], Answer]] = {
    "serve": _serve_page, "download": _command_of_test_sets, "bundle": _command_of_test_sets,
    "unbundle": _command_of_test_sets, "rows": _rescore, "list": _list, "citation": _command_of_test_sets,
    "echo": _command_of_test_sets, "manifest": _score_manifest, "runs": _score_runs, "mbr": _choose, "audit": _audit,
    "check": _check_outputs, "agreement": _agreement, "select": _select,
    "sentences": _score_sentences, "views": _score_files, "score": _score_files,
}


def score_corpus(options: Options) -> Answer:
    """The results of one system, or a table of several."""
    if not (options.report or options.views or options.alignments or options.fail_on):
        return _score_corpus(options, make_metrics(options), None)
    from ..process.collected_warnings import collected_warnings

    with collected_warnings() as warned:
        return _score_corpus(options, make_metrics(options), CorpusTexts(warned))


def _score_corpus(options: Options, metrics: list[Metric[Score]], texts: CorpusTexts | None) -> Answer:
    """The results of a corpus, whose text is kept in `texts` for views, reports and checks."""
    if options.left_out:
        warn(f"{options.left_out[0]} is the baseline, and left out of the systems that are compared with it")
    references_sha256: list[str] = []
    see, listed = (texts.see, texts.listed) if texts else (None, list_of_units(options))
    if options.save_rows or options.stored_baseline:
        from ..scoring.digests import evaluate_with_checksums

        systems, references_sha256 = evaluate_with_checksums(options, metrics, see, listed)
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
    return write_outputs(options, scored)
