"""Tables of several systems, as sacreBLEU's function prints them."""

from __future__ import annotations

from ..errors import OptionError
from ..report import TABLE_FORMATS
from ..report.comparison import comparison
from ..report.style import Style
from ..report.tables import json_table
from ..significance.paired import Result
from ..significance.results import Results, Sampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, Mapping, Sequence


class _Printed:
    """A signature that is given as any object with a string form: its `format` returns that string."""

    def __init__(self, signature: object) -> None:
        self._text = str(signature)

    def format(self, short: bool = False) -> str:
        return self._text


def print_results_table(results: Mapping[str, Sequence[Any]], signatures: Mapping[str, object],
                        args: Namespace) -> None:
    """Print what `PairedTest` returns: the names of systems under "System", a `Result` (or a number) for each metric.

    `args` are the options of a command line: `format`, one of `TABLE_FORMATS`; but for JSON also `width`, and
    `paired_bs` or `paired_ar` where there was a test, with `paired_bs_n` or `paired_ar_n`. JSON has all that the
    results have.

    Raises `OptionError` for another format.
    """
    if args.format not in TABLE_FORMATS:
        raise OptionError(f"unknown format {args.format!r}; there are {', '.join(TABLE_FORMATS)}")
    if args.format == "json":
        print(json_table({name: [vars(cell) if isinstance(cell, Result) else cell for cell in column]
                          for name, column in results.items()}))
        return
    test = "bs" if args.paired_bs else "ar" if args.paired_ar else None
    sampling = Sampling(test, getattr(args, f"paired_{test}_n"), 0, "mt19937", None) if test else None
    names, *columns = results.values()
    as_results = [[cell if isinstance(cell, Result) else Result(float(cell)) for cell in system]
                  for system in zip(*columns)]
    printed: Any = {metric: _Printed(signatures[metric]) for metric in list(results)[1:]}
    print(comparison(names, Results([], as_results, sampling), printed, Style(args.format, args.width),
                     as_sacrebleu=True))
