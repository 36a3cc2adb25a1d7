"""The fields of signatures: from the options of a metric to what its signature says, and back (`reading`).

A metric lists its own fields as `SIGNATURE_FIELDS`, in the order in which they are printed.
"""

from __future__ import annotations

from ..errors import OptionError
from .score import value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence, TypeVar

    from ..hints import SignatureValue

    OwnNumber = TypeVar("OwnNumber", int, float)


class Field:
    """A field whose value is an attribute of the metric.

    Args:
        key: the field's long name.
        attribute: the name of the attribute. If an option sets it, the option has the same name.
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
        return self.text or str(getattr(metric, self.attribute))

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
        names: the tokenizers that the metric has, its default first; empty: all tokenizers of this package.
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


def plain_value(text: str) -> str:
    """The text as the value of a field. (In signatures, | and : have a meaning.)"""
    return text.replace("|", "/").replace(":", "=")


def signature_pairs(text: str) -> dict[str, str]:
    """The fields of a signature in its long form, which has no name before it.

    >>> signature_pairs("nrefs:1|tok:13a")
    {'nrefs': '1', 'tok': '13a'}
    """
    return {key: value for key, _, value in [pair.partition(":") for pair in text.split("|")]}
