"""How a line is read: its command, abbreviations, old options, exit codes; and the help."""

from __future__ import annotations

import gzip
import re
import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

import pytest

from purebleu.cli.arguments.groups import SACREBLEU_NAMES
from purebleu.cli.arguments.parser import expanded, read_line
from purebleu.cli.commands import COMMANDS, command_named
from purebleu.runtime.errors import OptionError

from ..helpers import call_cli, needs_processes, one_in, output_of, told, write_lines, write_systems
from .test_cli_faults import BAD_INPUT, FINE, GATE_FAILED, WRONG_USAGE, assert_error, assert_fine
from .test_commands import LINES

pytestmark = needs_processes

SHARES, SEGMENTS = {"ref": 1.0, "a": 0.9, "b": 0.7}, 40


# Commands and files

def test_a_word_is_the_command_whatever_the_folder_holds(corpus: Path) -> None:
    for name in COMMANDS:
        (corpus / name).mkdir()
    expected = output_of(["check", "ref", "-i", "a"], corpus)
    (corpus / "check").rmdir()
    shutil.copy(corpus / "ref", corpus / "check")
    done = call_cli(["check", "ref", "-i", "a"], cwd=corpus)
    assert_fine(done, "check is both a command and a file, and is read as the command: write ./check for the file")
    assert done.stdout.decode() == expected
    for line in ("check ref -i a -q", "./check -i a"):
        output_of(line.split(), corpus)


def test_the_name_of_score_may_be_left_out(corpus: Path) -> None:
    for line in (["ref", "-i", "a"], ["-i", "a", "b", "--", "ref"], ["--list"], ["-sl", "ref", "-i", "a"]):
        assert call_cli(["score", *line], cwd=corpus).stdout == call_cli(line, cwd=corpus).stdout != b""


@pytest.mark.parametrize(("line", "word"), [
    ("-q test ref -i a", "test"), ("-j 2 report ref -i a", "report"), ("ref check -i a", "check"),
    ("reprot ref -i a", "report"), ("tests ref -i a", "test"), ("-q comapre ref -i a", "compare"),
])
def test_a_command_comes_first(corpus: Path, line: str, word: str) -> None:
    """Then the word is a missing file, with its error and exit code, and where a command stands."""
    missing = next(name for name in line.split() if name in COMMANDS or name not in ("-q", "-j", "2", "ref"))
    assert_error(call_cli(line.split(), cwd=corpus), BAD_INPUT, f"{missing}: No such file or directory",
                 f"a command must be the first word: purebleu {word}")


@pytest.mark.parametrize("name", ["nope", "./test", "test.txt", "folder/test"])
def test_errors_of_other_missing_files_do_not_name_commands(corpus: Path, name: str) -> None:
    done = call_cli([name, "-i", "a"], cwd=corpus)
    assert_error(done, BAD_INPUT, f"{name}: No such file")
    assert b"commands" not in done.stderr


def test_help_and_the_version_may_stand_before_a_command() -> None:
    named = call_cli(["help", "gate"]).stdout  # (with the names of its pages of the manual)
    assert call_cli(["-h", "gate"]).stdout == named and named.startswith(call_cli(["gate", "--help"]).stdout)
    assert call_cli(["gate", "-h", "bleu"]).stdout == call_cli(["gate", "-h"]).stdout  # (here, -h takes no word)
    assert call_cli(["-V", "gate"]).stdout == call_cli(["gate", "--version"]).stdout == call_cli(["-V"]).stdout


def test_two_dashes_end_the_options(corpus: Path) -> None:
    """Words after them are files, never commands or options, and joined with the files before."""
    for name in ("-i", "gate", "--help"):
        shutil.copy(corpus / "ref", corpus / name)
        output_of(["-i", "a", "--", name], corpus)
    assert read_line([__file__, "-i", "a", "--", __file__])[1].references == [__file__] * 2
    assert read_line(["rows", "x", "--", "-y"])[1].files == ["x", "-y"]
    for word in ("select", "serve"):
        assert_error(call_cli([word, "--", "x"], cwd=corpus), WRONG_USAGE, f"{word} takes only options, not x")


