"""The fields of signatures. A field converts an option of a metric to the text in a signature, and back."""

from __future__ import annotations

from ..runtime.errors import OptionError
from .score import value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence, TypeVar

    from ..runtime.hints import SignatureValue

    OwnNumber = TypeVar("OwnNumber", int, float)


class Field:
    """A field whose value is an attribute of the metric.

    Args:
        key: the field's long name, such as `case`.
        attribute: the name of the attribute, and of the option that sets it.
    """

    def __init__(self, key: str, attribute: str = "") -> None:
        self.key = key
        self.attribute = attribute

    def value(self, metric: Any, given_tokens: bool) -> SignatureValue:
        """Return the field's value for a metric. `given_tokens`: whether segments are tokens instead of text."""
        value: SignatureValue = getattr(metric, self.attribute)
        return value

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        """Return the options that the field's value stands for. Raise `OptionError` if the value is wrong.

        Args:
            metric: the class of the metric.
            fields: all fields of a signature, by their long names.
        """
        return {}

    def chosen(self, fields: Mapping[str, str], values: Mapping[str, Any], default: str) -> Any:
        """Return the item of `values` for the field's value; for the value `default` if the field is missing.

        Raises `OptionError` if there is no such item.
        """
        value = fields.get(self.key, default)
        if value not in values:
            raise OptionError(f"the signature has {self.key}:{value}, but {self.key} must be {' or '.join(values)}")
        return values[value]


class FixedField(Field):
    """A field with the same value for all options: a text, or an attribute of the metric's class."""

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
    """The field of an option that is true or false.

    Args:
        values: the field's value if the option is false, and its value if the option is true.
        leaves_out_default: whether signatures lack the field if the option is false.
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
    """The field of an option that is an integer.

    Args:
        default: the option's value if a signature lacks the field.
        leaves_out_default: whether signatures lack the field if the option has this value.
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
        names: the names of the metric's tokenizers, the default first; empty for all tokenizers in `TOKENIZERS`.
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


#: The characters that numbers in signatures may have.
_IN_NUMBERS = set("0123456789+-.e")

#: The field of the option `lowercase`.
CASE_FIELD = FlagField("case", "lowercase", ("mixed", "lc"))

#: The field of metrics that use the best of several references, and the field that names another program with the same
#: scores.
BEST_REFERENCE_FIELD = FixedField("refs", "best")
ORACLE_FIELD = FixedField("oracle", attribute="ORACLE")


def number_of(field: str, text: str, kind: type[OwnNumber]) -> OwnNumber:
    """Return the value of a field as a number. Raises `OptionError` if the value is not a number."""
    try:
        # (Python also accepts other texts as numbers, such as `nan`, underscores, and digits of other scripts.)
        return kind(text if set(text) <= _IN_NUMBERS else "")
    except ValueError:
        raise OptionError(f"the signature's field {field} has {text!r:.40} instead of a number") from None


def plain_value(text: str) -> str:
    """Replace the separators of signatures, | and :, in a text by other characters."""
    return text.replace("|", "/").replace(":", "=")


def signature_pairs(text: str) -> dict[str, str]:
    """Return the fields of a signature in the long form. The signature must not begin with the name of the score.

    >>> signature_pairs("nrefs:1|tok:13a")
    {'nrefs': '1', 'tok': '13a'}
    """
    fields: dict[str, str] = {}
    for pair in text.split("|"):
        key, _, value = pair.partition(":")
        fields[key] = value
    return fields
