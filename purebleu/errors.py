"""What purebleu raises: `PurebleuError` and what derives from it, and the category of its warnings.

A value that can't be scored raises a `PurebleuError`, which is a `ValueError`; an argument of the wrong type raises
a plain `TypeError`. The command line turns either into one line and an exit code.
"""


class PurebleuError(ValueError):
    """Input that cannot be scored, read or fetched. The message is one line, fit for a user."""


class OptionError(PurebleuError):
    """An option that is unknown, out of range, or does not go together with another."""


class LengthError(PurebleuError):
    """Streams of segments that should be parallel are not."""


class FieldCountError(PurebleuError):
    """A line with another number of tab-separated fields than it should have."""


class PurebleuWarning(UserWarning):
    """Input that is scored as it stands, though it is probably not what its owner meant."""
