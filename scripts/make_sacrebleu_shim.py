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
so that what other distributions require is there (`sacrebleu==2.6.0`, `sacrebleu[ja]>=2`); the command `sacrebleu` is
installed, too, and type checkers find purebleu's types. It is for one's own environments, and says so: indexes refuse
it.

Both score calls with streams of different lengths as sacreBLEU does (`PUREBLEU_SHAPES=sacrebleu`) and send warnings to
its logger (`PUREBLEU_WARNINGS=log`), unless the environment says otherwise.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from pathlib import Path
from typing import Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_backend import extra_fields, read_project
from vendoring.archives import ROOT, WHEEL_FILE, WHEEL_TAG, BuildError, read_version, record, write_whole, write_zip

#: The line by which this script knows its own files again.
FIRST_LINE = '"""sacreBLEU\'s place is taken by purebleu. (Written by its script make_sacrebleu_shim.py.)"""\n'

SOURCE = FIRST_LINE + """
import os
import sys

from {package} import install_as_sacrebleu

os.environ.setdefault("PUREBLEU_SHAPES", "sacrebleu")
os.environ.setdefault("PUREBLEU_WARNINGS", "log")
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
{requirements}"""

#: sacreBLEU's modules that clients import from. Type checkers find purebleu's names in them; they are never executed.
STUBS = ("__init__.pyi", "compat.py", "dataset.py", "metrics/__init__.py", "metrics/base.py", "metrics/bleu.py",
         "metrics/chrf.py", "metrics/helpers.py", "metrics/ter.py", "significance.py", "tokenizers/__init__.py",
         "tokenizers/tokenizer_13a.py", "tokenizers/tokenizer_base.py", "tokenizers/tokenizer_char.py",
         "tokenizers/tokenizer_intl.py", "tokenizers/tokenizer_ja_mecab.py", "tokenizers/tokenizer_ko_mecab.py",
         "tokenizers/tokenizer_none.py", "tokenizers/tokenizer_re.py", "tokenizers/tokenizer_spm.py",
         "tokenizers/tokenizer_ter.py", "tokenizers/tokenizer_zh.py", "utils.py", "version.py")

ENTRY_POINTS = """\
[console_scripts]
sacrebleu = {package}.cli:run_as_sacrebleu
"""


def check_name(package: str) -> None:
    """Raise `BuildError` for what can't be the name of purebleu, or of a copy of it."""
    if not all(map(str.isidentifier, package.split("."))) or package == "sacrebleu":
        raise BuildError(f"{package!r} can't be the name of purebleu, such as yourproject._vendor.bleu")


def write_shim(folder: Path, package: str) -> Path:
    """Write `sacrebleu` into the folder, for purebleu under the name `package`; returns the path of its file."""
    check_name(package)
    path = folder / "sacrebleu" / "__init__.py"
    if path.parent.exists() and not (path.is_file() and path.read_text(encoding="utf-8").startswith(FIRST_LINE)):
        raise BuildError(f"{path.parent} exists already, and this script did not make it: name another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE.format(package=package), encoding="utf-8")
    return path


def stub_of(path: str) -> str:
    """A module that hands on all names of purebleu's module in its place; `{package}` is to be filled in."""
    name = path.partition(".")[0].replace("/__init__", "").replace("__init__", "")
    module = f"{{package}}/{name}".rstrip("/").replace("/", ".")
    file = ROOT / "purebleu" / name
    source = (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8")
    lines = [f"from {module} import *"]
    for node in ast.walk(ast.parse(source)):
        # Names that are imported on first use. (`__all__` has them, but is computed.)
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.asname == alias.name:
                lines.append(f"from {module} import {alias.name} as {alias.name}")
    return "\n".join([*lines, ""])


def write_shim_wheel(folder: Path, package: str) -> Path:
    """Write a wheel with `sacrebleu` into the folder, for purebleu under the name `package`; returns its path.

    purebleu is what it requires; a vendored copy is nothing that an installer knows of.
    """
    check_name(package)
    project = read_project(ROOT)
    full_version = read_version((ROOT / "purebleu" / "version.py").read_text(encoding="utf-8"))
    version = full_version.partition(".post")[0]
    fields = [("Requires-Dist", f"purebleu>={full_version}")] if package == "purebleu" else []
    fields += extra_fields(project.tables["project.optional-dependencies"])
    requirements = "".join([f"{name}: {value}\n" for name, value in fields])
    about = f"sacrebleu-{version}.dist-info"
    texts = {"sacrebleu/__init__.py": SOURCE, "sacrebleu/py.typed": "", f"{about}/METADATA": METADATA,
             f"{about}/WHEEL": WHEEL_FILE, f"{about}/entry_points.txt": ENTRY_POINTS}
    texts.update({f"sacrebleu/{path}": stub_of(path) for path in STUBS})
    members = [(name, text.format(package=package, version=version, requirements=requirements).encode())
               for name, text in texts.items()]
    content = io.BytesIO()
    write_zip(content, [*members, record(members, f"{about}/RECORD")])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"sacrebleu-{version}-{WHEEL_TAG}.whl"
    write_whole(path, content.getvalue())
    return path


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file that the options ask for and print its path; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write a package named sacrebleu that imports purebleu.")
    parser.add_argument("folder", type=Path, help="the folder to write, for PYTHONPATH (with --wheel: for the wheel)")
    parser.add_argument("--package", metavar="NAME", default="purebleu", help="the name of a vendored copy of purebleu")
    parser.add_argument("--wheel", action="store_true",
                        help="write a wheel instead, which pip installs as the distribution sacrebleu")
    args = parser.parse_args(argv)
    try:
        print((write_shim_wheel if args.wheel else write_shim)(args.folder, args.package))
    except (BuildError, OSError, ValueError) as error:
        print(f"make_sacrebleu_shim.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
