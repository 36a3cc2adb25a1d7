"""Checks of the arguments of Python programs: the hypotheses and the references of a corpus, or of a segment."""

from __future__ import annotations

import os
from collections import UserString
from itertools import zip_longest

from ..runtime.errors import LengthError, OptionError, PurebleuError, counted, warn
from ..runtime.hints import Any, Hashable, Iterable, Mapping, Segment, Sequence, Streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional

    Stream = List[Segment]
    OptionalStream = List[Optional[Segment]]

#: A hint for the most frequent mistake: one list of references per hypothesis, instead of one per stream.
_ONE_STREAM_PER_REFERENCE = (
    ". Give one stream per reference, each with a segment (or None) for every hypothesis. If you have one list of "
    "references per hypothesis, use list(itertools.zip_longest(*references)), or corpus_score with "
    "transpose_references=True"
)

#: Types of text and bytes, which do not count as sequences, and the typecodes of arrays of characters.
_STRINGS = (str, bytes, bytearray, memoryview, UserString)
_TYPECODES_OF_TEXT = ("u", "w")

#: Methods that convert an array to a list with values of Python's types: in pyarrow, in NumPy and PyTorch, in polars.
_TO_PYTHON = ("to_pylist", "tolist", "to_list")

#: Missing values (`None`, NaN, and two values of pandas) as texts. (NaN does not equal itself, but its text does.)
_MISSING_VALUES = ("None", "nan", "<NA>", "NaT")

#: `warn_of_transposed` compares at most this number of hypotheses.
_MAX_COMPARED = 200

#: References are probably transposed if hypotheses share at least `_MIN_SHARED` words with the transposed references,
#: and more than `_CLEARLY_MORE` times as many as with the references as they are.
_MIN_SHARED, _CLEARLY_MORE = 10, 2

#: Messages show at most this number of characters of a token.
_SHOWN = 40


def checked_corpus(hypotheses: object, references: object, known: list[OptionalStream] | None, tokens_allowed: bool,
                   transpose: bool) -> tuple[Stream, list[OptionalStream]]:
    """Check a corpus, and return its hypotheses and its streams of references as lists.

    Args:
        hypotheses, references: as for `corpus_score`.
        known: the checked streams of the metric's constructor, which are used if `references` is `None`.
        tokens_allowed: whether segments may be sequences of tokens.
        transpose: whether `references` has one list of references for each hypothesis.
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
        raise PurebleuError("there are no references: give references to this call or to the constructor")
    check_parallel(stream, streams)
    if references is not None:
        warn_of_transposed(stream, streams, transpose)
    return stream, streams


def checked_segments(segments: object, name: str, tokens_allowed: bool) -> Stream:
    """Check segments, none of which may be missing, and return them as a list.

    `name` is their name in errors, such as "hypotheses". Raises `TypeError` with the index of a wrong segment, and
    `PurebleuError` if there are no segments.
    """
    checked: Stream = []
    what = "hypothesis" if name == "hypotheses" else name[:-1]
    for segment in checked_stream(segments, name, tokens_allowed):
        if segment is None:
            raise TypeError(f"{name}[{len(checked)}] is None, but no {what} may be missing (an empty {what} is '')")
        checked.append(segment)
    if not checked:
        raise PurebleuError(f"there are no {name}")
    return checked


def checked_segment(hypothesis: object, references: object,
                    tokens_allowed: bool) -> tuple[Stream, list[OptionalStream]]:
    """Check a segment, and return it as a corpus of one segment: its hypotheses and its streams of references.

    Raises `TypeError` for a wrong type (such as a string as `references`), and `PurebleuError` if no reference exists.
    """
    if not _is_segment(hypothesis, tokens_allowed):
        raise _wrong_type("hypothesis", hypothesis, tokens_allowed)
    hypotheses: Stream = [hypothesis if isinstance(hypothesis, str) else _checked_tokens(hypothesis, "hypothesis")]
    streams: list[OptionalStream] = [[reference] for reference in
                                     checked_stream(references, "references", tokens_allowed)]
    if all(stream == [None] for stream in streams):
        raise PurebleuError("the segment has no reference")
    check_kinds(hypotheses, streams)
    return hypotheses, streams


def listed_streams(references: object) -> list[Any]:
    """Return the streams of references as a list. A list of strings counts as a single stream.

    Raises `PurebleuError` if there are no streams.
    """
    streams = listed(references, "references")
    if not streams:
        raise PurebleuError("there are no reference streams")
    return [streams] if isinstance(streams[0], str) else streams


def checked_references(references: object, tokens_allowed: bool) -> list[OptionalStream]:
    """Check streams of references, and return them as lists, with `None` for a missing reference.

    Raises `TypeError` with the index of a wrong element, `LengthError` if streams differ in length, and `PurebleuError`
    if there are no streams, or if a segment has no reference.
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
    """Raise `LengthError` if streams and hypotheses differ in length, and `TypeError` if text and tokens are mixed."""
    count, streams, length = len(hypotheses), len(references), len(references[0])
    if length != count:
        hint = _ONE_STREAM_PER_REFERENCE if streams == count > 1 else ""
        raise LengthError(f"{counted(count, 'hypothesis', 'hypotheses')} can't be scored against "
                          f"{counted(streams, 'reference stream')} of {counted(length, 'segment')}{hint}")
    check_kinds(hypotheses, references)


