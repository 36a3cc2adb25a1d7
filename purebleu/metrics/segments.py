"""Taking in a corpus through the Python API: the shapes that are right, and clear errors for those that are not."""

from __future__ import annotations

import os
from collections import UserString
from collections.abc import Mapping as MappingType
from collections.abc import Sequence as SequenceType
from itertools import zip_longest

from ..errors import LengthError, OptionError, PurebleuError, counted, warn
from ..hints import Any, Iterable, Segment, Sequence, Streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional

    Stream = List[Segment]
    OptionalStream = List[Optional[Segment]]

#: A hint if the shape looks like the most frequent mistake of all. (A square shape can't be told apart.)
_ONE_STREAM_PER_REFERENCE = (
    ". Give one stream per reference, each with a segment (or None) for every hypothesis. To make "
    "streams of one list of references per hypothesis, use list(itertools.zip_longest(*references)); corpus_score also "
    "takes such lists, with transpose_references=True"
)

#: Sequences that are text, or bytes, as a whole.
_STRINGS = (str, bytes, bytearray, memoryview, UserString)
_TYPECODES_OF_TEXT = ("u", "w")

#: Missing values as texts: that of floats, and those of pandas, which can't be compared.
_MISSING_VALUES = ("nan", "<NA>", "NaT")

#: A square of references is looked at up to this size; there is a warning if it shares at least so many words with the
#: hypotheses the other way round, and more than so many times as many.
_MAX_SQUARE, _MIN_SHARED, _CLEARLY_MORE = 200, 10, 2

#: Messages show at most this many characters of a token.
_SHOWN = 40


def checked_corpus(hypotheses: object, references: object, known: list[OptionalStream] | None, tokens_allowed: bool,
                   transpose: bool) -> tuple[Stream, list[OptionalStream]]:
    """The hypotheses and the reference streams of a corpus as lists, all of them checked.

    Args:
        hypotheses, references: as for `corpus_score`.
        known: the streams that stand for references that are `None`; they are returned as they are.
        tokens_allowed: whether segments may be sequences of tokens.
        transpose: whether references are one list per hypothesis.
    """
    if cuts_streams() and not transpose:
        given: Any = (known or []) if references is None else references
        hypotheses, *cut = cut_streams([hypotheses, *given])
        if references is not None or list(map(len, cut)) != list(map(len, known or [])):
            references = cut
    hypotheses = listed(hypotheses, "hypotheses")
    if references is not None:
        references = listed(references, "references")
        check_order(hypotheses, references)
    stream = checked_segments(hypotheses, "hypotheses", tokens_allowed)
    if transpose and references is not None:
        references = transposed(references, len(stream), tokens_allowed)
    streams = known if references is None else checked_references(references, tokens_allowed)
    if streams is None:
        raise PurebleuError("no references: give them here or to the constructor")
    check_parallel(stream, streams)
    if references is not None:
        warn_of_square(stream, streams, transpose)
    return stream, streams


def checked_segments(segments: object, name: str, tokens_allowed: bool) -> Stream:
    """Hypotheses, or other segments of which none may be missing, as a list: all strings, or all sequences of tokens.

    Args:
        segments: the segments.
        name: what they are, in the plural.
        tokens_allowed: whether they may be sequences of tokens.

    Raises:
        TypeError: one is wrong; the message has its index.
        PurebleuError: there are none.
    """
    checked: Stream = []
    what = "hypothesis" if name == "hypotheses" else name[:-1]
    for segment in checked_stream(segments, name, tokens_allowed):
        if segment is None:
            raise TypeError(f"{name}[{len(checked)}] is None; every {what} must be there, if only as ''")
        checked.append(segment)
    if not checked:
        raise PurebleuError(f"there are no {name}")
    return checked


def checked_segment(hypothesis: object, references: object,
                    tokens_allowed: bool) -> tuple[Stream, list[OptionalStream]]:
    """A segment as a corpus: its hypothesis, and a stream for each of its references.

    Raises:
        TypeError: for elements of a wrong type, and for references that are a string, not a list.
        PurebleuError: there is no reference.
    """
    if not _is_segment(hypothesis, tokens_allowed):
        raise _wrong_type("hypothesis", hypothesis, tokens_allowed)
    hypotheses: Stream = [hypothesis]  # type: ignore[list-item]  # just checked
    if not isinstance(hypothesis, str):
        _check_tokens([*hypotheses], "hypothesis")
    streams: list[OptionalStream] = [[reference] for reference in
                                     checked_stream(references, "references", tokens_allowed)]
    if all(stream == [None] for stream in streams):
        raise PurebleuError("the segment has no reference")
    check_kinds(hypotheses, streams)
    return hypotheses, streams


