"""Results as CSV and TSV: a line for each number, under a line of headings, for spreadsheets and data frames.

Results of segments are written as JSON here, too.
"""

from __future__ import annotations

from itertools import repeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Mapping, Sequence

    from ..audit.results import Audit
    from ..metrics.score import Signature
    from .style import Style

#: The separator of fields in each format.
DELIMITERS = {"csv": ",", "tsv": "\t"}

#: The headings of a segment's row, before the names of scores.
_SEGMENT_HEADINGS = ("line", "id", "system", "hyp_len", "ref_len")


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


class SegmentTable:
    """Scores of segments: a row for each segment and system, with all metrics side by side.

    Attributes:
        numbers: the line numbers of the segments.
        ids: the ids of the segments; empty if they have none.
        systems: the names of the systems.
        signatures: the signatures by the names of the scores.
    """

    def __init__(self, numbers: Sequence[int], ids: Sequence[str], systems: Sequence[str],
                 signatures: Mapping[str, Signature]) -> None:
        self.numbers = numbers
        self.ids = ids
        self.systems = systems
        self.signatures = {name: signature.format() for name, signature in signatures.items()}

    def records(self, blocks: Iterable[Sequence[Sequence[Sequence[str]]]], form: str) -> Iterator[str]:
        """The table, block by block, as lines of text; in JSON, with the signatures.

        Args:
            blocks: for each segment and system, the lengths of the output and of its reference (empty if they are not
                known), and the scores.
            form: the format: `csv`, `tsv` or `json`.
        """
        segments = zip(self.numbers, self.ids or repeat(""))
        rows = ([(number, name, system, *row) for segment_rows, (number, name) in zip(block, segments)
                 for system, row in zip(self.systems, segment_rows)] for block in blocks)
        if form == "json":
            yield from self._json_lines(rows)
            return
        yield delimited(form, [*_SEGMENT_HEADINGS, *self.signatures], [])
        for first, *others in rows:
            yield delimited(form, first, others)

    def _json_lines(self, blocks: Iterable[Sequence[Sequence[Any]]]) -> Iterator[str]:
        """The rows in an object of JSON, a row a line."""
        from ..runtime.json_writer import to_json

        signed = to_json(self.signatures, indent=None, ascii_only=False)
        text = f'{{"signatures": {signed}, "segments": ['
        for block in blocks:
            yield text
            objects: list[str] = []
            for number, name, system, length, reference_length, *scores in block:
                objects.append(to_json({
                    "line": number, "id": name or None, "system": system,
                    "hyp_len": int(length) if length else None,
                    "ref_len": int(reference_length) if reference_length else None,
                    "scores": dict(zip(self.signatures, map(float, scores)))}, indent=None, ascii_only=False))
            text = ",\n".join(objects) + ","
        yield text[:-1]
        yield "]}"


def delimited_audit(names: Sequence[str], audit: Audit, style: Style) -> str:
    """An audit: a line for each choice, case and system."""
    from ..audit.choices import CASES

    rows = [(row.name, case, name, f"{score:.{style.width}f}", signature)
            for row in audit.rows for case, case_scores, signature in zip(CASES, row.scores, row.signatures)
            for name, score in zip(names, case_scores)]
    return delimited(style.form, ("preprocessing", "case", "system", "score", "signature"), rows)
