"""Converters of option values, and errors of values that do not fit together.

A converter converts a text to a value, or raises `ValueError` with the reason. Each kind of error has one function, so
that all commands use the same words for it. The argument `option` of such a function is the destination of the wrong
option, if the error is about a single option.
"""

from __future__ import annotations

import math
import sys
from functools import partial

from ...checks.table import CHECKS, NO_LIMIT
from ...metrics import FURTHER_MODULES, METRIC_FAMILIES, MODULES, named_metric
from ...runtime.errors import OptionError, nearest
from ...runtime.hints import Any, Iterable, Sequence

#: The registered names of metrics, in lower case.
METRIC_NAMES = (*map(str.lower, MODULES), *map(str.lower, FURTHER_MODULES))

#: The largest whole number that an option takes.
MAX_NUMBER = sys.maxsize

#: The smallest difference between scores, and the smallest probability, that an option takes.
_LEAST = 1e-9


def metric_names(text: str) -> list[str]:
    """Split a text at commas into names of metrics, in lower case. A family is replaced by its metrics.

    Names such as `chrf++` stay as they are until `metric_settings` reads them. (`check_metric` checks names later,
    because `--scores` may define names.)

    >>> metric_names("BLEU,rouge"), metric_names("chrF2++")
    (['bleu', 'rouge1', 'rouge2', 'rougel', 'rougelsum'], ['chrf2++'])
    """
    return [name for given in text.lower().split(",") for name in METRIC_FAMILIES.get(given, (given,))]


def check_metric(name: str, option: str, destination: str, outside: Sequence[str]) -> None:
    """Raise `OptionError` unless there is a metric of this name.

    Args:
        name: the name of a metric in lower case, as `metric_names` returns it.
        option: the names of the option, separated by slashes, for the message.
        destination: the destination of this option.
        outside: the names in `--scores`, in lower case.
    """
    known = [*METRIC_NAMES, *METRIC_FAMILIES, *outside]
    if _as_registered(name)[0] not in (*METRIC_NAMES, *outside):
        near = nearest(name, [*known, "chrf++", "spbleu"])
        raise OptionError(f"argument {option}: unknown metric {name!r}{near}; choose from {', '.join(known)}; for "
                          f"scores of another program, give --scores {name}=FILE (see purebleu --help)", destination)


def metric_settings(names: Sequence[str]) -> tuple[list[str], dict[str, object]]:
    """Return the registered names of metrics, and the values of options that their names imply.

    >>> metric_settings(["bleu", "chrf++"])
    (['bleu', 'chrf'], {'chrf_word_order': 2})

    Raises:
        OptionError: two names stand for the same metric, but imply different options.
    """
    registered = {name: _as_registered(name) for name in dict.fromkeys(names)}
    implied: dict[str, dict[str, object]] = {}
    for metric, settings in registered.values():
        same_metric = [other for other in registered if registered[other][0] == metric]
        check_takes(implied.setdefault(metric, settings) == settings, "-m",
                    f"one of {', '.join(same_metric)}, which are the same metric with different options", "metrics")
    return [metric for metric, _ in registered.values()], {key: value for settings in implied.values()
                                                           for key, value in settings.items()}


def _as_registered(name: str) -> tuple[str, dict[str, object]]:
    """Return the registered name of a metric, and the values of options that the name (in lower case) implies.

    >>> _as_registered("chrf3+"), _as_registered("rouge-l"), _as_registered("ter")
    (('chrf', {'chrf_beta': 3, 'chrf_word_order': 1}), ('rougel', {}), ('ter', {}))
    """
    registered, implied = named_metric(name)
    metric = (registered or name).lower()
    return metric, {f"{metric}_{option}": value for option, value in implied.items()}


def _sides(text: str, form: str) -> tuple[str, str]:
    """Split a text at its first `=`; `form` describes the expected text in the error."""
    name, _, value = text.partition("=")
    if not (name and value):
        raise _wrong_form(text, form)
    return name, value


def _wrong_form(text: str, form: str) -> ValueError:
    return ValueError(f"expected {form}, not {text!r}")


def metric_and_limit(text: str) -> tuple[str, float]:
    """Split a text such as `BLEU=30` into the name of a metric, in lower case, and a score."""
    name, number = _sides(text, "METRIC=SCORE (such as BLEU=30)")
    [metric, *more] = metric_names(name)
    if more:
        raise ValueError(f"{text!r} names several metrics: give one limit for each metric")
    return metric, _number_between(number)


def name_and_value(text: str) -> tuple[str, str]:
    """Split a text such as `COMET=scores.txt` into the name of scores, and the file or signature of these scores."""
    name, value = _sides(text, "NAME=FILE or NAME=TEXT (such as COMET=scores.txt)")
    from ...metrics.external import check_name

    check_name(name)
    return name, value


def name_and_pattern(text: str) -> tuple[str, str]:
    """Split a text into the name of a system, and the pattern of the files of its runs."""
    return _sides(text, "NAME=PATTERN (in quotes for the shell)")


def measure_name(text: str) -> str:
    """Check and return the name of a measure of agreement with people, such as `tau-b:item`."""
    from ...meta_evaluation.measures import question_of

    question_of(text)
    return text


