"""What the wheel has as `purebleu._pyinstaller`: PyInstaller finds the hook of the package by the entry point."""

from __future__ import annotations

import os


def hook_folders() -> list[str]:
    """The folder with the hook."""
    return [os.path.dirname(__file__)]