def check_order(hypotheses: Sequence[object], references: Sequence[object]) -> None:
    """Raise `TypeError` if hypotheses and references look swapped: streams, and a list of strings."""
    if hypotheses and references and isinstance(references[0], str) and _is_sequence(hypotheses[0]):
        raise TypeError("hypotheses and references look swapped: the first argument has to be the hypotheses, a list "
                        "of strings, and the second argument [references]")


def cuts_streams() -> bool:
    """Return whether streams of different lengths are cut, as in sacreBLEU (`PUREBLEU_SHAPES=sacrebleu`)."""
    return os.environ.get("PUREBLEU_SHAPES") == "sacrebleu"


def cut_streams(streams: Iterable[Any]) -> list[list[Any]]:
    """Cut streams to the shortest length, and warn. If a stream is empty, nothing is cut.

    A string counts as a stream of characters.
    """
    # sacreBLEU-compat: sacreBLEU calls `zip` with all streams, without a check.
    given = list(streams)
    lists = [list(stream) if isinstance(stream, str) else listed(stream, "a stream") for stream in given]
    lengths = list(map(len, lists))
    shortest = min(lengths, default=0)
    cure = "if you have one list of references per hypothesis, give list(zip(*references))"
    if any(isinstance(stream, str) for stream in given):
        cure = ("a string is read as a stream of characters, so give the outputs as a list of lines, and the "
                "references as a list of lists of lines")
    elif len(set(lengths)) == 1:
        return lists
    if shortest:
        warn(f"streams of {_some(lengths)} segments are cut to the shortest length ({shortest}), as in sacreBLEU: "
             f"{cure}")
        lists = [stream[:shortest] for stream in lists]
    return lists


def warn_of_transposed(hypotheses: Stream, streams: list[OptionalStream], transpose: bool) -> None:
    """Warn if there are as many streams of references as hypotheses, and the references are probably transposed.

    (If the numbers differ, `check_parallel` finds the mistake.) `transpose` is the argument `transpose_references`.
    """
    count = len(hypotheses)
    if len(streams) != count or not 2 <= count <= _MAX_COMPARED or not is_text(hypotheses):
        return
    words = [set(str(line).split()) for line in hypotheses]
    shared = shared_if_transposed = 0
    for stream, lines in enumerate(streams):
        for segment, line in enumerate(lines):
            if stream != segment:  # (If they are equal, a transposition does not move the reference.)
                words_of_reference = set(str(line or "").split())
                shared += len(words[segment] & words_of_reference)
                shared_if_transposed += len(words[stream] & words_of_reference)
    if shared_if_transposed >= _MIN_SHARED and shared_if_transposed > _CLEARLY_MORE * shared:
        ways = ("one stream per reference", "one list per hypothesis")
        warn(f"the {count} lists of references for {count} hypotheses are read as {ways[transpose]}, but references "
             f"share more words with the hypotheses if the lists are read as {ways[not transpose]} "
             f"(transpose_references={not transpose})")


def check_kinds(hypotheses: Stream, references: Sequence[Sequence[Segment | None]]) -> None:
    """Raise `TypeError` if some streams have strings, and others have sequences of tokens."""
    kinds = {is_text(hypotheses), *map(is_text, references)}
    if len(kinds - {None}) > 1:
        raise TypeError("hypotheses and references must both be strings or both be sequences of tokens")


def checked_stream(stream: object, name: str, tokens_allowed: bool) -> OptionalStream:
    """Check that a stream has only strings (or, if allowed, only sequences of tokens) and `None`. Return a list."""
    segments: OptionalStream = listed(stream, name)
    if set(map(type, segments)) == {str}:
        return segments
    are_strings = is_text(segments)
    for index, segment in enumerate(segments):
        if segment is None:
            continue
        if not _is_segment(segment, tokens_allowed):
            raise _wrong_type(f"{name}[{index}]", segment, tokens_allowed)
        if isinstance(segment, str) != are_strings:
            raise TypeError(f"{name}[{index}] is {_type_name(segment)}, but the segments before it have another type")
    if not are_strings:
        for index, segment in enumerate(segments):
            if segment is not None:
                segments[index] = _checked_tokens(segment, f"{name}[{index}]")
    return segments


def _checked_tokens(segment: Any, name: str) -> Sequence[Hashable]:
    """Return the tokens of a segment. The tokens of an array become integers or strings of Python.

    Raises `TypeError` if a token is not hashable, or has whitespace inside. (Such a token is probably a line of text.)
    """
    tokens: Sequence[Any] = segment
    if not isinstance(segment, (list, tuple)):
        tokens = listed(segment, name)
    if tokens and hasattr(tokens[0], "tolist"):
        # (PyTorch's tensors with the same number have different hashes.)
        tokens = [token.tolist() if hasattr(token, "tolist") else token for token in tokens]
    try:
        if len("".join(tokens).split(None, 1)) < 2:  # a fast check for the usual case
            return tokens
    except TypeError:
        pass  # (not all tokens are strings)
    for index, token in enumerate(tokens):
        if type(token).__hash__ is None:
            raise TypeError(f"{name}[{index}] is {_type_name(token)}, not a token")
        if isinstance(token, str) and len(token.split(None, 1)) > 1:
            shown = repr(token) if len(token) <= _SHOWN else f"{token[:_SHOWN]!r}..."
            raise TypeError(f"{name}[{index}] is {shown}, but a token has no white space inside: give a line of text "
                            "as a string, not as a list")
    return tokens


