"""`--serve`: the local page, and what is told of its address."""

from __future__ import annotations

import gc

from ...serve.access import Access, new_token
from ...serve.document import form_page
from ...serve.server import LOOPBACK, Site, open_server
from ...version import __version__
from .page_job import form_fields, score_request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arguments.options import Options


def serve(options: Options) -> None:
    """Serve the page until Ctrl-C."""
    gc.enable()  # this process is to last
    token = new_token()
    page, policy = form_page(setup_of_page())
    site = Site(page.encode("utf-8"), policy, score_request,
                lambda port: Access(token, [port, *([options.public_port] if options.public_port else [])]))
    server = open_server(site, options.port)
    try:
        port = server.server_port
        seen = options.public_port or port
        address = f"http://{LOOPBACK}:{seen}/?token={token}"
        print(address)
        print(f"(from elsewhere: ssh -N -L {seen}:{LOOPBACK}:{port} THIS_MACHINE, and this address; Ctrl-C ends it)",
              flush=True)
        if options.open:
            _open(f"http://{LOOPBACK}:{port}/?token={token}")
        server.serve_forever()
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        site.jobs.end()
        server.server_close()


def try_to_serve(port: int) -> None:
    """Open a server at this port, and close it at once; raises `PurebleuError` where that fails."""
    page, policy = form_page(setup_of_page())
    site = Site(page.encode("utf-8"), policy, score_request, lambda port: Access(new_token(), [port]))
    server = open_server(site, port)
    site.jobs.end()
    server.server_close()


def _open(address: str) -> None:
    """Open the page in a browser, as soon as the server answers."""
    import webbrowser
    from threading import Thread

    Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def setup_of_page() -> dict[str, Any]:
    """What the page offers: options, test sets, what it is a page of."""
    from ...errors import LeftOutError
    from ..scoring.selection import pairs_at_hand
    from .carried import carried_contents

    test_sets: dict[str, list[str]] = {}
    try:
        carried = carried_contents()
        for name, pair in dict.fromkeys([*[(test_set.name, pair) for test_set, pair in pairs_at_hand()],
                                         *(carried.pairs if carried else ())]):
            test_sets.setdefault(name, []).append(pair)
    except LeftOutError:
        pass
    return {"version": __version__, "fields": form_fields(), "testSets": test_sets}
