"""Random input for NIST, from a seed alone: for the script that makes fixtures, and for tests.

Standard library only.
"""

from __future__ import annotations

import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence, Tuple

    #: Hypotheses, and streams of references.
    Corpus = Tuple[Sequence[str], Sequence[Sequence[str]]]

#: Words with what 13a splits, resolves or leaves, and "0", which mteval-v13a.pl takes for nothing.
_WORDS = ("the", "The", "cat", "Cat", "dog", "sat", "on", "a", "mat", "0", "0", "1", "3.5", "1,000", "10-20", "(mat)",
          "it's", "end.", "x,y", "Äpfel", "äpfel", "ÉTÉ", "straße", "中文", "&amp;", "&AMP;", "&quot;", "&lt;b&gt;",
          "<skipped>", "«so»", "-", "--", "%", "well-known", "U.S.A.", "…", "\xa0", "\u3000", "\u2028", "emoji😀")

_SEPARATORS = (" ", " ", " ", " ", "  ", "\t", "")


def random_corpus(seed: int, segments: int) -> Corpus:
    """Segments with one to three references, of which at least one has a word; hypotheses may be empty."""
    rng = random.Random(f"nist {seed}")
    words = rng.sample(_WORDS, rng.randint(4, len(_WORDS)))
    streams = rng.choice((1, 1, 2, 3))
    hypotheses: list[str] = []
    references: list[Sequence[str]] = []
    for _ in range(segments):
        first = _line(rng, words, 1)
        of_segment = [first, *[_edited(rng, words, first) for _ in range(streams - 1)]]
        rng.shuffle(of_segment)
        references.append(of_segment)
        hypotheses.append(_edited(rng, words, first))
    return hypotheses, list(zip(*references))


def _line(rng: random.Random, words: Sequence[str], shortest: int) -> str:
    # (Words early in the list are frequent.)
    chosen = [words[int(len(words) * rng.random() ** 2)] for _ in range(rng.randint(shortest, 25))]
    return "".join([word + rng.choice(_SEPARATORS) for word in [*chosen, "z"]])


def _edited(rng: random.Random, words: Sequence[str], line: str) -> str:
    kind = rng.random()
    if kind < 0.05:
        return ""
    if kind < 0.2:
        return _line(rng, words, 0)
    parts = line.split(" ")
    for _ in range(rng.randint(0, max(1, len(parts) // 2))):
        index = rng.randint(0, len(parts))
        parts[index:index + rng.randint(0, 2)] = rng.choices(words, k=rng.randint(0, 2))
    return " ".join(parts)
