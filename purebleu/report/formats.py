"""Formats, styles and colours of output, names of systems in output, and the scores of a single system as text."""

from __future__ import annotations

import os
from functools import partial

from ..metrics.score import Score, Signature
from ..runtime.errors import OptionError, printable
from ..runtime.hints import Any, Iterable, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..significance.results import Results
    from ..significance.sampling import Sampled


class Format:
    """A format of results.

    Attributes:
        kind: "json"; "sections" (headings, paragraphs and tables, see `tables`); "lines" (a line for each number, see
            `delimited`); or "own" (the format has its own functions).
        is_table: whether even a single system has a table.
    """

    def __init__(self, kind: str, is_table: bool = False) -> None:
        self.kind = kind
        self.is_table = is_table


#: The format that adds signatures to the JSON of several systems. (sacreBLEU's JSON has no signatures.)
SIGNED_JSON = "json-signed"

#: The format of GitHub's workflow commands (see `gates`).
GITHUB = "github"

#: The format of a whole `table` environment of LaTeX, with its caption (see `paper`).
PAPER = "paper"

#: The values of `--format`.
FORMATS = {
    "json": Format("json"),
    SIGNED_JSON: Format("json", is_table=True),
    "text": Format("sections"),
    "latex": Format("sections"),
    "html": Format("sections", is_table=True),
    "markdown": Format("sections", is_table=True),
    "csv": Format("lines", is_table=True),
    "tsv": Format("lines", is_table=True),
    GITHUB: Format("own", is_table=True),
    PAPER: Format("own", is_table=True),
}

#: The formats with a line for each number.
DELIMITED_FORMATS = tuple([name for name, form in FORMATS.items() if form.kind == "lines"])

#: JSON, and the formats of tables with explanations.
TABLE_FORMATS = tuple([name for name, form in FORMATS.items() if form.kind in ("json", "sections")])


class Style:
    """The style of output: its format, decimal places, colours and length of lines.

    Attributes:
        form: the format, a key of `FORMATS`.
        format: the properties of the format.
        width: the number of decimal places of scores such as BLEU's.
        short: whether signatures are abbreviated.
        color: whether the format `text` is coloured; false in all other formats.
        columns: the width of the terminal that shows the text; `None`: lines may have any length.
        label: the label of a table for a paper; empty: the default label.
    """

    def __init__(self, form: str, width: int = 1, short: bool = False, color: bool = False,
                 columns: int | None = None, label: str = "") -> None:
        self.form = form
        self.format = FORMATS[form]
        self.width = width
        self.short = short
        self.color = color and form == "text"
        self.columns = columns if form == "text" else None
        self.label = label

    def in_format(self, form: str) -> Style:
        """Return the style in another format, without colours and without the width of a terminal."""
        return Style(form, self.width, self.short)


def system_results(scores: Sequence[Score], style: Style, score_only: bool = False) -> str:
    """Return the scores of one system as JSON or, in other formats, as text.

    Args:
        scores: one or more scores, with their signatures.
        style: the style, in a format whose `is_table` is false.
        score_only: whether the result has only numbers.
    """
    is_json, width = style.form == "json", style.width
    # (The fields of a signature are members of the JSON, with their full keys.)
    signatures = [score.signature.format(style.short and not is_json) for score in scores]
    if is_json:
        objects = [score.format(score.places(width), score_only, signature, is_json=True)
                   for score, signature in zip(scores, signatures)]
        return objects[0] if len(objects) == 1 else "[\n" + ",\n".join(objects) + "\n]"
    emphasize = partial(colored, color="cyan") if style.color else str
    if score_only:
        return "\n".join([score.numbers(score.places(width), emphasize) for score in scores])
    heads = [score.head(signature) for score, signature in zip(scores, signatures)]
    widest = max(map(len, heads))
    return "\n".join([f"{head:>{widest}} = {score.body(score.places(width), emphasize)}"
                      for head, score in zip(heads, scores)])


