"""`--signature`: the options that a published signature stands for, and whether the score has that signature, too."""

from __future__ import annotations

from ...errors import OptionError, warn
from ...hints import Any, Mapping
from ...metrics.reading import read_signature
from ...metrics.score import Signature
from ...metrics.signature import signature_pairs
from ...version import __version__
from .command import Command
from .groups import option_of
from .parser import parse

#: Fields that a score has only if options ask for them.
_ASKED_FOR = ("unit", "strata", "reseg", "unicode", "where", "order")

#: The options of test sets, by their fields.
_TEST_SET_OPTIONS = {"test": "--test-set", "lang": "--language-pair", "origlang": "--origlang", "subset": "--subset"}


def with_signature(values: Any, command: Command) -> None:
    """Set all options that a signature stands for.

    Raises:
        OptionError: the text is not a signature, no run of the command has it, or another option contradicts it.
    """
    read = read_signature(values.signature)
    options = read.options()
    is_of_segments = getattr(values, "sentence_level", False)
    if options.pop("effective_order", False) and not is_of_segments:
        raise OptionError("the signature says eff:yes, which is for scores of segments: purebleu score -sl")
    if "@" in read.fields.get("test", "") and values.test_set:
        read.fields.pop("test")  # (a file may describe it; if it is another set, its signature tells so)
    arguments = [f"{option}={read.fields[field]}" for field, option in _TEST_SET_OPTIONS.items()
                 if field in read.fields]
    arguments += _resampling(read.fields, values, command)
    arguments += _units(read.fields, values)
    metric = read.metric.lower()
    # Parsed like the given arguments, so that they are checked in the same way.
    settings: dict[str, Any] = {**{option_of(metric, name): value for name, value in options.items()},
                                "metrics": [metric], **vars(parse(command, arguments))}
    settings.pop("references", None)
    already = values.given()
    for name, value in settings.items():
        if already.get(name, value) != value:
            shown = command.options[name].name if name in command.options else name
            raise OptionError(f"{shown} {_shown(already[name])} contradicts the signature, which says {_shown(value)}")
    for name, value in settings.items():
        setattr(values, name, value)


def _shown(value: object) -> str:
    """A value as text, such as the names of metrics."""
    if isinstance(value, list):
        return " ".join(map(_shown, value))  # pyright: ignore[reportUnknownArgumentType]  # any value has a text
    return str(value)


def _resampling(fields: Mapping[str, str], values: Any, command: Command) -> list[str]:
    """The arguments for the resampling in a signature; its `bs` is for the paired test if that was asked for."""
    names = {"ar": "--paired-ar-n", "bs": "--paired-bs-n"}
    if "samples" in command.options:
        names = {"ar": "--samples", "bs": "--samples"}
    arguments: list[str] = []
    if "ar" in fields:
        number = fields["ar"]
        arguments += ["--paired-ar", "--exact" if number == "exact" else f"{names['ar']}={number}"]
    if "bs" in fields:
        number = fields["bs"]
        if values.test == "bs":
            arguments.append(f"{names['bs']}={number}")
        else:
            arguments += [*["--confidence"] * ("confidence" in command.options), f"--confidence-n={number}"]
    if arguments:
        # sacreBLEU has a single random stream, and leaves its name out of signatures.
        arguments.append(f"--rng={fields.get('rng', 'numpy')}")
        if "seed" in fields:
            arguments.append(f"--seed={fields['seed']}")
    return arguments


def _units(fields: Mapping[str, str], values: Any) -> list[str]:
    """The arguments for the line breaks and the units of resampling in a signature, which names no files.

    Raises:
        OptionError: the strata come from a file, and none is given.
    """
    arguments: list[str] = []
    if "reseg" in fields:
        arguments.append(f"--resegment={fields['reseg']}")
    if "unicode" in fields:
        arguments.append(f"--normalize={fields['unicode']}")
    if "unit" in fields:
        arguments.append(f"--unit={fields['unit']}")
    strata = fields.get("strata")
    if strata == "file":
        if not values.strata:
            raise OptionError("the signature says strata:file: give this file by --strata FILE", option="strata")
    elif strata is not None:
        arguments.append(f"--strata={strata}")
    return arguments


def warn_of_differences(given: str, signature: Signature) -> None:
    """Warn of each field in which the signature of a score differs from the one that was given."""
    expected = read_signature(given).fields
    actual = signature_pairs(signature.format())
    if expected.get("version") in (__version__.partition(".post")[0], actual["version"]):
        expected.pop("version")  # that of the sacreBLEU release whose numbers these are
    keys = [*expected, *[key for key in _ASKED_FOR if key in actual and key not in expected]]
    differences = [f"{key}:{actual.get(key, '(none)')} instead of {expected.get(key, '(none)')}" for key in keys
                   if actual.get(key) != expected.get(key)]
    if differences:
        warn(f"the result has another signature than the one given: {', '.join(differences)}")
