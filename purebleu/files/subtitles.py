"""Read subtitles in the formats SubRip (`.srt`) and WebVTT (`.vtt`): blocks of lines with start and end times."""

from __future__ import annotations

from ..runtime.errors import OptionError, PurebleuError
from ..runtime.hints import Any, Iterable, Iterator, NamedTuple, Sequence
from .records import RecordReader

#: The words that stand for the ends of lines and blocks. (`form_of_words` removes the brackets in scored texts.)
END_OF_LINE, END_OF_BLOCK = "<eol>", "<eob>"
BREAKS = (END_OF_LINE, END_OF_BLOCK)

#: The word that replaces all other words if only line breaks and ends of blocks are scored.
_MASK = "mask"

_MICROSECONDS = 1_000_000

#: Patterns of times. A time has hours (optional in WebVTT), minutes, seconds and a fraction, or only seconds.
_TIME = r"(?:(\d{1,9}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,6})"
_SECONDS = r"\d{1,9}(?:\.\d+)?"

#: The start of the line with the times of a block.
_LINE_OF_TIMES = rf"({_TIME}|{_SECONDS})\s+-{{1,2}}>"

#: The first words of sections of WebVTT that are not subtitles.
_NO_BLOCKS = ("NOTE", "STYLE", "REGION")

#: The largest number of digits of a block's number.
_MAX_DIGITS = 18


class SubtitleBlock(NamedTuple):
    """A block of subtitles.

    Attributes:
        number: the number of the block in the file.
        start: the time at which the block appears, in microseconds.
        end: the time at which the block disappears, in microseconds.
        lines: the lines of the block, without markup.
    """

    number: str
    start: int
    end: int
    lines: list[str]

    def words(self) -> list[tuple[str, str]]:
        """Return the words of the block, each with the break after it: `END_OF_LINE`, `END_OF_BLOCK`, or empty."""
        words: list[tuple[str, str]] = []
        for line in self.lines:
            in_line = line.split()
            words += [(word, "") for word in in_line[:-1]]
            words += [(word, END_OF_LINE) for word in in_line[-1:]]
        return [*words[:-1], *[(word, END_OF_BLOCK) for word, _ in words[-1:]]]

    def times(self) -> str:
        """Return the times in SubRip's format, such as `00:00:01,000 --> 00:00:02,500`."""
        return f"{_time_text(self.start)} --> {_time_text(self.end)}"

    def text(self) -> str:
        """Return the block in SubRip's format, without blank lines. The number is 0 if the block has a name instead."""
        number = self.number if _is_number(self.number) else "0"
        return "\n".join([number, self.times(), *filter(str.strip, self.lines)])


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _MAX_DIGITS


def _time_text(microseconds: int) -> str:
    seconds, fraction = divmod(microseconds, _MICROSECONDS)
    digits = f"{fraction // 1000:03}" if fraction % 1000 == 0 else f"{fraction:06}"
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},{digits}"


def subtitle_blocks(lines: Iterable[str], name: str = "subtitles") -> Iterator[SubtitleBlock]:
    r"""Yield the blocks of a file of subtitles.

    Args:
        lines: the lines of the file.
        name: the name of the file in errors.

    Raises:
        PurebleuError: a block is malformed, ends before it begins, or begins before the previous block ends.

    Example:
        >>> [block] = subtitle_blocks(["1", "00:00:01,000 --> 00:00:02,500", "<i>Yes.</i>", "No."])
        >>> block.start, block.words()
        (1000000, [('Yes.', '<eol>'), ('No.', '<eob>')])
    """
    import re
    from html import unescape

    time = re.compile(f"{_TIME}|({_SECONDS})", re.ASCII)
    number, line_number, count, end = "", 0, 0, 0
    block: SubtitleBlock | None = None
    is_vtt = is_left_out = False

    def has_times(line: str) -> bool:
        return "->" in line and re.match(_LINE_OF_TIMES, line, re.ASCII) is not None

    def wrong(what: str) -> PurebleuError:
        error = PurebleuError(f"{name}: line {line_number}: block {number or count + 1}: {what}")
        return error.at(name, line_number)

    for line_number, text in enumerate(lines, 1):
        line = text.strip().lstrip("\ufeff")
        if line_number == 1 and line.split()[:1] == ["WEBVTT"]:
            is_vtt = is_left_out = True
        elif block is not None and line and has_times(line):
            raise wrong("a blank line is missing before the next block")
        elif block is not None and line:
            if is_vtt:
                line = unescape(re.sub("<[^<>]*>", "", line))
            elif "<" in line:  # (As in SubER, only tags of one letter are removed, such as <i>, but not <font ...>.)
                line = re.sub("</?[^>]>", "", line)
            block.lines.append(line)
        elif block is not None and is_vtt and text.strip("\r\n"):
            continue  # (in WebVTT, a line of spaces does not end a block)
        elif block is not None:
            yield block
            block, number = None, ""
        elif is_left_out or not line:
            is_left_out = is_left_out and bool(line)
        elif is_vtt and not number and line.split()[0] in _NO_BLOCKS:
            is_left_out = True
        elif number or (is_vtt and has_times(line)):
            end_before = end
            begin, end = _times_of(line, is_vtt, time.fullmatch, wrong)
            if end <= begin:
                raise wrong(f"the block ends before it begins: {line:.60}")
            if begin < end_before:
                raise wrong(f"the block begins before the previous block ends: {line:.60}")
            count += 1
            block = SubtitleBlock(number or str(count), begin, end, [])
        elif is_vtt or _is_number(line):
            number = line
        else:
            raise wrong(f"expected the number of a block (after a blank line), not {line!r:.60}")
    if block is not None:
        yield block
    elif number:
        raise wrong("the file ends before the times of this block")


