"""Text inside XML and HTML."""

from __future__ import annotations


def xml_characters(text: str) -> str:
    """The text with U+FFFD for characters that XML 1.0 forbids: control characters and halves of surrogate pairs.

    >>> xml_characters("a\\x00b\\tc")
    'a\\ufffdb\\tc'
    """
    return "".join([character if character in "\t\n\r" or " " <= character < "\ud800" or
                    "\ue000" <= character < "\ufffe" or character > "\uffff" else "\ufffd"
                    for character in text])


def xml_text(text: str) -> str:
    """The text, escaped for XML and HTML, as the content of an element or between quotation marks.

    >>> xml_text('a<"\\x07')
    'a&lt;&quot;\\ufffd'
    """
    from html import escape

    return escape(xml_characters(text))