def listed_streams(references: object) -> list[Any]:
    """The streams of references of a function of our own, in a list: strings alone are one stream.

    Raises:
        PurebleuError: there are none.
    """
    streams = listed(references, "references")
    if not streams:
        raise PurebleuError("there are no reference streams")
    return [streams] if isinstance(streams[0], str) else streams


def checked_references(references: object, tokens_allowed: bool) -> list[OptionalStream]:
    """The reference streams as lists: each holds one reference, or `None`, for every segment of the corpus.

    Raises `TypeError` naming the index of what is wrong, `LengthError` if the streams differ in length, and
    `PurebleuError` if there are none, or a segment has none.
    """
    given = listed(references, "references")
    if given and all(isinstance(stream, str) for stream in given):
        raise TypeError("references must be a list of streams: for one stream, give [references]")
    streams = [checked_stream(stream, f"references[{index}]", tokens_allowed) for index, stream in enumerate(given)]
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
    """Raise `LengthError` if hypotheses and references differ in number, `TypeError` if text meets tokens."""
    count, streams, length = len(hypotheses), len(references), len(references[0])
    if length != count:
        hint = _ONE_STREAM_PER_REFERENCE if streams == count > 1 else ""
        raise LengthError(f"{counted(count, 'hypothesis', 'hypotheses')} can't be scored against "
                          f"{counted(streams, 'reference stream')} of {counted(length, 'segment')}{hint}")
    check_kinds(hypotheses, references)


def check_order(hypotheses: Sequence[object], references: Sequence[object]) -> None:
    """Raise `TypeError` if references seem to come first: streams, followed by a list of strings."""
    if hypotheses and references and isinstance(references[0], str) and _is_sequence(hypotheses[0]):
        raise TypeError("hypotheses and references look swapped: hypotheses, a list of strings, come first, then "
                        "[references]")


def cuts_streams() -> bool:
    """Whether streams of different lengths are scored as sacreBLEU does (`PUREBLEU_SHAPES`, read at each call)."""
    return os.environ.get("PUREBLEU_SHAPES") == "sacrebleu"


def cut_streams(streams: Iterable[Any]) -> list[list[Any]]:
    """Cut streams to the shortest, with a warning, unless one is empty. A string is a stream of its characters."""
    # sacreBLEU-compat: it zips streams, whatever they are.
    given = list(streams)
    lists = [list(stream) if isinstance(stream, str) else listed(stream, "a stream") for stream in given]
    lengths = list(map(len, lists))
    shortest = min(lengths, default=0)
    cure = "for one list of references per hypothesis, give list(zip(*references))"
    if any(isinstance(stream, str) for stream in given):
        cure = "a string is read as a stream of characters; give a list of lines, and [references]"
    elif len(set(lengths)) == 1:
        return lists
    if shortest:
        warn(f"streams of {_some(lengths)} segments are cut to the shortest ({shortest}), as by sacreBLEU: {cure}")
        lists = [stream[:shortest] for stream in lists]
    return lists


def warn_of_square(hypotheses: Stream, streams: list[OptionalStream], transpose: bool) -> None:
    """Warn if as many streams as hypotheses look like one list of references per hypothesis, or the other way round.

    `transpose` says whether the streams were made of such lists.
    """
    count = len(hypotheses)
    if not 1 < len(streams) == count <= _MAX_SQUARE or not is_text(hypotheses):
        return
    words = [set(str(line).split()) for line in hypotheses]
    of_references = [[set(str(line or "").split()) for line in stream] for stream in streams]
    shared = shared_otherwise = 0
    for stream in range(count):
        for segment in range(count):
            if stream != segment:  # (on the diagonal, both are the same)
                shared += len(words[segment] & of_references[stream][segment])
                shared_otherwise += len(words[stream] & of_references[stream][segment])
    if shared_otherwise >= max(_MIN_SHARED, _CLEARLY_MORE * shared + 1):
        ways = ("one stream per reference", "one list per hypothesis")
        warn(f"there are {count} hypotheses and {count} lists of references, read as {ways[transpose]}; but "
             f"hypotheses and references share more words as {ways[not transpose]} "
             f"(transpose_references={not transpose})")


def check_kinds(hypotheses: Stream, references: Sequence[Sequence[Segment | None]]) -> None:
    """Raise `TypeError` if text meets tokens."""
    kinds = {is_text(hypotheses), *map(is_text, references)}
    if len(kinds - {None}) > 1:
        raise TypeError("hypotheses and references must both be strings or both be sequences of tokens")


