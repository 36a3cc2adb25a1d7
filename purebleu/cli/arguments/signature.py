"""`--signature`: set the options that a published signature describes."""

from __future__ import annotations

from ...metrics.reading import read_signature
from ...runtime.errors import OptionError
from ...runtime.hints import Any, Callable, Mapping, Sequence
from .command import Command
from .groups import OF_DOCUMENTS, option_of
from .values import check_needs

#: For each field of a signature, the option that sets the field.
_OPTIONS = {"test": "--test-set", "lang": "--language-pair", "origlang": "--origlang", "subset": "--subset",
            "reseg": "--resegment", "unicode": "--normalize", "unit": "--unit", "strata": "--strata"}


def with_signature(values: Any, command: Command, parse: Callable[[Command, Sequence[str]], Any]) -> None:
    """Set the options that the value of `--signature` describes. `parse` is `parser.parse`.

    Raises:
        OptionError: the value is not a signature, or describes scores that the command can't compute, or contradicts a
            given option.
    """
    read = read_signature(values.signature)
    options = read.options()
    is_of_segments = getattr(values, "sentence_level", False)
    has_effect = not options.pop("effective_order", False) or is_of_segments
    check_needs(has_effect, "eff:yes in a signature", "purebleu score -sl, which scores segments", "signature")
    if "@" in read.fields.get("test", "") and values.test_set:
        read.fields.pop("test")  # (-t may name a user's own test set without the checksum in the signature)
    if read.fields.get("strata") == "file":
        check_needs(values.strata, "strata:file in a signature", "the file of strata: --strata FILE", "strata")
        read.fields.pop("strata")
    asked = read.fields.get("reseg", "")
    if asked.endswith(OF_DOCUMENTS):
        unit = read.fields["reseg"] = asked[:-len(OF_DOCUMENTS)]
        check_needs(values.docs, f"reseg:{asked} in a signature", "the documents of the segments: "
                    f"--resegment {unit} --docs FILE", "docs")
    arguments = [f"{option}={read.fields[field]}" for field, option in _OPTIONS.items() if field in read.fields]
    arguments += _resampling(read.fields, values, command)
    metric = read.metric.lower()
    # (`parse` checks the arguments from the signature, too.)
    settings: dict[str, Any] = {**{option_of(metric, name): value for name, value in options.items()},
                                "metrics": [metric], **vars(parse(command, arguments))}
    settings.pop("references", None)
    already = values.given()
    for name, value in settings.items():
        if already.get(name, value) != value:
            shown = command.options[name].name if name in command.options else name
            raise OptionError(f"{shown} {_shown(already[name])} contradicts the signature, which says {_shown(value)}",
                              option=name)
    for name, value in settings.items():
        setattr(values, name, value)


def _shown(value: object) -> str:
    """Return a value as text. The items of a list, such as the names of metrics, are joined by spaces."""
    if isinstance(value, list):
        return " ".join(map(_shown, value))  # pyright: ignore[reportUnknownArgumentType]  # any value has a text
    return str(value)


def _resampling(fields: Mapping[str, str], values: Any, command: Command) -> list[str]:
    """Return the arguments for the resampling in a signature. The field `bs` is for intervals or a test."""
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
        # sacreBLEU has only one random number generator, and leaves its name out of signatures.
        arguments.append(f"--rng={fields.get('rng', 'numpy')}")
        if "seed" in fields:
            arguments.append(f"--seed={fields['seed']}")
    return arguments