def test_standard_input_is_read_if_no_outputs_are_named(corpus: Path) -> None:
    content = (corpus / "a").read_bytes()
    for word, more in (("score", []), ("gate", ["--min", "bleu=1"]), ("check", []), ("align", []), ("mbr", [])):
        assert call_cli([word, "ref", *more, "-q"], stdin=content, cwd=corpus).returncode == FINE
    for word in ("test", "report", "compare", "agree", "audit", "select"):
        line = [word, *["ref"] * (word != "select"), *["--human-systems", "x"] * (word == "agree")]
        assert_error(call_cli(line, stdin=content, cwd=corpus), WRONG_USAGE, "needs outputs", "-i - is standard input")
    for word in ("test", "report", "compare", "audit", "score", "check", "align"):
        assert call_cli([word, "ref", "-i", "-", "-q"], stdin=content, cwd=corpus).returncode == FINE, word
    (corpus / "m.tsv").write_text("name\tpair\treferences\thypothesis\nA\ten-de\tref\ta\n")
    call_cli(["ref", "-i", "a", "--save-rows", "x.rows"], cwd=corpus)
    for inputs in ("--rows x.rows", "--manifest m.tsv", "--manifest m.tsv -l en-de", "ref --runs A=a B=b"):
        outputs = {call_cli(inputs.split(), stdin=stdin, cwd=corpus).stdout for stdin in (b"", content)}
        assert len(outputs) == 1 and outputs != {b""}


# Options

class Sacrebleu(ArgumentParser):
    """A parser with the names of sacreBLEU's options, as it makes them; all are switches here."""

    def __init__(self) -> None:
        super().__init__(add_help=False)
        for option in {name: option for name, option in command_named("score").names.items()
                       if name in SACREBLEU_NAMES}.values():
            if option.names[0] not in [action.dest for action in self._actions]:
                self.add_argument(*[name for name in option.names if name in SACREBLEU_NAMES], dest=option.names[0],
                                  action="store_true")

    def error(self, message: str) -> NoReturn:
        raise OptionError(message)


def test_abbreviations_mean_what_they_mean_in_sacrebleu() -> None:
    """Each prefix of each name, with one dash or two, is the option that its parser takes it for, or ambiguous."""
    score, theirs = command_named("score"), Sacrebleu()
    counts = {"same": 0, "ambiguous": 0}
    for name in SACREBLEU_NAMES:
        for end in range(2 + name.startswith("--"), len(name) + 1):
            given = name[:end]
            try:
                expected = [key for key, value in vars(theirs.parse_args([given])).items() if value]
            except OptionError:
                expected = []
            try:
                [found] = expanded([given], score)
            except OptionError as error:
                assert str(error).startswith(f"ambiguous option: {given} could match ") and expected == []
                counts["ambiguous"] += 1
            else:
                # (Two names of one option are no reason to refuse a prefix of both, as argparse does.)
                assert expected == [score.names[found].names[0]] or (not expected and given in ("--ci", "--cit")), given
                counts["same"] += 1
    assert counts["same"] > 300 and counts["ambiguous"] > 50
    assert {*SACREBLEU_NAMES} <= {*score.names}


def test_other_options_are_not_abbreviated(corpus: Path) -> None:
    for line in ("ref -i a --row x", "ref -i a --save x", "test ref -i a b --samp 9", "gate ref -i a --mi bleu=1",
                 "test ref -i a b --metric chrf", "ref -i a --pair", "mbr -i a -t char", "test ref -i a b -pa",
                 "gate ref -i a --min bleu=1 -sm"):
        assert_error(call_cli(line.split(), cwd=corpus), WRONG_USAGE)
    assert_fine(call_cli(["gate", "ref", "-i", "a", "--min", "bleu=1", "-qfjson"], cwd=corpus))
    # No short option of ours is the beginning of one of sacreBLEU's.
    ours = [name for name in command_named("score").names if name not in SACREBLEU_NAMES]
    assert [name for name in ours if not name.startswith("--")] == ["references"]
    assert not [name for name in SACREBLEU_NAMES if name.startswith(tuple(ours))]


def test_names_of_commands_are_not_options() -> None:
    with pytest.raises(OptionError, match=r"^--compare is not an option: write the command as purebleu compare$"):
        read_line(["ref", "-i", "a", "--compare"])


def test_options_of_other_commands_are_named_with_these() -> None:
    for word in LINES:
        command = command_named(word)
        others = {name: other for other in COMMANDS for name in command_named(other).names}
        for name in [name for name in {*others} - {*command.names} if name.startswith("--")]:
            takers = ", ".join([other for other in COMMANDS if name in command_named(other).names])
            with pytest.raises(OptionError, match=f"^{name} is an option of purebleu {takers}, not of {word}$"):
                read_line([word, name])