def normalized(streams: Sequence[Sequence[Segment | None]], form: str) -> list[Any]:
    """Return streams of text in a normal form of Unicode.

    Raises `OptionError` if `form` is not in `NORMAL_FORMS`, and `TypeError` for tokens.
    """
    from ..unicode.properties import NORMAL_FORMS, normal_form

    if form not in NORMAL_FORMS:
        raise OptionError(f"normalize must be {' or '.join(NORMAL_FORMS)}, not {form!r:.40}", option="normalize")
    if False in map(is_text, streams):
        raise TypeError("normalize= converts text, but the segments are sequences of tokens")
    changed: list[Any] = []
    for stream in streams:
        changed.append([line if line is None else normal_form(line, form)  # type: ignore[arg-type]  # checked above
                        for line in stream])
    return changed


def transpose_references(references: Streams) -> list[list[Segment | None]]:
    """Convert one list of references for each hypothesis into streams of references.

    `None` stands for each reference that a hypothesis lacks. Raises `TypeError` if a list is not a sequence.

    Example:
        >>> transpose_references([["a", "b"], ["c"]])
        [['a', 'c'], ['b', None]]
    """
    rows = [listed(row, f"references[{index}]") for index, row in enumerate(listed(references, "references"))]
    return list(map(list, zip_longest(*rows)))


def transposed(references: object, hypotheses: int, tokens_allowed: bool,
               taken_by: str = "transpose_references=True") -> list[OptionalStream]:
    """Check one list of references for each hypothesis, and convert the lists into streams.

    `taken_by` is the name of the function or argument in errors. Raises `LengthError` if the number of lists is not
    `hypotheses`, and `TypeError` for elements of a wrong type.
    """
    lists = listed(references, "references")
    if len(lists) != hypotheses:
        raise LengthError(f"{taken_by} takes one list of references per hypothesis, not {counted(len(lists), 'list')} "
                          f"for {counted(hypotheses, 'hypothesis', 'hypotheses')}")
    return transpose_references([checked_stream(segment, f"references[{index}]", tokens_allowed)
                                 for index, segment in enumerate(lists)])


def listed(values: object, name: str) -> list[Any]:
    """Return the elements of an iterable as a new list. (A generator can be read only once.)

    Raises `TypeError` for text, bytes, mappings, sets, and objects that are not iterable.
    """
    elements: Any = values
    if not isinstance(values, (list, tuple)):
        if isinstance(values, (*_STRINGS, Mapping, set, frozenset)) or not hasattr(values, "__iter__") or (
                getattr(values, "typecode", "") in _TYPECODES_OF_TEXT):
            raise TypeError(f"{name} must be a sequence, such as a list, not {_type_name(elements)}")
        for method in _TO_PYTHON:
            if hasattr(elements, method):
                elements = getattr(elements, method)()
    return list(elements)


def _is_sequence(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return True  # (This check is faster than the abstract class below.)
    # Arrays are sequences only since Python 3.10. (A comparison of the module's name avoids the import of `array`.)
    if type(value).__module__ == "array":
        return value.typecode not in _TYPECODES_OF_TEXT  # type: ignore[attr-defined]
    if isinstance(value, Sequence):
        return not isinstance(value, _STRINGS)
    # (A single number of NumPy has the method `tolist`, too, but no dimensions.)
    return getattr(value, "ndim", 1) == 1 and any(hasattr(value, method) for method in _TO_PYTHON)


def _is_segment(value: object, tokens_allowed: bool) -> bool:
    return isinstance(value, str) or (tokens_allowed and _is_sequence(value))


def _wrong_type(name: str, value: object, tokens_allowed: bool) -> TypeError:
    wanted = "a string or a sequence of tokens" if tokens_allowed else "a string"
    if is_missing_value(value):
        return TypeError(f"{name} is a missing value ({value}), not {wanted}: write '' for an empty segment, and None "
                         "for a missing reference")
    return TypeError(f"{name} is {_type_name(value)}, not {wanted}")


def is_missing_value(value: object) -> bool:
    """Return whether a value is a missing value, such as the missing values in tables of pandas."""
    return not isinstance(value, str) and str(value) in _MISSING_VALUES


def is_text(stream: Sequence[Segment | None]) -> bool | None:
    """Return whether the segments of a stream are strings; `None` if all segments are missing."""
    return next((isinstance(segment, str) for segment in stream if segment is not None), None)


def _type_name(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _some(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:8]))
    return shown if len(numbers) <= 8 else f"{shown}, ... ({len(numbers)} streams)"
