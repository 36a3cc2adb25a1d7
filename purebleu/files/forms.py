"""Advice on files that are scored as text, but look like JSON or like a table with headings."""

from __future__ import annotations

from ..runtime.hints import Any, Sequence
from .opening import HYPOTHESES, IDS, REFERENCES, SAMPLES, SOURCE

#: Words in the name of a column that suggest its role.
_WORDS_OF_ROLES = {
    REFERENCES: "answer gold human label ref reference references refs target tgt trg truth",
    SOURCE: "input prompt source src",
    HYPOTHESES: "candidate candidates hyp hypotheses hypothesis hyps mt output outputs pred prediction predictions "
                "preds response responses sample samples",
    IDS: "doc docid document domain id idx index lang line model score system",
}

#: Usual headings of columns that suggest no role. (The words above are usual headings, too.)
_FURTHER_HEADINGS = "doc_id seg_id segment sentence text translation"

#: A heading has at most this many words.
_MAX_HEADING_WORDS = 3

#: The largest number of columns that a message names.
_MAX_NAMED_COLUMNS = 12

#: The separators of fields, each with the kind of file in which it is likely.
_FIELD_SEPARATORS = (("\t", "tsv"), (",", "csv"), (";", "csv"))


def is_heading(fields: Sequence[str]) -> bool:
    """Return whether a record looks like the headings of columns.

    >>> is_heading(["id", "Human translation", "MT"]), is_heading(["1", "The text."])
    (True, False)
    """
    names = [field.strip('" \r\n').lower() for field in fields]
    is_short = all(len(name.split()) <= _MAX_HEADING_WORDS for name in names)
    usual = " ".join([*_WORDS_OF_ROLES.values(), _FURTHER_HEADINGS]).split()
    return is_short and len(set(names)) == len(names) and not set(usual).isdisjoint(names)


def advice_on_lines(name: str, lines: Sequence[str], has_columns: bool = True, role: str = HYPOTHESES) -> str:
    """Return advice on the format and the columns of a file of records; an empty text if the file looks like text.

    Args:
        name: the name of the file.
        lines: the first lines of the file, perhaps an empty list.
        has_columns: whether options can name a column of this file.
        role: the role of the lines.
    """
    lines = [line for line in lines if line.strip()]
    if not lines:
        return ""
    kind = "jsonl"
    if lines[0].lstrip().startswith(("{", "[")):
        what, record = _json_of(lines)
    else:
        what, kind, record = _heading_of(lines)
    return advice_on_columns(what, record, name, kind, has_columns, role) if what else ""


def advice_on_columns(what: str, record: dict[str, Any], name: str, kind: str, has_columns: bool = True,
                      role: str = HYPOTHESES) -> str:
    """Return advice on the format and the columns of a file, with the name of the most likely column.

    `what` describes the format, and `record` has the fields of a record. If the names of several columns are equally
    likely, the advice names the column with the longest text in `record`.
    """
    fields = f" ({', '.join(list(record)[:_MAX_NAMED_COLUMNS])})" if record else ""
    advice = f"{name} has {what}{fields}, but is scored as text"
    lengths: dict[str, int] = {}
    for field, value in record.items():
        if isinstance(value, str) or (isinstance(value, list) and role in (REFERENCES, SAMPLES)):
            lengths[field] = len(value)  # pyright: ignore[reportUnknownArgumentType]  # JSON
    if not lengths or not has_columns:
        return advice
    column = max(lengths, key=lambda field: (_likelihood(field, role), isinstance(record[field], list), lengths[field]))
    file = f"-:{kind}" if name == "standard input" else name
    return f"{advice}: to score only one column, name the column, as in {file}:{column}"


def _likelihood(field: str, role: str) -> int:
    """Return 2 if the name of a column suggests this role, 0 if it suggests another role, and 1 if it suggests none."""
    words = field.lower().replace("-", " ").replace("_", " ").split()
    roles = [kind for kind, names in _WORDS_OF_ROLES.items() if not set(names.split()).isdisjoint(words)]
    if not roles:
        return 1
    return 2 if roles[0] == (HYPOTHESES if role == SAMPLES else role) else 0


def _json_of(lines: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Return a description of the JSON in the first lines, and the first record. Without JSON, both are empty."""
    from json import JSONDecoder, loads

    start = lines[0].strip()
    try:
        if start[0] == "[":
            text = "\n".join(lines).lstrip()[1:].lstrip()
            item, end = JSONDecoder().raw_decode(text)
            if isinstance(item, dict):
                return "a JSON array of objects", item  # pyright: ignore[reportUnknownVariableType]  # JSON
            is_list = isinstance(item, str) and text[end:].lstrip().startswith((",", "]"))
            return ("a JSON array" if is_list else ""), {}
        if start != "{":
            records: list[Any] = list(map(loads, lines))
            are_objects = all(records) and all(isinstance(record, dict) for record in records)
            return ("JSON objects", records[0]) if are_objects else ("", {})
    except (ValueError, RecursionError):
        pass
    # The lines may be the beginning of a longer JSON value.
    goes_on = len(lines) > 1 and lines[1].lstrip().startswith(('"', "{"))
    if goes_on and start == "[":
        return "a JSON array", {}
    return ("a JSON object over several lines" if goes_on and start == "{" else ""), {}


def _heading_of(lines: Sequence[str]) -> tuple[str, str, dict[str, Any]]:
    """Return "a heading", the kind of the file and the first record; empty values if the first line has no headings."""
    for separator, kind in _FIELD_SEPARATORS:
        fields = [field.strip('" \r\n') for field in lines[0].split(separator)]
        separators = [line.count(separator) for line in lines[1:]]
        if len(fields) > 1 and separators and min(separators) >= len(fields) - 1 and is_heading(fields):
            return "a heading", kind, dict(zip(fields, lines[1].split(separator)))
    return "", "", {}
