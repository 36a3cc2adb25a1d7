"""Options together: those that do nothing without another one, and those that do not go with another one."""

from __future__ import annotations

from ...errors import OptionError
from .groups import METRIC_PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .command import Command

_FILES = ("references", "input", "num_refs", "paragraphs", "resegment", "save_resegmented", "ids")
_TEST_SETS = ("test_set", "origlang", "subset")
_SCORES = ("scores", "scores_lower", "scores_signature", "equal_outputs")
#: Options that are for a single corpus of texts.
_OF_ONE_CORPUS = ("signature", "save_rows", "offset", "sentence_level", "detail", "score_only", "baseline", "fail_on",
                  "report", "audit", "human", "human_systems", "against")

#: For each kind of inputs that is no text of its own: the options that do not go with it. (`METRIC_PREFIXES` stands for
#: all options of metrics.)
NOT_WITH = {
    "rows": (*_FILES, *_TEST_SETS, *_SCORES, "normalize", "reference_encoding", "langpair", "source", "signature",
             "save_rows", "offset", "detail", "jobs", "fail_on", "audit", "human", "human_systems", "check_threshold",
             "runs", "manifest", "cross", "segments"),
    "runs": (*_OF_ONE_CORPUS[:-1], "input", "names", "ids", "source", "ter_kinds", "manifest", "power", "autorank"),
    "manifest": (*_FILES, *_TEST_SETS, *_OF_ONE_CORPUS, "names", "docs", "unit", "strata", "ter_kinds", "source"),
}

#: Of these, the options that go with a single pair of a manifest.
_OF_ONE_PAIR = (*_OF_ONE_CORPUS, "docs", "unit", "strata", "ter_kinds", "source", "ids", "resegment",
                "save_resegmented", "paragraphs")


def check_together(values: Any, command: Command) -> None:
    """Raise `OptionError` for an option that lacks one that it needs, or that does not go with another one."""
    _check_needs(values, command)
    given = {name: value for name, value in values.given().items() if name in command.options}
    for name, not_with in {**NOT_WITH, **command.not_with}.items():
        if name not in given:
            continue
        refused = not_with
        if name == "manifest" and values.langpair:
            refused = (*[other for other in not_with if other not in _OF_ONE_PAIR], "autorank")
        for other in given:
            if other in refused or (name == "rows" and other.startswith(METRIC_PREFIXES)):
                raise OptionError(f"{command.name_of(other, given[other])} does not go with "
                                  f"{command.name_of(name, given[name])}", option=other)


def _check_needs(values: Any, command: Command) -> None:
    """Raise `OptionError` for an option that would do nothing without another one."""
    given = [name for name, value in vars(values).items() if value != []]  # (also values that are the default)
    for destination, option in command.options.items():
        needed = [other for other in option.needs if other in command.options]
        if "unit" in needed:  # what needs units of resampling needs what they need
            needed += command.options["unit"].needs
            if not command.options["unit"].needs:
                continue
        if destination in given and needed and not any(other in given for other in needed):
            *most, last = [option.name for other in needed for option in command.options_to(other)]
            raise OptionError(f"{command.name_of(destination, vars(values)[destination])} goes with {', '.join(most)}"
                              f"{' or ' if most else ''}{last}", option=destination)
