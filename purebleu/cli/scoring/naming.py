"""The names of the systems that are scored."""

from __future__ import annotations

from ...errors import OptionError
from ...report.names import numbered_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...rows.stored import Naming
    from ..arguments.options import Options


def system_inputs(options: Options, systems: int) -> Sequence[str]:
    """The names of systems: those that are given, those of their files, or numbers in standard input.

    Raises:
        OptionError: there are more or fewer names than systems, or two systems have the same name.
    """
    names: Sequence[str] = options.names or options.input or numbered_names(systems, paired=False)
    if options.splits_last_input:
        # (The systems are a baseline, and columns of standard input.)
        names = [options.input[0], *(options.names or numbered_names(systems - 1, paired=False))]
    if len(names) != systems:
        raise OptionError(f"--names has {len(options.names)} names, but the systems are {systems}")
    compared = names[1:] if options.baseline and not options.stored_baseline else names
    seen: set[str] = set()
    for name in compared:
        if name in seen:
            raise OptionError(f"two systems are called {name}: give them different names")
        seen.add(name)
    return names


def corpus_text(options: Options) -> str:
    """The test sets and the language pair of the options, such as `wmt18, en-de`; empty where they name none."""
    chosen = options.selection
    parts = [options.langpair or ""]
    if chosen:
        parts = [*[test_set.name for test_set in chosen.test_sets], *parts,
                 f"original language {chosen.origlang}" if chosen.origlang else "",
                 f"subset {chosen.subset}" if chosen.subset else ""]
    return ", ".join(filter(None, parts))


def naming_of(options: Options) -> Naming:
    """The origin of the names of systems."""
    return "given" if options.names or options.splits_last_input else "files" if options.input else "numbers"


def shown_names(options: Options, inputs: Sequence[str], naming: Naming) -> Sequence[str]:
    """The names of systems in results: numbers depend on whether the first one is the baseline of a test."""
    return numbered_names(len(inputs), bool(options.test)) if naming == "numbers" else inputs
