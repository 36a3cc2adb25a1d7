"""The results of `audit` as text: a table of scores by preprocessing, and explanations."""

from __future__ import annotations

from itertools import chain

from ..audit.preprocessing import CASES, Audit, AuditRow, TurnedPair
from ..runtime.hints import Sequence
from ..runtime.json_writer import to_json
from .formats import Style, delimited, names_in
from .tables import Section, TableColumn, document_of, with_colored_heads

#: The names of `CASES` in tables: scores of text with upper and lower case, and scores of lower-cased text.
_CASE_NAMES = ("cased", "lower-cased")

_EXPLAINED = (
    "Each column has BLEU scores of the same output. Output and references are preprocessed in the same way (Post, "
    "2018, Table 1). 'none' splits text at whitespace. 'basic' uses the Moses tokenizer. 'split' also splits "
    "hyphenated compounds. 'unk' is 'basic' with one unknown word in place of all words whose count is below 2. "
    "Further rows use BLEU's own tokenizers on plain text. The last row is the range of each column: its highest score "
    "minus its lowest score.")

_MEANING = (
    "Scores with different signatures cannot be compared. In this audit, preprocessing alone changes the score {of}"
    "from {lowest} to {highest}, a range of {range} points.")

_NO_RANGE = "In this audit, preprocessing alone does not change any score."

#: The mark of the scores of two systems whose order is reversed.
_TURNED_MARK = "*"


def audit_report(names: Sequence[str], audit: Audit, style: Style) -> str:
    """Return the audit, in one of `TABLE_FORMATS` or `DELIMITED_FORMATS`.

    Args:
        names: the names of the systems.
        audit: the results of the audit.
        style: the style of the output.
    """
    if style.format.kind == "json":
        return _as_json(names, audit, style.width)
    if style.format.kind == "lines":
        return _delimited_audit(names, audit, style)
    return document_of(audit_sections(names_in(style, names), audit, style.width, style.color), style)


def audit_sections(names: Sequence[str], audit: Audit, width: int, color: bool = False) -> list[Section]:
    """Return sections with tables of scores, explanations, and the signatures."""
    ranges = [[f"{score:.{width}f}" for score in case_scores] for case_scores in audit.ranges()]
    sections = [Section("BLEU by preprocessing", [_EXPLAINED],
                        _tables("Preprocessing", names, audit.rows, width, _marked(audit), ranges))]
    if _differ(audit.smoothing, width):
        sections.append(Section(f"BLEU by smoothing ({audit.rows[audit.usual].name})",
                                tables=_tables("Smoothing", names, audit.smoothing, width)))
    if color:
        for section in sections:
            section.tables = list(map(with_colored_heads, section.tables))
    paragraphs = [_meaning(names, audit, width),
                  *[_turned_sentence(names, audit, pair) for pair in audit.turned_pairs()],
                  *[f"Left out: {reason}" for reason in audit.left_out]]
    sections.append(Section("What this means", paragraphs))
    sections.append(Section("Metric signatures", items=[(row.name, row.signatures[0]) for row in audit.rows]))
    return sections


def _tables(head: str, names: Sequence[str], rows: Sequence[AuditRow], width: int,
            marked: frozenset[tuple[int, int, int]] = frozenset(),
            ranges: Sequence[Sequence[str]] = ()) -> list[list[TableColumn]]:
    """Return, for a single system, a table with a column for each case; for several systems, a table for each case."""
    row_names = [*[row.name for row in rows], *(["range"] if ranges else [])]
    columns: list[list[TableColumn]] = []
    for case, case_name in enumerate(_CASE_NAMES):
        columns.append([])
        for system, name in enumerate(names):
            cells: list[str] = []
            for index, row in enumerate(rows):
                mark = _TURNED_MARK if (index, case, system) in marked else ""
                cells.append(f"{row.scores[case][system]:.{width}f}{mark}")
            if ranges:
                cells.append(ranges[case][system])
            columns[-1].append((name if len(names) > 1 else case_name, cells))
    if len(names) == 1:
        return [[(head, row_names), *chain.from_iterable(columns)]]
    return [[(f"{head}, {case_name}", row_names), *case_scores] for case_name, case_scores in zip(_CASE_NAMES, columns)]


