"""What clients of sacreBLEU get from it."""

from __future__ import annotations

import sys
from importlib import import_module

from .files import CHECKOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator


def client_cases() -> Iterator[dict[str, Any]]:
    """What known clients, by their names, get from what they import and call."""
    sys.path.insert(0, str(CHECKOUT))
    clients = import_module("tests.clients")
    for name, calls in clients.CALLS.items():
        names: dict[str, Any] = {}
        exec(clients.TEXT + calls, names)
        yield {"client": name, "result": names["result"]}
