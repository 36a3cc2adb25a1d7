"""Taking in a corpus through the Python API: the shapes that are right, and clear errors for those that are not."""

from __future__ import annotations

from collections import UserString
from collections.abc import Sequence as SequenceType

from ..errors import LengthError, PurebleuError, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, List, Optional, Sequence, Union

    #: A segment is a line of text, or its tokens.
    Segment = Union[str, Sequence[Hashable]]
    Stream = List[Segment]
    OptionalStream = List[Optional[Segment]]

#: Where the shape looks like the most frequent mistake of all. (A square shape can't be told apart.)
_ONE_STREAM_PER_REFERENCE = (
    ". References are given as one stream per reference, each with a segment (or None) for every hypothesis; one list "
    "of references per hypothesis is accepted with transpose_references=True (or transposed by "
    "purebleu.transpose_references)"
)

#: Sequences that are text, or bytes, as a whole.
_STRINGS = (str, bytes, bytearray, memoryview, UserString)
_TYPECODES_OF_TEXT = "uw"

#: Messages show at most this many characters of a token.
_SHOWN = 40


def checked_hypotheses(hypotheses: object, tokens_allowed: bool) -> Stream:
    """The hypotheses as a list, each of them checked: all strings, or (where allowed) all sequences of tokens.

    Raises `TypeError` naming the index of what is wrong, and `PurebleuError` where there are none.
    """
    return checked_segments(hypotheses, "hypotheses", tokens_allowed)


def checked_segments(segments: object, name: str, tokens_allowed: bool) -> Stream:
    """Hypotheses, or other segments of which none may be missing, as `checked_hypotheses` has them.

    Args:
        segments: the segments.
        name: what they are, in the plural.
        tokens_allowed: whether they may be sequences of tokens.
    """
    checked: Stream = []
    for segment in checked_stream(segments, name, tokens_allowed):
        if segment is None:
            what = "hypothesis" if name == "hypotheses" else name[:-1]
            raise TypeError(f"{name}[{len(checked)}] is None; every {what} must be there, if only as ''")
        checked.append(segment)
    if not checked:
        raise PurebleuError(f"there are no {name}")
    return checked


def checked_segment(hypothesis: object, references: object) -> tuple[Stream, list[OptionalStream]]:
    """A segment of text as a corpus: its hypothesis, and a stream for each of its references.

    Raises:
        TypeError: for elements of a wrong type, and for references that are a string, not a list.
        PurebleuError: where there is no reference.
    """
    hypotheses = checked_hypothesis(hypothesis, tokens_allowed=False)
    streams: list[OptionalStream] = [[reference] for reference in
                                     checked_stream(references, "references", tokens_allowed=False)]
    if all(stream == [None] for stream in streams):
        raise PurebleuError("the segment has no reference")
    return hypotheses, streams


def checked_hypothesis(hypothesis: object, tokens_allowed: bool) -> Stream:
    """A hypothesis, checked, as a stream of its own; raises `TypeError` unless it is text or (where allowed) tokens."""
    if not _is_segment(hypothesis, tokens_allowed):
        raise _wrong_type("hypothesis", hypothesis, tokens_allowed)
    if not isinstance(hypothesis, str):
        _check_tokens([hypothesis], "hypothesis")  # type: ignore[list-item]  # just checked
    return [hypothesis]  # type: ignore[list-item]


def checked_references(references: object, tokens_allowed: bool) -> list[OptionalStream]:
    """The reference streams as lists: each holds one reference, or `None`, for every segment of the corpus.

    Raises `TypeError` naming the index of what is wrong, `LengthError` where the streams differ in length, and
    `PurebleuError` where there are none, or where a segment has none.
    """
    streams = [
        checked_stream(stream, f"references[{index}]", tokens_allowed)
        for index, stream in enumerate(_sequence(references, "references"))
    ]
    if not streams:
        raise PurebleuError("there are no reference streams")
    lengths = [len(stream) for stream in streams]
    if len(set(lengths)) > 1:
        raise LengthError(f"the reference streams differ in length: {_some(lengths)}{_ONE_STREAM_PER_REFERENCE}")
    if not lengths[0]:
        raise PurebleuError("the reference streams are empty")
    for index, segment in enumerate(zip(*streams)):
        if segment.count(None) == len(segment):
            raise PurebleuError(f"segment {index} has no reference: all of its references are None")
    return streams


def check_parallel(hypotheses: Stream, references: list[OptionalStream]) -> None:
    """Raise `LengthError` where hypotheses and references differ in number, `TypeError` where text meets tokens."""
    count, streams, length = len(hypotheses), len(references), len(references[0])
    if length != count:
        hint = _ONE_STREAM_PER_REFERENCE if streams == count > 1 else ""
        raise LengthError(f"{count} {'hypothesis' if count == 1 else 'hypotheses'} can't be scored against {streams} "
                          f"reference stream{'s'[:streams > 1]} of {length} segment{'s'[:length > 1]}{hint}")
    check_kinds(hypotheses, references)


def check_kinds(hypotheses: Stream, references: Sequence[Sequence[Segment | None]]) -> None:
    """Raise `TypeError` where text meets tokens."""
    kinds = {is_text(hypotheses), *map(is_text, references)}
    if len(kinds - {None}) > 1:
        raise TypeError("hypotheses and references must both be strings or both be sequences of tokens")


