"""Words that systems confuse: how often a word replaces another one, is missing, or is superfluous."""

from __future__ import annotations

from collections import Counter

from ..hints import Iterable, NamedTuple, Sequence
from ..metrics.alignment import DELETED, INSERTED, SUBSTITUTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Counter as CounterOf
    from typing import List, Optional, Tuple

    from ..metrics.alignment import Alignment, Operation

    #: The number of occurrences of each operation.
    ConfusionCounts = CounterOf[Operation]

    #: A word of the reference, the word that hypotheses have instead, and the number of times in each system.
    Confusion = Tuple[Optional[str], Optional[str], List[int]]

#: The kinds of operations that are counted, in the order in which they are shown.
CONFUSION_KINDS = (SUBSTITUTED, DELETED, INSERTED)


class FrequentConfusions(NamedTuple):
    """The most frequent confusions of a kind."""

    kind: str
    different: int
    total: list[int]
    confusions: list[Confusion]


def confusion_counts(alignments: Iterable[Alignment]) -> ConfusionCounts:
    """Count the words that replace another one (substitution), are missing (deletion) or superfluous (insertion).

    Example:
        >>> from purebleu.metrics import WER
        >>> found = WER().corpus_alignments(["a b", "a c"], [["x b", "x d e"]])
        >>> confusion_counts(found)[("substitution", "a", "x")]
        2
    """
    counts: ConfusionCounts = Counter()
    for alignment in alignments:
        counts.update([operation for operation in alignment.operations() if operation[0] in CONFUSION_KINDS])
    return counts


def frequent_confusions(systems: Sequence[ConfusionCounts], kind: str, limit: int) -> FrequentConfusions:
    """Return the most frequent confusions of a kind, in all systems together.

    Args:
        systems: the counts of each system.
        kind: one of `CONFUSION_KINDS`.
        limit: the maximum number of confusions to return.

    Returns:
        The number of different confusions of this kind; how often each system has any of them; and the most frequent
        ones, each as the word of the reference, the word of the hypothesis, and the count in each system. Equally
        frequent confusions are sorted by their words.

    Example:
        >>> frequent_confusions([{("deletion", None, "a"): 2, ("deletion", None, "b"): 3}], "deletion", 1)
        FrequentConfusions(kind='deletion', different=2, total=[5], confusions=[('b', None, [3])])
    """
    totals: ConfusionCounts = Counter()
    system_totals: list[int] = []
    for counts in systems:
        counts_of_kind = {confusion: count for confusion, count in counts.items() if confusion[0] == kind}
        totals.update(counts_of_kind)
        system_totals.append(sum(counts_of_kind.values()))
    chosen = sorted(totals, key=lambda confusion: (-totals[confusion], confusion[2] or "", confusion[1] or ""))[:limit]
    confusions: list[Confusion] = []
    for confusion in chosen:
        _, hypothesis_word, reference_word = confusion
        confusions.append((reference_word, hypothesis_word, [counts.get(confusion, 0) for counts in systems]))
    return FrequentConfusions(kind, len(totals), system_totals, confusions)
