"""Words of MeCab's dictionaries, and pieces of SentencePiece models; both are small and made up.

The dictionary and the models are what the libraries are asked with: `mecab.dictionary` and `sentencepiece.models` have
the contents of their files, compressed. Lines are those of the golden files.
"""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Iterator

from ..files import golden_cases, unpacked


def mecab_cases() -> Iterator[list[Any]]:
    """Lines, and their words by the dictionary, as MeCab splits them, and as mecab-ko does."""
    with tempfile.TemporaryDirectory() as folder:
        for file in golden_cases("mecab.dictionary.json.gz"):
            Path(folder, file["name"]).write_bytes(unpacked(file["content"]))
        taggers = [import_module(name).Tagger(f"-r {os.devnull} -d {folder} -Owakati")
                   for name in ("MeCab", "mecab_ko")]
        for line, *_ in golden_cases("mecab.json.gz"):
            yield [line, *[tagger.parse(line.strip()).split() for tagger in taggers]]


def sentencepiece_cases() -> Iterator[dict[str, Any]]:
    """Lines by the models that segment them, with their pieces, separated by blanks."""
    sentencepiece = import_module("sentencepiece")
    models = {model["name"]: unpacked(model["content"]) for model in golden_cases("sentencepiece.models.json.gz")}
    for case in golden_cases("sentencepiece.json.gz"):
        processor = sentencepiece.SentencePieceProcessor(model_proto=models[case["name"]])
        yield {**case, "cases": [[line, " ".join(processor.EncodeAsPieces(line))] for line, _ in case["cases"]]}
