"""The names of the systems that are scored."""

from __future__ import annotations

from ...errors import OptionError
from ...report.names import numbered_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...rows.stored import Naming
    from .inputs import Inputs


def system_names_of(inputs: Inputs, systems: int) -> Sequence[str]:
    """The names of systems: those that are given, those of their files, or numbers in standard input.

    Raises:
        OptionError: there are more or fewer names than systems, or two systems have the same name.
    """
    names: Sequence[str] = inputs.names or inputs.files or numbered_names(systems, paired=False)
    if inputs.splits_last:
        # (The systems are a baseline, and columns of standard input.)
        names = [inputs.files[0], *(inputs.names or numbered_names(systems - 1, paired=False))]
    if len(names) != systems:
        raise OptionError(f"--names has {len(inputs.names)} names, but the systems are {systems}")
    compared = names[1:] if inputs.has_baseline else names
    seen: set[str] = set()
    for name in compared:
        if name in seen:
            raise OptionError(f"two systems are called {name}: give them different names")
        seen.add(name)
    return names


def corpus_text(inputs: Inputs) -> str:
    """The test sets and the language pair of the options, such as `wmt18, en-de`; empty where they name none."""
    chosen = inputs.selection
    parts = [inputs.langpair or ""]
    if chosen:
        parts = [*[test_set.name for test_set in chosen.test_sets], *parts,
                 f"original language {chosen.origlang}" if chosen.origlang else "",
                 f"subset {chosen.subset}" if chosen.subset else ""]
    return ", ".join(filter(None, parts))


def naming_of(inputs: Inputs) -> Naming:
    """The origin of the names of systems."""
    return "given" if inputs.names or inputs.splits_last else "files" if inputs.files else "numbers"


def shown_names(names: Sequence[str], naming: Naming, paired: bool) -> Sequence[str]:
    """The names of systems in results: numbers depend on whether the first one is the baseline of a test."""
    return numbered_names(len(names), paired) if naming == "numbers" else names
