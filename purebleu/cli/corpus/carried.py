"""The test sets and models in the archive that this program runs from, if that is a bundle."""

from __future__ import annotations

import os
from contextlib import nullcontext

from ...errors import LeftOutError, PurebleuError
from ...runtime.program import CONTENTS, own_archive, own_member
from .selection import is_at_hand, names_in_values, select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, ContextManager

    from ...datasets.bundle import Contents
    from ..arguments.command import Answer, Command


def run_with_carried(command: Command, values: Any, run: Callable[[], Answer]) -> Answer:
    """Unpack the test sets and models that a command needs from the archive into the cache, and run it.

    If the cache can't be written, a temporary folder is the cache of this run.

    Raises:
        PurebleuError: one of them is neither in the bundle nor in the cache, and no mirror is named.
    """
    wanted = wanted_by(command, values)
    archive = bundle_of_program() if wanted else None
    if archive is None:
        return run()
    from ...datasets.bundle import contents_of, read_missing
    from ...files.download import VARIABLES, cache_is_writable, chosen_source

    contents = contents_of(archive)
    held = [*[" ".join(pair) for pair in contents.pairs], *contents.models]
    lacking = [name for name in wanted if name not in held and not name_is_at_hand(name)]
    # (A bundle is for machines without a network, so missing ones are fetched only if a mirror is named.)
    has_source = getattr(values, "mirror", None) or chosen_source().mirror
    if lacking and not has_source and command.word != "bundle" and not getattr(values, "download", ()):
        raise PurebleuError(f"this bundle holds {contents}, not {', '.join(lacking)}; on a machine with a "
                            "network, purebleu --download fetches it")
    if cache_is_writable():
        read_missing(archive, wanted)
        return run()
    from tempfile import TemporaryDirectory

    from ..process import ended_by_signals

    before = os.environ.get(VARIABLES[0])
    with ended_by_signals(), TemporaryDirectory(prefix="purebleu-") as folder:
        os.environ[VARIABLES[0]] = folder
        try:
            read_missing(archive, wanted)
            return run()
        finally:
            del os.environ[VARIABLES[0]]
            if before is not None:
                os.environ[VARIABLES[0]] = before


def fetching_as(mirror: str | None, offline: bool) -> ContextManager[object]:
    """Context manager: fetch as options say. (A copy without test sets and models fetches nothing.)"""
    if not (mirror or offline):
        return nullcontext()
    try:
        from ...files.download import fetching
    except LeftOutError:
        return nullcontext()
    return fetching(mirror, offline)


def carried_contents() -> Contents | None:
    """The contents of the bundle that this program was imported from; `None` if it is not in a bundle."""
    archive = bundle_of_program()
    if archive is None:
        return None
    from ...datasets.bundle import contents_of

    return contents_of(archive)


def bundle_of_program() -> str | None:
    """The path of the bundle that this program was imported from; `None` if it is not in a bundle."""
    return None if own_member(CONTENTS) is None else own_archive()


def name_is_at_hand(name: str) -> bool:
    """Whether a test set with its pair, or a model, is at hand. (Any other name needs nothing.)"""
    from ...datasets import get_test_set
    from ...engines.sentencepiece.published import MODELS, model_is_at_hand

    test_set, is_pair, pair = name.partition(" ")
    if is_pair:
        record = get_test_set(test_set)
        return record.is_embedded or is_at_hand(record, pair)
    try:
        return name not in MODELS or model_is_at_hand(name)
    except PurebleuError:
        return False


def wanted_by(command: Command, values: Any) -> list[str]:
    """The names of the test sets and models that a command needs, as a bundle has them."""
    if not command.fetches or getattr(values, "listing", False) or getattr(values, "citation", False):
        return []
    given = [*getattr(values, "test_set", ()), *getattr(values, "download", ()), *getattr(values, "words", ())[1:]]
    names = names_in_values(given)
    tokenizer = getattr(values, "bleu_tokenize", None)
    if tokenizer and _has_model(tokenizer):
        names.append(tokenizer)
    if not names:
        return []
    selection = select(names, values.langpair, models_too=True)
    return [*[f"{test_set.name} {pair}" for test_set, pair in selection.pairs()], *selection.models]


def _has_model(tokenizer: str) -> bool:
    """Whether a tokenizer has a published model; in a copy without SentencePiece, none has."""
    try:
        from ...engines.sentencepiece.published import MODELS
    except LeftOutError:
        return False
    return tokenizer in MODELS
