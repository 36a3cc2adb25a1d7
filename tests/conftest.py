"""Tiers, profiles of property tests, and what all tests share."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Iterator

import pytest
from hypothesis import HealthCheck, settings

from .helpers import load, write_systems

ROOT = Path(__file__).parent

#: Folders and files of the full tier: their tests start processes or servers, or make documents, copies, archives.
FULL = ("scripts/", "serve/", "runtime/", "manual/test_readme.py", "datasets/test_bundled_program.py",
        "datasets/test_cache_faults.py", "cli/test_cli_faults.py", "cli/test_doctor.py", "test_minimal_python.py",
        "test_portability.py", "report/test_page.py", "test_recipes.py")

#: The number of examples of each property, by tier.
EXAMPLES = {"default": 6, "full": 20, "heavy": 200}

# Under `nohup`, and in the background of a script, these are ignored: then so they would be by the processes that tests
# send them to.
for name, usual in (("SIGHUP", signal.SIG_DFL), ("SIGQUIT", signal.SIG_DFL), ("SIGINT", signal.default_int_handler)):
    if signal.getsignal(getattr(signal, name, signal.SIGTERM)) is signal.SIG_IGN:
        signal.signal(getattr(signal, name), usual)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the number of examples by the tier, which `-m` names.

    The examples are the same every time, and have no time limit, because a machine may be busy.
    """
    expression = config.getoption("markexpr")
    tier = "default" if "not full" in expression else "full" if "not heavy" in expression else "heavy"
    settings.register_profile(tier, deadline=None, derandomize=True, database=None, max_examples=EXAMPLES[tier],
                              suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    settings.load_profile(tier)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of the full tier."""
    if item.path.relative_to(ROOT).as_posix().startswith(FULL):
        item.add_marker("full")


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Skip a test that needs what the copy under test lacks, which says so. (The package itself lacks nothing.)"""
    outcome = yield
    if isinstance(outcome.excinfo and outcome.excinfo[1], load("runtime.errors").LeftOutError):  # type: ignore[attr-defined]
        outcome.force_exception(pytest.skip.Exception(str(outcome.excinfo[1])))  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that the tests of a file share: its `SHARES` (see `write_systems`), of `SEGMENTS` lines each.

    A file that needs more has a fixture `folder` of its own, which adds to this one.
    """
    made = tmp_path_factory.mktemp("corpus")
    write_systems(made, request.module.SHARES, request.module.SEGMENTS)
    return made


@pytest.fixture
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same as `folder`, made anew for each test, in `tmp_path`."""
    write_systems(tmp_path, request.module.SHARES, request.module.SEGMENTS)
    return tmp_path