def subset_results(results: Sequence[tuple[str, int, Score]], style: Style) -> str:
    """Return a line for each of `results`: the label of a subset of a test set, its number of segments, its score."""
    widest = max([len(label) for label, _, _ in results]) + 1
    widest_name = max([len(score.name) for _, _, score in results])
    lines: list[str] = []
    for label, segments, score in results:
        padded = label.ljust(widest)
        if style.color:
            padded = colored(padded, "yellow")
        lines.append(f"{padded}: sentences={segments:<6} "
                     f"{score.name:<{widest_name}} = {score.score:.{score.places(style.width)}f}")
    return "\n".join(lines)


#: Escape sequences for colours of text in a terminal (ECMA-48, "select graphic rendition").
_COLORS = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m", "cyan": "\x1b[36m"}
_RESET = "\x1b[0m"
_SEQUENCES = (*_COLORS.values(), _RESET)

#: What a cell of a table may contain besides printable characters: line ends, and escape sequences for colours.
CELL_SEQUENCES = ("\n", *_SEQUENCES)


def colored(text: str, color: str) -> str:
    """Return the text with escape sequences that show each of its lines in a colour: red, green, yellow or cyan."""
    return "\n".join([f"{_COLORS[color]}{line}{_RESET}" for line in text.split("\n")])


def width_of(line: str) -> int:
    """Return the width of a line in terminal columns."""
    for sequence in _SEQUENCES:
        line = line.replace(sequence, "")
    if line.isascii():
        return len(line)
    from ..unicode.columns import columns_taken

    return columns_taken(line)


def wrapped_lines(text: str, columns: int, breaks_words: bool = False) -> list[str]:
    """Return the text in lines of at most `columns` terminal columns, broken at spaces and after `|`.

    A word that is too wide has its own line, or is broken if `breaks_words` is true.

    >>> wrapped_lines("case:mixed|eff:no and more", 12)
    ['case:mixed|', 'eff:no and', 'more']
    """
    from re import findall

    from ..unicode.columns import pieces_of_width

    lines: list[str] = []
    line = ""
    for word in findall(r"[^\s|]+\|?\s*|\|\s*", text):
        if line and width_of(line + word.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        if breaks_words and width_of(word.rstrip()) > columns:
            *full, word = pieces_of_width(word, columns)
            lines += full
        line += word
    return [*lines, line.rstrip()]


def printable_cell(text: str, kept: Sequence[str]) -> str:
    """Return the text of a cell with unprintable characters escaped (see `printable`), except the sequences `kept`."""
    if text.isprintable():
        return printable(text)
    for sequence in kept:
        if sequence in text:
            return sequence.join([printable_cell(piece, kept) for piece in text.split(sequence)])
    return printable(text)


def printable_line(text: str) -> str:
    """Return the line with unprintable characters escaped, except the escape sequences for colours."""
    return printable_cell(text, _SEQUENCES)


# CSV and TSV


#: The separator of fields in each format.
DELIMITERS = {"csv": ",", "tsv": "\t"}


def delimited(form: str, headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return headings and rows as CSV or TSV. Fields are quoted if necessary (RFC 4180). `None` is an empty field.

    >>> print(delimited("csv", ["system", "score"], [("a,b", 1.5), ("c", None)]))
    system,score
    "a,b",1.5
    c,
    """
    import csv
    from types import SimpleNamespace

    lines: list[str] = []
    # (Before Python 3.13, a field with a carriage return is quoted only if `lineterminator` also has one.)
    file: Any = SimpleNamespace(write=lines.append)
    writer = csv.writer(file, delimiter=DELIMITERS[form], lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return "\n".join([_without_command(line[:-2], DELIMITERS[form]) for line in lines])


def _without_command(line: str, delimiter: str) -> str:
    """Return a line, with its first field in quotes if GitHub would otherwise execute the line as a command."""
    if not line.lstrip().startswith("::"):
        return line
    first, separator, others = line.partition(delimiter)
    return f'"{first}"{separator}{others}'


def lower_first(title: str) -> str:
    """Return a title with a lower-case letter at its beginning, for use within a sentence."""
    return title[:1].lower() + title[1:]


# Names of systems


def short_names(names: Sequence[str]) -> list[str]:
    """Return short names for tables: without folders, and without the start and the end that all names share.

    If two names would be equal without folders, folders stay. The shared start ends with a separator such as `.`, and
    the shared end begins with a separator. A single name loses only its folders.

    >>> short_names(["out/wmt22.Online-A.de", "old/wmt22.Online-B.de"]), short_names(["a/out.txt", "b/out.txt"])
    (['Online-A', 'Online-B'], ['a', 'b'])
    """
    last = list(map(without_folders, names))
    names = last if all(last) and len({*last}) == len(names) else names
    start = _shared_start(names)
    end = _shared_start([name[start:][::-1] for name in names])
    shortened = [name[start:len(name) - end] for name in names]
    return shortened if all(shortened) and len(names) > 1 else list(names)


def without_folders(path: str) -> str:
    """Return the last component of a path."""
    return path.replace(os.sep, "/").rstrip("/").rpartition("/")[2]


def _shared_start(names: Sequence[str]) -> int:
    """Return the length of the start that all names share, which ends with a separator."""
    shared = next((index for index, characters in enumerate(zip(*names)) if len({*characters}) > 1),
                  min(map(len, names)))
    return 1 + max([names[0].rfind(separator, 0, shared) for separator in "/\\.:"])


def numbered_names(systems: int, paired: bool) -> list[str]:
    """Return names for unnamed systems, such as `System 1`; in a paired test, the first name is `Baseline`.

    >>> numbered_names(3, paired=True)
    ['Baseline', 'System 1', 'System 2']
    """
    names = [f"System {number}" for number in range(1, 1 + systems)]
    return ["Baseline", *names[:-1]] if paired else names


def system_names(names: Sequence[str], paired: bool, are_numbers: bool) -> list[str]:
    """Return the names of systems for a table. In a paired test, the first name begins with `Baseline: `.

    `are_numbers` is true for the result of `numbered_names`, which stays the same.
    """
    return [f"Baseline: {names[0]}", *names[1:]] if paired and not are_numbers else list(names)


def names_in(style: Style, names: Sequence[str]) -> list[str]:
    """Return the names of systems for tables of this style. In the format `text`, names are made `printable`."""
    return list(map(printable, names)) if style.form == "text" else list(names)


def signed_by_name(results: Sampled, scores: Sequence[Score], signatures: Sequence[Signature]) -> dict[str, Signature]:
    """Return the signatures, with fields on the resampling, by the names of scores.

    Raises:
        OptionError: two metrics have scores of the same name.
    """
    by_name: dict[str, Signature] = {}
    for score, signature in zip(scores, signatures):
        if score.name in by_name:
            raise OptionError(f"two metrics are called {score.name}, but the columns of a table need different names: "
                              "compare systems under one metric at a time", option="metrics")
        by_name[score.name] = results.signed(signature)
    return by_name


class PairResults:
    """The results of systems on a corpus or a language pair, with names for output.

    Attributes:
        pair: the name of the language pair or of the corpus, for captions; empty if it is not known.
        names: the names of the systems, in the order of the results.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        metrics: the names of the scores.
    """

    def __init__(self, pair: str, names: Sequence[str], results: Results, signatures: Mapping[str, Signature]) -> None:
        self.pair = pair
        self.names = names
        self.results = results
        self.signatures = signatures
        self.metrics = list(signatures)

    def signature(self, metric: int) -> Signature:
        """Return the signature of a metric."""
        return self.signatures[self.metrics[metric]]

    def shown_in(self, style: Style) -> PairResults:
        """Return the results with names for tables of this style (see `names_in`)."""
        return PairResults(names_in(style, [self.pair])[0], names_in(style, self.names), self.results, self.signatures)
