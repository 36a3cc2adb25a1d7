"""The page with the form, as one file of HTML that contains its styles and scripts."""

from __future__ import annotations

from ..hints import Any, Mapping, Sequence
from ..report.page.markup import csp_hash, file_of, json_for_script, page_script, page_style
from ..runtime.program import own_file

#: The files of the page. The script that sends a request comes between the two scripts.
_PAGE, _STYLE, _SCRIPTS = "form.html", "form.css", ("form_fields.js", "form.js")

#: The script that sends a request to the server.
_SENDER = "send.js"


def form_page(setup: Mapping[str, Any], sender: str | None = None,
              policy: Sequence[str] = ("connect-src 'self'",),
              script_sources: Sequence[str] = ()) -> tuple[str, str]:
    """Return the page, and its Content-Security-Policy.

    Args:
        setup: the setup of the page: `version`, `fields`, and values for the script that sends a request.
        sender: the script that sends a request; `None`: `send.js`, which sends it to the server of the page.
        policy: what that script may do, as directives of the policy.
        script_sources: sources of further scripts that the page may run.

    Returns:
        The text of the page, which includes the policy; and the policy by itself, for a header.
    """
    script = "\n".join([_file(_SCRIPTS[0]), _file(_SENDER) if sender is None else sender, _file(_SCRIPTS[1])])
    style = "\n".join([file_of("page.css"), _file(_STYLE)])
    # The page shows a report in a frame without rights. Still, this policy has to allow the scripts and styles of the
    # report.
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
