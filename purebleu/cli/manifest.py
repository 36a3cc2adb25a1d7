"""`--manifest`: many systems on many language pairs, in one table and one report."""

from __future__ import annotations

import sys

from ..errors import OptionError
from ..files.manifest import read_manifest
from ..report.pairs import PairResults, pairs_report
from .comparing import compared
from .corpus import evaluate_systems
from .metrics import make_metrics
from .terminal import columns_of, is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from ..files.manifest import ManifestPair


def score_manifest(options: Namespace) -> str:
    """The results of all pairs; a report of them is written first, if it is asked for."""
    pairs = read_manifest(options.manifest, options.encoding)
    for pair in pairs:
        _check_systems(options, pair)
    scored = [_scored(_options_of(options, pair), pair) for pair in pairs]
    return pairs_report(scored, options.format, options.width, options.short, options.color,
                        columns_of(sys.stdout) if is_terminal(sys.stdout) else None)


def _check_systems(options: Namespace, pair: ManifestPair) -> None:
    """Raise `OptionError` where a pair has fewer systems than a test takes."""
    least = 3 if options.rank else 2 if options.test else 1
    if len(pair.names) < least:
        test = "--rank orders three systems or more" if options.rank else "a paired test compares two systems or more"
        raise OptionError(f"{options.manifest}: {test}, but of {pair.pair}, there is {', '.join(pair.names)}")


def _options_of(options: Namespace, pair: ManifestPair) -> Namespace:
    """The options, as they are where nothing but this pair is scored."""
    is_language_pair = all(pair.pair.partition("-")[::2])
    return type(options)(**{**vars(options), "references": pair.references, "input": pair.hypotheses,
                            "names": pair.names, "langpair": pair.pair if is_language_pair else None})


def _scored(options: Namespace, pair: ManifestPair) -> PairResults:
    metrics = make_metrics(options)
    systems = evaluate_systems(options, metrics)
    return PairResults(pair.pair, pair.names, *compared(options, metrics, systems))
