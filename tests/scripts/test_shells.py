"""The man page and the completions of shells, in real shells where they are installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from purebleu.cli.commands import COMMANDS, command_named
from purebleu.cli.commands.help import words_of_help
from purebleu.cli.completion import FILES, next_words

from ..helpers import SCRIPTS, load_script

SHARE = SCRIPTS / "share"

pytestmark = [pytest.mark.skipif(not SHARE.is_dir(), reason="the repository is not there"),
              pytest.mark.skipif(sys.platform in ("win32", "emscripten", "wasi"), reason="has no such shells")]

#: A line whose last word is completed, words that have to be offered, and one that must not.
COMPLETIONS = [
    ("te", ["test"], "--test-set"), ("ref -m ro", ["rouge", "rouge1", "rougel"], "output.txt"),
    ("test ref -m bleu ch", ["chrf", "character"], "check"), ("ref --smooth-m", ["--smooth-method"], "--min"),
    ("gate ref --m", ["--min", "--max", "--must-not-lose"], "--worst"), ("-tok int", ["intl"], "ja-mecab"),
    ("ref -f gi", ["github"], "output.txt"), ("-t wmt1", ["wmt14", "wmt19"], "ref"),
    ("test -t wmt18 -l en-", ["en-de", "en-zh"], "en-fr"), ("-t sample -l ", ["de-en", "en-fr"], "ref"),
    ("-l ja-", ["ja-en"], "jpn-deu"), ("-t ntrex128 -l isl-d", ["isl-dan", "isl-deu"], "isl-isl"),
    ("ref --format=la", ["--format=latex"], "latex"),
    ("help sta", ["start", "statistics"], "ref"),
    ("compare ref --buckets le", ["length"], "latex"), ("doctor gate ref --mi", ["--min"], "--worst"),
    ("ref -i outp", ["output.txt"], "ref"), ("check ref --source outp", ["output.txt"], "ref"),
    ("bundle eval.pb fl", ["flores200/dev"], "ref"),
]


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files to name; the program is on the path."""
    for name in ("ref", "output.txt"):
        (tmp_path / name).write_text("a\n")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "purebleu").write_text(f"#!/bin/sh\nPYTHONPATH='{SCRIPTS.parent}' exec '{sys.executable}' -m purebleu "
                                       '"$@"\n')
    (programs / "purebleu").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return tmp_path


def lines(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(command, cwd=str(folder), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def test_the_man_page_is_what_its_source_makes() -> None:
    script = load_script("dev/generate/man_page")
    assert script.PAGE.read_text(encoding="utf-8") == script.man_page()


def test_the_man_page_has_all_variables_of_the_environment() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (SCRIPTS.parent / "purebleu").rglob("*.py")]
    used = {name for text in sources for name in re.findall(r"""["'](PUREBLEU_[A-Z_]+)["']""", text)}
    listed = {name for names, _ in load_script("dev/generate/man_page").variables() for name in names.split(", ")}
    assert len(used) >= 8 and used <= listed


def test_words_of_a_line() -> None:
    for line, offered, other in COMPLETIONS:
        found = [word.split("\t")[0] for word in next_words(line.split(" "), words_of_help)]
        begun = line.split(" ")[-1]
        assert {*offered} <= {*found} or (offered == ["output.txt"] and FILES in found), line
        assert other not in [word for word in found if word.startswith(begun)], line
    assert next_words(["test", "--samples", ""], words_of_help) == []
    assert {*COMMANDS} <= {word.split("\t")[0] for word in next_words([], words_of_help)}


@needs("bash")
def test_bash(folder: Path) -> None:
    script = SHARE / "bash-completion" / "completions" / "purebleu"
    for line, offered, other in COMPLETIONS:
        found = lines(["bash", "-c", f'source "{script}"; COMP_WORDS=(purebleu "$@"); COMP_CWORD=$#; _purebleu; '
                                     'printf "%s\\n" "${COMPREPLY[@]}"', "bash", *line.split(" ")], folder)
        assert {*offered} <= {*found} and other not in found, line


@needs("fish")
def test_fish(folder: Path) -> None:
    script = SHARE / "fish" / "vendor_completions.d" / "purebleu.fish"
    for line, offered, other in COMPLETIONS:
        found = [word.split("\t")[0] for word in lines(
            ["fish", "--no-config", "-c", f'source "{script}"; complete -C "purebleu {line}"'], folder)]
        assert {*offered} <= {*found} and other not in found, line


#: Types a line and a tab into an interactive zsh, and prints all that it shows.
ZSH = """\
zmodload zsh/zpty
zpty z "PS1= zsh -f -i"
zpty -w z "fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep; PROMPT=; print rea''dy"
while zpty -r z out; do [[ $out == *ready* ]] && break; done
zpty -n -w z "purebleu $2"$'\\t'
zpty -n -w z $'\\x01print -r -- \\x27<\\x05>\\x27\\n'
while zpty -r z out; do print -r -- "$out"; [[ $out == "<"*">"* ]] && break; done
"""


@needs("zsh")
def test_zsh(folder: Path) -> None:
    for line, completed in {
        "tes": "test", "ref -m rougels": "ref -m rougelsum", "ref --smooth-m": "ref --smooth-method",
        "ref -f lat": "ref -f latex", "ref -i outp": "ref -i output.txt", "-t wmt14/fu": "-t wmt14/full",
        "test ref -m bleu chr": "test ref -m bleu chrf", "help statis": "help statistics",
    }.items():
        found = lines(["zsh", "-f", "-c", ZSH, "zsh", str(SHARE / "zsh" / "site-functions"), line], folder)
        assert f"<purebleu {completed}" in "".join(found), line


@needs("mandoc")
def test_the_man_page_has_no_fault(tmp_path: Path) -> None:
    text = (SHARE / "man" / "man1" / "purebleu.1").read_text(encoding="utf-8")
    # (Between two releases, it has no date.)
    (tmp_path / "purebleu.1").write_text(text.replace(' 1 "" ', ' 1 "2026-01-31" '), encoding="utf-8")
    assert lines(["mandoc", "-T", "lint", "-W", "style", "purebleu.1"], tmp_path) == []


@needs("man")
def test_man_shows_every_option() -> None:
    command = ["env", "MANWIDTH=200", "man", "-l", "--warnings", "-P", "cat", "man/man1/purebleu.1"]
    shown = "\n".join(lines(command, SHARE)).replace("\u2010", "-")
    for word in COMMANDS:
        assert all(name in shown for name in command_named(word).names if name.startswith("-")), word
