"""The local page in real Chromium, where `PUREBLEU_BROWSER` names a folder as in `test_page.py`; else it is skipped."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from purebleu import metrics
from purebleu.cli import page_job
from purebleu.cli.commands.serve import setup_of_page
from purebleu.cli.page_job import form_fields
from purebleu.report.page.markup import csp_hash
from purebleu.runtime.program import own_file
from purebleu.serve.form import form_page
from purebleu.serve.server import _REDIRECTION

from .. import PACKAGE
from ..helpers import SCRIPTS, WMT22, run_cli, served, wmt22_lines
from ..pages import seen_in_chromium, skip_without_chromium

pytest.importorskip(f"{PACKAGE}.serve.server")

LOST = ("This page has lost its token (perhaps because it was reloaded). Your texts are still here. To continue, open "
        "in this tab the whole address that the terminal shows.")
OTHER = ("the token is missing, or belongs to another server: send the token from the address that purebleu printed, "
         "in the header X-Purebleu-Token")

FILES = ("form_fields.js", "form.js", "send.js", "form.css", "form.html")


def test_files_of_the_page_are_fit_for_it() -> None:
    for name in FILES:
        text = own_file(f"serve/{name}").decode("utf-8")
        assert not re.search(r"\r|\bstyle=|https?:", text)
        assert max(map(len, text.split("\n"))) <= 120
        if name != "form.html":
            assert not re.search(r"</|<!--|innerHTML|outerHTML|insertAdjacent|document\.write|eval|setInterval", text)
    page, policy = form_page(setup_of_page())
    [style], [script] = re.findall("<style>(.*?)</style>", page, re.S), re.findall("<script>(.*?)</script>", page, re.S)
    assert csp_hash(style) in policy and csp_hash(script) in policy and f'content="{policy}"' in page
    assert "unsafe" not in policy and page.count("<!--") == 0


def test_the_page_offers_the_options_of_the_command_line() -> None:
    fields = {field["name"]: field for field in form_fields()}
    assert {"metrics", "tokenize", "ter-case-sensitive", "chrf-word-order", "rouge-stemmer", "gleu-min-order",
            "confidence-n", "samples", "correction", "against", "no-power", "no-worth", "no-tests", "no-checks",
            "seed"} <= fields.keys()
    assert fields["metrics"]["choices"] == list(map(str.lower, [*metrics.MODULES, *metrics.FURTHER_MODULES]))
    assert [fields["metrics"]["titles"][name] for name in ("bleu", "chrf", "rougel", "character")] == [
        "BLEU", "chrF", "ROUGE-L", "CharacTER"]
    for field in fields.values():
        assert field["help"] and field["kind"] in ("flag", "choice", "list", "text")
        assert not field["choices"] or field["default"] in ["", *field["choices"]]
        assert "FILE" not in field["help"] or field["name"] == "tokenize"
    usual = {name: fields[name]["default"] for name in ("smooth-method", "unit", "confidence-n", "seed", "lowercase")}
    assert usual == {"smooth-method": "exp", "unit": "", "confidence-n": "1000", "seed": "environment", "lowercase": ""}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(os.environ.get("PUREBLEU_SCREENSHOTS") or str(tmp_path_factory.mktemp("form")))


@pytest.fixture(scope="module")
def seen(folder: Path) -> Any:
    """The driver's observations in Chromium, by name."""
    skip_without_chromium()
    from .test_serve import interrupt, start_command

    (folder / "mixed.txt").write_bytes(run_cli(["-t", "sample", "-l", "en-de", "--echo", "mixed"]).stdout)
    process, client = start_command()
    other, other_client = start_command()
    try:
        address, other_address = [f"http://127.0.0.1:{one.port}/#token={one.token}" for one in (client, other_client)]
        redirection = folder / "redirection.html"
        redirection.write_text(_REDIRECTION.format(address=address))
        return seen_in_chromium("form.mjs", folder, address, folder / "mixed.txt", redirection, other_address,
                                other.pid)
    finally:
        other.kill()
        other.communicate()
        assert interrupt(process) == b""


