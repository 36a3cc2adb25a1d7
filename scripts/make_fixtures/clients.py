"""Cases of clients of sacreBLEU: the results that they get from it."""

from __future__ import annotations

import sys
from importlib import import_module

from .files import CHECKOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator


def client_cases() -> Iterator[dict[str, Any]]:
    """The results of known clients, by their names, from the names that they import and their calls."""
    sys.path.insert(0, str(CHECKOUT))
    clients = import_module("tests.clients")
    for name, calls in clients.CALLS.items():
        names: dict[str, Any] = {}
        exec(clients.TEXT + calls, names)
        yield {"client": name, "result": names["result"]}
