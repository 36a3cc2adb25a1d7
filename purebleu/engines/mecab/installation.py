"""Finding MeCab and its dictionaries, and splitting text with them."""

from __future__ import annotations

import os
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec

from ...errors import PurebleuError
from ...files.writing import named_errors
from ...hints import Any, Callable, Iterable, Sequence
from .analysis import split
from .dictionary import Dictionary

#: The largest number of characters of a dictionary's settings (mecab-ko-dic has 1,419), and of penalties in them.
_MAX_SETTINGS = 1 << 14
_MAX_PENALTY = 1 << 30


def find_dictionary(variable: str, package: str, folders: Iterable[str], advice: str) -> str:
    """Find the folder of a dictionary: from the environment variable, in a Python package, or among `folders`.

    Raises `PurebleuError` with the advice if there is none.
    """
    if os.environ.get(variable):
        return os.environ[variable]
    found = find_spec(package)
    installed = [os.path.join(folder, "dicdir") for folder in (found.submodule_search_locations or ())] if found else []
    for folder in (*installed, *folders):
        if os.path.exists(os.path.join(folder, "sys.dic")):
            return folder
    raise PurebleuError(f"{advice}, or name the folder of the compiled dictionary in {variable}")


@lru_cache(maxsize=None)  # (so that they are opened once, whatever the number of tokenizers)
def fastest_split(folder: str, size: int, name: str, binding: str, version: str,
                  has_penalties: bool = False) -> tuple[Callable[[str], Sequence[str]], str]:
    """Return a function that splits a text into words, and the version of MeCab that gives the same words.

    The function calls MeCab if its Python package `binding` is installed; else it calls this package, which splits text
    as that version of MeCab does.

    Args:
        folder: the folder of the dictionary.
        size: the number of its words.
        name: what it is called.
        binding: the Python package.
        version: the version of MeCab.
        has_penalties: whether its settings have costs of whitespace.

    Raises:
        PurebleuError: the dictionary is another one, or damaged.
    """
    dictionary = Dictionary(folder, penalties_after_space(folder) if has_penalties else None)
    if dictionary.words.size != size:
        raise PurebleuError(f"{folder}: not {name}, so scores would differ: it has "
                            f"{dictionary.words.size:,} words, not {size:,}")
    tagger = _tagger(folder, binding)
    if tagger is None:
        return partial(split, dictionary=dictionary), version
    return partial(_split_by_mecab, tagger=tagger), str(tagger.version())


def _tagger(folder: str, binding: str) -> Any:
    """Return MeCab's tagger with a dictionary; `None` if MeCab is not installed, or does not work."""
    resources = os.path.join(folder, "mecabrc")
    if not os.path.exists(resources):
        resources = os.devnull
    try:
        return import_module(binding).Tagger(f'-r "{resources}" -d "{folder}" -Owakati')
    except (ImportError, RuntimeError):
        return None


def _split_by_mecab(text: str, tagger: Any) -> Sequence[str]:
    found = tagger.parse(text)
    if found is None:
        raise PurebleuError("MeCab can't analyse such a long text")
    return (found,)


def penalties_after_space(folder: str) -> dict[int, int]:
    """Return mecab-ko's costs of whitespace before certain parts of speech, from a dictionary's settings."""
    path = os.path.join(folder, "dicrc")
    try:
        with named_errors(path), open(path, encoding="utf-8") as file:
            lines = file.read(_MAX_SETTINGS).split("\n")
            if file.read(1):
                raise PurebleuError(f"{path}: too large to be a dictionary's settings")
    except UnicodeDecodeError as error:
        raise PurebleuError(f"{path}: not valid UTF-8 ({error})") from error
    settings = dict([line.split("=", 1) for line in lines if "=" in line and line[0] not in "#;"])
    found = {name.strip(): value for name, value in settings.items()}.get("left-space-penalty-factor", "")
    try:
        numbers = list(map(int, found.split(","))) if found.strip() else []
        if any(abs(number) > _MAX_PENALTY for number in numbers):
            raise ValueError
    except ValueError:
        raise PurebleuError(f"{path}: left-space-penalty-factor is not a list of numbers") from None
    return dict(zip(numbers[::2], numbers[1::2]))
