"""Segments as HTML, for a page without scripts. `page.js` makes the same HTML from the page's data.

All text is escaped, and characters that HTML forbids are replaced.
"""

from __future__ import annotations

from .shift_marks import shift_marks, shift_moves
from .words import (
    DELETED,
    INSERTED,
    SAME,
    closest_reference,
    direction,
    marked_runs,
    matched_ngrams,
    split_tokens,
    split_words,
    text_of,
    token_difference,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from .shift_marks import Marks, StoredShifts
    from .words import Tokens

#: The usual number of decimal places of the scores of single segments.
SEGMENT_PLACES = 2

#: The number of segments that the page shows without scripts.
SEGMENTS_WITHOUT_SCRIPTS = 100

#: Whitespace that HTML does not allow, or changes.
_ODD_LINE_BREAKS = "\v\f\r\x1c\x1d\x1e\x1f\x85"

#: The sign for a text without words.
_NOTHING = "<i>(empty)</i>"


class PageSegment:
    """A segment with the outputs and scores of all systems, as the page shows it.

    Attributes:
        number: the number of its line, from 1.
        systems: the names of the systems.
        metrics: the names of the metrics.
        scores: for each metric, the sentence score of each system.
        length: the length of the reference in tokens; 0 where it is not shown.
        identifier: its id in the test set; `None` where it has none.
        source: the source; `None` where it is unknown or not shown.
        references: the references in the order of the streams; `None` for a missing one.
        outputs: the output of each system (`None` where there are only rows); empty where texts are not shown.
        shifts: for each system, TER's shifts of its output, as `shift_marks` describes them; empty without TER.
        anchor: the id of its HTML element.
        languages: the language of the source, and that of references and outputs, as HTML has them (BCP 47); `None`
            where unknown.
        places: for each metric, the decimal places of scores; empty: `SEGMENT_PLACES` for all.
    """

    __slots__ = ("anchor", "identifier", "languages", "length", "metrics", "number", "outputs", "places", "references",
                 "scores", "shifts", "source", "systems")

    def __init__(self, number: int, systems: Sequence[str], metrics: Sequence[str], scores: Sequence[Sequence[float]],
                 length: int = 0, *, identifier: str | None = None, source: str | None = None,
                 references: Sequence[str | None] = (), outputs: Sequence[str | None] = (),
                 shifts: Sequence[StoredShifts] = (), prefix: str = "",
                 languages: tuple[str | None, str | None] = (None, None), places: Sequence[int] = ()) -> None:
        self.anchor = f"{prefix}s{number}"
        self.languages = languages
        self.places = places or [SEGMENT_PLACES] * len(metrics)
        self.number = number
        self.systems = systems
        self.metrics = metrics
        self.scores = scores
        self.length = length
        self.identifier = identifier
        self.source = source
        self.references = references
        self.outputs = outputs
        self.shifts = shifts

    @classmethod
    def from_data(cls, data: Mapping[str, Any], index: int) -> PageSegment:
        """The segment at an index of the page's data, which `page.js` describes."""
        def at(texts: Sequence[Any] | None) -> Any:
            return None if texts is None else texts[index]

        return cls(data["numbers"][index], data["systems"], [metric["name"] for metric in data["metrics"]],
                   [[system_scores[index] for system_scores in metric_scores] for metric_scores in data["scores"]],
                   data["lengths"][index], identifier=at(data["ids"]), source=at(data["source"]),
                   references=[texts[index] for texts in data["references"] or ()],
                   outputs=at(data["outputs"]) or (),
                   shifts=[system_shifts.get(str(index), ()) for system_shifts in data["shifts"] or ()],
                   prefix=data["prefix"], languages=data["languages"],
                   places=[metric["places"] for metric in data["metrics"]])


def segment_list(data: Mapping[str, Any], limit: int = SEGMENTS_WITHOUT_SCRIPTS) -> str:
    """The first segments of the page's data as an ordered list of HTML, which `page.js` replaces by all of them."""
    items = [segment_item(PageSegment.from_data(data, index)) for index in range(min(limit, len(data["numbers"])))]
    return "\n".join([f'<ol class="segments" data-from="{data["prefix"]}data">', *items, "</ol>"])


def segment_item(segment: PageSegment) -> str:
    r"""A segment as an item of a list of HTML, with a link to itself.

    The item has the source, the references, and the output of each system with scores. In an output, `<ins>` marks
    tokens that the closest reference lacks, `<del>` tokens of that reference that the output lacks, and `<u>` n-grams
    that any reference has; where there are several references, the closest one is named. `<sup>` has the numbers of
    TER's shifts, which are also listed in a line below. Each text has its own direction.

    Example:
        >>> print(segment_item(PageSegment(17, ["A<B"], ["BLEU"], [[0.125]], 2)).replace("<dl>", "\n<dl>"))
        <li id="s17"><p><a href="#s17">17</a> <span>reference length 2</span></p>
        <dl><div class="output"><dt dir="auto">A&lt;B</dt><dd class="scores"><span>BLEU 0.12</span></dd></div></dl></li>
    """
    head = [f'<a href="#{segment.anchor}">{segment.number}</a>']
    if segment.identifier is not None:
        head.append(f'<span dir="auto">{shown_in_html(segment.identifier)}</span>')
    head.append(f"<span>reference length {segment.length}</span>")
    groups: list[str] = []
    if segment.source is not None:
        groups.append(_group("source", "Source", segment.source, segment.languages[0]))
    for index, reference in enumerate(segment.references):
        if reference is not None:
            name = f"Reference {index + 1}" if len(segment.references) > 1 else "Reference"
            groups.append(_group("reference", name, reference, segment.languages[1]))
    present = [(number, visible(text)) for number, text in enumerate(segment.references, 1) if text is not None]
    references = [text for _, text in present]
    tokens = list(map(split_tokens, references))
    for index, name in enumerate(segment.systems):
        output = segment.outputs[index] if segment.outputs else None
        scores = [f"<span>{shown_in_html(metric)} {score_text(metric_scores[index], places)}</span>"
                  for metric, metric_scores, places in zip(segment.metrics, segment.scores, segment.places)]
        described = ""
        if output is not None:
            shifts = segment.shifts[index] if segment.shifts else ()
            ours = split_tokens(visible(output))
            closest = closest_reference(ours, tokens) if tokens else 0
            compared = _compared(ours, tokens, closest, shift_marks(shifts))
            if len(present) > 1:
                scores.append(f"<span>marks: against reference {present[closest][0]}</span>")
            way = direction(output, *references[closest:closest + 1])
            lang = _lang(segment.languages[1])
            described = f'<dd dir="{way}"{lang}>{compared or _NOTHING}</dd>{_moves(shifts, output)}'
        described += f'<dd class="scores">{" ".join(scores)}</dd>'
        groups.append(f'<div class="output"><dt dir="auto">{shown_in_html(name)}</dt>{described}</div>')
    return f'<li id="{segment.anchor}"><p>{" ".join(head)}</p><dl>{"".join(groups)}</dl></li>'


def visible(text: str) -> str:
    r"""The text without characters that HTML forbids: U+FFFD stands for these, and spaces for odd line breaks.

    The words stay the same: U+FFFD replaces only control characters that do not separate words, and lone surrogates.

    >>> ascii(visible("a\0b\x1cc\td"))
    "'a\\ufffdb c\\td'"
    """
    if text.isprintable():  # (fast: nearly all texts are)
        return text
    return "".join([character if character.isprintable() else _as_visible(character) for character in text])


def _as_visible(character: str) -> str:
    code = ord(character)
    if character in _ODD_LINE_BREAKS:
        return " "
    is_control = (code < 32 and character not in "\t\n") or 127 <= code < 160
    return "\ufffd" if is_control or 0xD800 <= code < 0xE000 else character


def shown_in_html(text: str) -> str:
    """The text, visible and escaped."""
    from html import escape

    return escape(visible(text))


def score_text(score: float, places: int = SEGMENT_PLACES) -> str:
    """A score with `places` decimal places; zero has no sign."""
    return f"{score + 0.0:.{places}f}"


def _text(text: str) -> str:
    return shown_in_html(text) if split_words(text) else _NOTHING


def _group(kind: str, name: str, text: str, language: str | None) -> str:
    return (f'<div class="{kind}"><dt>{name}</dt><dd dir="{direction(text)}"{_lang(language)}>{_text(text)}</dd>'
            "</div>")


def _lang(language: str | None) -> str:
    return f' lang="{language}"' if language else ""


def _moves(shifts: StoredShifts, output: str) -> str:
    """TER's shifts in words."""
    if not shifts:
        return ""
    parts: list[str] = []
    for number, (block, target) in enumerate(shift_moves(shifts, split_words(output)), 1):
        where = "to the end" if target is None else f"before “<bdi>{shown_in_html(target)}</bdi>”"
        parts.append(f"<span>Shift {number} moves “<bdi>{shown_in_html(block)}</bdi>” {where}</span>")
    return f'<dd class="shifts">{" ".join(parts)}</dd>'


def _compared(ours: Tokens, references: Sequence[Tokens], closest: int, marks: Marks) -> str:
    """The tokens of an output with marks; a `<u>` never crosses the end of a `<del>` or an `<ins>`."""
    difference = token_difference(ours, references[closest]) if references else [(SAME, 0, len(ours.words))]
    marks = _by_token(marks, ours)
    shown = ""
    for kind, stretches in marked_runs(difference, matched_ngrams(ours.words, [tokens.words for tokens in references])):
        tokens = references[closest] if kind == DELETED else ours
        content = ""
        for matched, start, end in stretches:
            text = _numbered(tokens, start, end, {} if kind == DELETED else marks)
            content += _gap(tokens, start, content) + (f'<u class="m">{text}</u>' if matched else text)
        if stretches:
            shown += _gap(tokens, stretches[0][1], shown)
            shown += f"<{kind}>{content}</{kind}>" if kind in (DELETED, INSERTED) else content
    at_end = _marks(marks.get(len(ours.words), ()))
    return f"{shown} {at_end}" if shown and at_end else shown + at_end


def _gap(tokens: Tokens, index: int, before: str) -> str:
    """The space between a token and the text before it, if there is one."""
    return " " if before and tokens.gaps[index] else ""


def _by_token(marks: Marks, tokens: Tokens) -> Marks:
    """Marks by the indices of words, converted to the indices of tokens."""
    if not marks:
        return marks
    starts = [*[index for index, gap in enumerate(tokens.gaps) if gap], len(tokens.gaps)]
    return {starts[word]: some for word, some in marks.items() if word < len(starts)}


def _numbered(tokens: Tokens, start: int, end: int, marks: Marks) -> str:
    """The tokens from `start` to `end`, with the numbers of shifts in front of them."""
    from html import escape

    if not marks:
        return escape(text_of(tokens, start, end))
    text = ""
    for index in range(start, end):
        text += _gap(tokens, index, text) + _marks(marks.get(index, ())) + escape(tokens.words[index])
    return text


def _marks(marks: Sequence[tuple[bool, int]]) -> str:
    """The numbers of shifts, each with an explicit direction, so that it does not change that of the text."""
    return "".join([f'<sup class="to" dir="ltr"><span>to here: shift </span>{number}</sup>' if goes_there
                    else f'<sup dir="ltr"><span>shift </span>{number}</sup>' for goes_there, number in marks])
