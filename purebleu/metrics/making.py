"""Metrics by their names, and from published signatures."""

from __future__ import annotations

from ..errors import OptionError, nearest
from ..hints import Any, Iterable
from . import FURTHER_MODULES, MODULES, metric_class
from .base import Metric
from .signature import metric_of_score, read_signature


def metric(name: str, **options: Any) -> Metric[Any]:
    """Make a metric from its name, or from the signature of a published score.

    Args:
        name: that of `-m` on the command line, such as `bleu`; that of a score, such as `chrF++` and `ROUGE-L`; or a
            signature with the name of the score before it, as sacreBLEU and purebleu print it.
        options: arguments of the metric; they go before what a signature says.

    Raises:
        OptionError: there is no such metric, or the signature has a field or a value that is unknown.

    Example:
        >>> metric("chrF++").corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        chrF2++ = 72.66
        >>> metric("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.4.3")  # doctest: +ELLIPSIS
        <BLEU case:lc|eff:no|tok:intl|smooth:exp|version:purebleu-...>
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a metric is made from its name, such as 'bleu', not from {name!r:.80}")
    if "|" in name or ("+" in name and "." in name):
        read = read_signature(name)
        return metric_class(read.metric)(**{**read.options(), **options})
    registered = metric_of_score(name)
    if registered is None:
        known = list(map(str.lower, (*MODULES, *FURTHER_MODULES)))
        raise OptionError(f"there is no metric {name!r:.40}{nearest(name, known)}; there are {', '.join(known)}",
                          option="metric")
    if name.lower() != registered.lower() and registered == "CHRF":  # as chrF++, which says what it is of
        digits = name[len("chrF"):].rstrip("+") or "2"
        options = {"beta": int(digits), "word_order": name.count("+"), **options}
    return metric_class(registered)(**options)


def made_metrics(metrics: str | Metric[Any] | Iterable[str | Metric[Any]]) -> tuple[list[str], list[Metric[Any]]]:
    """The metrics that are given, or named, one or several; and for each, what the caller calls it.

    Raises:
        OptionError: there are none, or a name is unknown.
        TypeError: one is neither a metric nor a name.
    """
    is_one = isinstance(metrics, (str, Metric, type)) or not hasattr(metrics, "__iter__")
    given: list[Any] = [metrics] if is_one else list(metrics)  # type: ignore[arg-type]  # just checked
    if not given:
        raise OptionError("there are no metrics", option="metrics")
    made: list[Metric[Any]] = []
    for one in given:
        if not isinstance(one, (str, Metric)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"metrics has {one!r:.80}, but takes names, such as 'bleu', and metrics, such as BLEU()")
        chosen: Any = metric(one) if isinstance(one, str) else one  # pyright: ignore[reportUnknownVariableType]
        made.append(chosen)
    return [one if isinstance(one, str) else one.registered_name for one in given], made
