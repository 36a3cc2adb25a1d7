"""Kinds of inputs, each with the options that do not go with it."""

from __future__ import annotations

from ...errors import OptionError
from .groups import METRIC_PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .command import Command
    from .groups import InputValues

_FILES = ("references", "input", "num_refs", "paragraphs", "resegment", "save_resegmented", "ids")
_TEST_SETS = ("test_set", "origlang", "subset")
_SCORES = ("scores", "scores_lower", "scores_signature", "equal_outputs")
#: Options that are for a single corpus of texts.
_OF_ONE_CORPUS = ("signature", "save_rows", "offset", "sentence_level", "detail", "score_only", "baseline", "fail_on",
                  "report", "audit", "human", "human_systems", "against")

#: For each kind of inputs that is no text of its own: the options that do not go with it.
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


def check_kinds_of_input(values: InputValues, command: Command) -> None:
    """Raise `OptionError` for an option that does not go with the kind of inputs."""
    given = values.given()
    for kind, not_with in NOT_WITH.items():
        if kind not in given:
            continue
        refused = not_with
        if kind == "manifest" and values.langpair:
            refused = (*[name for name in not_with if name not in _OF_ONE_PAIR], "autorank")
        for name in given:
            is_metrics = kind == "rows" and name.startswith(METRIC_PREFIXES)
            if name in command.options and (name in refused or is_metrics):
                raise OptionError(f"{command.name_of(name, given[name])} does not go with {command.options[kind].name}",
                                  option=name)
