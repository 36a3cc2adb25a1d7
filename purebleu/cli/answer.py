"""The answer of a mode, which `main` prints."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence


class Answer:
    """The text, the messages and the exit code of a mode.

    Attributes:
        pieces: the text for standard output, each piece without its last line end; empty: nothing is printed.
        messages: lines for standard error, after the text.
        exit_code: the exit code of the process.
    """

    def __init__(self, text: str | Iterable[str] | None = None, messages: Sequence[str] = (),
                 exit_code: int = 0) -> None:
        self.pieces: Iterable[str] = () if text is None else [text] if isinstance(text, str) else text
        self.messages = messages
        self.exit_code = exit_code
