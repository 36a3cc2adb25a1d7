"""The digest of everything that is computed: one golden file, for every interpreter that runs these tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .. import PACKAGE
from ..helpers import FIXTURES, SCRIPTS, environment, needs_processes

needs_scripts = pytest.mark.skipif(not (SCRIPTS / "digest.py").is_file(), reason="only the checkout has scripts")


@pytest.fixture
def digest(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import digest as module

    return module


def golden_digest() -> list[str]:
    return (FIXTURES / "digest.txt").read_bytes().decode("ascii").split("\n")[:-1]


@needs_scripts
def test_everything_that_is_computed_is_the_same_here(digest: ModuleType) -> None:
    assert digest.differences([*digest.digests(PACKAGE)], golden_digest()) == []


# Runs the script as an isolated interpreter can't: it has neither the folder of the script nor that of the package.
DIGEST = """
import sys
sys.path[:0] = sys.argv[1:3]
import digest
raise SystemExit(digest.main(["--check", "--package", sys.argv[3]]))
"""


@pytest.mark.heavy
@needs_processes
@needs_scripts
def test_the_digest_does_not_depend_on_flags_and_hashes() -> None:
    processes = []
    for flags, seed in ((["-I", "-S", "-O"], "random"), (["-OO"], "1")):
        # (The second one computes without fused multiplication and addition, where the C library has both ways.)
        tunables = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"} if seed == "1" else {}
        env = environment(PUREBLEU_SEED="7", SACREBLEU_SEED="8", PYTHONHASHSEED=seed, **tunables)
        command = [sys.executable, *flags, "-c", DIGEST, env["PYTHONPATH"], str(SCRIPTS), PACKAGE]
        processes.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    expected = f"the same: {golden_digest()[-1]}"
    for process in processes:
        output, errors = process.communicate(timeout=300)
        assert (process.returncode, output.decode().splitlines(), errors) == (0, [expected], b"")


@needs_scripts
def test_a_digest_that_differs_is_found(digest: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    figures = [0.1, 7]
    monkeypatch.setattr(digest, "parts", lambda package: [("fixed", ["a"]), ("figures", figures)])
    monkeypatch.setattr(digest, "GOLDEN", tmp_path / "golden")
    assert digest.main(["--write"]) == 0
    assert digest.main(["--check"]) == 0
    assert capsys.readouterr().out.startswith("the same: ")
    for other in ([0.1 + 2**-56, 7], [0.1, 7.0], [0.1, "7"], [[0.1], 7], [7, 0.1]):
        figures[:] = other  # type: ignore[assignment]
        assert digest.main(["--check"]) == 1
        assert capsys.readouterr().out.splitlines() == ["differs: figures", "differs: all of it"]
    with pytest.raises(TypeError, match="no exact notation for a set"):
        digest.exact({1})
