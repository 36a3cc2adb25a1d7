"""Content to embed in a page: data for its script, files of this package, hashes for its security policy."""

from __future__ import annotations

from ...hints import Any
from ...runtime.program import own_file

#: The files of the page's script; each one uses only those before it.
SCRIPTS = ("page_words.js", "page.js", "page_tables.js", "page_views.js")

#: Characters that could end a script element or begin a comment in it, and line ends of old JavaScript.
_ESCAPED_IN_SCRIPTS = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def json_for_script(value: Any) -> str:
    r"""Return a value as JSON that is safe inside a script element; surrogates become U+FFFD.

    Args:
        value: dicts with strings as keys, lists, tuples, strings, finite numbers, `True`, `False` and `None`.

    Raises:
        ValueError: a number is not finite.

    Example:
        >>> print(json_for_script({"a": ["</script>", 1.5]}))
        {"a":["\u003c/script\u003e",1.5]}
    """
    import json
    import re

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    for character, escaped in _ESCAPED_IN_SCRIPTS.items():
        text = text.replace(character, escaped)  # in megabytes of text, much faster than `translate`
    return text


def packed(content: bytes) -> str:
    """Return bytes, compressed by gzip, in base64. With one version of zlib, the same bytes give the same result.

    Example:
        >>> import base64, gzip
        >>> gzip.decompress(base64.b64decode(packed(b"text")))
        b'text'
    """
    import zlib
    from binascii import b2a_base64

    compressor = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)  # (16: gzip)
    compressed = compressor.compress(content) + compressor.flush()
    # Byte 9 names the operating system; 255 stands for an unknown one.
    return b2a_base64(compressed[:9] + b"\xff" + compressed[10:], newline=False).decode("ascii")


def page_script() -> str:
    """Return the script of the page as a single text, for one element and one hash."""
    return "\n".join(map(file_of, SCRIPTS))


def file_of(name: str) -> str:
    """Return the text of a file beside this module, such as `page.js`, even if this package is in an archive.

    Raises:
        PurebleuError: this copy of the package was made without the file.
    """
    return own_file(f"report/page/{name}").decode("utf-8")


def csp_hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows the content of a script or style element.

    The text is everything between the tags, including white space.

    Example:
        >>> csp_hash("")
        "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    import hashlib
    from binascii import b2a_base64

    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{b2a_base64(digest, newline=False).decode('ascii')}'"
