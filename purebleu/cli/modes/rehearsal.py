"""The rehearsal of a mode, for the doctor: it reads inputs, tries whether files can be written, and scores a little."""

from __future__ import annotations

import os
import warnings
from functools import partial

from ...errors import PurebleuError
from ...files.forms import column_of
from ...files.text import aligned_blocks
from ...files.writing import can_write_into
from ..arguments.targets import targets_of
from ..scoring.corpus import list_of_units, open_files, read_blocks
from ..scoring.metrics import make_metrics
from ..scoring.units import units_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Tuple

    from ..answer import Answer
    from ..arguments.options import Options

    #: The name of a trial, and the function that makes the trial: it returns a result in words, or raises an error.
    Trial = Tuple[str, Callable[[], str]]

    #: Runs a mode.
    Run = Callable[[Options], Answer]

#: The text of all files of the tiny corpus.
_TINY = "a b c d e\nf g h i j\nk l m n o\n"


def trials(options: Options, is_at_hand: bool, run: Run) -> Iterator[Trial]:
    """The trials that the doctor makes for a mode.

    Args:
        options: the options of a run, resolved.
        is_at_hand: whether the test sets and models of these options need not be fetched.
        run: runs a mode.
    """
    for path in targets_of(options):
        yield path, partial(_try_target, path)
    if options.mode in ("list", "citation") or (options.mode == "echo" and is_at_hand):
        yield f"--{options.mode}", lambda: _run_quietly(options, run)
    elif options.mode == "rows":
        yield "--rows", lambda: _run_quietly(_without_targets(options), run)
    elif options.mode == "serve":
        yield "--serve", lambda: _try_to_serve(options.port)
    elif options.mode == "unbundle":
        yield options.unbundle, lambda: _try_bundle(options)
    elif options.mode == "manifest":
        yield options.manifest, lambda: _try_manifest(options, run)
    elif options.mode in _SCORING and is_at_hand and (options.references or options.test_set or options.input):
        yield "input", lambda: _read_all(options)
        if options.mode not in _NOT_REHEARSED:
            yield "a rehearsal", lambda: _rehearse(options, run)
    if options.human_files:
        yield "human scores", lambda: _read_human_scores(options)


#: Modes that score a corpus.
_SCORING = ("score", "views", "sentences", "audit", "check", "runs", "mbr", "agreement", "select")

#: Those of them that could only read a tiny corpus, as they need human scores, or different outputs.
_NOT_REHEARSED = ("agreement", "select")


def _run_quietly(options: Options, run: Run) -> str:
    """Run a mode for nothing but its errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in run(options.replace(doctor=None)).pieces:
            pass
    return "works"


def _without_targets(options: Options) -> Options:
    return options.replace(report=os.devnull if options.report else "", junit=os.devnull if options.junit else "",
                           save_rows="", alignments="", save_resegmented=[], doctor=None,
                           format="markdown" if options.format == "github" else options.format)


def _try_target(path: str) -> str:
    """Try whether a file can be written, without changing anything; raises `PurebleuError`."""
    if os.path.isdir(path):
        raise PurebleuError(f"{path}: is a folder")
    if os.path.exists(path) and not os.path.isfile(path):
        return "is no plain file, and is written to as it is"
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise PurebleuError(f"{path}: there is no folder {folder}")
    if not can_write_into(folder):
        raise PurebleuError(f"{path}: nothing can be written into {folder}")
    return "can be written"


def _try_to_serve(port: int) -> str:
    from .serve import try_to_serve

    try_to_serve(port)
    return "can be served"


def _try_bundle(options: Options) -> str:
    from ...datasets.bundle import verify_bundle
    from ...files.cache import cache_is_writable

    held = verify_bundle(options.unbundle, options.sha256)
    if not cache_is_writable():
        raise PurebleuError("the cache can't be written")
    return f"holds {', '.join(held)}"


def _try_manifest(options: Options, run: Run) -> str:
    from .manifest import options_of_pairs

    pairs = options_of_pairs(options)
    for pair_options in pairs:
        _read_all(pair_options)
    _rehearse(pairs[0].replace(manifest="", mode="score"), run)
    return f"{len(pairs)} pairs can be read"


def _read_all(options: Options) -> str:
    """Read all input, as the mode reads it, except for standard input."""
    files = [*options.input, *options.references, *options.files_beside]
    is_whole = bool(options.input and (options.references or options.test_set or options.scores
                                       or options.mode in ("check", "mbr", "select")))
    if not is_whole or any(column_of(name).path is None for name in files):
        inputs, others = [[name for name in names if column_of(name).path is not None]
                          for names in (options.input, files[len(options.input):])]
        named = [*inputs, *others]
        for _ in aligned_blocks(open_files(options, inputs, others, {})) if named else ():
            pass
        return f"{', '.join(named)} can be read" if named else "is read when it comes"
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if options.mode == "mbr":
            from .mbr import read_segments

            count = sum([1 for _ in read_segments(options, [])])
        else:
            listed = list_of_units(options)
            for systems, _ in read_blocks(options, listed):
                count += len(systems[0])
            units_of(options, listed)
    return f"{count:,} segments can be read"


def _read_human_scores(options: Options) -> str:
    from ...files.human_scores import read_human_scores

    for file in options.human_files:
        read_human_scores(file, options.encoding)
    return f"{', '.join(options.human_files)} can be read"


def _rehearse(options: Options, run: Run) -> str:
    """Score a tiny corpus with the same options, and write nothing."""
    if options.mode == "mbr":
        from ...decoding import best_samples

        [metric] = make_metrics(options)
        list(best_samples(metric, [(["a b", "a c"], None, None)], jobs=1))
        return "works"
    references = [f"reference {index + 1}" for index in range(max(1, len(options.references)))]
    systems = options.input or options.names or ["system"]
    source = options.source or ("source" if options.selection and (options.check or options.fail_on) else "")
    # (Scores from outside do not fit the tiny corpus; that they can be read has been tried before.)
    computed = options.text_metrics or ["bleu"]
    as_given = [name for name in options.metrics_as_given if name in computed] or computed
    texts = dict.fromkeys([*references, *systems, *options.files_beside, *([source] if source else [])], _TINY)
    tiny = _without_targets(options).replace(
        texts=texts, references=references, input=systems, source=source, test_set=[], selection=None,
        origlang=None, subset=None, detail=False, num_refs=1, jobs=1, samples=2, confidence_n=2, unit=None,
        strata=options.strata_file, exact=False, splits_last_input=False, stored_baseline=False, signature="",
        baseline="", gates=[gate for gate in options.gates if gate.metric in computed], arguments=options.arguments,
        quiet=True, agreement=[], agreement_systems="", scores=[], metrics=computed, metrics_as_given=as_given)
    _run_quietly(tiny, run)
    return "works"

