"""Parse decimal numbers without losing digits."""

from __future__ import annotations

from ..runtime.errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal

#: The number of digits that are kept. (No program prints that many digits.)
DIGITS = 200

#: The largest absolute value of a number. (Real scores are far smaller.)
LARGEST = 10**15

#: The number of decimal places in `scaled_integer`. (Floats above 1e-13 do not need more decimal places.)
STORED_PLACES = 30


def finite_decimal(text: str) -> Decimal:
    """Return the number in a text.

    Args:
        text: digits, maybe with a sign, a point and an exponent (`0.8312`, `-5`, `1.2e-05`).

    Raises:
        PurebleuError: the text is not a number, or the number is not finite, or too large for a score.

    Example:
        >>> finite_decimal(" 0.10 ")
        Decimal('0.10')
    """
    from decimal import Context, InvalidOperation

    stripped = text.strip()
    # (`Decimal` also accepts underscores and digits of all scripts.)
    plain = stripped if stripped.isascii() and "_" not in stripped else ""
    try:
        number = Context(prec=DIGITS, traps=[InvalidOperation]).create_decimal(plain)
    except (InvalidOperation, ValueError):  # (`ValueError`: more digits than PyPy converts)
        raise PurebleuError(f"{stripped!r:.40} is not a number") from None
    if not number.is_finite():
        raise PurebleuError(f"{stripped!r:.40} is not a finite number")
    if abs(number) > LARGEST:
        raise PurebleuError(f"{stripped!r:.40} is too large for a score (the largest absolute value is {LARGEST:.0e})")
    return number


def scaled_integer(text: str) -> int:
    """Return the number in a text times `10 ** STORED_PLACES`, rounded to an integer.

    Sums of integers are exact, so they do not depend on the order of addition.

    Raises:
        PurebleuError: as `finite_decimal` does.

    Example:
        >>> scaled_integer("0.1") + scaled_integer("0.2") == scaled_integer("0.3")
        True
    """
    from decimal import Context

    context = Context(prec=DIGITS)
    return int(finite_decimal(text).scaleb(STORED_PLACES, context).to_integral_value(context=context))
