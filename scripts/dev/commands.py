"""Commands of a folder: `python scripts/dev/FOLDER NAME ...` runs the module NAME; without a name, all are listed.

A command is a module with a function `main`: it gets a parser for its options, and returns the exit code.
"""

from __future__ import annotations

import ast
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module
from pathlib import Path

DEV = Path(__file__).resolve().parent
SCRIPTS = DEV.parent


def run_command(folder: str) -> int:
    """Run the command that the first argument names; returns its exit code.

    Modules see the scripts and the checkout on their path.
    """
    sys.path[0] = str(SCRIPTS)
    sys.path.append(str(SCRIPTS.parent))
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in ("-h", "--help"):
        print("\n".join(listing(folder)))
        return 0
    names = commands_of(folder)
    if name not in names:
        print(f"{folder}: error: no command {name!r}: choose from {', '.join(names)}", file=sys.stderr)
        return 2
    del sys.argv[1]
    module = import_module(f"dev.{folder}.{name}")
    code: int = module.main(ArgumentParser(f"{folder} {name}", description=module.__doc__,
                                           formatter_class=RawDescriptionHelpFormatter))
    return code


def commands_of(folder: str) -> dict[str, str]:
    """The commands of a folder by name, each with the first line of its docstring."""
    paths = {path.stem: path for path in (DEV / folder).glob("[a-z]*.py")}
    paths.update({path.parent.name: path for path in (DEV / folder).glob("*/__init__.py")})
    return {name: first_line(path) for name, path in sorted(paths.items())
            if "\ndef main(" in path.read_text("utf-8")}


def first_line(path: Path) -> str:
    """The first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]


def listing(folder: str) -> list[str]:
    """Lines that say for whom the folder is, and the first line of each of its commands."""
    commands = commands_of(folder)
    width = max(map(len, commands))
    return [first_line(DEV / folder / "__init__.py"), "",
            f"usage: python3 scripts/dev/{folder} NAME ..., where NAME is one of", "",
            *(f"  {name.ljust(width)}  {line}" for name, line in commands.items())]
