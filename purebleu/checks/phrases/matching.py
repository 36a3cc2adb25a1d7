"""Find and remove phrases that language models write around or instead of a translation: chatter, refusals, reasoning.

The patterns are in `patterns.txt`. That file also explains how patterns are matched.
"""

from __future__ import annotations

from functools import lru_cache

from ...runtime.hints import Sequence
from ...runtime.program import own_file
from ..copies import chrf_of_lines
from ..texts import Against, Span, compiled

#: The kinds of phrases that are chatter: kinds at the start of a text, and kinds that come later in a text.
_AT_START, _BEHIND = ("preamble", "label"), ("note", "offer", "candidate")

#: The largest number of sentences that are searched for phrases: half of them at the start of a text, and half at its
#: end. (The middle of a long text does not have such phrases.)
_MAX_SENTENCES = 40

#: A preamble or a label ends within this number of characters.
_MAX_LABEL = 200

#: An output may be a translation if its chrF2 with a reference is at least this number.
_LIKE_REFERENCE = 20

#: The tags that several models put around reasoning. (Some outputs have only the end tag.)
_BLOCKS = (r"<(think|thinking|thought|reasoning|analysis|scratchpad)>|</(?:think|thinking|thought|reasoning|analysis|"
           r"scratchpad)>|◁/?think▷|\[/?think\]|<\|channel\|>analysis")

#: The pattern of what precedes a phrase: the start of a sentence, a line or a bracket, or a mark of emphasis.
_BEGINNINGS = r"(?:^|[\n.!?:。！？：()（）\[\]【】*_>\"“”–—]|---)[\s*_#>(（\[【\"“-]{0,6}"

#: The first line of a block of code.
_FENCE = r"\s{0,9}```(?:[\w-]{0,20}[ \t]{0,9}\n)?"


def phrase_lines() -> list[tuple[str, str, str, str]]:
    """Return the kind, the language, the pattern and the example of each phrase.

    >>> phrase_lines()[1][:2]
    ('preamble', 'en')
    """
    phrases: list[tuple[str, str, str, str]] = []
    kind = ""
    for line in own_file("checks/phrases/patterns.txt").decode("utf-8").splitlines():
        if line.startswith("["):
            kind = line[1:-1]
        elif line and not line.startswith("#"):
            language, _, phrase = line.partition(": ")
            pattern, _, example = phrase.partition("\t")
            phrases.append((kind, language, pattern, example))
    return phrases


@lru_cache(maxsize=None)
def _phrases(kind: str) -> str:
    """Return the pattern of all phrases of a kind. The kind "behind" means all kinds in `_BEHIND`."""
    kinds = _BEHIND if kind == "behind" else (kind,)
    return "|".join([pattern for known, _, pattern, _ in phrase_lines() if known in kinds])


def _lowered(text: str) -> str:
    """Return a text in lower case with the same length. (`lower` alone would turn "İ" into two characters.)"""
    return text.replace("İ", "i").lower()


def _has_blocks(texts: Sequence[str]) -> bool:
    """Return whether one of the texts has tags of reasoning."""
    return any(compiled(_BLOCKS).search(_lowered(text)) for text in texts)


