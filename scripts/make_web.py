"""Write a folder that any web server can hold: the local page, which runs purebleu itself in the browser.

    python3 scripts/make_web.py OUT
    python3 -m http.server --directory OUT      # to try it

There is no server behind it: Pyodide (CPython in WebAssembly) comes from the npm registry, once, into `.venv/wasm`, and
its files are put into the folder. While the page is used, nothing is fetched from anywhere else, and no text leaves the
browser. It has no test sets but the sample that is part of purebleu.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "scripts" / "web"

sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from run_in_wasm import FOLDER, install  # noqa: E402

#: The files of Pyodide that a page needs.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

#: What the page's script may do: start a worker from beside the page.
POLICY = ("worker-src 'self'",)


def page() -> str:
    """The page."""
    from purebleu.cli.serve import setup_of_page
    from purebleu.serve.document import form_page

    setup = setup_of_page()
    setup["testSets"] = {name: pairs for name, pairs in setup["testSets"].items() if name == "sample"}
    return form_page(setup, (WEB / "send.js").read_text(encoding="utf-8"), POLICY)[0]


def package() -> bytes:
    """A ZIP archive of the package; the same sources make the same bytes."""
    from purebleu.runtime.program import program_files

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in program_files():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def write(folder: Path) -> None:
    """Write the folder; files of these names are replaced."""
    pyodide = folder / "pyodide"
    pyodide.mkdir(parents=True, exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(FOLDER / "node_modules" / "pyodide" / name, pyodide / name)
    shutil.copyfile(WEB / "worker.js", folder / "worker.js")
    (folder / "purebleu.zip").write_bytes(package())
    (folder / "index.html").write_bytes(page().encode("utf-8"))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="OUT", type=Path, help="the folder to write")
    options = parser.parse_args(argv)
    if shutil.which("npm") is None:
        print("there is no npm on the PATH", file=sys.stderr)
        return 2
    try:
        install()
    except subprocess.CalledProcessError as error:
        print(f"failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        return 1
    write(options.folder)
    size = sum(path.stat().st_size for path in options.folder.rglob("*") if path.is_file())
    print(f"{options.folder}: {size / 1e6:.1f} MB; serve it with any web server")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
