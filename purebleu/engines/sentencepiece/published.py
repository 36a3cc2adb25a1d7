"""The SentencePiece models that spBLEU is computed with: where they are published, and their files in the cache."""

from __future__ import annotations

import os

from ...errors import OptionError, PurebleuError
from ...files.cache import cache_folder
from ...files.download import fetch, sha256_of
from ...files.writing import read_whole
from .model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

#: The address of each. (`flores101` is that of Goyal et al., 2022.)
MODELS = {
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}

#: Limit of a model, in bytes; none of these is larger. (A model takes ten times that in memory, at most.)
MAX_BYTES = 32 << 20


def model_path(name: str) -> str:
    """The path of a model in the cache, laid out as sacreBLEU's; raises `OptionError` for a name that is unknown."""
    if name not in MODELS:
        raise OptionError(f"there is no model {name!r}; there are {', '.join(MODELS)}")
    return os.path.join(cache_folder(), "models", MODELS[name].rpartition("/")[2])


def read_model(path: str) -> Model:
    """The model in a file; raises `PurebleuError` where there is none."""
    return _parse(read_whole(path), path)


def signed_model(path: str, content: bytes | None = None) -> tuple[Model, bytes, str]:
    """A model of the user's own.

    Args:
        path: that of the file.
        content: that of the file, which is read where it is `None`.

    Returns:
        The model, the content of the file, and its SHA-256 sum.

    Raises:
        PurebleuError: the file can't be read, or is no model.
    """
    if content is None:
        content = read_whole(path)
    return _parse(content, path), content, sha256_of(content)


def _parse(content: bytes, path: str) -> Model:
    try:
        return Model(content)
    except PurebleuError as error:
        raise PurebleuError(f"{path}: {error}") from error


def model_is_at_hand(name: str) -> bool:
    """Whether the cache has the published model of this name, as a whole."""
    try:
        read_model(model_path(name))
    except PurebleuError:
        return False
    return True


def get_model(name: str) -> Model:
    """The published model of this name, from the cache; it is fetched if it is not there, or not as a whole.

    Raises:
        OptionError: the name is unknown.
        PurebleuError: the model can't be fetched.
    """
    path = model_path(name)
    if os.path.exists(path):
        try:
            return read_model(path)
        except PurebleuError:
            pass  # sacreBLEU leaves what it has of a file when a download is cut off
    try:
        fetch(MODELS[name], path, check_model)
    except PurebleuError as error:
        raise PurebleuError(f"{name}: {error}") from error
    return read_model(path)


def check_model(file: IO[bytes]) -> None:
    """Raise `PurebleuError` unless the file is a model. (Its publishers give no checksum that it could be held to.)"""
    content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise PurebleuError(f"it is larger than {MAX_BYTES >> 20} MB, which no model that is published is")
    Model(content)
