"""Names of files in the forms that only Windows has."""

from __future__ import annotations

import sys

import pytest

from ..helpers import FIXTURES, run_cli

pytestmark = [pytest.mark.full, pytest.mark.skipif(sys.platform != "win32", reason="Windows has these names")]

FOLDER = str(FIXTURES / "cli")

#: Command lines, and those that have to print the same.
SAME = {
    "REFERENCE.TXT -i Hypothesis.txt": "reference.txt -i hypothesis.txt",
    r".\reference.txt -i ..\cli/hypothesis.txt": "reference.txt -i hypothesis.txt",
    r"{folder}\reference.txt -i {folder}/hypothesis.txt": "reference.txt -i hypothesis.txt",
    r"\\?\{folder}\reference.txt -i {folder}\hypothesis.txt": "reference.txt -i hypothesis.txt",
    r"{folder}\reference.txt.gz -i .\hypothesis.txt.gz": "reference.txt.gz -i hypothesis.txt.gz",
}


def test_names_of_files_on_windows_are_those_of_files() -> None:
    for line, same in SAME.items():
        found, expected = [run_cli([word.replace("{folder}", FOLDER) for word in text.split()], cwd=FOLDER)
                           for text in (line, same)]
        assert (found.returncode, found.stdout) == (0, expected.stdout), line
