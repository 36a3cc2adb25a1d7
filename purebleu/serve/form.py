"""The local page with its form, and the texts of its requests. The page is one file of HTML with styles and scripts."""

from __future__ import annotations

from ..report.page.markup import csp_hash, file_of, json_for_script, page_script, page_style
from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, Mapping, Sequence
from ..runtime.program import own_file

#: The largest numbers of references and of systems in a request.
_MAX_REFERENCES = 100
_MAX_SYSTEMS = 20

#: Longer error messages are cut after this many characters.
_MAX_MESSAGE = 1000

#: The pattern of file names that the command line shows unchanged.
_PLAIN_NAME = r"[^\W_][\w.+=,@ -]*"

#: The characters that the name of a system must not have: NUL, line breaks, and halves of surrogate pairs.
_IN_NO_NAME = frozenset(("\0", "\n", "\r", *map(chr, range(0xD800, 0xE000))))


class RequestError(PurebleuError):
    """An error in a request.

    Attributes:
        field: the wrong part of the request, such as `references.0`, `systems.2`, `source` or `options.seed`; empty if
            no single part is wrong.
        line: the number of the wrong line, or `None`.
    """

    def __init__(self, message: str, field: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.line = line

    def described(self) -> dict[str, Any]:
        """Return the error as plain data, for JSON."""
        message = "\\n".join(str(self).splitlines())
        if len(message) > _MAX_MESSAGE:
            message = f"{message[:_MAX_MESSAGE]} ..."  # The message can quote a long request.
        return {"error": {"message": message, "field": self.field, "line": self.line}}


class RequestText:
    """A text of the request.

    Attributes:
        field: the part of the request that has the text, such as `systems.2`.
        text: the whole text, with a line feed after each line.
        lines: the number of lines.
        file: the file name of the text in the command line.
        default: the file name if the request has no usable one.
        name: the name of the system, or an empty string.
    """

    def __init__(self, field: str, given: Any, file: str) -> None:
        self.field = field
        members: dict[str, Any] = checked_member(given, dict, field, "") if isinstance(given, dict) else {"text": given}
        if unknown := [key for key in members if key not in ("text", "lines", "file", "name")]:
            raise RequestError(f"a text has no member {unknown[0]!r}", field)
        if "text" in members and "lines" in members:
            raise RequestError("a text has either text or lines, not both", field)
        self.text = _text_of_lines(members.get("text", members.get("lines")), field)
        self.lines = self.text.count("\n")
        self.default = file
        self.file, self.name = members.get("file") or file, members.get("name") or ""
        if not isinstance(self.file, str) or not isinstance(self.name, str):
            raise RequestError("the name of a system, or of a file, must be text", field)
        if set(self.name) & _IN_NO_NAME:
            raise RequestError("the name of a system must be one line of text that can be written in UTF-8", field)


def checked_member(value: Any, kind: type[object], field: str, otherwise: str) -> Any:
    """Return a JSON value, or raise `RequestError` with the message `otherwise` if the value is not a `kind`."""
    if not isinstance(value, kind):
        raise RequestError(otherwise, field)
    return value


def texts_of_request(request: Any) -> list[RequestText]:
    """Return the texts of a request: the references, the outputs of systems, and the source."""
    members = checked_member(request, dict, "", "a request must be an object with references and systems")
    known = ("references", "systems", "source", "options", "outputs")
    if unknown := [key for key in members if key not in known]:
        raise RequestError(f"unknown field {unknown[0]!r}: the fields of a request are {', '.join(known)}")
    texts: list[RequestText] = []
    for field, file, limit in (("references", "reference", _MAX_REFERENCES), ("systems", "system", _MAX_SYSTEMS)):
        given = checked_member(members.get(field) or [], list, field, f"{field} must be a list of texts")
        if len(given) > limit:
            raise RequestError(f"there are {len(given)} {field}, but a request can have at most {limit}", field)
        texts += [RequestText(f"{field}.{index}", one, f"{file}{index + 1 if len(given) > 1 else ''}.txt")
                  for index, one in enumerate(given)]
    if members.get("source"):
        texts.append(RequestText("source", members["source"], "source.txt"))
    if not any(text.field.startswith("systems") for text in texts):
        raise RequestError("the request has no output to score", "systems")
    _name_files(texts)
    _check_lengths(texts)
    return texts


def _text_of_lines(given: Any, field: str) -> str:
    """Return the text of a field, with a line feed after each line."""
    if isinstance(given, str):
        text = given if given.endswith("\n") or not given else given + "\n"
    else:
        what = "a text must be a string, or a list of strings, one for each line"
        for number, line in enumerate(checked_member(given, list, field, what), 1):
            if not isinstance(line, str):
                raise RequestError(what, field, number)
            if "\n" in line:
                raise RequestError(f"line {number} has a line feed in it, but a segment is one line", field, number)
        text = "".join([f"{line}\n" for line in given])
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        number = text.count("\n", 0, error.start) + 1
        message = f"line {number} has half of a surrogate pair, which is not a character"
        raise RequestError(message, field, number) from None
    if not text:
        raise RequestError("the text is empty", field)
    return text


def _name_files(texts: Sequence[RequestText]) -> None:
    """Give texts their default file names if their own names are not plain, or not unique."""
    import re

    names = [text.file for text in texts]
    for text in texts:
        if not re.fullmatch(_PLAIN_NAME, text.file) or "=" in text.file or names.count(text.file) > 1:
            text.file = text.default
    if len({text.file for text in texts}) < len(texts):
        for text in texts:
            text.file = text.default


def _check_lengths(texts: Sequence[RequestText]) -> None:
    """Raise `RequestError` if the numbers of lines of two texts differ."""
    first = texts[0]
    for text in texts[1:]:
        if text.lines != first.lines:
            counts = f"{text.lines} in {text.file}, {first.lines} in {first.file}"
            raise RequestError(f"the numbers of lines differ: {counts}", text.field, min(text.lines, first.lines) + 1)


# The page

#: The files of the page. The script that sends a request is inserted between the two files of scripts.
_PAGE, _STYLE, _SCRIPTS = "form.html", "form.css", ("form_fields.js", "form.js")

#: The script that sends a request to the server.
_SENDER = "send.js"


def form_page(setup: Mapping[str, Any], sender: str | None = None,
              policy: Sequence[str] = ("connect-src 'self'",),
              script_sources: Sequence[str] = ()) -> tuple[str, str]:
    """Return the page, and its Content-Security-Policy.

    Args:
        setup: the setup of the page: `version`, `fields`, and values for the script that sends a request.
        sender: the script that sends a request; `None`: `send.js`, which sends requests to the server of the page.
        policy: further directives of the policy, which `sender` needs.
        script_sources: sources of further scripts that the page may run.

    Returns:
        The text of the page (with the policy in it), and the policy for the header of an answer.
    """
    script = "\n".join([_file(_SCRIPTS[0]), _file(_SENDER) if sender is None else sender, _file(_SCRIPTS[1])])
    style = "\n".join([file_of("page.css"), _file(_STYLE)])
    # The page shows a report in a sandboxed frame. The policy of the page also applies to this frame, so it must allow
    # the scripts and styles of the report.
    sources = [csp_hash(script), csp_hash(page_script()), *script_sources]
    directives = ["default-src 'none'", f"script-src {' '.join(sources)}",
                  f"style-src {csp_hash(style)} {csp_hash(page_style())}", "frame-src blob:", "img-src data:",
                  "base-uri 'none'", "form-action 'none'", *policy]
    page, whole_policy = _file(_PAGE), "; ".join(directives)
    for name, text in (("POLICY", whole_policy), ("STYLE", style), ("SETUP", json_for_script(setup)),
                       ("SCRIPT", script)):
        page = page.replace(f"<!--{name}-->", text, 1)
    return page, whole_policy


def _file(name: str) -> str:
    return own_file(f"serve/{name}").decode("utf-8")
