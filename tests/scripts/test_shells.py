"""The man page and the completions of shells, in real shells where they are installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from purebleu.cli.arguments.table import OPTIONS

from ..helpers import SCRIPTS, load_script

SHARE = SCRIPTS / "share"

pytestmark = [pytest.mark.skipif(not SHARE.is_dir(), reason="the repository is not there"),
              pytest.mark.skipif(sys.platform in ("win32", "emscripten", "wasi"), reason="has no such shells")]

#: The word that is completed, those before it, and words that have to be offered (and one that must not).
COMPLETIONS = [
    (["-m", "ro"], ["rouge", "rouge1", "rougel"], "bleu"), (["ref", "-m", "bleu", "ch"], ["chrf", "character"], "bleu"),
    (["--smooth-m"], ["--smooth-method"], "--smooth-value"), (["-tok", "int"], ["intl"], "zh"),
    (["-f", "la"], ["latex"], "json"), (["-t", "wmt1"], ["wmt14", "wmt19"], "wmt20"),
    (["-l", "en-d"], ["en-de"], "de-en"),
    (["--help", "sta"], ["start", "statistics"], "bleu"), (["-s", "fl"], ["floor"], "exp"),
    (["--rng", "num"], ["numpy"], "mt19937"), (["ref", "-i", "outp"], ["output.txt"], "ref"),
]


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ref").write_text("a\n")
    (tmp_path / "output.txt").write_text("a\n")
    return tmp_path


def lines(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(command, cwd=str(folder), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def test_files_are_what_their_source_makes() -> None:
    assert list(load_script("dev/generate/shell_files").differing()) == []


@needs("bash")
def test_bash(folder: Path) -> None:
    script = SHARE / "bash-completion" / "completions" / "purebleu"
    for words, offered, other in COMPLETIONS:
        found = lines(["bash", "-c", f'source "{script}"; COMP_WORDS=(purebleu "$@"); COMP_CWORD=$#; _purebleu; '
                                     'printf "%s\\n" "${COMPREPLY[@]}"', "bash", *words], folder)
        assert {*offered} <= {*found} and other not in found, words


@needs("fish")
def test_fish(folder: Path) -> None:
    script = SHARE / "fish" / "vendor_completions.d" / "purebleu.fish"
    for words, offered, other in COMPLETIONS:
        if words[-2:-1] != ["bleu"]:  # (fish completes the first value of an option alone.)
            found = [line.split("\t")[0] for line in lines(
                ["fish", "--no-config", "-c", f'source "{script}"; complete -C "purebleu {" ".join(words)}"'], folder)]
            assert {*offered} <= {*found} and other not in found, words


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
        "-m rougels": "-m rougelsum", "--smooth-m": "--smooth-method", "-f lat": "-f latex",
        "ref -i outp": "ref -i output.txt", "-t wmt14/fu": "-t wmt14/full", "ref -m bleu chr": "ref -m bleu chrf",
        "--help statis": "--help statistics",
    }.items():
        found = lines(["zsh", "-f", "-c", ZSH, "zsh", str(SHARE / "zsh" / "site-functions"), line], folder)
        assert f"<purebleu {completed}" in "".join(found), line


@needs("mandoc")
def test_the_man_page_has_no_fault() -> None:
    assert lines(["mandoc", "-T", "lint", "-W", "style", str(SHARE / "man" / "man1" / "purebleu.1")], SHARE) == []


@needs("man")
def test_man_shows_every_option() -> None:
    command = ["env", "MANWIDTH=200", "man", "-l", "--warnings", "-P", "cat",
               str(SHARE / "man" / "man1" / "purebleu.1")]
    shown = "\n".join(lines(command, SHARE)).replace("\u2010", "-")
    for option in OPTIONS.values():
        assert option.names[-1] in shown or option.form == "positional", option.names
