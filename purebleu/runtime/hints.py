"""The types in public annotations.

These names exist at run time, so that `typing.get_type_hints` can read annotations. (`typing` loads too slowly.)
"""

# (Type checkers assume Python 3.8, but the types below have expressions such as `str | None`, which need Python 3.10.)
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

__all__ = ["Any", "Beside", "BinaryFile", "Callable", "CharacterTable", "Hashable", "HumanScore",
           "Iterable", "Iterator", "Judgements", "Mapping", "Mean", "NamedTuple", "Naming", "Number", "Row", "Seed",
           "Segment", "Sequence", "SignatureValue", "Streams", "SystemRows", "TextFile", "Tokenizer", "Tokens"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import IO, Any, Literal, NamedTuple

    TextFile = IO[str]
    BinaryFile = IO[bytes]

    #: A human score; `None` if the score is missing.
    HumanScore = float | Fraction | None

    #: The origin of systems' names: one of `NAMINGS`.
    Naming = Literal["files", "given", "numbers"]
else:
    Any = TextFile = BinaryFile = HumanScore = object
    Naming = str

    class _TupleType(type):
        """Makes a named tuple from a class with annotated fields, as `typing.NamedTuple` does."""

        def __new__(cls, kind, bases, members):
            if not bases:
                return super().__new__(cls, kind, bases, members)
            fields = members["__annotations__"]
            defaults = [members[field] for field in fields if field in members]
            made = namedtuple(kind, fields, defaults=defaults)
            for key in members.keys() - fields.keys():
                setattr(made, key, members[key])
            return made

    class NamedTuple(metaclass=_TupleType):
        """The base class of named tuples."""

if TYPE_CHECKING or sys.version_info >= (3, 10):
    #: A text to score: a string or (for some metrics) its tokens or ids.
    Segment = str | Sequence[Hashable]

    #: The tokens of a segment.
    Tokens = Sequence[Hashable]

    #: Streams of references. Each stream is parallel to the hypotheses, and has `None` for a missing reference.
    Streams = Iterable[Iterable[Segment | None]]

    #: The name of a tokenizer, or a function from a text to its tokens.
    Tokenizer = str | Callable[[str], object] | None

    #: A count, or a smoothed count.
    Number = int | float

    #: The sufficient statistics of one segment. The metric's docstring names the columns.
    Row = tuple[float, ...]

    #: The rows of a system under each metric.
    SystemRows = Sequence[Sequence[Row]]

    #: The value of a field of signatures.
    SignatureValue = str | int | bool | None

    #: The seed of random numbers. `None`: a different seed every time. `"environment"`: the seed in the environment.
    Seed = int | str | None

    #: Human scores by system and segment.
    Judgements = Sequence[Sequence[HumanScore]]

    #: A function that computes the mean of the scores of resamples.
    Mean = Callable[[Sequence[float]], float]

    #: Groups of further rows that are resampled together with the rows of systems, each with a function of its sums.
    Beside = Sequence[tuple[Sequence[Row], Callable[[Any], Sequence[Any]]]]

    #: The base of tables for `str.translate`.
    CharacterTable = dict[int, str]
else:
    CharacterTable = dict
    Segment = Tokens = Streams = Tokenizer = Number = Row = SystemRows = SignatureValue = Seed = object
    Judgements = Mean = Beside = object
