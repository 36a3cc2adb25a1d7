"""Random outputs with line breaks of their own, from a seed alone: for the script that makes fixtures, and for tests.

Standard library only.
"""

from __future__ import annotations

import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence, Tuple

    #: The lines of an output, and the references of each segment.
    Resegmentable = Tuple[Sequence[str], Sequence[Sequence[str]]]

_LATIN = ("a", "B", "c", "ä", "Ä", "d,", "e.", "«f»", "g-h", "I", "i", "j\xa0k")
_UNSPACED = ("東", "京", "の", "は", "日", "。", "A", "b", " ", "É", "ー")


def random_output(seed: int, unspaced: bool = False) -> Resegmentable:
    """An output of a few segments, in lines of any length; of three seeds, one has several references."""
    rng = random.Random(f"resegmentation {seed} {unspaced}")
    alphabet = (_UNSPACED if unspaced else _LATIN)[:rng.choice((2, 3, 5, 12))]
    count = rng.choice((1, 1, 2, 3)) if seed % 3 == 0 else 1
    segments: list[list[str]] = []
    output: list[str] = []
    glue = "" if unspaced else " "
    for _ in range(rng.randint(1, 9)):
        words = [rng.choice(alphabet) for _ in range(rng.choice((0, 1, 2, 3, 6, 12)))]
        references = [_noisy(rng, words, alphabet) if index else words for index in range(count)]
        # (The oracle's form has no empty reference beside another one.)
        nothing = alphabet[0] if count > 1 else ""
        segments.append([glue.join(reference).strip() or nothing for reference in references])
        output += _noisy(rng, rng.choice(references), alphabet)
    if not segments[-1][0]:  # (an empty last line is none in the oracle)
        segments[-1] = [alphabet[0]] * count
    if rng.random() < 0.2:
        output = [rng.choice(alphabet) for _ in range(rng.randint(1, 30))]
    lines: list[str] = []
    while output:
        length = rng.randint(1, 9)
        lines.append(glue.join(output[:length]))
        output = output[length:]
    # (Where spaces are tokens, line breaks would be, too, in the oracle alone.)
    return ["".join(lines)] if unspaced else lines or [""], segments


def _noisy(rng: random.Random, words: Sequence[str], alphabet: Sequence[str]) -> list[str]:
    """The words, some of which are missing, new or other ones."""
    rate = rng.choice((0.0, 0.1, 0.3, 0.6))
    noisy: list[str] = []
    for word in words:
        kind = rng.random()
        if kind < rate / 3:
            continue
        noisy.append(word if kind > rate else rng.choice(alphabet))
        if kind > 1 - rate / 3:
            noisy.append(rng.choice(alphabet))
    return noisy
