"""The package `purebleu._pyinstaller` of the wheel. Its entry point tells PyInstaller where the hook is."""

from __future__ import annotations

import os


def hook_folders() -> list[str]:
    """Return the folder with the hook."""
    return [os.path.dirname(__file__)]
