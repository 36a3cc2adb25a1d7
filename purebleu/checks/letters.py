"""Outputs in another script than the references."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

from ..unicode.letters import SCRIPT_RUNS, SCRIPTS_OF_RUNS
from ..unicode.properties import boundaries_of, code_points
from ..unicode.scripts import CharacterTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from .against import Against, Found

#: The lowest share of the references' letters at which a script counts as theirs. (Names in Latin letters are up to a
#: tenth of Chinese text; kana are a third of Japanese text.)
_AT_HOME = 0.2

#: Lines with fewer letters than this are not judged: "OK" and "TV" are the same everywhere.
_MIN_LETTERS = 4

#: The stand-in for a character that is no letter.
_NO_LETTER = "\0"


class _Scripts(CharacterTable):
    """A table for `str.translate`: each character becomes the one whose code is the number of its script."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = boundaries_of(SCRIPT_RUNS)
        self._scripts = code_points(SCRIPTS_OF_RUNS)

    def __missing__(self, code: int) -> str:
        self[code] = chr(self._scripts[bisect_right(self._starts, code) - 1])
        return self[code]


def scripts_at_home(lines: Iterable[str]) -> str:
    """The scripts of a fifth or more of all letters, as characters: the code of each is the number of a script.

    >>> len(scripts_at_home(["テレビを見る見る (TV)"]))  # Han, kana, Latin
    3
    """
    table = _Scripts()
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.translate(table))
    del counts[_NO_LETTER]
    letters = sum(counts.values())
    return "".join(sorted([script for script, count in counts.items() if count >= _AT_HOME * letters]))


def foreign_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs in other scripts than those of the references, with the share of letters in these other scripts.

    The share in a reference of the segment (the highest, where there are several) is subtracted from it. Lines with
    fewer than four letters are left out.

    >>> from purebleu.checks.against import Against
    >>> foreign_lines(["Где он был", "Where? (Где?)"], Against(None, [["Where was he?"] * 2]), 0.6)
    [(0, 1.0)]
    """
    table, home = _Scripts(), against.value_of_references(scripts_at_home)
    if not home:
        return []  # (There are no references, or no script has a fifth of their letters.)
    found: Found = []
    for index, output in enumerate(outputs):
        share = _foreign_share(output, table, home)
        if share >= threshold:
            share -= max([_foreign_share(text, table, home, 1) for text in against.references_of(index)], default=0.0)
            if share >= threshold:
                found.append((index, share))
    return found


def _foreign_share(line: str, table: CharacterTable, home: str, min_letters: int = _MIN_LETTERS) -> float:
    """The share of letters in other scripts than `home`; 0 where the line has fewer than `min_letters`."""
    scripts = line.translate(table)
    letters = len(scripts) - scripts.count(_NO_LETTER)
    if letters < min_letters:
        return 0.0
    return (letters - sum([scripts.count(script) for script in home])) / letters
