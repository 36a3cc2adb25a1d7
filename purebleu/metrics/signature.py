"""The fields of signatures: from the options of a metric to what its signature says, and back.

A metric lists its own fields as `SIGNATURE_FIELDS`, in the order in which they are printed.
"""

from __future__ import annotations

from ..errors import OptionError, warn
from ..version import __version__
from . import metric_class, registered_metric
from .score import LEADING_FIELDS, SHORT_KEYS, Score, Signature, value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence, TypeVar

    from ..hints import SignatureValue
    from .base import Metric

    OwnNumber = TypeVar("OwnNumber", int, float)


class Field:
    """A field that tells an attribute of a metric, as it is.

    Args:
        key: the field's long name.
        attribute: of the metric; also the name of its option, if there is one.
    """

    def __init__(self, key: str, attribute: str = "") -> None:
        self.key = key
        self.attribute = attribute

    def value(self, metric: Any, given_tokens: bool) -> SignatureValue:
        """The value in the signature of a metric; `given_tokens` says whether segments came as tokens."""
        value: SignatureValue = getattr(metric, self.attribute)
        return value

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        """The options of the metric (a class) that make it sign with these fields, as far as this one tells.

        Raises:
            OptionError: for a value that the metric can't have.
        """
        return {}

    def chosen(self, fields: Mapping[str, str], values: Mapping[str, Any], default: str) -> Any:
        """The meaning of the field's value, as `values` has it; if the field is missing, that of `default`.

        Raises:
            OptionError: for a value that `values` lacks.
        """
        value = fields.get(self.key, default)
        if value not in values:
            raise OptionError(f"the signature says {self.key}:{value}, but that can only be {', '.join(values)} here")
        return values[value]


class FixedField(Field):
    """A field whose value is the same with all options: a text, or an attribute of the metric's class."""

    def __init__(self, key: str, text: str = "", attribute: str = "") -> None:
        super().__init__(key, attribute)
        self.text = text

    def value(self, metric: Any, given_tokens: bool) -> str:
        return self.text or getattr(metric, self.attribute)

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        text = self.value(metric, False)
        self.chosen(fields, {text: None}, text)
        return {}


class FlagField(Field):
    """A field of an option that is true or false.

    Args:
        values: that of the field when the option is false, and when it is true.
        leaves_out_default: whether signatures do without the field when the option is false.
    """

    def __init__(self, key: str, attribute: str, values: tuple[str | bool, str | bool] = (False, True),
                 leaves_out_default: bool = False) -> None:
        super().__init__(key, attribute)
        self.values = values
        self.leaves_out_default = leaves_out_default

    def value(self, metric: Any, given_tokens: bool) -> SignatureValue:
        option = bool(getattr(metric, self.attribute))
        return None if self.leaves_out_default and not option else self.values[option]

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        without, with_option = [str(value_text(value)) for value in self.values]
        return {self.attribute: self.chosen(fields, {without: False, with_option: True}, without)}


class IntegerField(Field):
    """A field of an option that is an integer; one that is read without the field has the default.

    Args:
        leaves_out_default: whether signatures do without the field when the option has its default.
    """

    def __init__(self, key: str, attribute: str, default: int, leaves_out_default: bool = False) -> None:
        super().__init__(key, attribute)
        self.default = default
        self.leaves_out_default = leaves_out_default

    def value(self, metric: Any, given_tokens: bool) -> SignatureValue:
        number: int = getattr(metric, self.attribute)
        return None if self.leaves_out_default and number == self.default else number

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        return {self.attribute: number_of(self.key, fields.get(self.key, str(self.default)), int)}


