"""`--manifest`: many systems on many language pairs, in one table and one report."""

from __future__ import annotations

from ...errors import OptionError
from ...files.manifest import read_manifest
from ...report import PAPER
from ...report.language_pairs import PairResults, pairs_report
from ...significance.results import correct_together
from ..arguments.targets import check_targets
from ..scoring.corpus import evaluate_systems, list_of_units
from ..scoring.metrics import make_metrics
from ..scoring.types import CorpusTexts, Scored
from ..scoring.units import units_of
from .comparing import compared, wanted_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...files.manifest import ManifestPair
    from ...report.page.content import Page
    from ..arguments.options import Options


def score_manifest(options: Options) -> str:
    """The results of all pairs, as text; a report is written, too, if it is asked for."""
    pairs = _read_pairs(options)
    warned: set[str] = set()
    if options.report:
        scored = _scored_for_report(options, pairs, warned)
    else:
        scored = [_scored(_options_of(options, pair), pair, warned)[0] for pair in pairs]
        if options.holm:
            _correct_together(options, scored)
    if options.format == PAPER:
        from ...report.paper.systems import paper_table_of_pairs

        return paper_table_of_pairs(scored, options.width, options.short)
    return pairs_report(scored, options.style, wanted_of(options), options.autorank)


def options_of_pairs(options: Options) -> list[Options]:
    """The options for the scoring of each pair by itself."""
    return [_options_of(options, pair) for pair in _read_pairs(options)]


def _read_pairs(options: Options) -> Sequence[ManifestPair]:
    pairs = read_manifest(options.manifest, options.encoding, [column for _, column in options.scores])
    for pair in pairs:
        _check_systems(options, pair)
    return pairs


def _scored_for_report(options: Options, pairs: Sequence[ManifestPair], warned: set[str]) -> list[PairResults]:
    """The results of all pairs; writes the report of them."""
    from ...report.page.html_file import pairs_text
    from ..process.collected_warnings import collected_warnings
    from .report import page_of, write_page

    results: list[PairResults] = []
    pages: list[Page] = []
    with collected_warnings() as texts_of_warnings:
        for number, pair in enumerate(pairs, 1):
            pair_options = _options_of(options, pair)
            pair_results, scored = _scored(pair_options, pair, warned, CorpusTexts(texts_of_warnings))
            results.append(pair_results)
            pages.append(page_of(pair_options, scored, f"p{number}-"))
        if options.holm:
            _correct_together(options, results)
        write_page(options, pairs_text(results, pages, options.width))
    return results


def _correct_together(options: Options, pairs: Sequence[PairResults]) -> None:
    metrics = make_metrics(options)
    correct_together([(pair.results, metrics) for pair in pairs])


def _check_systems(options: Options, pair: ManifestPair) -> None:
    """Raise `OptionError` where a pair has fewer systems than a test or `--worth` takes."""
    least = 3 if options.rank else 2 if options.test or options.worth else 1
    if len(pair.names) < least:
        test = ("--rank orders three systems or more" if options.rank else
                "a paired test compares two systems or more" if options.test else
                "--worth is for differences between systems")
        raise OptionError(f"{options.manifest}: {test}, but of {pair.pair}, there is {', '.join(pair.names)}")


def _options_of(options: Options, pair: ManifestPair) -> Options:
    """The options for the scoring of one pair by itself."""
    is_language_pair = all(pair.pair.partition("-")[::2])
    pair_options = options.replace(references=pair.references, input=pair.hypotheses, names=pair.names,
                                   langpair=pair.pair if is_language_pair else None,
                                   source=pair.source if options.report else options.source,
                                   scores=[(name, score_files[column]) for name, column in options.scores
                                           for score_files in pair.scores])
    check_targets(pair_options)
    return pair_options


def _scored(options: Options, pair: ManifestPair, warned: set[str],
            texts: CorpusTexts | None = None) -> tuple[PairResults, Scored]:
    """The results of a pair, and its systems with their scores; `texts` takes in the corpus.

    `warned` are the kinds of warnings about texts that other pairs gave rise to.
    """
    metrics = make_metrics(options)
    listed = texts.listed if texts else list_of_units(options)
    systems = evaluate_systems(options, metrics, texts.see if texts else None, listed, warned)
    scored = Scored(metrics, systems, pair.names, "given", texts, units_of(options, listed))
    if options.report:
        from .report import summarized

        summarized(options, scored)
    results, signatures = compared(options, scored, [f"{name} on {pair.pair}" for name in pair.names])
    lower_is_better = [metric.LOWER_IS_BETTER for metric in metrics]
    return PairResults(pair.pair, pair.names, results, signatures, lower_is_better), scored
