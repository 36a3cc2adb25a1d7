"""`purebleu select`: the segments most worth annotating, on which the outputs of systems differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...meta_evaluation.diversity import chosen_segments, similarities
from ...report.formats import DELIMITED_FORMATS, Style, delimited
from ...runtime.errors import printable
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import INPUTS, NETWORK, OF_SCORES, OUTPUT, STORED, TEST_SETS, Option
from ..arguments.values import check_apart, positive
from ..corpus.inputs import check_several, inputs_of
from ..corpus.read import read_texts
from ..corpus.score import single_metric

_USUAL_COUNT = 10

#: The columns of the table, in order. (Columns without values are left out.)
_COLUMNS = ("line", "id", "similarity", "source")


class SelectValues(CorpusValues):
    """The values of the options of `purebleu select`."""

    count: int = 0


def run_select(values: SelectValues) -> Answer:
    """List the segments whose outputs differ most, the most different first."""
    style = style_of(values)
    inputs = inputs_of(values, needs_references=False, needs_files=True)
    metric = single_metric(values, inputs, "chrf", "select")
    texts = read_texts(inputs)
    listed, outputs = texts.listed, texts.outputs
    check_several(len(outputs), "select")
    check_apart(metric.lacks_weights(), "select", "-m nist", "metrics", "NIST takes its weights from references")
    scores = similarities(outputs, metric)
    count = values.count or min(_USUAL_COUNT, len(scores))
    columns = {name: listed.columns[column] for name, column in (("id", "id"), ("source", "src"))
               if column in listed.columns}
    rows: list[dict[str, object]] = []
    for index in chosen_segments(scores, count, metric.LOWER_IS_BETTER):
        rows.append({"line": listed.numbers[index], "similarity": scores[index],
                     **{name: column[index] for name, column in columns.items()}})
    return Answer(_written(style, rows))


def _written(style: Style, rows: Sequence[Mapping[str, object]]) -> str:
    if style.form == "json":
        from ...runtime.json_writer import to_json

        return to_json(rows, indent=1, ascii_only=False)
    table = [{**row, "similarity": f"{row['similarity']:.{style.width}f}"} for row in rows]
    columns = [column for column in _COLUMNS if column in table[0]]
    records = [[row[column] for column in columns] for row in table]
    if style.form == "text":
        return "\n".join(["\t".join([printable(str(value)) for value in record]) for record in records])
    return delimited(style.form, columns, records)


SELECT = Command(
    "select", "select [options] -i FILE FILE ...",
    "Print the segments whose outputs differ most between systems (by chrF, or -m), with line, id, mean similarity "
    "and source. Such segments are the most useful to annotate.",
    run_select, SelectValues, (
        Option("--count", convert=positive, metavar="N",
               help=f"the number of segments (default: {_USUAL_COUNT}, or all if there are fewer)"),
        "source", "ids",
    ), (INPUTS.only("input", "names", "encoding", "reference_encoding", "langpair"), TEST_SETS,
        STORED.only("manifest"), NETWORK, *OF_SCORES, OUTPUT.only("format", "width", "no_color")),
    ("text", "json", *DELIMITED_FORMATS), (
        ("-i a.txt b.txt c.txt --count 100 --source src.txt", "a hundred segments to judge"),
        ("-i a.txt b.txt --count 20 -f csv", "as a table"),
    ), ignored=(("width", ("json",)),))
