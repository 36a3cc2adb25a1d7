"""Write the bill of materials of purebleu, or of something made of it, in CycloneDX's JSON.

    python3 scripts/bill_of_materials.py                         # of the package in this clone
    python3 scripts/bill_of_materials.py purebleu.pyz            # of an archive (zipapp, wheel, bundle) or a folder
    python3 scripts/bill_of_materials.py purebleu.pyz -o purebleu.pyz.cdx.json

It lists each file with its SHA-256 sum, says that there are no dependencies but the optional ones, and names the data
of others that tables are made from. Wheels have it in `.dist-info/sboms` (PEP 770), vendored copies in `sbom.cdx.json`.
The same files give the same bytes: there is no time in it, and its serial number comes from its content.

Exit codes: 0 written; 1 there is nothing to list, or it can't be read or written; 2 wrong usage.
"""

import argparse
import sys
import zipfile
import zlib
from pathlib import Path
from typing import List, Optional, Sequence

import build_backend
from cyclonedx import Member, bill


def members_of(path: Path) -> List[Member]:
    """The files in an archive or a folder, without the bill itself and bytecode."""
    if path.is_dir():
        members = [(found.relative_to(path).as_posix(), found.read_bytes()) for found in path.rglob("*")
                   if found.is_file() and "__pycache__" not in found.parts]
    else:
        with zipfile.ZipFile(path) as archive:
            members = [(name, archive.read(name)) for name in archive.namelist() if not name.endswith("/")]
    return [(name, content) for name, content in members if not name.endswith((".cdx.json", ".pyc"))]


def bill_of(path: Path) -> bytes:
    """The bill of an archive or a folder."""
    content = None if path.is_dir() else path.read_bytes()
    product = build_backend.product(build_backend.read_project(build_backend.ROOT))
    return bill(product, members_of(path), path.name, content)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Write the bill that the arguments ask for; return the exit code."""
    parser = argparse.ArgumentParser(description="Write a bill of materials in CycloneDX's JSON.")
    parser.add_argument("artefact", nargs="?", type=Path, metavar="PATH",
                        help="a zipapp, wheel, bundle or folder (default: the package here)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    given = parser.parse_args(argv)
    try:
        project = build_backend.read_project(build_backend.ROOT)
        found = bill_of(given.artefact) if given.artefact else bill(
            build_backend.product(project), build_backend.folder_members(build_backend.ROOT, project.name))
        if given.output:
            build_backend.write_whole(given.output, found)
        else:
            sys.stdout.write(found.decode("ascii"))
    except (build_backend.BuildError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        # (A RuntimeError is about encrypted members, and methods of compression that Python does not have.)
        print(f"bill_of_materials.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
