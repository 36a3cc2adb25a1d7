"""Write a package `sacrebleu` that gives purebleu's modules to programs that can't be edited.

    python3 scripts/make_sacrebleu_shim.py FOLDER [--package NAME]
    PYTHONPATH=FOLDER:CHECKOUT program

    python3 scripts/make_sacrebleu_shim.py FOLDER --wheel [--package NAME]
    pip install FOLDER/sacrebleu-*.whl

If the folder is on the path, `import sacrebleu` imports purebleu's modules. The package has one file, which calls
`purebleu.install_as_sacrebleu()`. `python -m sacrebleu` is always `purebleu score`, even if its first argument is the
name of another command. purebleu has to be importable: installed, or on the path. `--package` names a vendored copy.

With `--wheel`, pip installs the package as the distribution `sacrebleu`, in the version whose scores purebleu
reproduces. So requirements of other distributions are met (`sacrebleu==2.6.0`, `sacrebleu[ja]>=2`). The wheel also
installs the command `sacrebleu`, and type checkers find purebleu's types. It is only for your own environments: package
indexes refuse it.

The folder and the wheel treat streams of different lengths as sacreBLEU does (`PUREBLEU_SHAPES=sacrebleu`), and send
warnings to sacreBLEU's logger (`PUREBLEU_WARNINGS=log`). You can set both variables to other values.
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

#: By this line, the script recognizes files that it wrote.
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

#: (Package indexes refuse a distribution with a classifier "Private ::".)
METADATA = """\
Metadata-Version: 2.1
Name: sacrebleu
Version: {version}
Summary: purebleu under the name sacrebleu: imports {package}
Classifier: Private :: Do Not Upload
Requires-Python: >=3.8
{requirements}"""

#: sacreBLEU's modules that clients import from. Type checkers read purebleu's names in them. Python never runs them.
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
    """Raise `BuildError` if `package` can't be the name of purebleu, or of a copy of it."""
    if not all(map(str.isidentifier, package.split("."))) or package == "sacrebleu":
        raise BuildError(f"{package!r} can't be the name of purebleu, such as yourproject._vendor.bleu")


def write_shim(folder: Path, package: str) -> Path:
    """Write a package `sacrebleu` into the folder, which imports `package`; return the path of its file."""
    check_name(package)
    path = folder / "sacrebleu" / "__init__.py"
    if path.parent.exists() and not (path.is_file() and path.read_text(encoding="utf-8").startswith(FIRST_LINE)):
        raise BuildError(f"{path.parent} exists already, and this script did not make it: name another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE.format(package=package), encoding="utf-8")
    return path


def stub_of(path: str) -> str:
    """Return the source of a module that imports all names of purebleu's module of this path from `{package}`."""
    name = path.partition(".")[0].replace("/__init__", "").replace("__init__", "")
    module = f"{{package}}/{name}".rstrip("/").replace("/", ".")
    file = ROOT / "purebleu" / name
    source = (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8")
    lines = [f"from {module} import *"]
    for node in ast.walk(ast.parse(source)):
        # Add names that are imported on first use. (They are in `__all__`, but type checkers can't compute it.)
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.asname == alias.name:
                lines.append(f"from {module} import {alias.name} as {alias.name}")
    return "\n".join([*lines, ""])


def write_shim_wheel(folder: Path, package: str) -> Path:
    """Write a wheel with a package `sacrebleu`, which imports `package`, into the folder; return the wheel's path.

    The wheel requires purebleu, unless `package` is a vendored copy, which installers do not know.
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
    """Write the package or the wheel and print its path; return the exit code."""
    parser = argparse.ArgumentParser(description="Write a package named sacrebleu that imports purebleu.")
    parser.add_argument("folder", type=Path, help="the folder to write to: for PYTHONPATH, or for the wheel")
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
