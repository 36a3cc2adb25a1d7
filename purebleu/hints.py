"""The types that public annotations name.

They are real names when the program runs, so that `typing.get_type_hints`, and programs that check calls by it, can
read these annotations. (`typing` itself takes too long to import for that.)
"""

# (Python evaluates the forms of 3.10 on 3.10 and newer alone, which a checker for 3.8 can't tell.)
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

__all__ = ["Any", "Beside", "Callable", "Columns", "Hashable", "HumanScore", "Iterable", "Iterator", "Judgements",
           "Mapping", "Mean", "NamedTuple", "Naming", "Number", "Row", "Seed", "Segment", "Sequence", "SignatureValue",
           "Streams", "SystemRows", "TextFile", "Tokenizer", "Tokens"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import IO, Any, Literal, NamedTuple

    TextFile = IO[str]

    #: A score by a person, or `None` for a missing one.
    HumanScore = float | Fraction | None

    #: The origin of names of systems, one of `NAMINGS`.
    Naming = Literal["files", "given", "numbers"]
else:
    Any = TextFile = HumanScore = object
    Naming = str

    class _TupleType(type):
        """Makes a named tuple of a class with annotated fields, as `typing` does."""

        def __new__(cls, name, bases, members):
            if not bases:
                return super().__new__(cls, name, bases, members)
            fields = members["__annotations__"]
            defaults = [members[field] for field in fields if field in members]
            made = namedtuple(name, fields, defaults=defaults, module=members["__module__"])
            made.__doc__, made.__annotations__ = members.get("__doc__"), fields
            return made

    class NamedTuple(metaclass=_TupleType):
        """The base of named tuples."""

if TYPE_CHECKING or sys.version_info >= (3, 10):
    #: A text to score: a string, or, for some metrics, its tokens or ids.
    Segment = str | Sequence[Hashable]

    #: The tokens of a segment.
    Tokens = Sequence[Hashable]

    #: Reference streams, each parallel to the hypotheses; `None` if a segment has no such reference.
    Streams = Iterable[Iterable[Segment | None]]

    #: The name of a tokenizer, or a function from a text to its tokens.
    Tokenizer = str | Callable[[str], object] | None

    #: A count, or one that smoothing has changed.
    Number = int | float

    #: The sufficient statistics of one segment; the metric's docstring names the columns.
    Row = tuple[float, ...]

    #: The rows of a system under each metric.
    SystemRows = Sequence[Sequence[Row]]

    #: Preprocessed references: a column for each reference stream, with `None` if a segment has no such reference.
    Columns = Sequence[Sequence[Any]]

    #: The value of a field of a signature.
    SignatureValue = str | int | bool | None

    #: The seed of a random stream; `None`: a different one every time; `"environment"`: that of the environment.
    Seed = int | str | None

    #: Human scores by system and segment.
    Judgements = Sequence[Sequence[HumanScore]]

    #: A mean of the scores of resamples.
    Mean = Callable[[Sequence[float]], float]

    #: Rows that are resampled beside those of systems, and what is computed from their sums.
    Beside = Sequence[tuple[Sequence[Row], Callable[[Any], Sequence[Any]]]]
else:
    Segment = Tokens = Streams = Tokenizer = Number = Row = SystemRows = Columns = SignatureValue = Seed = object
    Judgements = Mean = Beside = object
