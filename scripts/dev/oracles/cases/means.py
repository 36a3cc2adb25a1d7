"""Random segments for metrics that are means of segments, from a seed alone."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from dev.oracles.cases.generated_lines import random_segments, random_word_segments

#: A hypothesis and its references.
Pair = Tuple[str, List[str]]

#: The options of a metric.
Options = Dict[str, Any]

#: The metrics, and the sets of options with which each is tried.
WAYS: dict[str, list[Options]] = {
    "ROUGE1": [{}, {"stemmer": True}],
    "ROUGE2": [{}, {"stemmer": True}],
    "ROUGEL": [{}, {"stemmer": True}],
    "ROUGELSUM": [{}, {"stemmer": True}],
    "RIBES": [{}, {"lowercase": True}],
    "CharacTER": [{}],
    "EED": [{}],
}


#: Parts of English words that have stems.
_STEMS = ("relat", "hop", "connect", "happ", "gener", "argu", "run", "sk", "t", "bl", "controll", "Electr", "conflat")
_ENDINGS = ("ed", "ing", "s", "ation", "ies", "ely", "ional", "fulness", "e", "y", "ousli", "er", "icate", "ative",
            "ment", "able", "ologi", "ically", "sses", "ied")


def segments_of(seed: int, count: int) -> list[Pair]:
    """Segments of all kinds, every other one of plain words that are moved, with one to three references."""
    pairs: list[Pair] = []
    for streams in (1, 2, 3):
        share = -(-count // 3)
        any_segments = random_segments(seed + streams, -(-share // 2), streams, missing=True)
        word_segments = random_word_segments(seed + streams, -(-share // 2), streams, missing=True)
        for both in zip(any_segments, word_segments):
            pairs += [(segment.hypothesis, [text for text in segment.references if text is not None])
                      for segment in both]
    changes = {2: _inflected, 5: _in_lines}
    return [changes[index % 6](pair) if index % 6 in changes else pair for index, pair in enumerate(pairs[:count])]


def _inflected(pair: Pair) -> Pair:
    """English words in the place of others, for which they are the same, with other endings in the hypothesis."""
    hypothesis, references = pair
    texts: list[str] = []
    for side, text in enumerate((hypothesis, *references)):
        codes = [sum(map(ord, word)) for word in text.split(" ")]
        pieces = [(code % len(_STEMS), (code // len(_STEMS) + min(side, 1)) % len(_ENDINGS)) for code in codes]
        texts.append(" ".join([_STEMS[stem] + _ENDINGS[ending] for stem, ending in pieces]))
    return texts[0], texts[1:]


def _in_lines(pair: Pair) -> Pair:
    """The same words, in lines of up to five."""
    hypothesis, references = pair
    texts: list[str] = []
    for text in (hypothesis, *references):
        words = text.split(" ")
        texts.append("\n".join([" ".join(words[start:start + 5]) for start in range(0, len(words), 5)]))
    return texts[0], texts[1:]
