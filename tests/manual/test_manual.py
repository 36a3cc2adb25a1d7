"""The manual: its pages, what makes some of them, `help PAGE` and `help WORD`. (Its blocks: `test_readme.py`.)"""

from __future__ import annotations

import re
import unicodedata
from itertools import product, zip_longest
from pathlib import Path

import pytest

import purebleu
from purebleu import manual
from purebleu.cli.commands import COMMANDS
from purebleu.cli.commands.help import _wrapped, help_text
from purebleu.manual import markdown

from ..helpers import FIXTURES, SCRIPTS, call_cli, load_script, needs_processes, output_of, refusal, run_cli
from ..pages import Elements, seen_in_chromium, skip_without_chromium

FOLDER = Path(__file__).resolve().parents[2] / "purebleu" / "manual"
in_the_repository = pytest.mark.skipif(not FOLDER.is_dir(), reason="the repository is not there")


def help_on(*words: str, columns: str = "80") -> str:
    return output_of(["help", *words], Path.cwd(), COLUMNS=columns)


# The pages

@in_the_repository
def test_every_page_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {*manual.known_pages()}


def test_pages_are_in_the_forms_that_the_reader_knows() -> None:
    for page in manual.known_pages():
        text = manual.page_text(page)
        blocks = list(markdown.blocks_of(text))
        headings = [block for block in blocks if isinstance(block, markdown.Heading)]
        assert [heading.level for heading in headings].count(1) == 1 and blocks[0] is headings[0], page
        assert len({heading.anchor for heading in headings}) == len(headings), page
        for block in blocks:
            if isinstance(block, markdown.Table):
                assert {len(row) for row in block.rows} == {len(block.head)}, (page, block.head)
        assert text.rstrip().split("\n\n")[-1].startswith("Next: "), page
        # (Nothing is left of a mark that the reader does not know.)
        plain = markdown.page_in_terminal(re.sub(r"^```(?s:.*?)^```$", "", text, flags=re.MULTILINE), 80, False)
        assert "](" not in plain and "<!--" not in plain and not re.search(r"^#", plain, re.MULTILINE), page


def test_links_lead_somewhere() -> None:
    anchors = {name: {block.anchor for block in markdown.blocks_of(manual.page_text(name))
                      if isinstance(block, markdown.Heading)} for name in manual.known_pages()}
    for page in manual.known_pages():
        for target in re.findall(r"\]\(([^)]*)\)", re.sub(r"`[^`]*`", "", manual.page_text(page))):
            if target.startswith("https://"):
                continue
            name, _, anchor = target.partition("#")
            assert name == "" or name.endswith(".md"), (page, target)
            assert not anchor or anchor in anchors[name[:-len(".md")] or page], (page, target)
            assert not name or name[:-len(".md")] in manual.known_pages(), (page, target)


@in_the_repository
@pytest.mark.skipif(not SCRIPTS.is_dir(), reason="there are no scripts")
def test_generated_parts_are_what_their_source_makes() -> None:
    for page, text in load_script("dev/generate/manual_pages").pages().items():
        assert (FOLDER / f"{page}.md").read_text(encoding="utf-8") == text, page


def test_every_command_has_its_synopsis_in_the_manual() -> None:
    pages = "".join(map(manual.page_text, manual.known_pages()))
    for word in COMMANDS:
        assert pages.count(f"<!-- synopsis {word} -->") == (word not in ("score", "help")), word


def test_every_public_name_is_on_the_page_of_python() -> None:
    text = manual.page_text("python")
    for name in purebleu.__all__:
        assert re.search(rf"^### purebleu\.{name}\b", text, re.MULTILINE) or name == "__version__", name


#: Command lines that print the messages of the page `mistakes`, in its order. (A missing dictionary is not tried.)
MISTAKES = (
    "ref out", "ref short -i out", "ref -i other", "tokenized -i tokenized", "th -i th", "ref -i ref -l en-cn",
    "out.jsonl -i out.jsonl", "latin -i latin", "ref -i ref -m comet", "-t wmt22 -i ref",
    "-t wmt22 -l en-de -i ref --offline", "", "nfc -i nfd")


