"""Write the man page, which the wheel installs with `scripts/share/`.

    python3 scripts/dev/generate man_page
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path
from textwrap import fill
from typing import Iterator, Sequence

from dev.generate.manual_pages import shared_options
from purebleu.cli.arguments.groups import Option
from purebleu.cli.commands import COMMANDS, command_named
from purebleu.cli.commands.help import DESCRIPTION, invocation
from purebleu.version import __version__

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "scripts" / "share" / "man" / "man1" / "purebleu.1"

EXIT_CODES = {
    0: "fine", 1: "bad input", 2: "wrong usage", 3: "a gate failed", 17: "a line with a wrong number of fields",
    70: "a bug", 130: "interrupted", 141: "broken pipe",
}

#: The page of the manual with a table of environment variables, and the pattern of a row: names, meaning.
PAGE_OF_VARIABLES = ROOT / "purebleu" / "manual" / "servers.md"
VARIABLES = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| (.+) \|$", re.MULTILINE)


def variables() -> Iterator[tuple[str, str]]:
    """Yield the names of environment variables and their meaning, without links and backticks."""
    text = PAGE_OF_VARIABLES.read_text(encoding="utf-8")
    _, _, section = text.partition("## Environment variables\n")
    for names, meaning in VARIABLES.findall(section.partition("\n## ")[0]):
        yield names.replace("`", ""), re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", meaning).replace("`", "")


def in_roff(text: str) -> str:
    """Return text escaped for roff, in lines of less than 80 bytes."""
    escaped = "\n".join([fill(line, 60, break_long_words=False, break_on_hyphens=False) if len(line) > 72 else line
                         for line in text.split("\n")])
    escaped = escaped.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha")
    return re.sub(r"^\.", r"\\&.", escaped.replace("~", "\\(ti"), flags=re.MULTILINE)


def in_roff_options(options: Sequence[Option]) -> Iterator[str]:
    for option in options:
        text = f"{option.help}; {option.more}" if option.more else option.help
        yield from [".TP", f".B {in_roff(invocation(option))}", in_roff(text)]


def man_page() -> str:
    # (Between two releases, CITATION.cff has no date.)
    released = re.search(r"^date-released: *\"?([0-9-]+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    date = released[1] if released else ""
    commands = [command_named(word) for word in COMMANDS]
    lines = [f'.TH PUREBLEU 1 "{date}" "purebleu {__version__}" "User Commands"',
             ".SH NAME", "purebleu \\- BLEU, chrF and TER scores that are comparable and reproducible", ".SH SYNOPSIS"]
    for command in commands:
        name, _, usage = command.usage.partition(" ")
        lines += [f".B purebleu {name}", in_roff(usage), ".br"]
    lines[-1:] = [".SH DESCRIPTION", *in_roff(DESCRIPTION).split("\n"), ".PP", in_roff(
        "purebleu COMMAND --help shows the options of a command, purebleu help topics the pages of the manual, and "
        "purebleu help WORD finds a word.")]
    lines.append(".SH COMMANDS")
    for command in commands:
        lines += [f".SS {command.word}", in_roff(command.purpose), *in_roff_options(command.own.options)]
    lines.append(".SH SHARED OPTIONS")
    for title, words, options in shared_options():
        lines += [f".SS {in_roff(title)}", in_roff(f"Of {', '.join(words)}."), *in_roff_options(options)]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        lines += [".TP", f".B {code}", meaning]
    lines.append(".SH ENVIRONMENT")
    for name, meaning in variables():
        lines += [".TP", f".B {name}", in_roff(meaning)]
    lines += [".SH EXAMPLES", ".nf"]
    for command in commands:
        name = "" if command.word == "score" else f"{command.word} "
        lines += [in_roff(f"purebleu {name}{line}".rstrip()) for line, _ in command.examples]
    return "\n".join([*lines, ".fi"]) + "\n"


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    PAGE.write_bytes(man_page().encode("utf-8"))
    return 0
