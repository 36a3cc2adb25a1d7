"""Write the local page as one HTML file that runs purebleu in the browser.

    python3 scripts/make_web.py OUT

OUT/index.html can be put on any web server, on a file share, or on a USB stick. Pyodide (CPython in WebAssembly) is
fetched from npm once, into `.environments/wasm`, and becomes part of the file. The page fetches nothing, and no text
leaves the browser. The only test set in the page is purebleu's sample.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "scripts" / "web"

sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from dev.platforms.wasm import FOLDER, install  # noqa: E402
from vendoring.archives import write_whole  # noqa: E402
from vendoring.module_graph import imports_in  # noqa: E402

PYODIDE = FOLDER / "node_modules" / "pyodide"

#: Packages of the standard library (and of Pyodide) that Pyodide needs to start.
ALWAYS = ("_pyodide", "pyodide", "encodings", "asyncio", "importlib", "sysconfig", "webbrowser", "runpy", "site",
          "zipimport", "linecache")

#: Modules for terminals and tests, which the page never runs, although a few modules import them.
NEVER = ("_pyrepl", "doctest", "pdb", "pydoc", "unittest")

#: Expressions in a script of Pyodide that only a JavaScript module may have, and their replacements.
OF_MODULES = {"export default _createPyodideModule;": "", "import.meta.url": '"https://pyodide.invalid/"'}

#: Content security policy: the page may start a worker from its own content, and may compile WebAssembly.
POLICY = ("worker-src blob:",)
SCRIPT_SOURCES = ("'wasm-unsafe-eval'",)


def page() -> str:
    """Return the page, which contains all files that its worker needs."""
    from purebleu.cli.commands.serve import setup_of_page
    from purebleu.serve.form import form_page

    setup = setup_of_page()
    setup["testSets"] = {name: pairs for name, pairs in setup["testSets"].items() if name == "sample"}
    text, _ = form_page(setup, (WEB / "send.js").read_text(encoding="utf-8"), POLICY, SCRIPT_SOURCES)
    # (The files have to come before the page's script, which reads them at once.)
    files = "\n".join([f'<script type="text/plain" id="{name}">{in_characters(zlib.compress(content, 9))}</script>'
                       for name, content in files_of_worker().items()])
    before, end, after = text.rpartition("<script>")
    return f"{before}{files}\n{end}{after}"


def in_characters(content: bytes) -> str:
    """Return bytes as text with seven bits in each character. In UTF-8 it is an eighth shorter than base64.

    NUL, CR and `<` have a special meaning in a script element, so 128 is added to these three characters.
    """
    codes = bytearray()
    for start in range(0, len(content), 7):
        bits = int.from_bytes(content[start:start + 7].ljust(7, b"\0"), "big")
        for shift in range(49, -1, -7):
            codes.append(bits >> shift & 127)
    text = codes[:-(-len(content) * 8 // 7)].decode("ascii")  # (rounded up; the rest is padding)
    for character in "\0\r<":
        text = text.replace(character, chr(ord(character) + 128))
    return text


def files_of_worker() -> dict[str, bytes]:
    """Return the files that a worker of the page needs, by their names."""
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_bytes())
    lock["packages"] = {}  # (The page fetches none.)
    from purebleu.runtime.program import program_files

    program = dict(program_files())
    library = standard_library(program)
    return {"pyodide.asm.wasm": (PYODIDE / "pyodide.asm.wasm").read_bytes(), "python_stdlib.zip": archive_of(library),
            "pyodide-lock.json": json.dumps(lock).encode("utf-8"), "worker.js": worker_script().encode("utf-8"),
            "purebleu.zip": archive_of(program)}


def worker_script() -> str:
    """Return the script of a worker. It is not a module, because a page that is a file cannot start such a worker."""
    module = (PYODIDE / "pyodide.asm.mjs").read_text(encoding="utf-8")
    for part, replacement in OF_MODULES.items():
        if part not in module:
            raise ValueError(f"pyodide.asm.mjs has no {part!r}")
        module = module.replace(part, replacement)
    return "\n".join([(PYODIDE / "pyodide.js").read_text(encoding="utf-8"), module,
                      (WEB / "worker.js").read_text(encoding="utf-8")])


def standard_library(program: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of Pyodide's standard library that the program imports directly or indirectly."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    modules = {name[:-3].replace("/", ".").replace(".__init__", ""): name for name in files if name.endswith(".py")}
    waiting = [module for module in modules if module.split(".")[0].startswith(("_sysconfigdata", *ALWAYS))]
    for name, content in program.items():
        waiting += imported(content, "") if name.endswith(".py") else []
    found: set[str] = set()
    while waiting:
        parts = waiting.pop().split(".")
        for end in range(1, 1 + len(parts)):
            module = ".".join(parts[:end])
            if module in modules and module not in found and parts[0] not in NEVER:
                found.add(module)
                name = modules[module]
                waiting += imported(files[name], module if name.endswith("/__init__.py") else module.rpartition(".")[0])
    needed = {modules[module] for module in found}
    return {name: content for name, content in files.items() if name in needed or not name.endswith(".py")}


def imported(content: bytes, package: str) -> list[str]:
    """Return the modules that a module of `package` imports. Some may be names in modules."""
    try:
        tree = ast.parse(content)
    except SyntaxError:  # (Pyodide's Python may be newer than this one.)
        statements = re.findall(r"^(?:import|from) [^(\n]+(?:\([^)]*\))?", content.decode("utf-8"), re.MULTILINE)
        tree = ast.parse("\n".join(statements))
    names: list[str] = []
    for one in imports_in(tree, ""):
        parents = package.split(".")[:len(package.split(".")) + 1 - one.level] if one.level else []
        names.append(".".join(filter(None, [*parents, one.module, one.name])))
    return names


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive. Its files are not compressed, because `page` compresses the whole archive."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), text)
    return content.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="OUT", type=Path, help="the folder to write")
    options = parser.parse_args(argv)
    if shutil.which("npm") is None:
        print("npm is not on the PATH: install Node.js", file=sys.stderr)
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
