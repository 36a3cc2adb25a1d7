"""Prints tables of several systems, as sacreBLEU's `print_results_table` does."""

from __future__ import annotations

from ..report.comparison import comparison
from ..report.formats import TABLE_FORMATS, PairResults, Style
from ..report.tables import json_table
from ..runtime.errors import OptionError
from ..runtime.hints import Any, Mapping, Sequence
from ..significance.paired import Result
from ..significance.results import Results
from ..significance.sampling import Sampling


class _Printed:
    """A signature with a fixed text, which `format` returns even if `short` is true."""

    def __init__(self, signature: object) -> None:
        self._text = str(signature)

    def format(self, short: bool = False) -> str:
        return self._text


def _plain(cell: Any) -> Any:
    """Return a cell for JSON: the attributes of a `Result`, or another value unchanged."""
    return vars(cell) if isinstance(cell, Result) else cell


def _result(cell: Any) -> Result:
    return cell if isinstance(cell, Result) else Result(float(cell))


def print_results_table(results: Mapping[str, Sequence[Any]], signatures: Mapping[str, object], args: Any) -> None:
    """Print the results of `PairedTest` as a table.

    Args:
        results: the names of the systems under "System", and their `Result`s or numbers under the name of each metric.
        signatures: the signature of each metric.
        args: an object with the options of sacreBLEU's command line as attributes: `format` (one of `TABLE_FORMATS`)
            and, except for `json`, `width`, `paired_bs` and `paired_ar` (which test was made), and the test's number of
            samples, `paired_bs_n` or `paired_ar_n`.

    Raises `OptionError` if the format is unknown.
    """
    if args.format not in TABLE_FORMATS:
        raise OptionError(f"unknown format {args.format!r}; choose from {', '.join(TABLE_FORMATS)}")
    if args.format == "json":
        print(json_table({name: list(map(_plain, column)) for name, column in results.items()}))
        return
    test = "bs" if args.paired_bs else "ar" if args.paired_ar else None
    sampling = Sampling(test, getattr(args, f"paired_{test}_n"), rng="mt19937", seed=None) if test else None
    names, *columns = results.values()
    as_results = [list(map(_result, system)) for system in zip(*columns)]
    printed: Any = {metric: _Printed(signatures[metric]) for metric in list(results)[1:]}
    table = PairResults("", names, Results([], as_results, sampling), printed)
    print(comparison(table, Style(args.format, args.width), as_sacrebleu=True))
