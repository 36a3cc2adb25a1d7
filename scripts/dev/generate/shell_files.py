"""Write the man page and the completions of bash, zsh and fish from the table of options.

    python3 scripts/dev/generate shell_files            # writes scripts/share/, which the wheel installs as share/
"""

from __future__ import annotations

import argparse
import functools
import re
from pathlib import Path
from textwrap import fill
from typing import Iterator, Sequence

from purebleu.cli.arguments.help import DESCRIPTION, EXAMPLES, invocation
from purebleu.cli.arguments.table import (
    EACH,
    GROUPS,
    OPTIONAL,
    POSITIONAL,
    SEVERAL,
    SWITCH,
    Option,
)
from purebleu.datasets import DATASETS
from purebleu.manual import PAGES
from purebleu.metrics import FURTHER_MODULES, METRIC_FAMILIES, MODULES
from purebleu.tokenizers import TOKENIZERS
from purebleu.version import __version__

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "scripts" / "share"

EXIT_CODES = {
    0: "fine", 1: "bad input", 2: "wrong usage", 3: "a gate failed", 17: "a line with a wrong number of fields",
    70: "a bug", 130: "interrupted", 141: "broken pipe",
}

#: Variables of the environment, and their meaning.
ENVIRONMENT = {
    "PUREBLEU_CACHE": "the folder of test sets and models (else that of SACREBLEU)",
    "PUREBLEU_MIRROR": "a folder or address to fetch archives from first",
    "PUREBLEU_OFFLINE": "never connect to anything",
    "PUREBLEU_CHECKSUMS": "a file with SHA-256 sums of downloads, as sha256sum writes it",
    "PUREBLEU_FORMAT": "the format; it overrides --format (also SACREBLEU_FORMAT)",
    "PUREBLEU_SEED": "the seed of the random stream (also SACREBLEU_SEED)",
    "PUREBLEU_RNG": "the random stream, mt19937 or numpy",
    "NO_COLOR": "no colours in a terminal",
}

OPTIONS = [option for group in GROUPS for option in group.options if option.form != POSITIONAL]

_OF_SHELLS = "Made by scripts/dev/generate/shell_files.py from the table of options."


@functools.lru_cache(maxsize=None)
def pairs() -> Sequence[str]:
    """The language pairs of all test sets but those of any two of many languages."""
    return sorted({pair for test_set in DATASETS.values() for pair in test_set.langpairs})


def values_of(option: Option) -> Sequence[str] | None:
    """The words that an option takes; empty: files; `None`: neither."""
    known = {
        "metrics": [*map(str.lower, [*MODULES, *FURTHER_MODULES]), *METRIC_FAMILIES, "chrf++", "spbleu"],
        "bleu_tokenize": [*TOKENIZERS], "test_set": [*DATASETS], "download": [*DATASETS], "langpair": pairs(),
        "help": ["all", "topics", *dict.fromkeys([*[group.name for group in GROUPS], *PAGES])],
    }
    words = known.get(option.destination) or list(option.choices)
    is_file = "FILE" in str(option.metavar) or option.metavar in ("NAME=PATTERN", "REFERENCE")
    return words or ([] if is_file else None)


def takes_value(option: Option) -> bool:
    return option.form != SWITCH and option.destination != "version"


# The man page


def in_roff(text: str) -> str:
    """Text as roff takes it, in lines of less than 80 bytes."""
    escaped = "\n".join([fill(line, 60, break_long_words=False, break_on_hyphens=False) if len(line) > 72 else line
                         for line in text.split("\n")])
    escaped = escaped.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha")
    return re.sub(r"^\.", r"\\&.", escaped.replace("~", "\\(ti"), flags=re.MULTILINE)


