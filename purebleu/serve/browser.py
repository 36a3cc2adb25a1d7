"""Opening the local page in a browser, without the token in its arguments."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress

from ..errors import warn
from .server import LOOPBACK, address_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event
    from typing import Iterator

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
    """Context manager: a browser opens the page once the server answers; its temporary file is removed at the end.

    Every user of this machine can read the arguments of a browser (`ps`). So the browser does not get the address with
    the token, but a file that only this user can read, and which redirects to that address. Browsers of Windows cannot
    read the files of WSL by their Linux names: they get the address without the token, and the page asks for the rest.
    """
    from threading import Thread

    if _is_wsl():
        Thread(target=_browse, args=(f"http://{LOOPBACK}:{port}/",), daemon=True).start()
        yield
        return
    with _private_file("open.html", _REDIRECTION.format(address=address_with(token, port))) as path:
        Thread(target=_browse_file, args=(path, greeted), daemon=True).start()
        yield


def _browse_file(path: str, greeted: Event) -> None:
    from pathlib import Path

    if _browse(Path(path).as_uri()):
        greeted.wait()
    _remove(path)


def _browse(address: str) -> bool:
    """Start a browser; returns whether it could be started."""
    import webbrowser

    if webbrowser.open(address):
        return True
    warn(_NO_BROWSER)
    return False


def _is_wsl() -> bool:
    """Whether this is Linux in Windows."""
    from platform import release

    return "microsoft" in release().lower()


@contextmanager
def _private_file(name: str, text: str) -> Iterator[str]:
    """Context manager: the path of a file with this text that no other user can read; it is removed at the end."""
    import sys
    from tempfile import mkdtemp

    # Browsers in snaps (Ubuntu's Firefox and Chromium) have a separate /tmp, and see no hidden folders at home.
    home = os.path.expanduser("~") if sys.platform == "linux" else None
    try:
        folder = mkdtemp(prefix="purebleu-", dir=home)
    except OSError:
        folder = mkdtemp(prefix="purebleu-")
    path = os.path.join(folder, name)
    try:
        with open(path, "x", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(text)
        yield path
    finally:
        _remove(path)


def _remove(path: str) -> None:
    """Remove a file and its folder, if they are still there."""
    with suppress(OSError):
        os.remove(path)
    with suppress(OSError):
        os.rmdir(os.path.dirname(path))
