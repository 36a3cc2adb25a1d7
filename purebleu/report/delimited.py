"""Results as CSV and TSV: a line for each number, under a line of headings, for spreadsheets and data frames.

Results of segments are written as JSON here, too.
"""

from __future__ import annotations

from itertools import repeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence

    from ..audit.results import Audit
    from ..metrics.score import Signature
    from .style import Style

#: The separator of fields in each format.
DELIMITERS = {"csv": ",", "tsv": "\t"}

#: The fields of a segment's score.
_SENTENCE_HEADINGS = ("line", "id", "metric", "score", "signature")


def delimited(form: str, headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Rows under headings, in one of `DELIMITERS`; fields are quoted where they need it (RFC 4180), `None` is empty.

    >>> print(delimited("csv", ["system", "score"], [("a,b", 1.5), ("c", None)]))
    system,score
    "a,b",1.5
    c,
    """
    import csv
    from types import SimpleNamespace

    lines: list[str] = []
    # (Before Python 3.13, a field with a carriage return is quoted only where the ends of lines have one.)
    file: Any = SimpleNamespace(write=lines.append)
    writer = csv.writer(file, delimiter=DELIMITERS[form], lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return "\n".join([_without_command(line[:-2], DELIMITERS[form]) for line in lines])


def _without_command(line: str, delimiter: str) -> str:
    """A line with its first field in quotes, if a runner of GitHub's would take the line for a command."""
    if not line.lstrip().startswith("::"):
        return line
    first, separator, others = line.partition(delimiter)
    return f'"{first}"{separator}{others}'


def sentence_records(metric: str, signature: Signature, blocks: Iterable[Sequence[str]], numbers: Sequence[int],
                     ids: Sequence[str], form: str) -> Iterator[str]:
    """The scores of segments, block by block: a line for each, with the line number and the id of the segment.

    In JSON, they are a list of objects.
    """
    signed = signature.format()
    segments = zip(numbers, ids or repeat(""))
    records = ([(number, name, metric, score, signed) for score, (number, name) in zip(scores, segments)]
               for scores in blocks)
    if form == "json":
        yield from _json_sentences(records)
        return
    yield delimited(form, _SENTENCE_HEADINGS, [])
    for first, *others in records:
        yield delimited(form, first, others)


def _json_sentences(blocks: Iterable[Sequence[tuple[int, str, str, str, str]]]) -> Iterator[str]:
    """Records of segments as one list of JSON, an object a line; ids are left out where there are none."""
    from ..runtime.json_writer import to_json

    text = "["
    for block in blocks:
        objects = [{"line": line, **({"id": name} if name else {}), "metric": metric, "score": float(score),
                    "signature": signature} for line, name, metric, score, signature in block]
        yield text
        text = ",\n".join([to_json(record, indent=None, ascii_only=False) for record in objects]) + ","
    yield text[:-1]
    yield "]"


class SegmentTable:
    """Scores of segments side by side: a row for each segment and system, with all metrics.

    Attributes:
        numbers: the line numbers of the segments.
        ids: the ids of the segments; empty where they have none.
        systems: the names of the systems.
        metrics: the names of the scores.
        signatures: the signature of each score, the same for all systems.
        has_lengths: whether rows begin with the lengths of the output and of its reference.
    """

    def __init__(self, numbers: Sequence[int], ids: Sequence[str], systems: Sequence[str], metrics: Sequence[str],
                 signatures: Sequence[Signature], has_lengths: bool = True) -> None:
        self.numbers = numbers
        self.ids = ids
        self.systems = systems
        self.metrics = metrics
        self.signatures = [signature.format() for signature in signatures]
        self.has_lengths = has_lengths

    def records(self, blocks: Iterable[Sequence[Sequence[Sequence[str]]]], form: str) -> Iterator[str]:
        """The table, block by block, as lines of text.

        Args:
            blocks: for each segment and system, the lengths (if there are some), and the scores.
            form: the format: `csv`, `tsv` or `json`.
        """
        heads = ["line", *(["id"] if self.ids else []), "system", *(["hyp_len", "ref_len"] if self.has_lengths else [])]
        segments = zip(self.numbers, self.ids or repeat(""))
        rows = ([[str(number), *([name] if self.ids else []), system, *row]
                 for segment_rows, (number, name) in zip(block, segments)
                 for system, row in zip(self.systems, segment_rows)] for block in blocks)
        if form == "json":
            yield from self._json_lines((dict(zip(heads, row)), row[len(heads):]) for block in rows for row in block)
            return
        signed = [f"{name}_signature" for name in self.metrics]
        yield delimited(form, [*heads, *self.metrics, *signed], [])
        for block in rows:
            first, *others = [[*row, *self.signatures] for row in block]
            yield delimited(form, first, others)

    def _json_lines(self, rows: Iterable[tuple[dict[str, str], Sequence[str]]]) -> Iterator[str]:
        """The rows as one list of JSON, an object a line."""
        from ..runtime.json_writer import to_json

        text = "["
        for known, scores in rows:
            yield text
            numbers = {name: int(known[name]) for name in ("line", "hyp_len", "ref_len") if name in known}
            text = to_json({**known, **numbers, "scores": dict(zip(self.metrics, map(float, scores))),
                            "signatures": dict(zip(self.metrics, self.signatures))},
                           indent=None, ascii_only=False) + ","
        yield text[:-1]
        yield "]"


def delimited_audit(names: Sequence[str], audit: Audit, style: Style) -> str:
    """An audit: a line for each choice, case and system."""
    from ..audit.choices import CASES

    rows = [(row.name, case, name, f"{score:.{style.width}f}", signature)
            for row in audit.rows for case, case_scores, signature in zip(CASES, row.scores, row.signatures)
            for name, score in zip(names, case_scores)]
    return delimited(style.form, ("preprocessing", "case", "system", "score", "signature"), rows)
