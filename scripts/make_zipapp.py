"""Write purebleu as one executable file, purebleu.pyz, that any Python 3.8 or later runs without installing it.

The file has the format of the standard library's `zipapp`: a line that names the interpreter, then a zip archive with a
`__main__.py`. This script does not use `zipapp`, for two reasons. `zipapp` stores members in the order of the file
system and with local times, so two machines would write different bytes. And its `__main__.py` ignores the exit code
that the entry point returns.

`--only`, `--with` and other options of `vendor.py` choose parts of the package. Without them, the file has all parts.

With `--compile`, the file also has bytecode for the Python that runs this script. This Python then compiles nothing
when the program starts. Every other Python uses the source.
"""

from __future__ import annotations

import argparse
import io
import py_compile
import sys
import tempfile
from pathlib import Path
from typing import Iterable, Iterator, Sequence

from vendoring.archives import ROOT, BuildError, Member, folder_members, write_whole, write_zip

SHEBANG = b"#!/usr/bin/env python3\n"

# The condition keeps worker processes from starting the program again when they import its main module.
MAIN = b"""\
from purebleu.cli import run

if __name__ == "__main__":
    raise SystemExit(run())
"""


def with_bytecode(members: Sequence[Member]) -> Iterator[Member]:
    """Yield the members, and after each module its bytecode. Python loads it without comparing it with the source.

    (By default, Python compares times. But all members of an archive have the same time, and they never change.)
    """
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source.py"), Path(folder, "bytecode.pyc")
        for path, content in members:
            yield path, content
            if path.endswith(".py"):
                source.write_bytes(content)
                py_compile.compile(str(source), str(target), path, doraise=True,
                                   invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
                yield f"{path}c", target.read_bytes()


def write_zipapp(members: Iterable[Member], target: Path, compiled: bool = False) -> None:
    """Write the files of the package, and nothing else, to the executable file `target`.

    With `compiled`, also write bytecode for this Python.
    """
    members = [("__main__.py", MAIN), *members]
    archive = io.BytesIO()
    archive.write(SHEBANG)
    write_zip(archive, with_bytecode(members) if compiled else members)
    write_whole(target, archive.getvalue(), is_program=True)


def members_chosen(options: Sequence[str]) -> list[Member]:
    """Return the files of the package that options of `vendor.py` choose."""
    from vendor import add_choice, choice_from, package_files

    parser = argparse.ArgumentParser(prog="make_zipapp.py")
    add_choice(parser)
    choice = choice_from(parser, parser.parse_args(options))
    if "cli" in choice.left_out:
        raise BuildError("a program needs the command line: --with cli")
    return [(f"purebleu/{path}", content) for path, content in package_files(choice).items()]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file that the options name and print its path; return the exit code."""
    parser = argparse.ArgumentParser(description="Write purebleu as one executable file.",
                                     epilog="--only, --tokenizers, --without, --with and --plain: see vendor.py --help")
    parser.add_argument("-o", "--output", metavar="FILE", default="purebleu.pyz", help="default: %(default)s")
    parser.add_argument("--compile", action="store_true", help="add bytecode for the Python that runs this script")
    args, chosen = parser.parse_known_args(argv)
    target = Path(args.output)
    try:
        write_zipapp(members_chosen(chosen) if chosen else folder_members(ROOT, "purebleu"), target, args.compile)
    except (BuildError, OSError) as error:
        print(f"make_zipapp.py: error: {error}", file=sys.stderr)
        return 1
    print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
