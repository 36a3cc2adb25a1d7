"""Write the modules of the standard library that purebleu imports (directly or indirectly) into one zip archive.

    python3 zip_library.py LIBRARY PACKAGE TARGET

LIBRARY is the folder of this Python's standard library, and PACKAGE is the folder of purebleu. The archive has the
bytecode of the modules, also of modules that are imported in functions. Built-in modules are left out.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from modulefinder import ModuleFinder
from pathlib import Path
from py_compile import PycInvalidationMode, compile
from typing import Sequence

#: Modules that no import statement names: codecs, the modules that start the interpreter, and those that compile.
ALSO = ("encodings", "compileall", "runpy", "site")

#: Modules that purebleu imports indirectly, but never runs: debuggers, test and GUI modules, and Python versions of
#: extension modules.
WITHOUT = ("_pydatetime", "_pydecimal", "_pyio", "_pyrepl", "doctest", "pdb", "pydoc", "pydoc_data", "test", "tkinter",
           "unittest", "xmlrpc")


def modules(library: Path, package: Path) -> list[Path]:
    """Return the files of the library that the package needs."""
    finder = ModuleFinder([str(package.parent), str(library)], excludes=WITHOUT)
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        finder.import_hook(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    for name in ALSO:
        finder.import_hook(name)
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    found = {Path(file) for file in files if file}
    return sorted({*library.joinpath("encodings").glob("*.py"), *(file for file in found if library in file.parents)})


def main(arguments: Sequence[str]) -> int:
    library, package, target = (Path(argument).resolve() for argument in arguments)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in modules(library, package):
            name = file.relative_to(library).with_suffix(".pyc").as_posix()
            compiled = compile(str(file), f"{folder}/module.pyc", name, doraise=True,
                               invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
            archive.write(str(compiled), name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
