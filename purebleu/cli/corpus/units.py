"""The documents and strata of the scored segments (`--unit`, `--docs`, `--strata`)."""

from __future__ import annotations

from ...files.lines import aligned_blocks
from ...runtime.errors import PurebleuError
from ...runtime.hints import Sequence
from ..arguments.values import check_needs
from .inputs import Inputs
from .read import SegmentList, open_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rows import StoredRows
    from ...significance.sampling import Units


def units_of(inputs: Inputs, listed: SegmentList) -> Units | None:
    """Return the units of resampling for the segments that were read; `None` for single segments without strata.

    Raises:
        OptionError: the segments have no documents or no strata.
        PurebleuError: a segment has no document or stratum, nothing can be resampled, or a document is in two strata.
    """
    return _units_from(_columns_asked(inputs, listed, _asked_units(inputs)))


def labels_of_units(inputs: Inputs, listed: SegmentList | None) -> dict[str, list[str]]:
    """Return the document and the stratum of each segment as checksums (for stored rows), if options ask for them."""
    from ...rows import label_digests

    columns = {} if listed is None else _columns_asked(inputs, listed, _asked_units(inputs))
    return {name: label_digests(column) for name, column in columns.items()}


def stored_units(inputs: Inputs, merged: Sequence[StoredRows]) -> Units | None:
    """Return the units of resampling for stored rows; `None` for single segments without strata.

    Documents and strata come from files if options name these, or else from the rows.

    Raises:
        OptionError: the rows have no documents.
        PurebleuError: a line of a file is blank, nothing can be resampled, a document is in two strata, or the number
            of lines of a file is not the number of segments.
    """
    stored = merged[0].labels
    asked = _asked_units(inputs, list(stored))
    listed = SegmentList()
    listed.columns.update({name: list(labels) for name, labels in stored.items()})
    from_files = {column: file for _, column, file in asked if file}
    if from_files:
        for blocks in aligned_blocks(open_files(inputs, [*from_files.values()], [*from_files])):
            first, count = listed.lines + 1, len(blocks[0])
            listed.add(range(first, first + count), [True] * count, dict(zip(from_files, blocks)))
    check_needs(all(column in listed.columns for _, column, _ in asked), "--unit doc",
                "documents, but the rows have none: save rows with --unit doc, or give --docs FILE", "unit")
    return _units_from(_columns_asked(inputs, listed, asked))


def _asked_units(inputs: Inputs, stored: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """Return a triple for the documents, and one for the strata, if options ask for them.

    A triple has the name in stored rows, the column in `SegmentList`, and the file (empty: a test set or stored rows
    have the values). `stored` has the names in stored rows. If `--strata` is one of these names, the strata come from
    the rows.
    """
    asked: list[tuple[str, str, str]] = []
    if inputs.by_documents:
        asked.append(("docid", "docid" if not inputs.docs else "document", inputs.docs))
    if inputs.strata:
        is_known = inputs.strata in stored or not inputs.strata_file
        asked.append((inputs.strata, inputs.strata, "") if is_known else ("file", "stratum", inputs.strata))
    return asked


def _columns_asked(inputs: Inputs, listed: SegmentList, asked: Sequence[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Return the values of all segments for each triple in `asked`, by its name in stored rows.

    Raises:
        OptionError: the segments have no documents or no strata.
        PurebleuError: the line of a segment in a file is blank.
    """
    for _, column, file in asked:
        where = f"{inputs.selection.name} does" if inputs.selection else "files of text do"
        option, label = ("docs", "document") if column == "docid" else ("strata", column)
        check_needs(column in listed.columns, "--unit doc" if option == "docs" else f"--strata {column}",
                    f"the {label} of each segment, which {where} not have: give --{option} FILE", option)
        if file:
            for value, number in zip(listed.columns[column], listed.numbers):
                if not value.strip():
                    message = f"{file}, line {number}: the document or stratum of the segment is missing"
                    raise PurebleuError(message).at(file, number)
    return {name: listed.columns[column] for name, column, _ in asked}


def _units_from(columns: dict[str, list[str]]) -> Units | None:
    from ...significance.sampling import Units

    documents = columns.get("docid")
    for name, strata in columns.items():
        if name != "docid":
            return Units(documents, strata, name)
    return None if documents is None else Units(documents)
