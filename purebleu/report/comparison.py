"""The results of several systems as a string: a table, what it means, and the signatures."""

from __future__ import annotations

from textwrap import dedent

from .tables import colored, json_table, latex_table, text_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.paired import Result

#: A p-value below this is called significant.
_THRESHOLD = 0.05

_TESTS = {"bs": "Paired bootstrap resampling", "ar": "Paired approximate randomization"}

_EXPLANATIONS = {
    "bs": """\
        For each system: its score; in brackets, the mean of its scores in {samples:,} bootstrap resamples (as many
        segments, drawn with replacement) and half the width of the interval that holds 95 % of them; below, p.""",
    "ar": """\
        For each system: its score; below, p, from {samples:,} trials. In each, the system and the baseline exchange
        the segments that chance selects.""",
}

_MEANING = """\
    p tells how often chance alone would make a difference to the baseline as large as the one observed, were the
    system and the baseline the same (the null hypothesis). Where p < 0.05 (*), the null hypothesis can be rejected:
    the systems differ. Otherwise{red} the data does not tell. A small p does not say that one system is better for
    its readers, only that its difference in score would be found again."""


def system_names(names: Sequence[str], paired: bool, from_files: bool) -> list[str]:
    """What a table calls the systems: where they are paired, the first one is the baseline, and has no number."""
    if not paired:
        return list(names)
    return [f"Baseline: {names[0]}", *names[1:]] if from_files else ["Baseline", *names[:-1]]


def comparison(names: Sequence[str], results: Mapping[str, Sequence[Result]], signatures: Mapping[str, Signature],
               test: str | None, samples: int, form: str, width: int, short: bool, color: bool) -> str:
    """The results of systems with these names, for each metric by its name, in one of `FORMATS`.

    `test` is the paired test that they come from, `bs` or `ar`, with so many samples; `None` where there was none.
    `width` is the number of decimal places, `short` abbreviates the signatures, `color` is for terminals.
    """
    if form == "json":
        columns: dict[str, Sequence[object]] = {"System": names}
        for metric, column in results.items():
            columns[metric] = [f"{result.score:.{width}f}" if test is None and result.mean is None else vars(result)
                               for result in column]
        return json_table(columns)
    color = color and form == "text"
    table = [("System", list(names))]
    for metric, column in results.items():
        head = metric + " (μ ± 95% CI)" * (column[0].mean is not None)
        table.append((head, [_cell(result, width, "\n" if form == "text" else " ", color) for result in column]))
    if color:
        table = [(colored(head, "cyan"), [colored(cells[0], "yellow"), *cells[1:]] if test else cells)
                 for head, cells in table]
    parts = [latex_table(table) if form == "latex" else text_table(table)]
    if test is not None:
        parts.append(_explanation(test, samples, names[0], color))
    lines = [f" - {metric:<10} {signature.format(short)}" for metric, signature in signatures.items()]
    parts.append("\n".join([_underlined("Metric signatures"), *lines]))
    return "\n\n".join(parts)


def _cell(result: Result, width: int, parting: str, color: bool) -> str:
    cell = f"{result.score:.{width}f}"
    if result.mean is not None:
        cell += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        p_value = f"(p = {result.p_value:.4f})"
        if result.p_value <= _THRESHOLD:
            p_value += "*"
        elif color:
            p_value = colored(p_value, "red")
        cell += parting + p_value
    return cell


def _explanation(test: str, samples: int, baseline: str, color: bool) -> str:
    heading = _underlined(f"{_TESTS[test]}, {samples:,} {'resamples' if test == 'bs' else 'trials'}")
    compared = f"Each system is compared with {colored(baseline, 'yellow') if color else baseline}."
    what = dedent(_EXPLANATIONS[test]).format(samples=samples)
    meaning = dedent(_MEANING).format(red=" (red)" if color else "")
    return "\n\n".join([f"{heading}\n{compared}", what, meaning])


def _underlined(text: str) -> str:
    line = "-" * len(text)
    return f"{line}\n{text}\n{line}"
