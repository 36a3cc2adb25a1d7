"""Write the local page as one file that runs purebleu itself in the browser, wherever it lies.

    python3 scripts/make_web.py OUT

OUT/index.html can be put on any web server, on a file share, or on a stick: there is no server behind it. Pyodide
(CPython in WebAssembly) comes from npm, once, into `.environments/wasm`, and is put into the file. While the page
is used, nothing is fetched from anywhere, and no text leaves the browser. It has no test sets but the sample that is
part of purebleu.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Sequence

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "scripts" / "web"

sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from dev.platforms.wasm import FOLDER, install  # noqa: E402
from vendoring.archives import write_whole  # noqa: E402

#: Pyodide, and its files that a worker needs.
PYODIDE = FOLDER / "node_modules" / "pyodide"
PYODIDE_FILES = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

#: Expressions that only a module may have, in a script of Pyodide's, and their replacements in a plain script.
OF_MODULES = {"export default _createPyodideModule;": "", "import.meta.url": '"https://pyodide.invalid/"'}

#: Permissions of the page: to start a worker from its own content; and to compile WebAssembly there.
POLICY = ("worker-src blob:",)
SCRIPT_SOURCES = ("'wasm-unsafe-eval'",)


def page() -> str:
    """The page, with all files that its worker needs."""
    from purebleu.cli.commands.serve import setup_of_page
    from purebleu.report.page.embedding import packed
    from purebleu.serve.document import form_page

    setup = setup_of_page()
    setup["testSets"] = {name: pairs for name, pairs in setup["testSets"].items() if name == "sample"}
    text, _ = form_page(setup, (WEB / "send.js").read_text(encoding="utf-8"), POLICY, SCRIPT_SOURCES)
    # (They stand in front of the page's script, which reads them as soon as it runs.)
    files = "\n".join([f'<script type="text/plain" id="{name}">{packed(content)}</script>'
                       for name, content in files_of_worker().items()])
    before, end, after = text.rpartition("<script>")
    return f"{before}{files}\n{end}{after}"


def files_of_worker() -> dict[str, bytes]:
    """The files that a worker of the page needs, by their names."""
    return {**{name: (PYODIDE / name).read_bytes() for name in PYODIDE_FILES},
            "worker.js": worker_script().encode("utf-8"), "purebleu.zip": package()}


def worker_script() -> str:
    """The script of a worker: a plain one, for from a file, a browser starts no worker that is a module."""
    module = (PYODIDE / "pyodide.asm.mjs").read_text(encoding="utf-8")
    for part, replacement in OF_MODULES.items():
        if part not in module:
            raise ValueError(f"pyodide.asm.mjs has no {part!r}")
        module = module.replace(part, replacement)
    return "\n".join([(PYODIDE / "pyodide.js").read_text(encoding="utf-8"), module,
                      (WEB / "worker.js").read_text(encoding="utf-8")])


def package() -> bytes:
    """A ZIP archive of the package; the same sources make the same bytes."""
    from purebleu.runtime.program import program_files

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in program_files():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


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
    path = options.folder / "index.html"
    content = page().encode("utf-8")
    options.folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
    print(f"{path}: {len(content) / 1e6:.1f} MB; open it in a browser")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
