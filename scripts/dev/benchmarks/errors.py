"""Why a task has no figures."""

from __future__ import annotations


class Skipped(Exception):
    """A task cannot be measured because data is missing; the message says which."""


class Failed(Exception):
    """A program did not finish as it should; the message is one line."""
