"""The page: a form, with all that it is made of in one piece of HTML."""

from __future__ import annotations

from ..report.page.data import csp_hash, file_of, json_for_script, page_script
from ..runtime.program import own_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping

#: The styles that the page shares with the report, and its own.
_OWN_STYLE = "form.css"

#: What the page's own script needs, in this order; what sends a request comes between the two.
_SCRIPTS = ("form_fields.js", "form.js")


def form_page(setup: Mapping[str, Any], sender: str, connect: str, further: str = "",
              own: bytes | None = None) -> tuple[str, str]:
    """The page, and its Content-Security-Policy.

    Args:
        setup: what the page offers: `version`, `fields` and `testSets`.
        sender: the file of the script that has a request done, beside this module.
        connect: what scripts may connect to, as the policy says it.
        further: more of the policy.
        own: the content of `sender`, where it is not beside this module.

    Returns:
        The text of the page, which has the policy, too, and the policy, for the header that goes with it.
    """
    sends = (own if own is not None else own_file(f"serve/{sender}")).decode("utf-8")
    script = "\n".join([_file(_SCRIPTS[0]), sends, *map(_file, _SCRIPTS[1:])])
    style = "\n".join([file_of("page.css"), _file(_OWN_STYLE)])
    # A report is shown in a frame without rights, but what it may run has to be allowed here, too.
    of_report = "\n".join([file_of("page.css"), file_of("charts.css")])
    policy = "; ".join(filter(None, [
        "default-src 'none'", f"script-src {csp_hash(script)} {csp_hash(page_script())}{further}",
        f"style-src {csp_hash(style)} {csp_hash(of_report)}", f"connect-src {connect}", "frame-src blob:",
        "img-src data:", "base-uri 'none'", "form-action 'none'"]))
    page = _file("form.html")
    for name, text in (("POLICY", policy), ("STYLE", style), ("SETUP", json_for_script(setup)), ("SCRIPT", script)):
        page = page.replace(f"<!--{name}-->", text, 1)
    return page, policy


def _file(name: str) -> str:
    return own_file(f"serve/{name}").decode("utf-8")
