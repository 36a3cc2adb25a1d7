"""The files that images of containers are made of; the images themselves are made by hand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..helpers import SCRIPTS, needs_checkout

CONTAINERS = SCRIPTS / "containers"

pytestmark = [
    needs_checkout,
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi", "win32"), reason="for a Linux, with its processes"),
]

#: Instructions of container files that copy from the checkout: the paths, and where they go.
COPY = re.compile(r"(?m)^COPY (?!--from)(.*) \S+$")

#: Settings of a container.
RULES = "ENV PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1\n"


def test_container_files_copy_what_there_is() -> None:
    files = sorted(CONTAINERS.glob("*.Containerfile"))
    assert len(files) == 3
    for file in files:
        text = file.read_text(encoding="utf-8")
        sources = [path for copied in COPY.findall(text) for path in copied.split()]
        assert "purebleu" in sources and RULES in text, file.name
        assert [path for path in sources if not (SCRIPTS.parent / path).exists()] == [], file.name
        for script in re.findall(r"\bsh /(\S+)", text):
            assert f"scripts/containers/{script}" in sources, file.name
    used = "".join([file.read_text(encoding="utf-8") for file in files])
    assert [path.name for path in CONTAINERS.iterdir() if path.is_file() and path.name not in used
            and path.suffix not in (".Containerfile", ".md")] == []
    for script in CONTAINERS.glob("*.sh"):
        subprocess.run(["sh", "-n", str(script)], check=True)


def test_the_archive_of_the_library_has_what_the_package_imports(monkeypatch: pytest.MonkeyPatch,
                                                                 tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(CONTAINERS))
    from zip_library import modules

    package, library = tmp_path / "package", tmp_path / "library"
    for folder in (package, library / "encodings"):
        folder.mkdir(parents=True)
    for name in ("runpy", "site", "compileall", "unused", "doctest", "encodings/__init__", "encodings/utf_8",
                 "encodings/gbk"):
        (library / f"{name}.py").touch()
    (package / "__init__.py").touch()
    (package / "part.py").write_text("def late():\n    from first import name\n", encoding="utf-8")
    (library / "first.py").write_text("import doctest, second\n", encoding="utf-8")
    (library / "second.py").touch()
    assert [file.relative_to(library).with_suffix("").as_posix() for file in modules(library, package)] == [
        "compileall", "encodings/__init__", "encodings/gbk", "encodings/utf_8", "first", "runpy", "second", "site"]