def check_names(text: str) -> list[str]:
    """Split a text at commas into names of checks, in lower case.

    >>> check_names("copied,Empty")
    ['copied', 'empty']
    """
    return [_check_name(name) for name in text.split(",")]


def checks_and_tolerances(text: str) -> list[tuple[str, str]]:
    """Split a text at commas into names of checks, each with the number or share of lines that it tolerates.

    >>> checks_and_tolerances("copied,empty=3,loop=0.5%")
    [('copied', '0'), ('empty', '3'), ('loop', '0.5%')]
    """
    tolerances: list[tuple[str, str]] = []
    for part in text.split(","):
        name, equals, given = part.partition("=")
        tolerance = given.strip() if equals else "0"
        if tolerance.endswith("%"):
            _number_between(tolerance[:-1], 0, 100, part)
        elif not (tolerance.isascii() and tolerance.isdigit()):
            raise _wrong_form(part, "CHECK=LINES or CHECK=SHARE% (such as loop=3 or loop=0.5%)")
        tolerances.append((_check_name(name), tolerance))
    return tolerances


def check_and_threshold(text: str) -> tuple[str, float]:
    """Split a text such as `copied=80` into the name of a check and its threshold."""
    name, number = _sides(text, "CHECK=THRESHOLD (such as copied=80)")
    check = CHECKS[_check_name(name)]
    return check.name, _number_between(number, check.lowest, check.highest, text)


def one_each(given: Iterable[tuple[str, Any]], option: str) -> dict[str, Any]:
    """Return the values that an option gives to checks, by the names of checks.

    Raise `OptionError` if a check has two different values.
    """
    found: dict[str, Any] = {}
    for name, value in given:
        check_takes(found.setdefault(name, value) == value, option_name(option), f"one value for {name}", option)
    return found


def _check_name(text: str) -> str:
    name = text.strip().lower()
    if name not in CHECKS:
        raise ValueError(f"unknown check {name!r}{nearest(name, CHECKS)}; choose from {', '.join(CHECKS)}")
    return name


def _number_between(text: str, lowest: float = -math.inf, highest: float = math.inf, given: str = "") -> float:
    """Return the number in a text. If the text is only a part of a value, errors also show the whole value `given`."""
    shown = f"{given!r}: {text!r}" if given else f"{text!r}"
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{shown} is not a finite number")
    if not lowest <= number <= highest:
        limits = f"of at least {lowest:g}" if highest >= NO_LIMIT else f"from {lowest:g} to {highest:g}"
        raise ValueError(f"{shown} is not a number {limits}")
    return number


not_negative_float = partial(_number_between, lowest=0)
#: Convert a text to a probability that is not 0.
probability = partial(_number_between, lowest=_LEAST, highest=1)
#: Convert a text to a difference between scores that is not too small for floating point.
score_difference = partial(_number_between, lowest=_LEAST)


def _whole_number(text: str, lowest: int, highest: int = MAX_NUMBER) -> int:
    try:
        number = int(text)
    except ValueError:
        number = lowest - 1
    if number < lowest:
        raise ValueError(f"{text!r} is not a whole number of at least {lowest}")
    if number > highest:
        raise ValueError(f"{text!r} is more than {highest}")
    return number


#: Convert a text to a number of resamples. (A spread needs at least two resamples.)
resamples = partial(_whole_number, lowest=2)
positive = partial(_whole_number, lowest=1)
not_negative = partial(_whole_number, lowest=0)
port = partial(_whole_number, lowest=1, highest=65535)
#: Convert a text to a number of decimal places. (No float has more than 1074 decimal places.)
decimal_places = partial(_whole_number, lowest=0, highest=1074)


def seed_or_none(text: str) -> int | None:
    from ...engines.resampling.streams import parse_seed

    return parse_seed(text, "it")


def sha256_sum(text: str) -> str:
    if len(text) != 64 or not set(text.lower()) <= set("0123456789abcdef"):
        raise ValueError(f"{text!r} is not a SHA-256 sum, which has 64 hexadecimal digits")
    return text


def language_pair(text: str) -> str:
    source, _, target = text.partition("-")
    if not source or not target:
        raise _wrong_form(text, "SRC-TRG (such as en-de)")
    return text


# Errors of values that do not fit together


def option_name(destination: str) -> str:
    """Return the long name of the option with this destination."""
    return f"--{destination.replace('_', '-')}"


def check_needs(is_met: object, who: str, needed: str, option: str | None = None) -> None:
    """Raise `OptionError` with the message "`who` needs `needed`", unless `is_met` is true."""
    if not is_met:
        raise OptionError(f"{who} needs {needed}", option)


def check_takes(is_met: object, who: str, taken: str, option: str | None = None) -> None:
    """Raise `OptionError` with the message "`who` takes only `taken`", unless `is_met` is true."""
    if not is_met:
        raise OptionError(f"{who} takes only {taken}", option)


def check_apart(has_both: object, who: str, other: str, option: str | None = None, advice: str = "") -> None:
    """Raise `OptionError` with the message "`who` does not go with `other`" and advice, if `has_both` is true."""
    if has_both:
        raise OptionError(f"{who} does not go with {other}{': ' if advice else ''}{advice}", option)
