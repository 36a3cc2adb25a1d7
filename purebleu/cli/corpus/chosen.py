"""From the options of a command to its inputs and its metrics."""

from __future__ import annotations

from ...errors import OptionError
from ..arguments.groups import unused_options
from .inputs import Inputs, OutsideScores, with_pair
from .metrics import MetricChoice
from .score import scored_corpus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...files.manifest import ManifestPair
    from ..arguments.command import CorpusValues
    from .score import Scoring
    from .scored import CorpusTexts, Scored


def inputs_of(values: CorpusValues, *, unit: str | None = None, needs_references: bool = True,
              needs_files: bool = False, paired: bool = False, baseline: str = "") -> Inputs:
    """The inputs that options name.

    Args:
        values: the options; with a manifest, they also name one of its pairs.
        unit: the units of resampling that are asked for.
        needs_references: whether there have to be references, unless all scores are those of other programs.
        needs_files: whether outputs have to be named, as they have to be if they are compared.
        paired, baseline: as `Inputs.name_systems` has them.
    """
    scores: Sequence[tuple[str, str]] = values.scores
    from_manifest = bool(values.manifest)
    if from_manifest:
        values, scores = with_pair(values, scores, _only_pair(values))
    outside = OutsideScores(values, scores, values.width if "width" in vars(values) else None)
    outside_alone = bool(outside.files) and all(name in outside.lower_names for name in values.metrics)
    stored = bool(values.rows)
    if needs_files and not (values.input or stored):
        raise OptionError("no outputs: name files of them with -i (-i - is standard input)", option="input")
    inputs = Inputs(values, outside, unit=unit, needs_references=needs_references and not (outside_alone or stored))
    inputs.name_systems(paired, "" if stored else baseline, from_manifest)
    inputs.check_standard_input()
    return inputs


def _only_pair(values: CorpusValues) -> ManifestPair:
    """The pair of the manifest that `-l` names."""
    pairs = pairs_of(values)
    for pair in pairs:
        if pair.pair == values.langpair:
            return pair
    raise OptionError(f"{values.manifest} has {', '.join([pair.pair for pair in pairs])}, but not {values.langpair}: "
                      "choose one of them with -l", option="langpair")


def pairs_of(values: CorpusValues) -> list[ManifestPair]:
    """The language pairs of the manifest."""
    from ...files.manifest import read_manifest

    return read_manifest(values.manifest, values.encoding, [column for _, column in values.scores])


def pair_inputs(values: CorpusValues, pair: ManifestPair, unit: str | None) -> Inputs:
    """The inputs of one language pair of the manifest."""
    changed, scores = with_pair(values, values.scores, pair)
    outside = OutsideScores(values, scores, values.width if "width" in vars(values) else None)
    inputs = Inputs(changed, outside, unit=unit)
    inputs.name_systems(same_files=True)
    return inputs


def choice_of(values: CorpusValues, inputs: Inputs, *, keeps_order: bool = False,
              effective_order: bool = False) -> MetricChoice:
    """The metrics that options choose: BLEU, if none are named (and there are references)."""
    usual = ("bleu",) if inputs.has_references or values.rows or not inputs.outside.files else ()
    return MetricChoice(values, inputs, usual=usual, keeps_order=keeps_order, effective_order=effective_order)


def scored_from(values: CorpusValues, inputs: Inputs, choice: MetricChoice, scoring: Scoring,
                texts: CorpusTexts | None = None) -> Scored:
    """Score a corpus for a command that compares systems: from texts, or from stored rows.

    The systems have short names. Other arguments are those of `scored_corpus`.
    """
    if values.rows:
        from .rows import scored_rows

        scored = scored_rows(values.rows, inputs, values.metrics, paired=True, keeps_order=True,
                             stored_baseline=scoring.stored_baseline)
    else:
        check_unused(values, choice, texts is not None)
        scored = scored_corpus(inputs, choice, scoring, texts)
    scored.shorten_names()
    return scored


def check_unused(values: CorpusValues, choice: MetricChoice, counts_tokens: bool = False) -> None:
    """Raise `OptionError` for an option that no metric uses; arguments are those of `unused_options`."""
    for name, why in unused_options(values, choice.computed, counts_tokens):
        raise OptionError(why, option=name)
