"""Pages of HTML as tests read them: their elements, and what drivers in `browser/` see in real Chromium."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

NODE = shutil.which("node")
BROWSER = os.environ.get("PUREBLEU_BROWSER")
CHROMIUM = os.environ.get("PUREBLEU_CHROMIUM") or "/usr/bin/chromium"


def skip_without_chromium() -> None:
    """Skip a test unless `PUREBLEU_BROWSER` names a folder with playwright-core and axe-core in `node_modules`.

    Debian's Chromium has to be there, or another one that `PUREBLEU_CHROMIUM` names.
    """
    if not BROWSER or not NODE:
        pytest.skip("PUREBLEU_BROWSER names no folder with playwright-core and axe-core")


def seen_in_chromium(driver: str, *arguments: object, cwd: Path | None = None) -> Any:
    """The observations of a driver, by name."""
    assert NODE and BROWSER
    path = Path(__file__).parent / "browser" / driver
    done = subprocess.run([NODE, str(path), BROWSER, CHROMIUM, *map(str, arguments)], cwd=cwd, capture_output=True,
                          timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


class Elements(HTMLParser):
    """The elements of a page, which have to be nested: those that are open at its end, ids, links, and its text."""

    EMPTY = ("meta", "link", "br", "hr", "input")

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.shown = ""
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [str(value) for name, value in attrs if name == "id"]
        self.links += [str(value) for name, value in attrs if name in ("href", "src")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.shown += data
