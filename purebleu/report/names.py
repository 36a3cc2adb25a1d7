"""Names of systems in tables, and results with these names."""

from __future__ import annotations

import os

from ..errors import OptionError, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..metrics.score import Score, Signature
    from ..significance.results import Results
    from ..significance.sampling import Sampled
    from .formats import Style
    from .tables import TableColumn


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names without folders (if they still differ), and without their common start and end.

    Starts and ends are cut off at separators. A single name loses only its folders.

    >>> short_names(["out/wmt22.Online-A.de", "old/wmt22.Online-B.de"]), short_names(["a/out.txt", "b/out.txt"])
    (['Online-A', 'Online-B'], ['a', 'b'])
    """
    last = list(map(without_folders, names))
    names = last if all(last) and len({*last}) == len(names) else names
    start = _shared_start(names)
    end = _shared_start([name[start:][::-1] for name in names])
    shortened = [name[start:len(name) - end] for name in names]
    return shortened if all(shortened) and len(names) > 1 else list(names)


def without_folders(path: str) -> str:
    """Return the last component of a path."""
    return path.replace(os.sep, "/").rstrip("/").rpartition("/")[2]


def _shared_start(names: Sequence[str]) -> int:
    """Return the length of the common start of all names, up to its last separator."""
    shared = next((index for index, characters in enumerate(zip(*names)) if len({*characters}) > 1),
                  min(map(len, names)))
    return 1 + max([names[0].rfind(separator, 0, shared) for separator in "/\\.:"])


def numbered_names(systems: int, paired: bool) -> list[str]:
    """Return names for systems that have none: numbers; in a paired test, the first one is `Baseline`.

    >>> numbered_names(3, paired=True)
    ['Baseline', 'System 1', 'System 2']
    """
    names = [f"System {number}" for number in range(1, 1 + systems)]
    return ["Baseline", *names[:-1]] if paired else names


def system_names(names: Sequence[str], paired: bool, are_numbers: bool) -> list[str]:
    """Return the names of systems in a table of scores; in a paired test, the first one is marked as the baseline."""
    return [f"Baseline: {names[0]}", *names[1:]] if paired and not are_numbers else list(names)


def names_in(style: Style, names: Sequence[str]) -> list[str]:
    """Return the names of systems in tables of this style; in text, they are on one line, without control characters.
    """
    return list(map(printable, names)) if style.form == "text" else list(names)


def columns_in(style: Style, columns: Sequence[TableColumn]) -> list[TableColumn]:
    """Return the columns of a table that has no colours and line breaks, with `names_in` for all texts."""
    return [(names_in(style, [head])[0], names_in(style, cells)) for head, cells in columns]


def signed_by_name(results: Sampled, scores: Sequence[Score], signatures: Sequence[Signature]) -> dict[str, Signature]:
    """Return the signatures by the names of scores, with the fields of resampling.

    Raises:
        OptionError: two metrics have scores of the same name.
    """
    by_name: dict[str, Signature] = {}
    for score, signature in zip(scores, signatures):
        if score.name in by_name:
            raise OptionError(f"two metrics are called {score.name}, but a table has a column for each name: compare "
                              "systems under one metric at a time", option="metrics")
        by_name[score.name] = results.signed(signature)
    return by_name


class PairResults:
    """The results of systems on a corpus or a language pair, with names, as formats take them.

    Attributes:
        pair: the name of the language pair or of the corpus, for captions; empty if it is not known.
        names: the names of the systems, in the order of the results.
        results: the results, as `significance.results_of` returns them.
        signatures: the signatures by the names of scores, in the order of the metrics.
        metrics: the names of the scores.
    """

    def __init__(self, pair: str, names: Sequence[str], results: Results, signatures: Mapping[str, Signature]) -> None:
        self.pair = pair
        self.names = names
        self.results = results
        self.signatures = signatures
        self.metrics = list(signatures)

    @property
    def lower_is_better(self) -> list[bool]:
        """For each metric, whether lower scores are better."""
        return [score.lower_is_better for score in self.results.scores[0]]

    def signature(self, metric: int) -> Signature:
        """Return the signature of a metric."""
        return self.signatures[self.metrics[metric]]

    def shown_in(self, style: Style) -> PairResults:
        """Return the results with the names that tables of this style show."""
        return PairResults(names_in(style, [self.pair])[0], names_in(style, self.names), self.results, self.signatures)
