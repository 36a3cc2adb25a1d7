"""`purebleu agree`: how well metrics agree with people."""

from __future__ import annotations

from ...errors import OptionError
from ...metrics.evaluation import warn_of_doubts
from ...report.agreement import agreement_report
from ...report.formats import FORMATS, GITHUB, PAPER, SIGNED_JSON
from ..arguments.command import Answer, Command, CorpusValues, check_style, style_of
from ..arguments.groups import (
    HUMAN,
    OF_SCORES,
    OUTPUT,
    OUTSIDE,
    HumanValues,
    SamplingValues,
    input_groups,
    sampling_options,
)
from ..corpus.inputs import check_targets, inputs_of
from ..corpus.metrics import MetricChoice
from ..corpus.score import Scoring, scored_corpus
from ..corpus.scored import CorpusTexts
from ..output.agreement import HumanFiles, check_tests_of_metrics, measured_agreement


class AgreeValues(CorpusValues, SamplingValues, HumanValues):
    """The values of its options."""


def run_agree(values: AgreeValues) -> Answer:
    """Measure how well metrics agree with people."""
    if not (values.human or values.human_systems):
        raise OptionError("give scores of people: --human FILE ... (of segments) or --human-systems FILE",
                          option="human")
    check_style(values, width=("json",), short=())
    style = style_of(values)
    inputs = inputs_of(values, needs_files=True)
    human = HumanFiles(values, inputs)
    inputs.check_standard_input(*human.paths)
    choice = MetricChoice(values, inputs)
    choice.check_unused()
    check_tests_of_metrics(values, choice.names, "trials", "seed", "rng")
    check_targets({"--save-resegmented": values.save_resegmented}, [*inputs.all_files, *human.paths])
    human.read()
    scored = scored_corpus(inputs, choice, Scoring(values.jobs, keeps_rows=True), CorpusTexts([]))
    scored.shorten_names()
    warn_of_doubts(scored.systems, scored.names)
    return Answer(agreement_report(measured_agreement(scored, human, values, values, values.short), style))


AGREE = Command(
    "agree", "agree [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE FILE ... --human FILE ...",
    "How well metrics agree with the scores that people gave to outputs.",
    run_agree, AgreeValues, HUMAN.options,
    (sampling_options().only("seed", "rng"), *input_groups("manifest"), *OF_SCORES, OUTSIDE, OUTPUT),
    ("text", *[form for form in FORMATS if form not in ("text", GITHUB, PAPER, SIGNED_JSON)]), (
        ("ref.txt -i a.txt b.txt --human people.tsv:score -m bleu chrf", "which metric agrees better?"),
        ("ref.txt -i a.txt b.txt --human-systems ranks.txt --trials 0", "of systems alone"),
    ))
