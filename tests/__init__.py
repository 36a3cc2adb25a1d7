"""The tests. The package that they test is named here, and nowhere else: set it to test a renamed or nested copy."""

from __future__ import annotations

import os

PACKAGE = os.environ.get("PUREBLEU_PACKAGE") or "purebleu"
