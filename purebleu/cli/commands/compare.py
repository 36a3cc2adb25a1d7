"""`purebleu compare`: where systems differ, in the terminal."""

from __future__ import annotations

from ...errors import OptionError
from ...report.formats import DELIMITED_FORMATS
from ...report.views import MATRIX_FORMATS, VIEW_FORMATS
from ..arguments.command import Answer, Command, CorpusValues, checked_style
from ..arguments.groups import OUTPUT, LookValues, Option, SamplingValues, corpus_groups, resampling
from ..arguments.values import positive
from ..corpus.inputs import inputs_of
from ..corpus.metrics import MetricChoice
from ..corpus.score import Scoring, scored_from
from ..corpus.scored import CorpusTexts
from ..output.views import check_labels, views_text

#: The values of `--buckets`: properties of segments and of words (`analysis.buckets`).
BUCKET_KINDS = ("length", "score", "frequency", "document", "origlang", "domain")

#: The number of segments in the overview.
_FEW_SEGMENTS = 3


class CompareValues(CorpusValues, SamplingValues, LookValues):
    """The values of its options."""


def run_compare(values: CompareValues) -> Answer:
    """Show where systems differ: the views that are asked for, or else an overview."""
    values.check_uses(confidence_n=(values.confidence, "--confidence"))
    has_views = _has_views(values)
    style = checked_style(values, short=DELIMITED_FORMATS)
    inputs = inputs_of(values, unit=values.unit, needs_files=True)
    choice = MetricChoice(values, inputs)
    check_labels(values.buckets, inputs)
    inputs.check_targets({})
    texts = None if values.rows else CorpusTexts([])
    scored = scored_from(inputs, choice, Scoring(values.jobs, keeps_rows=True), texts)
    if not has_views:
        values.buckets = ["length"]
        setattr(values, "differences" if len(scored.systems) > 1 else "worst", _FEW_SEGMENTS)
    return Answer(views_text(values, values, scored, next(iter(values.metrics), ""), values.jobs, style))


def _has_views(values: CompareValues) -> bool:
    """Whether views are asked for; raises `OptionError` if options do not go together."""
    has_scores = values.show_segments or values.cross
    formats: tuple[str, ...] = VIEW_FORMATS
    called = "the overview is"
    if values.show_segments:
        called = "--buckets, --worst, --best and --differences are"
    elif values.cross or values.lengths:
        formats, called = MATRIX_FORMATS, "--cross and --lengths are"
    if values.format and values.format not in formats:
        raise OptionError(f"{called} printed as {', '.join(formats)}, not as {values.format}", option="format")
    if not (has_scores or values.lengths):
        return False
    of_scores = has_scores, "views of scores: --lengths counts as BLEU does, under any metric"
    of_segments = values.worst or values.best or values.differences, "--worst, --best and --differences"
    values.check_uses(metrics=of_scores, scores=of_scores,
                      confidence=({*values.buckets} - {"score"}, "--buckets, but not for --buckets score"),
                      width=(values.buckets or values.cross, "--buckets and --cross"),
                      source=of_segments, ids=of_segments)
    return True


COMPARE = Command(
    "compare", "compare [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE ...",
    "Show where systems differ: on which kinds of segments, and on which segments. Without options, print an "
    "overview.",
    run_compare, CompareValues, (
        Option("--worst", convert=positive, metavar="N",
               help="print the N worst segments of the first system",
               more="the first metric of -m decides; also print the source, the references, and the outputs of all "
                    "systems with their scores and their differences from the closest reference"),
        Option("--best", convert=positive, metavar="N", help="print the N best segments of the first system"),
        Option("--differences", convert=positive, metavar="N",
               help="print the N segments with the largest difference between any two systems"),
        Option("--buckets", form="several", choices=BUCKET_KINDS, metavar="KIND",
               help="print scores by kinds of segments: by length (of references), score (of sentences), frequency (of "
                    "words), or, if a test set has it, document, origlang or domain; -ci adds intervals"),
        Option("--cross", form="switch",
               help="score each system with each other system as its reference (cross-BLEU): a matrix for each metric "
                    "of -m"),
        Option("--lengths", form="switch",
               help="print the numbers of tokens of systems and references, and their ratios, as BLEU counts tokens"),
        "confidence", "confidence_n", "source", "ids",
    ), (resampling(("confidence",)).only("seed", "rng"), *corpus_groups("rows", "manifest"), OUTPUT),
    ("text", *[form for form in MATRIX_FORMATS if form != "text"]), (
        ("ref.txt -i a.txt b.txt --source src.txt", "an overview"),
        ("ref.txt -i out.txt --worst 10", "the ten worst segments"),
    ))