class TokenizerField(Field):
    """The field of the tokenizer.

    Args:
        names: of the tokenizers that the metric has, the default first; by default, all of this package.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        super().__init__("tok", "tokenizer_signature")
        self.names = names

    def value(self, metric: Any, given_tokens: bool) -> SignatureValue:
        return "custom" if given_tokens else super().value(metric, given_tokens)

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        from ..tokenizers import DEFAULT, name_of_signature

        if self.names:
            return {"tokenize": self.chosen(fields, {name: name for name in self.names}, self.names[0])}
        return {"tokenize": name_of_signature(fields.get(self.key, DEFAULT))}


#: The characters of numbers in signatures.
_IN_NUMBERS = set("0123456789+-.e")

#: The field of most metrics for whether they compare in lower case.
CASE_FIELD = FlagField("case", "lowercase", ("mixed", "lc"))

#: The fields of metrics with another implementation's numbers, which take the best of several references.
BEST_REFERENCE_FIELD = FixedField("refs", "best")
ORACLE_FIELD = FixedField("oracle", attribute="ORACLE")


def number_of(field: str, text: str, kind: type[OwnNumber]) -> OwnNumber:
    """The number that a field has as its value, or a part of it.

    Raises:
        OptionError: it is none.
    """
    try:
        # (Python also takes `nan`, underscores, and digits of all scripts, which no signature has.)
        return kind(text if set(text) <= _IN_NUMBERS else "")
    except ValueError:
        raise OptionError(f"the signature's {field} has {text!r:.40} where a number should be") from None


#: The names of fields in sacreBLEU 1 (`BLEU+case.mixed+numrefs.1+...`), and what they are called since then.
_FIELDS_OF_VERSION_1 = {"numrefs": "nrefs"}


class ReadSignature:
    """A signature that was read.

    Attributes:
        name: that of the score, such as `chrF2++`.
        metric: the metric's name in the registry, such as `CHRF`.
        fields: the values by the long names of fields, as they stand there.
    """

    def __init__(self, name: str, metric: str, fields: Mapping[str, str]) -> None:
        self.name = name
        self.metric = metric
        self.fields = dict(fields)

    def options(self) -> dict[str, Any]:
        """The arguments of the metric that make it sign like this.

        Raises:
            OptionError: for a value that the metric can't have.
        """
        return metric_class(self.metric).options_from_fields(self.name, self.fields)


def read_signature(text: str) -> ReadSignature:
    """The fields of a signature, in the long or the short form, with the name of the score before it.

    Args:
        text: as sacreBLEU and purebleu print it, such as `BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|...`;
            also in the form of sacreBLEU 1, `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.2`.

    Raises:
        OptionError: it is no signature, or has fields that the metric does not have.

    Example:
        >>> read = read_signature("chrF2++|#:1|c:lc|e:yes|nc:6|nw:2|s:no|v:2.4.3")
        >>> read.metric, read.fields["case"], read.fields["space"]
        ('CHRF', 'lc', 'no')
    """
    name, *pairs = text.strip().split("|")
    separator = ":"
    if not pairs and "+" in text:
        name, *pairs = text.strip().split("+")
        separator = "."
    metric = metric_of_score(name)
    if metric is None or not pairs:
        raise OptionError(f"{text!r:.80} is not a signature, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'")
    long_keys = _long_keys(metric_class(metric)())
    fields: dict[str, str] = {}
    for pair in pairs:
        key, found, value = pair.partition(separator)
        key = _FIELDS_OF_VERSION_1.get(key, long_keys.get(key, key))
        if not (found and value) or key in fields or key not in long_keys.values():
            raise OptionError(f"the signature's field {pair!r:.40} is unknown for {metric}, or there twice")
        fields[key] = value
    return ReadSignature(name, metric, fields)


def _long_keys(metric: Metric[Score]) -> dict[str, str]:
    """The names of all fields that a signature of the metric may have, by their short ones."""
    keys = [*LEADING_FIELDS, *metric.signature_fields(False), "version"]
    short = {**SHORT_KEYS, **metric.SHORT_FIELDS}
    return {short.get(key, key): key for key in keys}


def metric_of_score(name: str) -> str | None:
    """The metric that has this name, or whose scores have it.

    >>> metric_of_score("chrF2++"), metric_of_score("ROUGE-L"), metric_of_score("bleu4"), metric_of_score("COMET")
    ('CHRF', 'ROUGEL', 'BLEU', None)
    """
    if name[:4].lower() == "chrf" and (name[4:].rstrip("+") or "2").isdigit():
        return "CHRF"
    return registered_metric(name)


def signature_pairs(text: str) -> dict[str, str]:
    """The fields of a signature in its long form, which has no name before it.

    >>> signature_pairs("nrefs:1|tok:13a")
    {'nrefs': '1', 'tok': '13a'}
    """
    return {key: value for key, _, value in [pair.partition(":") for pair in text.split("|")]}


#: Fields that a score has only if options ask for them.
_ASKED_FOR = ("unit", "strata", "reseg", "unicode", "where", "order")


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
        warn(f"the signature is not the one that was given: {', '.join(differences)}")
