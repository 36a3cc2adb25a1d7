"""`purebleu serve`: serve the local page, print its address, and open it in a browser."""

from __future__ import annotations

import gc
from contextlib import nullcontext

from ...runtime.errors import LeftOutError
from ...runtime.hints import Any
from ...serve.form import form_page
from ...serve.server import LOOPBACK, Site, address_with, new_token, open_server, opened
from ...version import FULL_VERSION
from ..arguments.command import Answer, Command
from ..arguments.groups import NETWORK, InputValues, Option, OutputValues
from ..arguments.values import not_negative, port
from ..corpus.selection import carried_contents, pairs_at_hand
from ..page_job import form_fields, score_request
from ..process import ended_by_signals


class ServeValues(InputValues, OutputValues):
    """The values of the options of `purebleu serve`."""

    port: int = 0
    public_port: int = 0
    open: bool = False
    memory: int = 2048


def run_serve(values: ServeValues) -> Answer:
    """Serve the page until Ctrl-C."""
    from json import dumps

    gc.enable()  # (a server runs for long, unlike other commands)
    token = new_token()
    setup = setup_of_page()
    test_sets = dumps(setup.pop("testSets")).encode("ascii")
    page, policy = form_page(setup)
    site = Site(page.encode("utf-8"), policy, score_request, token, test_sets, values.memory)
    if values.public_port:
        site.admit_port(values.public_port)
    server = open_server(site, values.port)
    with ended_by_signals():
        try:
            bound = server.server_port
            seen = values.public_port or bound
            print(address_with(token, seen))
            print("(Ctrl-C ends this server. If the browser is on another machine, first run on that machine: "
                  f"ssh -N -L {seen}:{LOOPBACK}:{bound} THIS_MACHINE)", flush=True)
            with opened(token, bound) if values.open else nullcontext():
                server.serve_forever()
        except KeyboardInterrupt:
            pass  # (Ctrl-C is the usual end of a server)
        finally:
            site.jobs.end()
            server.server_close()
    return Answer()


def try_to_serve(port: int) -> None:
    """Open a server at a port, and close the server at once. Raise `PurebleuError` if the server can't be opened."""
    page, policy = form_page(setup_of_page())
    site = Site(page.encode("utf-8"), policy, score_request, new_token())
    server = open_server(site, port)
    site.jobs.end()
    server.server_close()


def setup_of_page() -> dict[str, Any]:
    """Return the setup of the page: the version, the options and the test sets."""
    test_sets: dict[str, list[str]] = {}
    try:
        carried = carried_contents()
        for name, pair in dict.fromkeys([*[(test_set.name, pair) for test_set, pair in pairs_at_hand()],
                                         *(carried.pairs if carried else ())]):
            test_sets.setdefault(name, []).append(pair)
    except LeftOutError:
        pass
    return {"version": FULL_VERSION, "fields": form_fields(), "testSets": test_sets}


SERVE = Command(
    "serve", "serve [options]",
    "Open a local page on which you paste text and see its scores. Print the address of the page (with a token after "
    "#), which only this machine can reach. Ctrl-C ends the server.",
    run_serve, ServeValues, (
        Option("--port", convert=port, metavar="N", help="the port to listen on (default: any free port)"),
        Option("--public-port", convert=port, metavar="N",
               help="the port in the browser's address, if ssh forwards a port with another number"),
        Option("--open", form="switch", help="open the page in a browser"),
        Option("--memory", convert=not_negative, metavar="MIB",
               help=f"limit of the memory of each request, in MiB (default: {ServeValues.memory}, 0: none)",
               more="a request that needs more memory gets the status 413 (on macOS, only after it has used the "
                    "memory); on Windows, the limit has no effect; the body of a request may have at most 64 MiB"),
    ), (NETWORK.only("offline"),), (), (
        ("--open", "in a browser"),
        ("--port 8000", "at a fixed port"),
    ))
