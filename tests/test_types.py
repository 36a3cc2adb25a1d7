"""The client script that type checkers look at: it uses every public name, and it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import purebleu
from purebleu import meta_evaluation, significance

from . import PACKAGE
from .helpers import folder_of_package, needs_processes

CLIENT = Path(__file__).resolve().parent / "types" / "client.py"


@pytest.mark.full
@needs_processes
@pytest.mark.skipif(PACKAGE != "purebleu", reason="the script names the package")
def test_a_client_that_uses_every_public_name_runs(tmp_path: Path) -> None:
    # (The home folder's variable is another one on Windows, where hardly a program starts without SYSTEMROOT.)
    environment = {"PYTHONPATH": str(folder_of_package()), "HOME": str(tmp_path), "USERPROFILE": str(tmp_path),
                   **{name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}}
    done = subprocess.run([sys.executable, "-W", "error", str(CLIENT)], cwd=str(folder_of_package()), env=environment,
                          capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_client_uses_every_public_name() -> None:
    public = {*purebleu.__all__, *purebleu._SUBMODULES, *significance.__all__, *meta_evaluation.__all__}
    assert public - {"_compute_p_value"} <= set(re.findall(r"\w+", CLIENT.read_text(encoding="utf-8")))