def _marked(audit: Audit) -> frozenset[tuple[int, int, int]]:
    """Return the indices (row, case, system) of the scores that tables mark: pairs of systems in reversed order."""
    marked: set[tuple[int, int, int]] = set()
    for pair in audit.turned_pairs():
        for case, rows in enumerate(pair.rows):
            for row in rows:
                marked |= {(row, case, pair.better), (row, case, pair.worse)}
    return frozenset(marked)


def _differ(rows: Sequence[AuditRow], width: int) -> bool:
    """Return whether the scores of rows differ after rounding to `width` decimal places."""
    printed: set[tuple[float, ...]] = set()
    for row in rows:
        printed.add(tuple([round(score, width) for score in chain.from_iterable(row.scores)]))
    return len(printed) > 1


def _meaning(names: Sequence[str], audit: Audit, width: int) -> str:
    system, lowest, highest = audit.widest()
    if lowest == highest:
        return _NO_RANGE
    return _MEANING.format(of=f"of {names[system]} " if len(names) > 1 else "", lowest=f"{lowest:.{width}f}",
                           highest=f"{highest:.{width}f}", range=f"{highest - lowest:.{width}f}")


def _turned_sentence(names: Sequence[str], audit: Audit, pair: TurnedPair) -> str:
    """Return a sentence that lists the rows in which the order of two systems is reversed."""
    rows: list[str] = []
    for case, indices in enumerate(pair.rows):
        rows += [audit.rows[row].name + (", lower-cased" if case else "") for row in indices]
    usual = audit.rows[audit.usual].name
    return (f"{_TURNED_MARK} {names[pair.better]} is better than {names[pair.worse]} under {usual}, but worse under: "
            f"{'; '.join(rows)}.")


def _as_json(names: Sequence[str], audit: Audit, width: int) -> str:
    def cases_object(scores: Sequence[Sequence[float]]) -> dict[str, object]:
        cases: dict[str, object] = {}
        for name, case_scores in zip(_CASE_NAMES, scores):
            cases[name] = [round(score, width) for score in case_scores]
        return cases

    def row_object(row: AuditRow) -> dict[str, object]:
        signatures = {"signatures": dict(zip(_CASE_NAMES, row.signatures))} if row.signatures else {}
        return {"name": row.name, **cases_object(row.scores), **signatures}

    smoothing: Sequence[AuditRow] = audit.smoothing if _differ(audit.smoothing, width) else []
    turned: list[dict[str, object]] = []
    for pair in audit.turned_pairs():
        rows: dict[str, list[str]] = {}
        for name, case_rows in zip(_CASE_NAMES, pair.rows):
            rows[name] = [audit.rows[row].name for row in case_rows]
        turned.append({"better": names[pair.better], "worse": names[pair.worse], "rows": rows})
    return to_json({
        "systems": list(names), "preprocessing": list(map(row_object, audit.rows)),
        "range": cases_object(audit.ranges()), "usual": audit.rows[audit.usual].name,
        "smoothing": list(map(row_object, smoothing)),
        "turned_over": turned, "left_out": list(audit.left_out), "meaning": _meaning(names, audit, width),
    }, indent=1, ascii_only=False)


def _delimited_audit(names: Sequence[str], audit: Audit, style: Style) -> str:
    """Return CSV or TSV with a line for each preprocessing, case and system."""
    rows: list[tuple[str, ...]] = []
    for row in audit.rows:
        for case, case_scores, signature in zip(CASES, row.scores, row.signatures):
            for name, score in zip(names, case_scores):
                rows.append((row.name, case, name, f"{score:.{style.width}f}", signature))
    return delimited(style.form, ("preprocessing", "case", "system", "score", "signature"), rows)