def _times_of(line: str, is_vtt: bool, match_time: Any, wrong: Any) -> tuple[int, int]:
    """Return the start and end times in a line, in microseconds. In WebVTT, settings may follow the times."""
    parts = line.split()
    if len(parts) < 3 or parts[1] not in ("-->", "->") or (len(parts) > 3 and not is_vtt):
        raise wrong(f"{line!r:.60} is not of the form 00:00:01,000 --> 00:00:02,500")
    times: list[int] = []
    for part in (parts[0], parts[2]):
        match = match_time(part)
        if match and match[5]:
            times.append(round(_MICROSECONDS * float(part)))
        elif match and (match[1] or is_vtt) and int(match[2]) < 60 and int(match[3]) < 60:
            seconds = 3600 * int(match[1] or 0) + 60 * int(match[2]) + int(match[3])
            times.append(_MICROSECONDS * seconds + int(match[4].ljust(6, "0")))
        else:
            raise wrong(f"{part!r:.30} is not a time, such as 00:00:01,000")
    return times[0], times[1]


def independent_parts(sides: Sequence[Sequence[Any]]) -> list[list[list[Any]]]:
    """Split several files of subtitles of the same film at the times when no file shows a block.

    Args:
        sides: the blocks of each file. A block is any object with `start` and `end`.

    Returns:
        For each part, the blocks of each file.

    Example:
        >>> one, other, third = [SubtitleBlock("", start, start + 2, []) for start in (1, 2, 4)]
        >>> [[len(side) for side in part] for part in independent_parts([[one, third], [other]])]
        [[1, 1], [1, 0]]
    """
    blocks = [(index, block) for index, side in enumerate(sides) for block in side]
    parts: list[list[list[Any]]] = []
    end = -1
    for index, block in sorted(blocks, key=lambda item: item[1].start):
        if block.start >= end:
            parts.append([[] for _ in sides])
        parts[-1][index].append(block)
        end = max(end, block.end)
    return parts


# Forms of words


def form_of_words(words: Sequence[tuple[str, str]], form: str, keeps_last: bool = False) -> str:
    """Return words as a text.

    Args:
        words: words with the breaks after them.
        form: `text` has no breaks; `seg` has breaks as words; `br` has breaks as words, and a mask in place of each
            other word; `whole` has the breaks that `words_of_text` reads.
        keeps_last: whether to keep the end of a block after the last word in the forms `seg` and `br`. (This end is
            not informative if every text is a whole block.)
    """
    texts: list[str] = []
    for word, end in words:
        texts.append(_MASK if form == "br" else word)
        if end and form != "text":
            # (Tokenizers would split the brackets from <eol>.)
            texts.append(end if form == "whole" else end.strip("<>"))
    if form in ("seg", "br") and not keeps_last and words and words[-1][1] == END_OF_BLOCK:
        texts.pop()
    return " ".join(texts)


def words_of_text(text: str) -> list[tuple[str, str]]:
    """Return the words of a text of the form `whole`.

    >>> words_of_text("Yes. <eol> No, no. <eob>")
    [('Yes.', '<eol>'), ('No,', ''), ('no.', '<eob>')]
    """
    words: list[tuple[str, str]] = []
    for word in text.split():
        if word in BREAKS and words:
            words[-1] = words[-1][0], word
        else:
            words.append((word, ""))
    return words


#: The forms that columns of subtitles may have, and further forms for internal use (`blocks` has the times of blocks).
SUBTITLE_FORMS = ("text", "seg", "br", "line", "time")
_INNER_FORMS = ("whole", "blocks")


class SubtitleReader(RecordReader):
    """Reads columns of subtitles, with a value for each block, or for each line if one of the columns is `line`.

    `text`, `seg` and `br` are forms of `form_of_words`. `time` has the number and the times of a block.
    """

    def _read_records(self) -> Iterator[Sequence[Any]]:
        selectors = [selector for selector, _ in self.selectors]
        for selector in selectors:
            if selector not in (*SUBTITLE_FORMS, *_INNER_FORMS):
                raise OptionError(f"{self.name} has no column {selector!r}: the columns of subtitles are "
                                  f"{', '.join(SUBTITLE_FORMS)}")
        by_line = "line" in selectors
        for block in subtitle_blocks(self._lines(), self.name):
            for line in block.lines if by_line else [""]:
                yield [_value(block, line, selector) for selector in selectors]


def _value(block: SubtitleBlock, line: str, selector: str) -> Any:
    if selector == "blocks":
        return block
    if selector == "time":
        return f"{block.number}, {block.times()}"
    return line if selector == "line" else form_of_words(block.words(), selector)
