"""What the command line does with its options: from the corpus to results, and the text to print."""

from __future__ import annotations

from ..errors import OptionError, warn
from .corpus import evaluate_systems
from .metrics import make_metrics
from .outputs import told_and_written
from .results import NOTHING_LEFT, naming_of, shown_names, system_inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Iterable

    from ..metrics.base import Metric
    from ..metrics.score import Score


def run_command(options: Namespace) -> str | Iterable[str] | None:
    """What the options ask for, as the text to print; a long one comes in pieces of whole lines."""
    if hasattr(globals().get("__loader__"), "archive"):  # (asked here, so as to import nothing where it is not so)
        from .carried import run_with_carried

        return run_with_carried(options, _run_with_source)
    return _run_with_source(options)


def _run_with_source(options: Namespace) -> str | Iterable[str] | None:
    if options.mirror or options.offline:
        from ..files.download import fetching

        with fetching(options.mirror, options.offline):
            return _run(options)
    return _run(options)


def _run(options: Namespace) -> str | Iterable[str] | None:
    if options.rows:
        from .stored import results_of_rows

        return results_of_rows(options)
    if options.command == "doctor":
        from .doctor import doctor

        return doctor(options)
    if options.command == "serve":
        from .serve import serve

        serve(options)
        return None
    if options.command:
        from .testset_commands import COMMANDS

        return COMMANDS[options.command](options)
    if options.manifest:
        from .manifest import score_manifest

        return score_manifest(options)
    if options.runs:
        from .runs import score_runs

        return score_runs(options)
    if options.audit:
        from .audit import audit

        return audit(options)
    metrics = make_metrics(options)
    if options.mbr:
        from .mbr import chosen_samples

        return chosen_samples(options, metrics[0])
    if options.sentence_level:
        from .sentences import score_sentences

        return score_sentences(options, metrics[0])
    return score_corpus(options, metrics)


def score_corpus(options: Namespace, metrics: list[Metric[Score]]) -> str:
    """The results of one system, or a table of several."""
    if options.left_out:
        warn(f"{options.left_out[0]} is the baseline, and left out of the systems that are compared with it")
    references_sha256: list[str] = []
    texts, see, listed = None, None, None
    if options.report or options.views or options.alignments:
        from .texts import CorpusTexts, keep_warnings

        texts = CorpusTexts(keep_warnings())
        see, listed = texts.see, texts.listed
    if options.save_rows or options.stored_baseline:
        from .saving import evaluate_with_digests

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
    return told_and_written(options, metrics, systems, shown_names(options, inputs, naming), naming, texts)
