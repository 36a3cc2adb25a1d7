"""Write purebleu as one executable file, purebleu.pyz, that any Python 3.8 or later runs without installing it.

The file is what the standard library's `zipapp` makes: a line that names the interpreter, then a zip archive with a
`__main__.py`. It is put together here all the same, for two reasons. `zipapp` stores the members in the order and with
the local times of the file system, so that no two machines would write the same bytes; and the `__main__.py` that it
generates calls the entry point without passing on the exit code that it returns.

With `--compile`, bytecode stands beside the source, for the Python that runs this script: that one does not compile
anything any more when the program starts. Every other Python still uses the source.
"""

from __future__ import annotations

import argparse
import io
import py_compile
import sys
import tempfile
from pathlib import Path
from typing import Iterator, Sequence

from vendoring.archives import ROOT, BuildError, Member, folder_members, write_whole, write_zip

SHEBANG = b"#!/usr/bin/env python3\n"

# The condition keeps worker processes from starting the program again when they import its main module.
MAIN = b"""\
from purebleu.cli import run

if __name__ == "__main__":
    raise SystemExit(run())
"""


def with_bytecode(members: Sequence[Member]) -> Iterator[Member]:
    """The members, each module followed by its bytecode, which is held to be that of the source without a look at it.

    (What is in an archive does not change; and times, which Python would compare otherwise, are the same in all.)
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


def write_zipapp(root: Path, target: Path, compiled: bool = False) -> None:
    """Write the package in the folder `root`, and nothing else, to the executable file `target`.

    With `compiled`, bytecode for this Python stands beside the source.
    """
    members = [("__main__.py", MAIN), *folder_members(root, "purebleu")]
    archive = io.BytesIO()
    archive.write(SHEBANG)
    write_zip(archive, with_bytecode(members) if compiled else members)
    write_whole(target, archive.getvalue(), is_program=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file that the options name and print its path; return the exit code."""
    parser = argparse.ArgumentParser(description="Write purebleu as one executable file.")
    parser.add_argument("-o", "--output", metavar="FILE", default="purebleu.pyz", help="default: %(default)s")
    parser.add_argument("--compile", action="store_true", help="with bytecode for the Python that runs this script")
    args = parser.parse_args(argv)
    target = Path(args.output)
    try:
        write_zipapp(ROOT, target, args.compile)
    except (BuildError, OSError) as error:
        print(f"make_zipapp.py: error: {error}", file=sys.stderr)
        return 1
    print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