def test_values_that_have_no_effect_are_refused_in_every_command() -> None:
    """An empty value, as of a variable that is not set."""
    for word in [*LINES, "serve"]:
        for name, option in command_named(word).names.items():
            if option.form not in ("switch", "answer", "positional"):
                for line in ([f"{name}="], [name, ""], [f"{name}=", "-i", "a"], [name, "", "-i", "a"]):
                    with pytest.raises(OptionError, match=f"^{re.escape(name)}: the value is empty"):
                        read_line([word, *line])


@pytest.mark.parametrize(("line", "expected"), [
    ("ref -i a b -i c -m bleu -m=chrf", {"input": ["a", "b", "c"], "metrics": ["bleu", "chrf"]}),
    ("ref -i=a b", "unrecognized arguments: b"), ("ref -q other", "unrecognized arguments: other"),
    ("-qbw3 ref -i -:jsonl:x", {"quiet": True, "score_only": True, "width": 3, "input": ["-:jsonl:x"]}),
    ("ref --quiet=x", "argument --quiet/-q: ignored explicit argument"), ("ref -q3", "argument --quiet/-q: ignored"),
    ("ref -i a --seed", "argument --seed: expected one argument"), ("ref -i", "argument --input/-i: expected at least"),
    ("ref -i a --seed -1", "argument --seed: it is '-1'"), ("ref -i -w 3", "argument --input/-i: expected at least"),
    ("ref -i a --resegment -w 3", {"resegment": "usual", "width": 3}), ("ref -i a -w 2 -w 3", {"width": 3}),
    ("test ref -i a b --paired-ar --paired-bs", "argument --paired-bs/-pbs: not allowed with argument --paired-ar"),
    ("ref -i a --where a=b --where c~d", {"where": ["a=b", "c~d"]}), ("ref -i - -", {"input": ["-", "-"]}),
    ("-i a --names=-x -t sample -t other", {"names": ["-x"], "test_set": ["sample", "other"], "references": []}),
    ("-t sample --echo src --echo ref", {"echo": ["src", "ref"]}),
    ("ref --in a --met chrf --chrf-be=3 --paired-j 2", {"input": ["a"], "chrf_beta": 3.0, "jobs": 2}),
    ("ref -i a --no --wid 3 --sc --se", {"no_color": True, "width": 3, "score_only": True, "sentence_level": True}),
])
def test_words_are_read_as_by_argparse(line: str, expected: dict[str, Any] | str) -> None:
    if isinstance(expected, str):
        with pytest.raises(OptionError, match=f"^{re.escape(expected)}"):
            read_line(line.split())
    else:
        _, values = read_line(line.split())
        assert {name: getattr(values, name) for name in expected} == expected


def test_the_environment_overrides_the_format_of_score_alone(corpus: Path) -> None:
    for variable in ("PUREBLEU_FORMAT", "SACREBLEU_FORMAT"):
        latex: Any = {variable: "latex"}
        usual = told(corpus, "ref", "-i", "a", "b", "-f", "latex")
        assert told(corpus, "ref", "-i", "a", "b", "-f", "text", **latex) == usual
        for line in ("test ref -i a b", "gate ref -i a --min bleu=1", "check ref -i a", "compare ref -i a -f json"):
            assert told(corpus, *line.split(), **latex) == told(corpus, *line.split())
        assert_error(call_cli(["ref", "-i", "a"], cwd=corpus, env={variable: "nope"}), WRONG_USAGE, variable, "nope")
        assert_fine(call_cli(["ref", "-i", "a"], cwd=corpus, env={variable: "github"}))
    both: Any = {"PUREBLEU_FORMAT": "Text", "SACREBLEU_FORMAT": "xml"}  # (ours goes before)
    assert output_of(["ref", "-i", "a"], corpus, **both).startswith("BLEU|nrefs:1|")


# Help

def help_on(*words: str, columns: int = 80) -> str:
    return call_cli(["help", *words], env={"COLUMNS": str(columns)}).stdout.decode()


def options_in(text: str) -> set[str]:
    """The names of options at the beginning of lines."""
    return {name for line in text.splitlines() if line.startswith("  -")
            for name in re.findall(r"--[a-z0-9-]+", line.partition("  ")[2][:28] or line)}