def checked_stream(stream: object, name: str, tokens_allowed: bool) -> OptionalStream:
    """The stream as a list whose elements are `None` or all of one kind, strings or (if allowed) token sequences."""
    segments: OptionalStream = listed(stream, name)  # checked below
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
    """Raise `TypeError` if a token has white space inside: it is a line, and there is a list too many around lines."""
    for index, segment in enumerate(segments):
        if segment is None:
            continue
        position, token = _first_with_space(segment)
        if token is not None:
            shown = repr(token) if len(token) <= _SHOWN else f"{token[:_SHOWN]!r}..."
            raise TypeError(f"{name}[{index}][{position}] is {shown}, but a token has no white space inside: if these "
                            "are lines of text, give each as a string, and leave out lists around them")


def _first_with_space(segment: Segment) -> tuple[int, str | None]:
    """The index of the first token with white space between other characters, and this token; `None`: there is none."""
    try:
        if len("".join(segment).split(None, 1)) < 2:  # type: ignore[arg-type]  # most often, so the fast way first
            return 0, None
    except TypeError:
        pass  # tokens of another type
    for index, token in enumerate(segment):
        if isinstance(token, str) and len(token.split(None, 1)) > 1:
            return index, token
    return 0, None


def normalized(streams: Sequence[Sequence[Segment | None]], form: str) -> list[Any]:
    """Streams of text in a normal form of Unicode; those of tokens are refused.

    Raises:
        OptionError: for another form than `NORMAL_FORMS`.
        TypeError: for tokens.
    """
    from ..unicode.properties import NORMAL_FORMS, normal_form

    if form not in NORMAL_FORMS:
        raise OptionError(f"normalize is {form!r:.40}, but can only be {' or '.join(NORMAL_FORMS)}", option="normalize")
    if False in map(is_text, streams):
        raise TypeError("normalize= is for text, not for tokens")
    return [[line if line is None else normal_form(line, form) for line in stream]  # type: ignore[arg-type]
            for stream in streams]


def transpose_references(references: Streams) -> list[list[Segment | None]]:
    """Turn references given as one list per hypothesis into one stream per reference.

    Args:
        references: for each hypothesis, its references.

    Returns:
        Streams parallel to the hypotheses, filled up with `None` if a hypothesis has fewer references than others.

    Raises:
        TypeError: for what is not a sequence of sequences.

    Example:
        >>> transpose_references([["a", "b"], ["c"]])
        [['a', 'c'], ['b', None]]
    """
    rows = [listed(row, f"references[{index}]") for index, row in enumerate(listed(references, "references"))]
    return list(map(list, zip_longest(*rows)))


def transposed(references: object, hypotheses: int, tokens_allowed: bool,
               taken_by: str = "transpose_references=True") -> list[OptionalStream]:
    """`transpose_references`, after a check of each list: errors name the indices that were given.

    Raises `LengthError` unless there is one list for each hypothesis, and `TypeError` for elements of a wrong type.
    """
    lists = listed(references, "references")
    if len(lists) != hypotheses:
        raise LengthError(f"{taken_by} takes one list of references per hypothesis, but there are {len(lists)} of them "
                          f"for {counted(hypotheses, 'hypothesis', 'hypotheses')}")
    return transpose_references([checked_stream(segment, f"references[{index}]", tokens_allowed)
                                 for index, segment in enumerate(lists)])


def listed(values: object, name: str) -> list[Any]:
    """The elements of any iterable, in a new list: it is read once, for a generator can't be read again.

    Raises:
        TypeError: for what can't be iterated, and for what has no elements in an order: text, bytes, mappings, sets.
    """
    elements: Any = values
    if not isinstance(values, (list, tuple)):
        if isinstance(values, (*_STRINGS, MappingType, set, frozenset)) or not hasattr(values, "__iter__") or (
                getattr(values, "typecode", "") in _TYPECODES_OF_TEXT):
            raise TypeError(f"{name} must be a sequence, such as a list, not {_type_name(elements)}")
        # Elements of these would be objects of their own: scalars of pyarrow, rows of NumPy.
        for method in ("to_pylist", "tolist"):
            if hasattr(elements, method):
                elements = getattr(elements, method)()
    return list(elements)


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
    if str(value) in _MISSING_VALUES:
        return TypeError(f"{name} is a missing value ({value}), not {wanted}; '' stands for an empty segment, and None "
                         "for a reference that a segment lacks")
    return TypeError(f"{name} is {_type_name(value)}, not {wanted}")


def is_text(stream: Sequence[Segment | None]) -> bool | None:
    """Whether the segments of the stream are strings; `None` if they are all missing."""
    return next((isinstance(segment, str) for segment in stream if segment is not None), None)


def _type_name(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _some(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:8]))
    return shown if len(numbers) <= 8 else f"{shown}, ... ({len(numbers)} streams)"
