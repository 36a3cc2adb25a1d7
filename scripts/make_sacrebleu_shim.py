"""Write a package `sacrebleu` of one file that hands out purebleu, for programs that can't be edited.

    python3 scripts/make_sacrebleu_shim.py FOLDER [--package NAME]
    PYTHONPATH=FOLDER:CHECKOUT program

Whatever imports `sacrebleu` with the folder on its path gets purebleu's modules, as after
`purebleu.install_as_sacrebleu()`, which is all that the file calls; `python -m sacrebleu` is purebleu's command line.
purebleu itself has to be importable: installed, or on the path, too. `--package` names a copy that is vendored.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Sequence

#: The line by which this script knows its own files again.
FIRST_LINE = '"""sacreBLEU\'s place is taken by purebleu. (Written by its script make_sacrebleu_shim.py.)"""\n'

SOURCE = FIRST_LINE + """
import sys

from {package} import install_as_sacrebleu

del sys.modules[__name__]  # this file steps aside
install_as_sacrebleu()
"""


class ShimError(Exception):
    """Why the package is not written."""


def write_shim(folder: Path, package: str) -> Path:
    """Write `sacrebleu` into the folder, for purebleu under the name `package`; returns the path of its file."""
    if not all(map(str.isidentifier, package.split("."))) or package == "sacrebleu":
        raise ShimError(f"{package!r} can't be the name of purebleu, such as yourproject._vendor.bleu")
    path = folder / "sacrebleu" / "__init__.py"
    if path.parent.exists() and not (path.is_file() and path.read_text(encoding="utf-8").startswith(FIRST_LINE)):
        raise ShimError(f"{path.parent} is there already, and not by this script: take another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE.format(package=package), encoding="utf-8")
    return path


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file that the options ask for and print its path; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write a package sacrebleu that hands out purebleu.")
    parser.add_argument("folder", type=Path, help="where it goes, to be put on PYTHONPATH")
    parser.add_argument("--package", metavar="NAME", default="purebleu", help="the name of a vendored copy of purebleu")
    args = parser.parse_args(argv)
    try:
        print(write_shim(args.folder, args.package))
    except (ShimError, OSError, UnicodeDecodeError) as error:
        print(f"make_sacrebleu_shim.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
