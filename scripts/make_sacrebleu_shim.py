"""Write a package `sacrebleu` of one file that hands out purebleu, for programs that can't be edited.

    python3 scripts/make_sacrebleu_shim.py FOLDER [--package NAME]
    PYTHONPATH=FOLDER:CHECKOUT program

    python3 scripts/make_sacrebleu_shim.py FOLDER --wheel [--package NAME]
    pip install FOLDER/sacrebleu-*.whl

Whatever imports `sacrebleu` with the folder on its path gets purebleu's modules, as after
`purebleu.install_as_sacrebleu()`, which is all that the file calls; `python -m sacrebleu` is `purebleu score`, whatever
its first word is.
purebleu itself has to be importable: installed, or on the path, too. `--package` names a copy that is vendored.

With `--wheel`, an installer knows the package as the distribution `sacrebleu`, of the version whose numbers these are,
so that what other distributions require is there (`sacrebleu==2.6.0`, `sacrebleu>=2`); the command `sacrebleu` is
installed, too. It is for one's own environments, and says so: indexes refuse it.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent))

from vendoring.archives import ROOT, WHEEL_FILE, WHEEL_TAG, read_version, record, write_whole, write_zip

#: The line by which this script knows its own files again.
FIRST_LINE = '"""sacreBLEU\'s place is taken by purebleu. (Written by its script make_sacrebleu_shim.py.)"""\n'

SOURCE = FIRST_LINE + """
import sys

from {package} import install_as_sacrebleu

del sys.modules[__name__]  # this file steps aside
install_as_sacrebleu()
"""

#: ("Private ::" keeps a distribution from being published: indexes refuse it.)
METADATA = """\
Metadata-Version: 2.1
Name: sacrebleu
Version: {version}
Summary: Hands out {package} under sacreBLEU's name: its numbers, from purebleu
Classifier: Private :: Do Not Upload
Requires-Python: >=3.8
{requirement}"""

ENTRY_POINTS = """\
[console_scripts]
sacrebleu = {package}.cli:run_as_sacrebleu
"""


class ShimError(Exception):
    """Why the package is not written."""


def check_name(package: str) -> None:
    """Raise `ShimError` for what can't be the name of purebleu, or of a copy of it."""
    if not all(map(str.isidentifier, package.split("."))) or package == "sacrebleu":
        raise ShimError(f"{package!r} can't be the name of purebleu, such as yourproject._vendor.bleu")


def write_shim(folder: Path, package: str) -> Path:
    """Write `sacrebleu` into the folder, for purebleu under the name `package`; returns the path of its file."""
    check_name(package)
    path = folder / "sacrebleu" / "__init__.py"
    if path.parent.exists() and not (path.is_file() and path.read_text(encoding="utf-8").startswith(FIRST_LINE)):
        raise ShimError(f"{path.parent} is there already, and not by this script: take another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE.format(package=package), encoding="utf-8")
    return path


def write_shim_wheel(folder: Path, package: str) -> Path:
    """Write a wheel with `sacrebleu` into the folder, for purebleu under the name `package`; returns its path.

    purebleu is what it requires; a vendored copy is nothing that an installer knows of.
    """
    check_name(package)
    full_version = read_version((ROOT / "purebleu" / "version.py").read_text(encoding="utf-8"))
    version = full_version.partition(".post")[0]
    requirement = f"Requires-Dist: purebleu>={full_version}\n" if package == "purebleu" else ""
    about = f"sacrebleu-{version}.dist-info"
    members = [(name, text.format(package=package, version=version, requirement=requirement).encode())
               for name, text in (("sacrebleu/__init__.py", SOURCE), (f"{about}/METADATA", METADATA),
                                  (f"{about}/WHEEL", WHEEL_FILE), (f"{about}/entry_points.txt", ENTRY_POINTS))]
    content = io.BytesIO()
    write_zip(content, [*members, record(members, f"{about}/RECORD")])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"sacrebleu-{version}-{WHEEL_TAG}.whl"
    write_whole(path, content.getvalue())
    return path


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file that the options ask for and print its path; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write a package sacrebleu that hands out purebleu.")
    parser.add_argument("folder", type=Path, help="where it goes, to be put on PYTHONPATH (but for --wheel)")
    parser.add_argument("--package", metavar="NAME", default="purebleu", help="the name of a vendored copy of purebleu")
    parser.add_argument("--wheel", action="store_true",
                        help="write a wheel instead, which pip installs as the distribution sacrebleu")
    args = parser.parse_args(argv)
    try:
        print((write_shim_wheel if args.wheel else write_shim)(args.folder, args.package))
    except (ShimError, OSError, ValueError) as error:
        print(f"make_sacrebleu_shim.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
