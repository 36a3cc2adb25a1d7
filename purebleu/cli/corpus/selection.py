"""The test sets and models of a run, also those in the archive from which this program runs."""

from __future__ import annotations

import os
from contextlib import nullcontext

from ...runtime.errors import LeftOutError, PurebleuError
from ...runtime.hints import Callable, Iterator, Mapping, Sequence
from ...runtime.program import CONTENTS, own_archive, own_member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ContextManager

    from ...datasets import TestSet
    from ...datasets.bundle import Contents
    from ...datasets.registry import Selection
    from ..arguments.command import Answer


def names_in_values(values: Sequence[str]) -> list[str]:
    """Split the values of an option at commas."""
    return [name for value in values for name in value.split(",")]


def select(names: Sequence[str], langpair: str | None, origlang: str | None = None, subset: str | None = None,
           models_too: bool = False) -> Selection:
    """Return the selection of the test sets (and, if `models_too` is true, of the models) with these names.

    Raise `OptionError` if a test set does not exist, or lacks the language pair.
    """
    from ...datasets import get_test_set
    from ...datasets.registry import Selection

    models: list[str] = []
    if models_too:
        from ...engines.sentencepiece.published import MODELS

        models = [name for name in names if name in MODELS]
    test_sets = [get_test_set(name) for name in names if name not in models]
    if langpair:
        for test_set in test_sets:
            test_set.own_name(langpair)
    return Selection(test_sets, models, langpair, origlang, subset)


def known_test_sets() -> Mapping[str, TestSet]:
    """Return the catalogue of test sets, which is empty in a copy that was made without test sets."""
    try:
        from ...datasets import DATASETS
    except LeftOutError:
        return {}
    return DATASETS


def is_at_hand(test_set: TestSet, pair: str) -> bool:
    """Whether the cache has all fields of a language pair. (Their checksums must be right, if they are known.)"""
    try:
        return test_set.stored(pair).find() is not None
    except PurebleuError:
        return False


def pairs_at_hand() -> Iterator[tuple[TestSet, str]]:
    """Yield each test set and language pair that can be used without a download, sorted by test set."""
    from ...datasets import DATASETS

    for _, test_set in sorted(DATASETS.items()):
        for pair in test_set.pairs_at_hand():
            if test_set.is_embedded or is_at_hand(test_set, pair):
                yield test_set, pair


# The archive of this program


def run_with_carried(run: Callable[[], Answer], given: Sequence[str], tokenizer: str | None, langpair: str | None, *,
                     may_fetch: bool) -> Answer:
    """Run a command. First unpack its test sets and models from this program's bundle into the cache.

    If the cache can't be written, a temporary folder is the cache of this run.

    Args:
        run: runs the command.
        given, tokenizer, langpair: as for `wanted_data`.
        may_fetch: whether data that is missing in the bundle and in the cache may be fetched.

    Raises:
        PurebleuError: bundle and cache lack a test set or a model that may not be fetched.
    """
    wanted = wanted_data(given, tokenizer, langpair)
    archive = bundle_of_program() if wanted else None
    if archive is None:
        return run()
    from ...datasets.bundle import contents_of, read_missing
    from ...files.download import VARIABLES, cache_is_writable, chosen_source

    contents = contents_of(archive)
    held = [*[" ".join(pair) for pair in contents.pairs], *contents.models]
    lacking = [name for name in wanted if name not in held and not name_is_at_hand(name)]
    # (A bundle is for machines without a network. Missing data is fetched only if options or a mirror ask for it.)
    if lacking and not may_fetch and not chosen_source().mirror:
        raise PurebleuError(f"this bundle holds {contents}, but not {', '.join(lacking)}: on a machine with "
                            "a network, purebleu --download NAME fetches test sets and models")
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
    """Return a context manager, in whose block files are fetched as `--mirror` and `--offline` say."""
    if not (mirror or offline):
        return nullcontext()
    try:
        from ...files.download import fetching
    except LeftOutError:
        return nullcontext()
    return fetching(mirror, offline)


def carried_contents() -> Contents | None:
    """Return the contents of the bundle from which this program was imported; `None` outside of bundles."""
    archive = bundle_of_program()
    if archive is None:
        return None
    from ...datasets.bundle import contents_of

    return contents_of(archive)


def bundle_of_program() -> str | None:
    """Return the path of the bundle from which this program was imported; `None` outside of bundles."""
    return None if own_member(CONTENTS) is None else own_archive()


def name_is_at_hand(name: str) -> bool:
    """Whether a name of `wanted_data` needs no download. (Names of other tokenizers never need one.)"""
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


def wanted_data(given: Sequence[str], tokenizer: str | None, langpair: str | None) -> list[str]:
    """Return the names of the test sets and models that options ask for: `NAME PAIR` for a test set.

    Args:
        given: the values of options with names of test sets and models, separated by commas.
        tokenizer: the tokenizer, which may have a model.
        langpair: the language pair; `None`: all pairs.
    """
    names = names_in_values(given)
    if tokenizer and _has_model(tokenizer):
        names.append(tokenizer)
    if not names:
        return []
    selection = select(names, langpair, models_too=True)
    return [*[f"{test_set.name} {pair}" for test_set, pair in selection.pairs()], *selection.models]


def _has_model(tokenizer: str) -> bool:
    """Whether a tokenizer has a published model. (In a copy without SentencePiece, no tokenizer has one.)"""
    try:
        from ...engines.sentencepiece.published import MODELS
    except LeftOutError:
        return False
    return tokenizer in MODELS