def test_the_form_sends_text_only_to_its_server_and_keeps_none(seen: Any) -> None:
    assert seen["foreign"] == []
    assert seen["complaints"] == []
    assert seen["address"].endswith("/") and "token" not in seen["address"]
    assert seen["kept"].startswith("does this sentence match\n") and "what about this sentence?" in seen["kept"]
    assert seen["stored"] == [[], 1, False]  # (texts, in the tab alone, for a reload)


def test_the_example_of_evaluates_card(seen: Any, folder: Path) -> None:
    [score] = seen["card"]
    assert (score["score"], score["num_edits"], score["ref_length"]) == (62.5, 5, 8)
    assert '"ref_length": 8.0' in seen["card as text"]
    assert seen["counted"] == ["2 lines", "0 lines", "2 lines"]
    assert seen["command"] == seen["copied"] == (
        "purebleu report reference.txt -i system.txt --metrics ter --ter-case-sensitive")
    assert (seen["status"], seen["focused"]) == ("Done.", "result")
    assert seen["report"] == ["TER: system.txt", "null"]
    assert seen["isolated"] == "SecurityError"


def test_a_result_belongs_to_its_input(seen: Any) -> None:
    ages, errors = seen["ages"]
    assert ages == [[False, False, ""], [True, False, "Done."], [True, True, ""], [True, False, "Done."],
                    [True, True, ""], [False, False, ""]]
    assert errors == 1


def test_downloads_are_the_command_lines(seen: Any, folder: Path) -> None:
    assert seen["downloads"] == ["report.html", "scores.json", "scores.tsv", "scores.tex", "rows.jsonl"]
    (folder / "reference.txt").write_bytes(b"does this sentence match\nwHaT aBoUt ThIs SeNtEnCe?\n")
    (folder / "system.txt").write_bytes(b"does this sentence match??\nwhat about this sentence?\n")
    arguments = ["report", "reference.txt", "-i", "system.txt", "--metrics", "ter", "--ter-case-sensitive"]
    downloaded = (folder / "report.html").read_bytes()
    for form, name in (("json", "scores.json"), ("tsv", "scores.tsv"), ("latex", "scores.tex")):
        assert (folder / name).read_bytes() == run_cli([*arguments, "-f", form], cwd=folder).stdout
    run_cli(arguments, cwd=folder)
    assert (folder / "report.html").read_bytes() == downloaded


def test_the_page_needs_the_address_with_the_token(seen: Any) -> None:
    title, problem = seen["reloaded"]
    assert title == "Score translations" and problem == LOST
    assert seen["after reload"] == [["error", LOST]]
    assert seen["after the address"] == [seen["address"], [], "0.00"]  # (TER is still chosen)
    assert seen["uninvited"] == [200, LOST, 1]
    assert seen["mistaken"] == [200, OTHER, 1]
    assert seen["redirected"][:2] == [seen["address"], True]


def test_a_page_that_is_left_open_says_that_the_server_is_gone(seen: Any) -> None:
    assert seen["outlived"] == [[["error", "The server was stopped before the request was done."]],
                                [["error", "The server does not answer. Is it still running?"]]]


def test_files_are_dropped(seen: Any) -> None:
    errors, command, systems = seen["after drop"]
    assert errors == []
    assert command.startswith("purebleu report ref.a.txt ref.b.txt -i one.txt 'two é.txt' --names one.txt '</script>")
    assert systems[0] == "one.txt" and systems[1].startswith("</script><img src=x onerror=alert(1)>")
    [[place, message]] = seen["errors"]["latin"]
    assert place.startswith("systems-") and message == "latin.txt: line 2: not valid utf-8"
    assert seen["beside the fields"] == seen["address"]


