"""Commands of a folder: `python scripts/dev/FOLDER NAME ...` runs the module NAME. Without a name, it lists them.

A command is a module with a function `main`, which gets a parser for its options, and returns the exit code.
"""

from __future__ import annotations

import ast
import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module
from pathlib import Path

DEV = Path(__file__).resolve().parent
SCRIPTS = DEV.parent


def run_command(folder: str) -> int:
    """Run the command that the first argument names; return its exit code.

    The command can import the package and all scripts.
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
    try:
        module = import_module(f"dev.{folder}.{name}")
        code: int = module.main(ArgumentParser(f"{folder} {name}", description=module.__doc__,
                                               formatter_class=RawDescriptionHelpFormatter))
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] in ("conformance", "dev", "purebleu", "tests"):
            raise
        print(f"{folder}: error: {what_is_needed(folder, name)}: this Python, {sys.executable}, has no {error.name}",
              file=sys.stderr)
        return 1
    return code


def what_is_needed(folder: str, name: str) -> str:
    """Return a message with the packages that a command's docstring names, such as `wer needs jiwer 4.0.0`."""
    path = paths_of(folder)[name]
    pinned = re.findall(r"([\w-]+)(?:\[[\w,]+\])?==([\d.]*\d)", docstring(path))
    packages = ", ".join([f"{package} {version}" for package, version in pinned])
    return f"{name} needs {packages or f'the packages in the docstring of {path.name}'}"


def commands_of(folder: str) -> dict[str, str]:
    """Return the commands of a folder by name, each with the first line of its docstring."""
    return {name: first_line(path) for name, path in sorted(paths_of(folder).items())
            if "\ndef main(" in path.read_text("utf-8")}


def paths_of(folder: str) -> dict[str, Path]:
    """Return the modules of a folder, by name."""
    paths = {path.stem: path for path in (DEV / folder).glob("[a-z]*.py")}
    paths.update({path.parent.name: path for path in (DEV / folder).glob("*/__init__.py")})
    return paths


def docstring(path: Path) -> str:
    """Return the docstring of a module without importing the module."""
    return ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""


def first_line(path: Path) -> str:
    """Return the first line of a module's docstring."""
    return docstring(path).split("\n")[0]


def listing(folder: str) -> list[str]:
    """Return the lines of a folder's help: its purpose, and each command with the first line of its docstring."""
    commands = commands_of(folder)
    width = max(map(len, commands))
    return [first_line(DEV / folder / "__init__.py"), "",
            f"usage: python3 scripts/dev/{folder} NAME ..., where NAME is one of", "",
            *(f"  {name.ljust(width)}  {line}" for name, line in commands.items())]