def man_page() -> str:
    released = re.search(r"^date-released: *\"?([0-9-]+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert released
    lines = [f'.\\" {_OF_SHELLS}', f'.TH PUREBLEU 1 "{released[1]}" "purebleu {__version__}" "User Commands"',
             ".SH NAME", "purebleu \\- BLEU, chrF and TER scores that are comparable and reproducible", ".SH SYNOPSIS",
             ".B purebleu", "[options] {REFERENCE ... | \\-t NAME \\-l SRC\\-TRG} [\\-i FILE ...]",
             ".SH DESCRIPTION", *in_roff(DESCRIPTION).split("\n"), ".PP",
             in_roff("purebleu --help topics lists the pages of the manual, purebleu --help WORD finds a word.")]
    lines.append(".SH OPTIONS")
    for group in GROUPS:
        lines.append(f".SS {in_roff(group.title[0].upper() + group.title[1:])}")
        for option in group.options:
            told = f"{option.help}; {option.more}" if option.more else option.help
            lines += [".TP", f".B {in_roff(invocation(option))}", in_roff(told)]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        lines += [".TP", f".B {code}", meaning]
    lines.append(".SH ENVIRONMENT")
    for name, meaning in ENVIRONMENT.items():
        lines += [".TP", f".B {name}", in_roff(meaning)]
    lines += [".SH EXAMPLES", ".nf", *in_roff("\n".join(EXAMPLES.split("\n")[1:])).split("\n"), ".fi"]
    return "\n".join(lines) + "\n"


# Completions


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def in_bash() -> str:
    cases: list[str] = []
    several = [name for option in OPTIONS if option.form in (SEVERAL, EACH) for name in option.names]
    for option in OPTIONS:
        if takes_value(option):
            values = values_of(option)
            words = "files=yes" if not values and values is not None else f"words={quoted(' '.join(values or ()))}"
            cases.append(f"    {'|'.join(option.names)}) {words} ;;")
    names = " ".join(sorted({name for option in OPTIONS for name in option.names}))
    return f"""# bash completion of purebleu. {_OF_SHELLS}

_purebleu() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} option= index words= files=
  # The option before the word; one that takes a single value is asked only right before it.
  for ((index = COMP_CWORD - 1; index > 0; index--)); do
    case ${{COMP_WORDS[index]}} in
      =) ;;
      -?*)
        case " {' '.join(several)} " in
          *" ${{COMP_WORDS[index]}} "*) option=${{COMP_WORDS[index]}} ;;
          *) ((COMP_CWORD - index == 1)) && option=${{COMP_WORDS[index]}}
             ((COMP_CWORD - index == 2)) && [[ ${{COMP_WORDS[index + 1]}} == = ]] && option=${{COMP_WORDS[index]}} ;;
        esac
        break ;;
    esac
  done
  [[ $current == = ]] && current= && option=${{COMP_WORDS[COMP_CWORD - 1]}}
  case $option in
{chr(10).join(cases)}
    *) files=yes ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{names}' -- "$current")
  elif [[ $files ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
}}
complete -F _purebleu purebleu
"""


def in_zsh() -> str:
    def described(text: str) -> str:
        return text.replace("[", "(").replace("]", ")").replace(":", "\\:").replace("'", "’")

    specs: list[str] = []
    for option in OPTIONS:
        values = values_of(option)
        action = "_files" if not values and values is not None else f"({' '.join(values or ())})" if values else " "
        meta = re.sub(r"[^A-Za-z -]", " ", str(option.metavar or option.destination)).strip().lower()
        value = f":{meta}:{action}"
        if not takes_value(option):
            value = ""
        elif option.form == SEVERAL:
            value = f":*-*:{meta}:{action}"
        elif option.form == OPTIONAL or option.destination == "help":
            value = f"::{meta}:{action}"
        repeated = "*" if option.form in (SEVERAL, EACH) else ""
        for name in option.names:
            excluded = "" if repeated else f"({' '.join(option.names)})"
            specs.append(f"  '{excluded}{repeated}{name}[{described(option.help)}]{value}'")
    joined = " \\\n".join([*specs, "  '*:reference:_files'"])
    return f"#compdef purebleu\n# {_OF_SHELLS}\n\n_arguments -s \\\n{joined}\n".replace("_arguments -s", "_arguments")


def in_fish() -> str:
    lines = [f"# fish completion of purebleu. {_OF_SHELLS}"]
    for option in OPTIONS:
        names = " ".join([f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" if len(name) == 2
                          else f"-o {name[1:]}" for name in option.names])
        values = values_of(option)
        argument = ""
        if takes_value(option):
            argument = " -x" if values is None or values else " -r -F"
            argument += f" -a {quoted(' '.join(values))}" if values else ""
        lines.append(f"complete -c purebleu {names}{argument} -d {quoted(option.help)}")
    return "\n".join(lines) + "\n"


#: The files by their paths below `share/`.
FILES = {
    "man/man1/purebleu.1": man_page,
    "bash-completion/completions/purebleu": in_bash,
    "zsh/site-functions/_purebleu": in_zsh,
    "fish/vendor_completions.d/purebleu.fish": in_fish,
}


def differing() -> Iterator[str]:
    """The files that are not what their source makes."""
    for name, make in FILES.items():
        path = FOLDER / name
        if not path.is_file() or path.read_text(encoding="utf-8") != make():
            yield name


def main(argv: Sequence[str] | None = None) -> int:
    """Write the files; returns the exit code."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    for name, make in FILES.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_bytes(make().encode("utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
