"""Settings of all property tests, unless a test has its own: the same examples every time.

No example has a time limit, because a machine may be busy and an interpreter slow. `scripts/test.py --heavy` tries
more examples.

Tests of parts that a vendored copy was made without are skipped.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from .helpers import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

settings.register_profile("same examples", deadline=None, derandomize=True, database=None,
                          max_examples=int(os.environ.get("PUREBLEU_EXAMPLES", "40")),
                          suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.load_profile("same examples")

# Under `nohup`, and in the background of a script, these are ignored: then so they would be by the processes that tests
# send them to.
for name, usual in (("SIGHUP", signal.SIG_DFL), ("SIGQUIT", signal.SIG_DFL), ("SIGINT", signal.default_int_handler)):
    if signal.getsignal(getattr(signal, name, signal.SIGTERM)) is signal.SIG_IGN:
        signal.signal(getattr(signal, name), usual)


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Skip a test that needs what the copy under test lacks, which says so. (The package itself lacks nothing.)"""
    outcome = yield
    if isinstance(outcome.excinfo and outcome.excinfo[1], load("errors").LeftOutError):  # type: ignore[attr-defined]
        outcome.force_exception(pytest.skip.Exception(str(outcome.excinfo[1])))  # type: ignore[attr-defined]
