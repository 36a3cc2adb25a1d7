"""float32 (single precision): the arithmetic in which sacreBLEU scores its resamples."""

from __future__ import annotations

from struct import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

_FORMAT = Struct("f")


class Single(float):
    """A number of 32 bits (IEEE 754), as NumPy's `float32`; so are the results of arithmetic with it.

    Other operands are first rounded to float32.

    Example:
        >>> print(Single(1) / 3, 1 - Single(0.9))
        0.3333333432674408 0.10000002384185791
    """

    def __new__(cls, number: float) -> Single:
        return float.__new__(cls, _FORMAT.unpack(_FORMAT.pack(number))[0])

    def __abs__(self) -> Single:
        return Single(float.__abs__(self))

    def __gt__(self, other: float) -> bool:
        return float.__gt__(self, Single(other))


def _rounded(operation: Callable[[float, float], float]) -> Callable[[float, float], Single]:
    def method(one: float, other: float) -> Single:
        return Single(operation(one, other if other.__class__ is Single else Single(other)))

    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
    setattr(Single, f"__{_name}__", _rounded(getattr(float, f"__{_name}__")))
