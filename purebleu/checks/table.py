"""The table of checks: names, measures, usual thresholds, and needed inputs."""

from __future__ import annotations

from ..runtime.hints import NamedTuple, Sequence

#: The inputs that a check may need, as they are called in messages.
NEEDS_SOURCE, NEEDS_REFERENCES, NEEDS_SYSTEMS = "a source", "references", "two systems or more"

#: The highest threshold of checks whose values have no upper limit.
NO_LIMIT = 1e9


class Check(NamedTuple):
    """A check: its name, its words in messages, its thresholds and its inputs.

    Attributes:
        name: the name that `--fail-on` takes.
        lines: the words that follow "lines" in a finding, with `{}` for the name of another system.
        measure: the condition of a finding, with `{}` for the threshold.
        threshold: the usual threshold.
        lowest: the lowest threshold that makes sense.
        highest: the highest threshold that makes sense.
        needs: the check needs at least one of these inputs; empty: the check needs no further input.
        uses_source: whether the check uses a source even if there are references.
        min_lines: the number of lines that the check needs. (A check that compares each line with all lines needs many
            lines.)
    """

    name: str
    lines: str
    measure: str
    threshold: float = 1
    lowest: float = 1
    highest: float = NO_LIMIT
    needs: Sequence[str] = ()
    uses_source: bool = True
    min_lines: int = 1

    def called(self, other: str = "") -> str:
        """Return the words that follow "lines" in a message about the lines that the check found.

        >>> CHECKS["identical"].called("B"), CHECKS["empty"].called()
        ('that B has, too', 'without text')
        """
        return self.lines.format(other or "another system")

    def measured(self, threshold: float) -> str:
        """Return the condition of a finding in words, with this threshold.

        >>> CHECKS["copied"].measured(90.5)
        'a chrF2 of at least 90.5 with the source, in a line of three words or more'
        """
        return self.measure.format(f"{threshold:g}")


#: All checks by name, in the order of reports.
CHECKS = {check.name: check for check in (
    Check("copied", "copied from the source", "a chrF2 of at least {} with the source, in a line of three words or "
          "more", 80, 1, 100, needs=(NEEDS_SOURCE,)),
    Check("empty", "without text", "at most {} visible characters", 0, 0),
    Check("repeated", "with the same output for different segments",
          "the same output (of three words or more) for at least {} different sources or references", 4, 2,
          needs=(NEEDS_SOURCE, NEEDS_REFERENCES)),
    Check("script", "in another script than the references",
          "a share of letters in other scripts that is higher by at least {} than in each reference", 0.6, 0.01, 1,
          needs=(NEEDS_REFERENCES,), uses_source=False),
    Check("loop", "with a loop", "an n-gram that occurs at least {} times as often as each n-gram of the source and "
          "the references", 4, 1.01),
    Check("length", "with an unlikely length", "a length that differs from the references (or from the source, if "
          "there are no references) by a factor of at least {}", 2, 1.01, needs=(NEEDS_SOURCE, NEEDS_REFERENCES),
          uses_source=False),
    Check("tokenized", "tokenized unlike the references", "punctuation marks separated from words, in a "
          "share that differs by at least {} from the share in each reference", 0.5, 0.01, 1,
          needs=(NEEDS_REFERENCES,), uses_source=False),
    Check("escapes", "with escapes, entities or special tokens",
          "{} or more escapes, entities or special tokens that neither the source nor a reference has"),
    Check("identical", "that {} has, too", "the same output as another system, in a share of at least {} of all "
          "lines", 0.9, 0.01, 1, needs=(NEEDS_SYSTEMS,), uses_source=False),
    Check("reference", "that equal a reference", "the same text as a reference, in a share of at least {} of all "
          "lines", 0.5, 0.01, 1, needs=(NEEDS_REFERENCES,), uses_source=False),
    Check("chatter", "with words around the translation", "{} or more preambles, labels, notes, offers, candidates or "
          "line breaks that neither the source nor a reference has"),
    Check("refusal", "with a refusal", "{} or more refusals that neither the source nor a reference has", highest=1),
    Check("reasoning", "with reasoning", "{} or more tags or sentences of reasoning"),
    Check("markup", "with changed markup", "{} or more tags or marks of Markdown that were added or lost"),
    Check("placeholders", "with changed placeholders", "{} or more placeholders that were added or lost",
          needs=(NEEDS_SOURCE,)),
    Check("numbers", "with changed numbers", "{} or more numbers that were added or lost", needs=(NEEDS_SOURCE,)),
    Check("addresses", "with changed addresses", "{} or more addresses or names of files that were added or lost",
          needs=(NEEDS_SOURCE,)),
    Check("language", "in another language than the references", "n-grams that are more similar to the source "
          "(or to a system in another language) than to the references, by at least {}", 0.5, 0.1, 10,
          needs=(NEEDS_REFERENCES,), min_lines=50),
    Check("unicode", "with invisible characters, or not in the normal form NFC", "{} or more faults: invisible "
          "characters that neither the source nor a reference has, or text that is not in NFC although the source and "
          "the references are in NFC"),
    Check("truncated", "that end in the middle", "no final punctuation mark, and a length below the expected length by "
          "a factor of at least {} (or by any factor, if the source and a reference have a final punctuation mark)",
          1.4, 1.01, needs=(NEEDS_SOURCE, NEEDS_REFERENCES)),
)}
