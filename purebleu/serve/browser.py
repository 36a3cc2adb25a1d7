"""Opening the local page in a browser without showing the token to other users."""

from __future__ import annotations

import os
from contextlib import contextmanager

from ..errors import warn
from ..hints import Iterator
from .server import LOOPBACK, address_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event

#: The page that a browser is started with: it leads to the address, without a trace in the browser's history.
_REDIRECTION = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>purebleu</title>
</head>
</html>
"""

_NO_BROWSER = "no browser could be started: open the address above in one"


@contextmanager
def opened(token: str, port: int, greeted: Event) -> Iterator[None]:
    """Context manager: a browser opens the page once the server answers.

    Every user of this machine can read the arguments of a browser (`ps`). So the browser does not get the address with
    the token. It gets a temporary file, which only this user can read, and which redirects to that address. Browsers of
    Windows cannot read the files of WSL: they get the address without the token, and the page asks for the token.
    """
    from platform import release
    from threading import Thread

    if "microsoft" in release().lower():  # (Linux in Windows)
        Thread(target=_browse, args=(f"http://{LOOPBACK}:{port}/",), daemon=True).start()
        yield
        return
    folder = _private_folder()
    path = os.path.join(folder, "open.html")
    try:
        with open(path, "x", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(_REDIRECTION.format(address=address_with(token, port)))
        Thread(target=_browse_file, args=(path, greeted), daemon=True).start()
        yield
    finally:
        _remove(folder)


def _browse_file(path: str, greeted: Event) -> None:
    """Open a file in a browser, and remove its folder once the browser has followed it."""
    from pathlib import Path

    if _browse(Path(path).as_uri()):
        greeted.wait()
    _remove(os.path.dirname(path))


def _remove(folder: str) -> None:
    """Remove a folder. (On Windows, a browser may still have its file open: then the other caller removes it.)"""
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)


def _browse(address: str) -> bool:
    """Start a browser; returns whether it could be started."""
    import webbrowser

    if webbrowser.open(address):
        return True
    warn(_NO_BROWSER)
    return False


def _private_folder() -> str:
    """Make a temporary folder that no other user can read; returns its path."""
    import sys
    from tempfile import mkdtemp

    # Browsers in snaps (Ubuntu's Firefox and Chromium) have a separate /tmp, and see no hidden folders at home.
    home = os.path.expanduser("~") if sys.platform == "linux" else None
    try:
        return mkdtemp(prefix="purebleu-", dir=home)
    except OSError:
        return mkdtemp(prefix="purebleu-")
