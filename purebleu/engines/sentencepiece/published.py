"""The SentencePiece models of spBLEU: the addresses at which they are published, and their files in the cache."""

from __future__ import annotations

import io
import os
from contextlib import suppress
from functools import partial

from ...files.download import cache_folder, check_file, checksums_in, fetch, read_cached, sha256_of
from ...files.writing import read_whole, store, writer_of
from ...runtime.errors import OptionError, PurebleuError
from ...runtime.hints import Any
from .model_file import Model

#: The addresses of each model, the best address first. The last address is the one in sacreBLEU. (`flores101` is from
#: Goyal et al., 2022.)
MODELS = {
    "flores101": ("https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",),
    "flores200": ("https://dl.fbaipublicfiles.com/large_objects/nllb/models/spm_200/"
                  "flores200_sacrebleu_tokenizer_spm.model", "https://tinyurl.com/flores200sacrebleuspm"),
    "spBLEU-1K": ("https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",),
}

#: The known SHA-256 sums. For a model whose sum is not known, the sum of its first download is stored in a file next to
#: the model.
SUMS = {"flores200": "14bb8dfb35c0ffdea7bc01e56cea38b9e3d5efcdcb9c251d6b40538e1aab555a"}
_SUFFIX_OF_SUMS = ".sha256"
_MAX_SUMS = 1 << 10  # (in bytes)

#: The largest number of bytes of a model. (In memory, a model takes at most ten times as much as its file.)
MAX_BYTES = 32 << 20


def model_path(name: str) -> str:
    """Return the path of a model in the cache (as in sacreBLEU). If the name is unknown, raise `OptionError`."""
    if name not in MODELS:
        raise OptionError(f"unknown model {name!r}; choose from {', '.join(MODELS)}")
    return os.path.join(cache_folder(), "models", MODELS[name][-1].rpartition("/")[2])


def signed_model(path: str, content: bytes | None = None) -> tuple[Model, bytes, str]:
    """Read a user's own model.

    Args:
        path: the path of the file.
        content: the content of the file; `None`: the file is read.

    Returns:
        The model, the content of the file, and its SHA-256 sum.

    Raises:
        PurebleuError: the file can't be read, or is not a model.
    """
    if content is None:
        content = read_whole(path)
    try:
        return Model(content), content, sha256_of(content)
    except PurebleuError as error:
        raise PurebleuError(f"{path}: {error}") from error


def cached_checksum(name: str) -> str | None:
    """Return the SHA-256 sum of a published model in the cache, or `None` if the cache lacks the model.

    Raises:
        PurebleuError: the file in the cache is not the published model.
    """
    path = model_path(name)
    return sha256_of(_verified_content(name, path)) if os.path.exists(path) else None


def model_is_at_hand(name: str) -> bool:
    """Return whether the cache has an undamaged copy of the published model of this name."""
    try:
        return cached_checksum(name) is not None
    except PurebleuError:
        return False


def get_model(name: str) -> Model:
    """Return the published model of this name (see `published_content`)."""
    return Model(published_content(name))


def published_content(name: str) -> bytes:
    """Return the verified content of a published model from the cache. A missing or corrupted file is downloaded first.

    Raises:
        OptionError: the name is unknown.
        PurebleuError: the model can't be fetched.
    """
    path = model_path(name)
    content = None
    damage = ""
    if os.path.exists(path):
        try:
            content = _verified_content(name, path)
        except PurebleuError as error:  # (for example, sacreBLEU leaves an incomplete file if a download is cut off)
            damage = f"{error}; "
    if content is None:
        try:
            fetch(MODELS[name], path, partial(check_model, name))
        except PurebleuError as error:
            raise PurebleuError(f"{name}: {damage}{error}") from error
        content = _verified_content(name, path)
    record_sum(name, sha256_of(content))
    return content


def _verified_content(name: str, path: str) -> bytes:
    content = read_cached(path, MAX_BYTES)
    try:
        return check_model(name, io.BytesIO(content))
    except PurebleuError as error:
        raise PurebleuError(f"{path}: {error}") from error


def check_model(name: str, file: Any) -> bytes:
    """Return the content of a file. If the file is not the published model of this name, raise `PurebleuError`."""
    content: bytes = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise PurebleuError(f"the file is larger than {MAX_BYTES >> 20} MB, too large for a published model")
    known = f"sha256:{SUMS[name]}" if name in SUMS else ""
    check_file(io.BytesIO(content), known, MODELS[name])
    record = model_path(name) + _SUFFIX_OF_SUMS
    if not known and os.path.exists(record):
        checksum = sha256_of(content)
        for _, expected in checksums_in(read_cached(record, _MAX_SUMS), record):
            if checksum != expected:
                raise PurebleuError(f"its SHA-256 sum is {checksum}, but the first download of this model had "
                                    f"{expected} (in {record})")
    elif not known:
        Model(content)
    return content


def record_sum(name: str, checksum: str) -> None:
    """Store a model's SHA-256 sum in the cache, unless the sum is known or stored. (The cache may be read-only.)"""
    path = model_path(name)
    if name not in SUMS and not os.path.exists(path + _SUFFIX_OF_SUMS):
        with suppress(PurebleuError):
            store(path + _SUFFIX_OF_SUMS, writer_of(f"{checksum}  {os.path.basename(path)}\n".encode()))