@pytest.mark.full
def test_messages_of_the_page_of_mistakes_are_printed(tmp_path: Path) -> None:
    line = "On the mat sat a grey cat, {}, and it rained all day.\n"
    reference = "".join([line.format(number) for number in range(24)])
    vietnamese = "Đ\u01b0\u1ee3c r\u1ed3i, t\u00f4i s\u1ebd \u0111\u1ebfn\n" * 30
    texts = {
        "ref": reference, "out": reference, "short": line.format(0),
        "other": "Draußen vor der Stadt liegen heute neun alte Boote am Ufer.\n" * 24,
        "tokenized": "a cat sat .\n" * 120, "th": "ฉันรักแมว\n" * 12, "out.jsonl": '{"text": "a"}\n',
        "nfc": vietnamese, "nfd": unicodedata.normalize("NFD", vietnamese)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    tables = [block for block in markdown.blocks_of(manual.page_text("mistakes")) if isinstance(block, markdown.Table)]
    for command, message in zip_longest(MISTAKES, [markdown.plain_text(row[0]) for row in tables[0].rows]):
        done = call_cli(command.split(), cwd=tmp_path, env={"PUREBLEU_CACHE": str(tmp_path / "cache")})
        assert not command or message in done.stderr.decode(), (command, done.stderr)


# In a terminal

def test_lines_fit_into_the_terminal() -> None:
    for page, width in product(manual.known_pages(), (40, 80, 200)):
        lines = markdown.page_in_terminal(manual.page_text(page), width, False).split("\n")
        assert not any("\x1b" in line or "\ue000" <= line[:1] <= "\ue004" for line in lines), page
        for line in lines:
            # (Code keeps its lines; a single word can't be broken.)
            longest = max(map(len, line.split()), default=0)
            assert len(line) <= width or line.startswith("    ") or longest > width - 12, (page, width, line)


def test_colours_change_no_character() -> None:
    for page in manual.known_pages():
        plain, colored = [markdown.page_in_terminal(manual.page_text(page), 72, color) for color in (False, True)]
        assert "\x1b[" in colored
        assert re.sub("\x1b\\[[0-9]*m", "", colored).split() == plain.split(), page
        for line in colored.split("\n"):  # no style goes beyond its line
            styles = re.findall("\x1b\\[([0-9]*)m", line)
            assert not styles or styles[-1] == "0", (page, line)


def test_spans() -> None:
    text = "a **b c** `d ** e` [f `g`](h.md) 2 * 3 [x]"
    assert markdown.plain_text(text) == "a b c d ** e f g 2 * 3 [x]"
    assert markdown.plain_text(text, with_targets=True) == "a b c d ** e f g (--help h) 2 * 3 [x]"


def test_tables_are_told_row_by_row_if_there_is_no_room() -> None:
    text = "| name | meaning |\n| --- | --- |\n| abc | " + "word " * 9 + "|\n"
    assert markdown.page_in_terminal(text, 36, False).split("\n")[0].startswith("name")
    wide = "| one | two | three |\n| --- | --- | --- |\n| abcdefghijkl | mnopqrstuv | wxyzwxyzwxyz |\n"
    assert markdown.page_in_terminal(wide, 24, False) == "abcdefghijkl\n    two: mnopqrstuv\n    three: wxyzwxyzwxyz"


# Help

def test_pages_are_listed_and_shown() -> None:
    assert {*manual.known_pages()} <= {*re.findall(r"^(\S+) ", help_on("topics"), re.MULTILINE)}
    assert "STATISTICS" in help_on("statistics").split("\n")[0]
    # Commands that are called like a page come first; of others, the page is named.
    assert help_on("rows").startswith("usage: purebleu rows FILE ...\n") and "ROWS" in help_on("rows")
    assert help_on("test").endswith("page of the manual: purebleu help statistics\n")
    for page, merged in manual.MERGED.items():
        assert help_on(merged)[-500:] == help_on(page)[-500:], page
    assert max(map(len, help_on("topics", columns="60").split("\n"))) <= 60


def test_a_word_is_found() -> None:
    for word, parts in (
            ("-ci", ["--confidence"]), ("paired-bs", ["-pbs"]), ("bleu", ["BLEU:"]), ("ter", ["TER:"]),
            ("wer", ["Word error rate"]), ("intl", ["-tok intl"]), ("wmt18", ["-t wmt18", "WMT 2018"]),
            ("141", ["compatibility, Exit codes"]), ("seed", ["--seed N", "pages of the manual"]),
            ("null hypothesis", ["statistics: Paired tests"]), ("p-value", ["statistics: Paired tests"]),
            ("rouge", ["rouge1, rouge2"]), ("--min", ["purebleu gate:"]), ("min", ["purebleu gate:"]),
            ("metrics", ["--rouge-stemmer"])):
        assert all(part in help_on(word) for part in parts), word


def test_continuations_of_a_long_line_are_indented_by_two_more() -> None:
    assert _wrapped("    aa bb cc\nd e", 9) == "    aa bb\n      cc\nd e"


@pytest.mark.parametrize("step", [pytest.param(1, id="all", marks=pytest.mark.full), pytest.param(5, id="some")])
def test_questions_are_answered_by_a_word(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for line in (FIXTURES / "questions.txt").read_text(encoding="utf-8").splitlines()[2::step]:
        word, _, part = line.partition(" -> ")
        assert part.replace("\\n", "\n") in help_text([word]), word


def test_a_word_that_is_nowhere_is_told_what_is_near() -> None:
    for word, near in (("statistcs", "statistics"), ("chrff", "chrf"), ("wmt2018", "wmt18"),
                       ("--smoth-value", "smooth-value"), ("rogue", "rouge")):
        assert f"did you mean {near!r}?" in refusal(Path.cwd(), "help", word)


# As HTML

@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (SCRIPTS / "make_manual.py").is_file():
        pytest.skip("there are no scripts")
    folder = tmp_path_factory.mktemp("site") / "manual"
    done = run_cli([str(folder)], start=[str(SCRIPTS / "make_manual.py")])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return folder


@needs_processes
@pytest.mark.full
def test_pages_of_html_are_whole(site: Path) -> None:
    pages = {path.name: Elements(path.read_text(encoding="utf-8")) for path in site.glob("*.html")}
    assert {*pages} == {"index.html", *[f"{page}.html" for page in manual.known_pages()]}
    for name, page in pages.items():
        assert page.open == [], name
        assert len({*page.ids}) == len(page.ids), name
        for target in page.links:
            file, _, anchor = target.partition("#")
            assert target.startswith("https://") or not file or (site / file).is_file(), target
            assert target.startswith("https://") or not anchor or anchor in pages[file or name].ids, target
    for page_name in manual.known_pages():
        for block in markdown.blocks_of(manual.page_text(page_name)):
            for text in markdown.texts_of(block):
                assert text in pages[f"{page_name}.html"].shown


@needs_processes
@pytest.mark.full
def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run_cli([str(tmp_path / "file" / "x")], start=[str(SCRIPTS / "make_manual.py")])
    assert done.returncode == 1 and done.stderr.count(b"\n") == 1


@needs_processes
def test_pages_in_chromium(site: Path) -> None:
    skip_without_chromium()
    seen = seen_in_chromium("manual.mjs", site)
    assert [seen[key] for key in ("violations", "overflows", "complaints", "foreign", "printed")] == [[]] * 4 + [0]
    assert seen["found"][0].startswith("compatibility.html") and seen["address"] == seen["found"][0]
    assert seen["plain"] and not seen["isSearchShown"]


@in_the_repository
def test_the_page_of_limits_has_the_rows_of_the_script() -> None:
    page = (SCRIPTS / "dev" / "benchmarks" / "limits.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip() for line in page.split("\n") if line.startswith("|")]
    tables = load_script("dev/generate/limits").TABLES.items()
    names = [name for table, growths in tables for name in (table, "---", *[growth.name for growth in growths])]
    assert rows[:len(names)] == names


@in_the_repository
def test_the_page_of_speed_has_the_rows_of_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from dev.benchmarks.page import HEADS, kind_of, rows_on, with_rows
    from dev.benchmarks.tasks import TASKS

    page = (SCRIPTS / "dev" / "benchmarks" / "speed.md").read_text(encoding="utf-8")
    assert with_rows(page, {}) == page
    names = {task.name for task in TASKS}
    assert len(names) == len(TASKS)
    assert {name for kind in HEADS for name in rows_on(page, kind)} <= names
    new = {task.name: f"| {task.name} | of {kind_of(task)} |" for task in TASKS}
    written = with_rows(page, {**new, "no task": "| no task |"}, "Measured here.")
    assert [rows_on(written, kind) for kind in HEADS] == [
        {task.name: new[task.name] for task in TASKS if kind_of(task) == kind} for kind in HEADS]
    assert "Measured here." in written and with_rows(written, {}) == written
