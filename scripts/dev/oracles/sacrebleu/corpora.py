"""Small corpora that more than one metric scores."""

from __future__ import annotations

from dev.oracles.cases.generated_lines import as_streams, random_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, Tuple

    #: A name, hypotheses, and streams of references.
    Corpus = Tuple[str, List[str], List[List[Optional[str]]]]


def corpora() -> list[Corpus]:
    """Small corpora, made up or written for a purpose."""
    made: list[Corpus] = []
    for seed, (streams, missing) in enumerate([(1, False), (1, False), (2, False), (3, False), (4, False), (2, True),
                                               (4, True), (1, False)]):
        name = f"generated, {streams} references{' at most' if missing else ''}, {seed}"
        made.append((name, *as_streams(random_segments(100 + seed, 18, streams, missing))))
    return [
        *made,
        ("equal", ["The cat sat on the mat.", "No, it did not."], [["The cat sat on the mat.", "No, it did not."]]),
        ("nothing in common", ["a b c d", "e f"], [["g h i j", "k"]]),
        ("only single words in common", ["d c b a", "f x e"], [["a b c d", "e f"]]),
        ("shorter than the order", ["a b", "c", "d e f"], [["a b", "c", "d e g"]]),
        ("empty hypotheses", ["", ""], [["a b c", "d"], ["", "d e"]]),
        ("nothing at all", ["", " "], [["", "\u3000"]]),
        ("empty references", ["a b c d e", "f"], [["", "f"], ["", None]]),
        ("a tie of lengths", ["a b c d e", "a b c d"], [["a b c d e f g", "a b c"], ["a b c", "a b c d e"]]),
        ("short", ["the cat"], [["the cat sat on the mat and looked at the dog"]]),
        ("clipped", ["the the the the the the the"], [["the cat is on the mat"], ["there is a cat on the mat the"]]),
        ("long", ["a b c a b " * 60, "x y " * 130], [["b a c a b " * 61, "y x z " * 90], ["c " * 254, None]]),
    ]