def test_the_overview_is_one_screen_with_every_command() -> None:
    text = call_cli(["--help"]).stdout.decode()
    assert text == help_on() and len(text.splitlines()) <= 50 and max(map(len, text.splitlines())) < 80
    for word, purpose in COMMANDS.items():
        assert re.search(rf"^  {word} +{re.escape(purpose)}$", text, re.MULTILINE)


@pytest.mark.parametrize("word", COMMANDS)
def test_the_help_of_a_command_has_its_own_options_and_two_examples(word: str) -> None:
    command, text = command_named(word), call_cli([word, "--help"]).stdout.decode()
    assert len(text.splitlines()) <= (110 if word == "score" else 70) and max(map(len, text.splitlines())) < 80
    own = SACREBLEU_NAMES if word == "score" else [option.names[0] for option in command.own.options]
    assert {name for name in own if name.startswith("--")} - {"--cite", "--paired-jobs", "--version", "--help"} <= (
        options_in(text))
    for group in command.groups:
        assert group.name == "everywhere" or f"  {group.title}: " in text or word == "score"
    assert len(command.examples) >= 2
    for form in command.formats:
        assert form in text.partition("formats (-f):")[2].partition("\n\n")[0]


def test_help_on_all_has_every_option_and_so_have_the_groups_together() -> None:
    commands = list(map(command_named, COMMANDS))
    groups = {group.name for command in commands for group in command.all_groups}
    every = {max(option.names, key=len) for command in commands for group in command.all_groups
             for option in group.options if option.form != "positional"}
    by_group = " ".join([help_on(name) for name in groups])  # (of score, options of ours are named in a line)
    assert every <= options_in(help_on("all")) and every <= {*re.findall("--[a-z0-9-]+", by_group)}


@pytest.mark.parametrize("columns", [60, 80, 100, 300])
def test_help_is_as_wide_as_the_terminal_but_readable(columns: int) -> None:
    lines = help_on("sampling", columns=columns).splitlines()
    assert max(map(len, lines)) <= min(columns, 100)
    assert len(lines) >= len(help_on("sampling", columns=100).splitlines())


@pytest.fixture(scope="module")
def files_of_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples of help read."""
    folder = tmp_path_factory.mktemp("examples")
    write_systems(folder, dict.fromkeys(("out.txt", "a.txt", "b.txt", "c.txt", "src.txt", "base.txt", "new.txt",
                                         "last-week.txt", "out.zh"), 0.9), 150)
    write_systems(folder, dict.fromkeys(("ref.txt", "ref1.txt", "ref2.txt", "ref.zh"), 1.0), 150)
    for name in ("ref", "out"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / f"{name}.txt").read_bytes()))
    write_lines(folder / "people.tsv", ["system\tseg_id\tscore", *[
        f"{name}\t{line}\t{line % 7 + len(name)}" for line in range(1, 151) for name in ("a.txt", "b.txt")]])
    for name, text in (("ranks.txt", "a 2\nb 1\n"), ("samples.txt", "a b\ta c\tb\n" * 3),
                       ("samples.jsonl", '{"outputs": ["a b", "a c"]}\n' * 3), ("t.csv", "en,de\nOne,Eins\n")):
        (folder / name).write_text(text)
    for line in ("ref.txt -i a.txt --save-rows stored.rows", "ref.txt -i a.txt --save-rows part1.rows.gz",
                 "ref.txt -i a.txt --save-rows part2.rows.gz --offset 150",
                 "testset new mine.json src=t.csv:en ref=t.csv:de -l en-de", "bundle eval.pb sample"):
        told(folder, *line.split(), PUREBLEU_CACHE="cache")
    return folder


@pytest.mark.parametrize(("word", "line"), one_in(3, [(word, line) for word in COMMANDS
                                                      for line, _ in command_named(word).examples]))
def test_the_examples_of_help_run(files_of_examples: Path, word: str, line: str) -> None:
    """Those of test sets to fetch, and of the page, which runs until Ctrl-C, are only read."""
    if re.search("wmt|--open|--port", line):
        assert read_line([word, *line.split()])[0].word == word
        return
    arguments, _, file = line.partition(" < ")
    done = call_cli([word, *arguments.split()], cwd=files_of_examples,
                    stdin=(files_of_examples / file).read_bytes() if file else b"",
                    env={"PUREBLEU_CACHE": "cache", "PUREBLEU_OFFLINE": "1"})
    assert done.returncode in (FINE, GATE_FAILED), done.stderr
    assert done.stdout or "-q" in line
