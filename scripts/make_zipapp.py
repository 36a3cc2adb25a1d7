"""Write purebleu as one executable file, purebleu.pyz, that any Python 3.8 or later runs without installing it.

The file is what the standard library's `zipapp` makes: a line that names the interpreter, then a zip archive with a
`__main__.py`. It is put together here all the same, for two reasons. `zipapp` stores the members in the order and with
the local times of the file system, so that no two machines would write the same bytes; and the `__main__.py` that it
generates calls the entry point without passing on the exit code that it returns.
"""

import argparse
import sys
from pathlib import Path
from typing import Optional, Sequence

import build_backend

SHEBANG = b"#!/usr/bin/env python3\n"

# The condition keeps worker processes from starting the program again when they import its main module.
MAIN_TEMPLATE = """\
from {module} import {function}

if __name__ == "__main__":
    raise SystemExit({function}())
"""


def main_source(entry_point: str) -> bytes:
    """The archive's `__main__.py` for an entry point `module:function`, which returns the process's exit code."""
    module, _, function = entry_point.partition(":")
    return MAIN_TEMPLATE.format(module=module, function=function).encode("utf-8")


def write_zipapp(root: Path, target: Path) -> None:
    """Write the package of the project at `root`, and nothing else, to the executable file `target`."""
    project = build_backend.read_project(root)
    entry_point = project.text("project.scripts", project.name)
    members = [("__main__.py", main_source(entry_point)), *build_backend.folder_members(root, project.name)]
    with open(target, "wb") as file:
        file.write(SHEBANG)
        build_backend.write_zip(file, members)
    mode = target.stat().st_mode
    target.chmod(mode | (mode & 0o444) >> 2)  # who may read it may run it


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Write the file that the options name and print its path; return the exit code."""
    parser = argparse.ArgumentParser(description="Write purebleu as one executable file.")
    parser.add_argument("-o", "--output", metavar="FILE", default="purebleu.pyz", help="default: %(default)s")
    target = Path(parser.parse_args(argv).output)
    try:
        write_zipapp(build_backend.ROOT, target)
    except (build_backend.BuildError, OSError) as error:
        print(f"make_zipapp.py: error: {error}", file=sys.stderr)
        return 1
    print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