def phrases_in(text: str, kind: str) -> list[Span]:
    """Return the phrases of a kind in a text.

    >>> phrases_in("Er ist da. (Note: formal.)", "note"), phrases_in("Note: formal.", "note")
    ([(12, 17, 'Note:')], [])
    """
    lowered = _lowered(text)
    beginning = compiled(_BEGINNINGS)
    if kind in _AT_START:
        # (Patterns of these kinds end with a colon.)
        is_possible = ":" in lowered[:_MAX_LABEL] or "：" in lowered[:_MAX_LABEL]
        starts = [beginning.match(lowered).end()] if is_possible else []  # type: ignore[union-attr]
    else:
        starts = [match.end() for match in beginning.finditer(lowered)]
        if kind in ("behind", *_BEHIND):
            del starts[0]
        if len(starts) > _MAX_SENTENCES:
            starts = starts[:_MAX_SENTENCES // 2] + starts[-_MAX_SENTENCES // 2:]
    spans: list[Span] = []
    for start in starts:
        match = compiled(_phrases(kind)).match(lowered, start)
        if match:
            end = match.end()
            while text[end - 1].isalpha() and text[end:end + 1].isalpha():  # (the span ends at the end of a word)
                end += 1
            spans.append((start, end, text[start:end]))
    return spans


def chatter(output: str, against: Against, index: int) -> list[Span]:
    """Return texts around a translation: preambles, labels, notes, offers of help, further candidates.

    A phrase does not count if the source or a reference has a phrase of the same kind. If no phrase counts, line breaks
    are checked. Line breaks count if neither the source nor a reference has a line break, and the output has no block
    of reasoning or code. If line breaks count and the first line ends with a colon, the first line is returned, else
    all further lines.

    >>> from purebleu.checks.texts import Against
    >>> chatter("Here is the translation: Er ist da.", Against(["He is here."]), 0)
    [(0, 24, 'Here is the translation:')]
    """
    texts = against.texts_of(index)
    spans: list[Span] = []
    for kind in (*_AT_START, *(_BEHIND if phrases_in(output, "behind") else ())):
        found = phrases_in(output, kind)
        if found and not any(phrases_in(text, kind) for text in texts):
            spans += found
    has_breaks = "\n" in output.strip() and not any("\n" in text.strip() for text in texts)
    if has_breaks and texts and not spans and "```" not in output and not _has_blocks([output]):
        end = output.index("\n", len(output) - len(output.lstrip()))
        start, end = (0, end) if output[:end].rstrip().endswith((":", "：")) else (end, len(output))
        spans.append((start, end, output[start:end].strip()))
    return spans


def refusals(output: str, against: Against, index: int) -> list[Span]:
    """Return the first refusal in an output, if neither the source nor a reference has a refusal.

    If the source or a reference apologizes, or says that something is not possible, a refusal may be a translation.
    Then the refusal counts only if there are references, and the output is unlike all of them.

    >>> from purebleu.checks.texts import Against
    >>> refusals("I'm sorry, but I can't help with that.", Against(["Er ist da."]), 0)
    [(0, 22, "I'm sorry, but I can't")]
    """
    found, texts = phrases_in(output, "refusal"), against.texts_of(index)
    if not found or any(phrases_in(text, "refusal") for text in texts):
        return []
    if any(phrases_in(text, "apology") for text in texts):
        references = against.references_of(index)
        if not references or max(chrf_of_lines([output] * len(references), references)) >= _LIKE_REFERENCE:
            return []
    return found[:1]


def reasoning(output: str, against: Against, index: int) -> list[Span]:
    """Return tags of reasoning; if there are none, sentences that analyze the task.

    Nothing is returned if the source or a reference has reasoning, too.

    >>> from purebleu.checks.texts import Against
    >>> reasoning("<think>Let me see.</think>Er ist da.", Against(["He is here."]), 0)
    [(0, 7, '<think>'), (18, 26, '</think>')]
    """
    spans = [(match.start(), match.end(), output[match.start():match.end()])
             for match in compiled(_BLOCKS).finditer(_lowered(output))]
    spans = spans or phrases_in(output, "reasoning")
    texts = against.texts_of(index)
    if spans and (_has_blocks(texts) or any(phrases_in(text, "reasoning") for text in texts)):
        return []
    return spans


def fixed(output: str, against: Against, index: int) -> tuple[str, list[str]]:
    r"""Remove reasoning in tags, code fences, preambles and labels; return the rest of an output and the removed parts.

    A part stays if the source or a reference has a part of the same kind, or if the output would otherwise be empty.

    >>> from purebleu.checks.texts import Against
    >>> fixed("<think>Hm.</think>\n\nTranslation:\n```\nEr ist da.\n```", Against(["He is here."]), 0)
    ('Er ist da.', ['<think>Hm.</think>', 'Translation:', '```', '```'])
    """
    text = output
    taken: list[str] = []
    while (rest := _rest_of(text, against, index)) and rest[0]:
        text = rest[0]
        taken += rest[1]
    return text, taken


def _rest_of(text: str, against: Against, index: int) -> tuple[str, list[str]] | None:
    """Remove the first part that is not a translation, if any; return the rest and the removed texts, or `None`."""
    texts = against.texts_of(index)
    ends = [match for match in compiled(_BLOCKS).finditer(_lowered(text)) if match.group()[1] == "/"]
    if ends and not _has_blocks(texts):
        end = ends[-1].end()
        return text[end:].strip(), [text[:end].strip()]
    fence = compiled(_FENCE).match(text)
    if fence and text.rstrip().endswith("```") and len(text.strip()) > 6 and not any("```" in other for other in texts):
        return text[fence.end():].rstrip()[:-3].strip(), [fence.group().strip(), "```"]
    for kind in _AT_START:
        found: Sequence[Span] = phrases_in(text, kind)
        if found and not any(phrases_in(other, kind) for other in texts):
            start, end, _ = found[0]
            if text[:start].endswith(("*", "_")):  # (Marks of emphasis behind the colon belong to the phrase.)
                end = len(text) - len(text[end:].lstrip("*_"))
            return text[end:].strip(), [text[:end].strip()]
    return None
