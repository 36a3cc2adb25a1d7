"""Commands of a folder: `python scripts/dev/FOLDER NAME ...` runs the module NAME; without a name, all are listed."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

DEV = Path(__file__).resolve().parent
SCRIPTS = DEV.parent

#: The line of modules that may be run.
_RUN = '\nif __name__ == "__main__":\n'


def run_command(folder: str) -> int:
    """Run the command that the first argument names; returns the exit code where none is named, or an unknown one.

    Modules see the scripts and the checkout on their path.
    """
    sys.path[0] = str(SCRIPTS)
    sys.path.append(str(SCRIPTS.parent))
    names = list(commands_of(folder))
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in ("-h", "--help"):
        print("\n".join(listing(folder)))
        return 0
    if name not in names:
        print(f"{folder}: error: no command {name!r}: choose from {', '.join(names)}", file=sys.stderr)
        return 2
    del sys.argv[1]
    runpy.run_module(f"dev.{folder}.{name}", run_name="__main__", alter_sys=True)
    return 0


def commands_of(folder: str) -> dict[str, str]:
    """The modules and packages of a folder that may be run, by name, each with the first line of its docstring."""
    modules = [path for path in (DEV / folder).glob("[a-z]*.py") if _RUN in path.read_text("utf-8")]
    commands = {path.stem: path for path in modules}
    for path in (DEV / folder).glob("*/__main__.py"):
        commands[path.parent.name] = path.with_name("__init__.py")
    return {name: first_line(commands[name]) for name in sorted(commands)}


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
