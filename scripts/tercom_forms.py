"""Reading files in the forms of Tercom, to compare two of them: for the script that makes fixtures, and for tests.

Standard library only.
"""

from __future__ import annotations

import html

FORMS = ("ter", "sum", "pra", "xml")

#: The lines at the beginning that have names of files, and a date.
_HEAD_LINES = {"ter": 2, "sum": 3, "pra": 0, "xml": 2}


def without_head(text: str, form: str) -> str:
    """The text behind the lines that have names of files and a date; XML as its text reads."""
    lines = text.split("\n")[_HEAD_LINES[form]:]
    return "\n".join(map(html.unescape, lines) if form == "xml" else lines).rstrip("\n")


def segments_of(text: str, form: str) -> list[str]:
    """The parts of a text that are of one segment each."""
    if form == "pra":
        return text.split("Sentence ID: ")[1:]
    if form == "xml":
        return text.partition("  </doc>")[0].split("    <seg ")[1:]
    return [line for line in text.split("\n") if line.partition(" ")[0].endswith(":1")]
