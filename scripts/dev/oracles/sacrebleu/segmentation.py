"""Words of MeCab's dictionaries, and pieces of SentencePiece models; both are small and made up."""

from __future__ import annotations

import io
import os
import random
import struct
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path

from dev.oracles.cases.generated_lines import random_lines
from dev.oracles.cases.mecab_dictionary import write_dictionary

from ..files import golden_cases, packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

    from .oracle import Options

MECAB_SEED = 20


def mecab_dictionary_cases() -> Iterator[dict[str, str]]:
    """The files of a small, made-up dictionary: their names and contents, compressed."""
    with tempfile.TemporaryDirectory() as folder:
        write_dictionary(Path(folder), MECAB_SEED)
        for path in sorted(Path(folder).iterdir()):
            yield {"name": path.name, "content": packed(path.read_bytes())}


def mecab_cases() -> Iterator[list[Any]]:
    """Lines, and their words by that dictionary, as MeCab splits them, and as mecab-ko does."""
    with tempfile.TemporaryDirectory() as folder:
        write_dictionary(Path(folder), MECAB_SEED)
        taggers = [import_module(name).Tagger(f"-r {os.devnull} -d {folder} -Owakati")
                   for name in ("MeCab", "mecab_ko")]
        for line, *_ in golden_cases("mecab.json.gz"):
            yield [line, *[tagger.parse(line.strip()).split() for tagger in taggers]]


#: Rules of a normalizer: code points of strings, and of what they become. (A space within one, for one thing.)
NORMALIZER_RULES = """\
41\t61
41 42\t78 20 79
64 20 69\t7a
e9\t65
ff21\t41
300\t
b7\t20
3b1 3b2 3b3\t20 20 78
"""

#: Options of trained models, beside those that all of them have.
TRAINED_MODELS: tuple[Options, ...] = (
    {"model_type": "unigram", "normalization_rule_name": "nmt_nfkc"},
    {"model_type": "bpe", "normalization_rule_name": "identity", "byte_fallback": True, "vocab_size": 600},
    {"model_type": "unigram", "normalization_rule_name": "identity", "byte_fallback": True, "vocab_size": 600},
    {"model_type": "bpe", "normalization_rule_tsv": NORMALIZER_RULES},
    {"model_type": "unigram", "normalization_rule_tsv": NORMALIZER_RULES, "split_by_whitespace": False},
    *[{"model_type": kind, "normalization_rule_name": "identity", **options} for kind in ("unigram", "bpe")
      for options in ({"user_defined_symbols": ["<sep>", "the", "er ", "..", "\u2581a"],
                       "control_symbols": ["<ctl>", "x"]},
                      {"treat_whitespace_as_suffix": True}, {"add_dummy_prefix": False},
                      {"remove_extra_whitespaces": False}, {"allow_whitespace_only_pieces": True})],
)

#: A model says where its rules came from. What is written instead has this length, wherever that was.
LENGTH_OF_PATH = 31

#: Kinds of pieces, in the numbers of the format.
NORMAL_PIECE, UNKNOWN_PIECE, USER_DEFINED_PIECE, UNUSED_PIECE = 1, 2, 4, 5


def sentencepiece_models() -> Iterator[tuple[str, bytes]]:
    """Small models: trained ones, and made-up ones, with their names."""
    sentencepiece = import_module("sentencepiece")
    every = random_lines(21, 6000)
    frequent = {character for character, _ in Counter("".join(every)).most_common(110)}
    text = [line for line in every if frequent.issuperset(line)]
    with tempfile.TemporaryDirectory() as folder:
        rules = os.path.join(folder, "rules".ljust(LENGTH_OF_PATH - len(folder) - 1, "-"))
        for number, options in enumerate(TRAINED_MODELS):
            model = io.BytesIO()
            if "normalization_rule_tsv" in options:
                Path(rules).write_text(options["normalization_rule_tsv"], encoding="utf-8")
                options = {**options, "normalization_rule_tsv": rules}
            sentencepiece.SentencePieceTrainer.train(**{
                "sentence_iterator": iter(text), "model_writer": model, "vocab_size": 350, "num_threads": 1,
                "hard_vocab_limit": False, "character_coverage": 0.98, "minloglevel": 2, **options})
            yield f"trained {number}", model.getvalue().replace(rules.encode(), b"-" * len(rules))
    for number in range(16):
        yield f"made up {number}", made_up_model(random.Random(number), 1 + number % 2)


def made_up_model(rng: random.Random, algorithm: int) -> bytes:
    """A model with strings over a few letters for pieces, of all kinds, and scores that are often equal."""
    texts = {"\u2581", *"abcde"[:rng.randrange(2, 6)]}
    while len(texts) < 60:
        texts.add(rng.choice(("", "", "\u2581")) + "".join(rng.choices("abcdeß", k=rng.randrange(1, 6))))
    kinds = (NORMAL_PIECE,) * 12 + ((USER_DEFINED_PIECE,) * (rng.random() < 0.5)
                                    + (UNUSED_PIECE,) * 3 * (rng.random() < 0.5))
    highest = rng.choice((0, 0, 3))
    pieces = b"".join([message(1, piece(text, highest - rng.randrange(1, 17) / 4, rng.choice(kinds)))
                       for text in sorted(texts)])
    return (message(1, piece("<unk>", 0, UNKNOWN_PIECE)) + pieces + message(2, bytes([3 << 3, algorithm]))
            + message(3, b""))


def piece(text: str, score: float, kind: int) -> bytes:
    """A piece, as a message of protocol buffers."""
    return message(1, text.encode("utf-8")) + b"\x15" + struct.pack("<f", score) + bytes([3 << 3, kind])


def message(field: int, content: bytes) -> bytes:
    """A field of protocol buffers that holds another message, or a text, of less than 128 bytes."""
    return bytes([field << 3 | 2, len(content)]) + content


def sentencepiece_model_cases() -> Iterator[dict[str, str]]:
    """The models: their names and the contents of their files, compressed."""
    for name, content in sentencepiece_models():
        yield {"name": name, "content": packed(content)}


def sentencepiece_cases() -> Iterator[dict[str, Any]]:
    """Lines by the models that segment them, with their pieces, separated by blanks."""
    sentencepiece = import_module("sentencepiece")
    models = dict(sentencepiece_models())
    for case in golden_cases("sentencepiece.json.gz"):
        processor = sentencepiece.SentencePieceProcessor(model_proto=models[case["name"]])
        yield {**case, "cases": [[line, " ".join(processor.EncodeAsPieces(line))] for line, _ in case["cases"]]}
