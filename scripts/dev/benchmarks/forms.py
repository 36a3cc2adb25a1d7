"""Forms in which purebleu is used, other than the folder of the checkout: copies of it, made for the measuring."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Mapping, Sequence

SCRIPTS = Path(__file__).resolve().parents[2]
PACKAGE = SCRIPTS.parent / "purebleu"


def _without_bytecode(folder: Path, _: str) -> Sequence[str]:
    shutil.copytree(PACKAGE, folder / "purebleu", ignore=shutil.ignore_patterns("__pycache__"))
    return ["-B", "-m", "purebleu"]


def _compiled_zipapp(folder: Path, python: str) -> Sequence[str]:
    _run_script(python, "make_zipapp.py", "--compile", "-o", str(folder / "purebleu.pyz"))
    return ["purebleu.pyz"]


def _slim(folder: Path, python: str) -> Sequence[str]:
    _run_script(python, "vendor.py", str(folder), "--name", "bleu", "--only", "bleu", "--tokenizers", "13a",
                "--without", "datasets", "mecab", "sentencepiece", "significance", "audit", "checks", "rows", "page",
                "mbr", "evaluate", "ids", "report")
    return ["-m", "bleu"]


def _single_file(folder: Path, python: str) -> Sequence[str]:
    _run_script(python, "vendor.py", "--single-file", str(folder / "bleu.py"), "--only", "bleu", "chrf", "ter")
    return ["-m", "bleu"]


def _run_script(python: str, name: str, *arguments: str) -> None:
    done = subprocess.run([python, str(SCRIPTS / name), *arguments], stdout=subprocess.DEVNULL)
    if done.returncode:
        raise Failed(f"{name} failed")


#: Makers of forms: each prepares a folder for an interpreter, and returns the arguments that Python is started with
#: there.
FORMS: Mapping[str, Callable[[Path, str], Sequence[str]]] = {
    "without bytecode": _without_bytecode,
    "compiled zipapp": _compiled_zipapp,
    "slim copy": _slim,
    "single file": _single_file,
}


def start_of(form: str, folder: Path, python: str) -> tuple[Path, Sequence[str]]:
    """The folder in which a form of purebleu is run, and what Python is started with there. Raises `Failed`."""
    place = folder / form.replace(" ", "-")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    return place, FORMS[form](place, python)