def checked_stream(stream: object, name: str, tokens_allowed: bool) -> OptionalStream:
    """The stream as a list whose elements are `None` or all of one kind, strings or (where allowed) token sequences."""
    segments: OptionalStream = list(_sequence(stream, name))  # type: ignore[arg-type]  # checked below
    if set(map(type, segments)) == {str}:
        return segments
    kind = None
    for index, segment in enumerate(segments):
        if segment is None:
            continue
        if not _is_segment(segment, tokens_allowed):
            raise _wrong_type(f"{name}[{index}]", segment, tokens_allowed)
        is_text = isinstance(segment, str)
        if kind is None:
            kind = is_text
        elif is_text != kind:
            raise TypeError(f"{name}[{index}] is {_type_name(segment)}, unlike the segments before it")
    if kind is False:
        _check_tokens(segments, name)
    return segments


def _check_tokens(segments: OptionalStream, name: str) -> None:
    """Raise `PurebleuError` where each segment is a line of text in a list of its own; warn of tokens like lines."""
    present = [segment for segment in segments if segment is not None]
    found = next((token for segment in present for token in _tokens_with_spaces(segment)), None)
    if found is None:
        return
    shown = repr(found) if len(found) <= _SHOWN else f"{found[:_SHOWN]!r}..."
    if all(len(segment) == 1 and _tokens_with_spaces(segment) for segment in present):
        raise PurebleuError(f"{name}: every segment is a sequence of one string, such as {shown}; give the strings "
                            "themselves, without a list around each")
    warn(f"{name}: the token {shown} has whitespace in it, but counts as one token (is a list around the segments "
         "one too many?)")


def _tokens_with_spaces(segment: Segment) -> list[str]:
    """The tokens of a sequence that are strings with whitespace between other characters."""
    try:
        if len("".join(segment).split(None, 1)) < 2:  # type: ignore[arg-type]  # most often, so the fast way first
            return []
    except TypeError:
        pass  # tokens of another type
    return [token for token in segment if isinstance(token, str) and len(token.split(None, 1)) > 1]


def transpose_references(references: Sequence[Sequence[Segment | None]]) -> list[OptionalStream]:
    """Turn references given as one list per hypothesis into one stream per reference.

    Args:
        references: for each hypothesis, its references.

    Returns:
        Streams parallel to the hypotheses, filled up with `None` where a hypothesis has fewer references than others.

    Raises:
        TypeError: for what is not a sequence of sequences.

    Example:
        >>> transpose_references([["a", "b"], ["c"]])
        [['a', 'c'], ['b', None]]
    """
    rows = [list(_sequence(row, f"references[{index}]")) for index, row in
            enumerate(_sequence(references, "references"))]
    width = max(map(len, rows), default=0)
    filled = [row + [None] * (width - len(row)) for row in rows]
    return [list(column) for column in zip(*filled)]


def transposed(references: object, hypotheses: int, tokens_allowed: bool,
               taken_by: str = "transpose_references=True") -> list[OptionalStream]:
    """`transpose_references`, after a check of each list: errors name the indices that were given.

    Raises `LengthError` unless there is one list for each hypothesis, and `TypeError` for elements of a wrong type.
    """
    lists: Sequence[Sequence[Segment | None]] = _sequence(references, "references")  # type: ignore[assignment]
    if len(lists) != hypotheses:
        raise LengthError(f"{taken_by} takes one list of references per hypothesis, but there are {len(lists)} of them "
                          f"for {hypotheses} {'hypothesis' if hypotheses == 1 else 'hypotheses'}")
    return transpose_references([checked_stream(segment, f"references[{index}]", tokens_allowed)
                                 for index, segment in enumerate(lists)])


def _sequence(value: object, name: str) -> Sequence[object]:
    if not _is_sequence(value):
        # A string is a sequence of characters, and a generator can't be read twice: neither is what was meant.
        raise TypeError(f"{name} must be a sequence of segments, such as a list, not {_type_name(value)}")
    return value  # type: ignore[return-value]


def _is_sequence(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return True  # sooner than the check of an abstract class
    # Arrays count as sequences only since Python 3.10; they are named, so as not to import their module.
    if type(value).__module__ == "array":
        return value.typecode not in _TYPECODES_OF_TEXT  # type: ignore[attr-defined]
    return isinstance(value, SequenceType) and not isinstance(value, _STRINGS)


def _is_segment(value: object, tokens_allowed: bool) -> bool:
    return isinstance(value, str) or (tokens_allowed and _is_sequence(value))


def _wrong_type(name: str, value: object, tokens_allowed: bool) -> TypeError:
    wanted = "a string or a sequence of tokens" if tokens_allowed else "a string"
    return TypeError(f"{name} is {_type_name(value)}, not {wanted}")


def is_text(stream: Sequence[Segment | None]) -> bool | None:
    """Whether the segments of the stream are strings; `None` where they are all missing."""
    return next((isinstance(segment, str) for segment in stream if segment is not None), None)


def _type_name(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _some(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:8]))
    return shown if len(numbers) <= 8 else f"{shown}, ... ({len(numbers)} streams)"
