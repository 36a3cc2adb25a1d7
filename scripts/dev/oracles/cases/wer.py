"""Random input for WER, CER, MER and WIL, from a seed."""

from __future__ import annotations

import random
from typing import Sequence, Tuple

from dev.oracles.cases.generated_lines import random_segments

#: Hypotheses, and a reference for each.
Corpus = Tuple[Sequence[str], Sequence[str]]

_ALPHABETS = ("ab", "abc", "abcdefgh", "abcdefghijklmnopqrstuvwxyz      ")

#: White space of all kinds.
_SPACES = (" ", " ", " ", "  ", "\t", " \t", "\xa0", "\u3000 ", "\x1c", "\u2028\u2029", "\n")


def random_corpus(seed: int) -> Corpus:
    """Return a few segments. The seed modulo 4 selects text (0), all kinds of white space (1), or repeated letters."""
    rng = random.Random(f"wer {seed}")
    if seed % 4 == 0:
        segments = random_segments(rng.randrange(10 ** 9), rng.randint(1, 6), 1)
        return ([segment.hypothesis for segment in segments], [segment.references[0] or "" for segment in segments])
    pairs = [_spaced_pair(rng) if seed % 4 == 1 else random_pair(rng, rng.choice((3, 8, 20, 70, 150)))
             for _ in range(rng.randint(1, 6))]
    return [hypothesis for hypothesis, _ in pairs], [reference for _, reference in pairs]


def random_pair(rng: random.Random, longest: int) -> tuple[str, str]:
    """Return a hypothesis and a reference of letters, with spaces between all letters or without spaces."""
    alphabet = rng.choice(_ALPHABETS)
    reference = _letters(rng, alphabet, longest)
    hypothesis = _letters(rng, alphabet, longest)
    if rng.random() < 0.6:
        edited = list(reference)
        for _ in range(rng.randint(0, max(1, longest // 3))):
            place = rng.randint(0, len(edited))
            edited[place:place + rng.randint(0, 2)] = rng.choice(("", "a", "b", "ab", "ba"))
        hypothesis = "".join(edited)
    separator = rng.choice(("", " "))
    return separator.join(hypothesis), separator.join(reference)


def large_pair(seed: int) -> tuple[str, str]:
    """Return a pair whose matrix is large enough to be split."""
    rng = random.Random(f"wer, large {seed}")
    hypothesis, reference = "", ""
    while min(len(hypothesis), len(reference)) < 1500 or len(hypothesis) * len(reference) < 1 << 22:
        more_of_hypothesis, more_of_reference = random_pair(rng, rng.choice((300, 1500)))
        hypothesis += more_of_hypothesis
        reference += more_of_reference
    return hypothesis, reference


def _letters(rng: random.Random, alphabet: str, longest: int) -> str:
    return "".join([rng.choice(alphabet) for _ in range(rng.randint(0, longest))])


def _spaced_pair(rng: random.Random) -> tuple[str, str]:
    def line() -> str:
        return "".join([rng.choice(_SPACES) if rng.random() < 0.5 else rng.choice("abB")
                        for _ in range(rng.randint(0, 12))])

    return line(), line()
