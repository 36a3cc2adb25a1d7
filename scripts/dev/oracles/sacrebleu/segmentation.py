"""Words of MeCab and mecab-ko with a small dictionary, and pieces of SentencePiece with small models.

The dictionary and the models are made up. `mecab.dictionary` and `sentencepiece.models` have the compressed contents of
their files. The lines come from the golden files.
"""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Iterator

from ..files import golden_cases, unpacked


def mecab_cases() -> Iterator[list[Any]]:
    """Yield lines, each with its words by MeCab and by mecab-ko."""
    with tempfile.TemporaryDirectory() as folder:
        for file in golden_cases("mecab.dictionary.json.gz"):
            Path(folder, file["name"]).write_bytes(unpacked(file["content"]))
        taggers = [import_module(name).Tagger(f"-r {os.devnull} -d {folder} -Owakati")
                   for name in ("MeCab", "mecab_ko")]
        for line, *_ in golden_cases("mecab.json.gz"):
            yield [line, *[tagger.parse(line.strip()).split() for tagger in taggers]]


def sentencepiece_cases() -> Iterator[dict[str, Any]]:
    """Yield, for each model, lines with their pieces, separated by spaces."""
    sentencepiece = import_module("sentencepiece")
    models = {model["name"]: unpacked(model["content"]) for model in golden_cases("sentencepiece.models.json.gz")}
    for case in golden_cases("sentencepiece.json.gz"):
        processor = sentencepiece.SentencePieceProcessor(model_proto=models[case["name"]])
        yield {**case, "cases": [[line, " ".join(processor.EncodeAsPieces(line))] for line, _ in case["cases"]]}