def test_errors_stand_beside_their_fields(seen: Any) -> None:
    errors = seen["errors"]
    assert errors["none"] == []
    assert [place for place, _ in errors["empty"]] == ["systems-error"]
    assert errors["lengths"] == [["systems-2-error", "Line 3: The numbers of lines differ: 3 in system.txt, 2 in "
                                  "reference.txt"]]
    assert seen["selected line"] == "c d"
    assert [place for place, _ in errors["no references"]] == ["references-error"]
    assert [place for place, _ in errors["seed"]] == ["option-seed-error"]
    assert seen["field in sight"] == ["option-seed", True]
    assert [place for place, _ in errors["against"]] == ["option-against-error"]
    assert errors["offline"] == [["error", "The server does not answer. Is it still running?"]]
    assert seen["cancelled"] == ["Cancelled."] * 3
    assert seen["after cancelling"] == []


def test_a_test_set_of_the_cache(seen: Any) -> None:
    assert seen["references hidden"] is True
    errors, command, score = seen["test set"]
    assert (errors, command) == ([], "purebleu report -i system.txt --test-set sample --language-pair en-de")
    assert float(score) > 10


def test_axe_finds_nothing(seen: Any) -> None:
    assert [seen["axe"][name] for name in ("empty", "result", "error", "dark", "phone")] == [[]] * 5
    assert seen["phone"] == [[], 360]
    assert seen["printed"] == [True, False]
    assert seen["keyboard"] == ["100.00", "100.00"]


# The page without a server: `scripts/make_web.py`

@pytest.fixture(scope="module", params=["server", "file"])
def web_seen(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    """The driver's observations of the page that runs purebleu in the browser: from a web server, and from a file."""
    skip_without_chromium()
    if not shutil.which("npm"):
        pytest.skip("there is no npm")
    folder = tmp_path_factory.mktemp("web")
    done = run_cli([str(folder / "out")], start=[str(SCRIPTS / "make_web.py")])
    assert done.returncode == 0, done.stderr.decode()
    assert (folder / "out" / "index.html").stat().st_size < 7_500_000
    (folder / "requests.json").write_text(json.dumps(WEB_REQUESTS), encoding="utf-8")
    is_file = request.param == "file"
    with nullcontext((folder / "out" / "index.html").as_uri()) if is_file else served(folder / "out") as address:
        return seen_in_chromium("web.mjs", address, "requests.json", cwd=folder)


def web_requests() -> dict[str, dict[str, Any]]:
    """Requests that the browser scores; of real data, where that is there, or else of generated lines."""
    card = {"references": "does this sentence match\nwHaT aBoUt ThIs SeNtEnCe?\n",
            "systems": "does this sentence match??\nwhat about this sentence?\n", "metrics": ["ter"]}
    if WMT22.is_dir():
        texts = ["\n".join(lines) for lines in wmt22_lines("ref.B", "hyp.Online-B")]
    else:
        lines = [f"line {number} of the two thousand that are here" for number in range(2000)]
        texts = ["\n".join(lines), "\n".join(lines).replace("0 of", "0 out of")]
    return {"card": card, "large": {"references": texts[0], "systems": texts[1], "metrics": ["bleu", "chrf", "ter"]},
            "one metric": {"references": texts[0], "systems": texts[1], "metrics": ["bleu"]}}


WEB_REQUESTS = web_requests()


def test_the_browser_gives_the_digits_of_the_command_line(web_seen: Any) -> None:
    for name, request in WEB_REQUESTS.items():
        expected = page_job.score_request({"references": [request["references"]], "systems": [request["systems"]],
                                           "options": {"metrics": request["metrics"]}})
        assert web_seen["scores"][name] == json.loads(json.dumps(expected["scores"]))


def test_the_browser_asks_nobody(web_seen: Any) -> None:
    assert web_seen["foreign"] == web_seen["after"] == web_seen["complaints"] == []
    assert web_seen["report"].startswith("BLEU: system.txt")
    assert web_seen["cancelled"] == "Cancelled."
    assert round(web_seen["again"]) == 100
