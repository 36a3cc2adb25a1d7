"""Run purebleu for GitHub: with the arguments in GATE_ARGUMENTS, as annotations and a summary of the step.

They are those of `purebleu gate`, unless the first one is `score` or `check`.

No shell reads them. They are split as a shell does, and then `$GATE_...` stands for the value of that variable,
whatever it is. So the title of a pull request is safe in a variable of the step. It is not safe among the arguments:
GitHub puts it there before they are split, and a quotation mark in it ends an argument.
"""

import os
import re
import shlex
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

VARIABLE = re.compile(r"\$(GATE_[A-Z0-9_]+)")


def with_values(argument: str) -> str:
    """An argument with the values of the variables that it names; raises `ValueError` if it becomes an option."""
    for name in VARIABLE.findall(argument):
        if name not in os.environ:
            raise ValueError(f"{name} is not set (by `env:` of the step)")
    found = VARIABLE.sub(lambda variable: os.environ[variable[1]], argument)
    if found.startswith("-") and not argument.startswith("-"):
        raise ValueError(f"the value of {argument} begins with -, as an option does (--option={argument} takes it)")
    return found


def main() -> None:
    try:
        arguments = [with_values(argument) for argument in shlex.split(os.environ.get("GATE_ARGUMENTS", ""))]
    except ValueError as error:
        raise SystemExit(f"gate.py: error: arguments: {error}") from None
    sys.path.insert(0, ROOT)
    from purebleu.cli import run
    from purebleu.cli.commands import COMMANDS

    command = [] if arguments[:1] and arguments[0] in COMMANDS else ["gate"]
    sys.argv[1:] = [*command, *arguments, "-f", "github"]
    run()


if __name__ == "__main__":
    main()
