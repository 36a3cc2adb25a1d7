"""`--doctor`: what works on this machine, what is missing, and whether a run with other options would work."""

from __future__ import annotations

import os
import sys
from functools import partial

from ...errors import LeftOutError, OptionError, PurebleuError, printable, without_commands
from ...metrics import BLEU, metric_class
from ...runtime.json_writer import to_json
from ...runtime.program import CONTENTS, missing_files, own_archive
from ...runtime.workers import number_of_processors
from ...version import __version__
from ..answer import Answer
from ..process.terminal import columns_of, is_terminal, takes_colors
from .carried import bundle_of_program, name_is_at_hand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Sequence

    from ...datasets import TestSet
    from ...datasets.bundle import Contents
    from ...files.download import Check
    from ..arguments.options import Options
    from .rehearsal import Run

#: Modules of the standard library that some Pythons lack, and the features that need them.
NEEDED_MODULES = {
    "zlib": "compressed files, archives and bundles",
    "zipfile": "archives and bundles",
    "tarfile": "archives of test sets",
    "ssl": "fetching from https addresses",
    "urllib.request": "fetching",
    "hashlib": "verifying what is fetched",
    "xml.parsers.expat": "XML",
    "multiprocessing": "-j (one process does it all)",
    "fractions": "intervals of TER with several references",
    "html": "tables in HTML",
    "mmap": "MeCab's dictionaries",
}

#: Tokenizers that need a dictionary: the language, and the package whose native library is faster.
DICTIONARIES = {"ja-mecab": ("Japanese", "MeCab", "mecab-python3"), "ko-mecab": ("Korean", "mecab_ko", "mecab-ko")}

#: The width of lines where standard output is no terminal.
_USUAL_WIDTH = 100

#: Limit of the errors about a bundle that are shown.
_MAX_ERRORS = 5


class Finding:
    """A result of the examination.

    Attributes:
        subject: the name of the thing that was examined.
        fine: whether all is well with it.
        found: the result, in words.
        advice: a remedy; empty where there is nothing to do.
        asked: whether other options ask for it.
    """

    def __init__(self, subject: str, fine: bool, found: str, advice: str = "", asked: bool = False) -> None:
        self.subject = subject
        self.fine = fine
        self.found = found
        self.advice = advice
        self.asked = asked


class Carried:
    """The verified contents of this program's own archive, if that is a bundle.

    Attributes:
        contents: those contents that are whole; `None` without a bundle, or where its description can't be read.
    """

    def __init__(self) -> None:
        self.contents: Contents | None = None
        self._archive = bundle_of_program()
        self._errors: list[str] = []
        if self._archive is None:
            return
        try:
            from ...datasets.bundle import examine_bundle

            self.contents, self._errors = examine_bundle(self._archive)
        except PurebleuError as error:
            self._errors = [f"{CONTENTS}, which says what it holds, can't be read ({error})"]

    def findings(self) -> Iterator[Finding]:
        """Whether the bundle is as it was written; without a bundle, there are no findings."""
        if self._errors:
            more = len(self._errors) - _MAX_ERRORS
            shown = [*self._errors[:_MAX_ERRORS], *([f"and {more} more"] if more > 0 else [])]
            yield Finding("bundle", False, f"this bundle is damaged: {'; '.join(shown)}",
                          "copy it here again, and compare its SHA-256 sum with the one that --bundle printed",
                          asked=True)
        elif self._archive is not None:
            yield Finding("bundle", True, f"all that it holds is as it was written: {self.contents}")


#: The exit code where something that is asked for would not work.
UNFIT = 1


def doctor(options: Options, run: Run) -> Answer:
    """All findings, as text or JSON; `run` runs a mode."""
    carried = Carried()
    findings = [*_machine(), *carried.findings(), *_data(carried.contents), *_asked(options, run, carried.contents)]
    fine = all(finding.fine for finding in findings if finding.asked)
    if options.doctor == "json":
        text = to_json({"version": __version__, "fine": fine, "findings": list(map(vars, findings))}, indent=1,
                       ascii_only=False)
    else:
        widest = max([len(finding.subject) for finding in findings])
        text = without_commands("\n".join([_lines(finding, widest) for finding in findings]))
    return Answer(text, exit_code=0 if fine else UNFIT)


def _lines(finding: Finding, width: int) -> str:
    """A finding as text, with its advice below it, in lines that a terminal has room for."""
    from textwrap import fill

    mark = "ok" if finding.fine else "NO" if finding.asked else "--"
    indent = " " * (width + 5)
    columns = max(columns_of(sys.stdout) if is_terminal(sys.stdout) else _USUAL_WIDTH, 2 * len(indent))
    parts = [fill(printable(finding.found), columns, initial_indent=f"{mark} {finding.subject:<{width}}  ",
                  subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)]
    if finding.advice:
        parts.append(fill(printable(finding.advice), columns, initial_indent=f"{indent}-> ",
                          subsequent_indent=f"{indent}   ", break_long_words=False, break_on_hyphens=False))
    return "\n".join(parts)


# The machine


def _machine() -> Iterator[Finding]:
    """Python, this program, processors, the terminal."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("Python", True, f"{sys.implementation.name} {version}, {sys.executable or 'of unknown path'}")
    yield _program()
    if lacking := missing_files():
        yield Finding("files", False, f"{len(lacking)} files of purebleu are missing, {lacking[0]} the first",
                      "they were left out of a wheel, or of a copy: without them, there is no report, no local page, "
                      "or no sample (vendor.py tells what a project's pyproject.toml has to say)", asked=True)
    missing = [(name, lost) for name, lost in NEEDED_MODULES.items() if not _can_import(name)]
    for name, lost in missing:
        yield Finding("module", False, f"{name} is missing", f"without it: no {lost}")
    if not missing:
        yield Finding("modules", True, "all that may be needed of the standard library is there")
    processors = number_of_processors()
    yield Finding("processors", True, f"{processors} (-j takes up to {max(2, processors)})")
    stream = sys.stdout
    if is_terminal(stream):
        colors = "with" if takes_colors(stream) and not os.environ.get("NO_COLOR") else "without"
        yield Finding("terminal", True, f"{columns_of(stream)} columns, {colors} colours")
    else:
        yield Finding("terminal", True, "standard output is not one")


def _can_import(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def _program() -> Finding:
    """This package: where it is, and whether it has to be compiled at every start."""
    archive, spec = own_archive(), globals()["__spec__"]
    here = sys.modules[__name__.partition(".cli.")[0]]
    path = archive or (here.__path__[0] if hasattr(here, "__path__") else os.path.abspath(__file__))
    if archive:
        compiled = __file__.endswith(".pyc")
        advice = "scripts/make_zipapp.py --compile puts bytecode for this Python into an archive"
    else:
        compiled = os.path.exists(getattr(spec, "cached", None) or "")
        advice = f"python3 -m compileall {path} makes every start quicker"
    return Finding("purebleu", compiled, f"{__version__}, {path}{'' if compiled else ', without bytecode'}",
                   "" if compiled else advice)


# Its test sets, models and dictionaries


def _data(carried: Contents | None) -> Iterator[Finding]:
    """The cache, its sources, test sets and models in it or in this program's own archive, and dictionaries."""
    for subject, examine in (("cache", _cache), ("fetching", _fetching), ("test sets", partial(_test_sets, carried)),
                             ("models", partial(_models, carried))):
        try:
            yield examine(subject)
        except LeftOutError as error:
            yield Finding(subject, False, str(error))
    for name in DICTIONARIES:
        yield _dictionary(name)


def _cache(subject: str) -> Finding:
    from ...files.cache import VARIABLES, cache_folder, cache_is_writable

    fine = cache_is_writable()
    try:
        folder = cache_folder()
        found = f"{folder}{'' if fine else ', which can not be written'}"
    except PurebleuError as error:
        found = str(error)
    return Finding(subject, fine, found, "" if fine else f"name a folder that can be written in {VARIABLES[0]}")


def _test_sets(carried: Contents | None, subject: str) -> Finding:
    from ..scoring.selection import pairs_at_hand

    held = [" ".join(pair) for pair in carried.pairs] if carried else []
    there = [f"{test_set.name} {pair}" for test_set, pair in pairs_at_hand() if test_set.archives]
    return Finding(subject, True, ", ".join(["sample", *[f"{name} (in this bundle)" for name in held],
                                             *[name for name in there if name not in held]]))


def _models(carried: Contents | None, subject: str) -> Finding:
    from ...engines.sentencepiece.published import MODELS, SUMS, cached_checksum

    held = carried.models if carried else []
    models: list[str] = []
    for name in MODELS:
        if name in held:
            models.append(f"{name} (in this bundle)")
            continue
        try:
            checksum = cached_checksum(name)
        except PurebleuError as error:
            return Finding(subject, False, f"{name}: {error}", "the next run that needs it fetches it again")
        if checksum:
            models.append(name if name in SUMS else f"{name} (SHA-256 {checksum})")
    return Finding(subject, True, ", ".join(models) or "none of " + ", ".join(MODELS))


def _holds(condition: Callable[[], bool]) -> bool:
    """Whether a condition holds; an error while it is tested counts as no."""
    try:
        return condition()
    except PurebleuError:
        return False


def _fetching(subject: str) -> Finding:
    from ...files.download import chosen_source

    source = chosen_source()
    missing = [name for name in ("urllib.request", "ssl", "hashlib") if not _can_import(name)]
    if missing and not source.offline:
        return Finding(subject, False, f"not possible without the module {missing[0]}")
    if source.mirror and "://" not in source.mirror and not os.path.isdir(source.mirror):
        return Finding(subject, False, f"the mirror {source.mirror} is no folder", "see --mirror")
    sources = [source.mirror] if source.mirror else []
    if not source.offline:
        sources.append("the published addresses")
        return Finding(subject, False, f"from {', else from '.join(sources)}: not tried",
                       "--doctor -t NAME -l PAIR asks the addresses of a test set")
    return Finding(subject, True, "from " + ", else from ".join(sources) if sources else "forbidden (offline)")


def _signature(tokenizer: str) -> str:
    """The name of a tokenizer in signatures; raises an error where the tokenizer can't be made."""
    return BLEU(tokenize=tokenizer).tokenizer_signature


def _dictionary(name: str) -> Finding:
    """A dictionary of MeCab's, and its reader."""
    language, binding, package = DICTIONARIES[name]
    try:
        signature = _signature(name)
    except PurebleuError as error:
        return Finding(language, False, f"no dictionary for {name}", str(error))
    if _can_import(binding):
        return Finding(language, True, f"{signature}, by {package}")
    return Finding(language, True, f"{signature}, read by purebleu", f"{package} is some twenty times as fast")


# The run that other options ask for


def _asked(options: Options, run: Run, carried: Contents | None) -> Iterator[Finding]:
    """Whether a run with the other options would work: first its test sets and models, then the mode itself."""
    selection = None if options.mode in ("list", "citation") else options.selection
    needed = [_test_set(test_set, pair, carried) for test_set, pair in (selection.pairs() if selection else ())]
    needed += [_model(name, carried) or Finding(name, True, "") for name in (selection.models if selection else ())]
    if options.bleu_tokenize is not None:
        needed.append(_tokenizer(options.bleu_tokenize, carried))
    yield from needed
    scores = options.references or options.test_set or options.input or options.metrics != ["bleu"]
    for name in options.text_metrics if scores else ():
        try:
            metric_class(name.upper())
            yield Finding(name, True, "a metric that can be computed here", asked=True)
        except PurebleuError as error:
            needed.append(Finding(name, False, str(error), asked=True))
            yield needed[-1]
    if options.jobs != 1:
        fine = _can_import("multiprocessing.connection")
        yield Finding(f"-j {options.jobs}", True, "several processes" if fine else "one process has to do", asked=True)
    from .rehearsal import trials

    names = [f"{test_set.name} {pair}" for test_set, pair in (selection.pairs() if selection else ())]
    names += [options.bleu_tokenize] if options.bleu_tokenize else []
    is_at_hand = all(finding.fine for finding in needed) and all(map(name_is_at_hand, names))
    for subject, attempt in trials(options, is_at_hand, run):
        try:
            yield Finding(subject, True, attempt(), asked=True)
        except OptionError:
            raise  # wrong usage is no question of this machine
        except (PurebleuError, OSError) as error:
            yield Finding(subject, False, str(error), asked=True)
        except ModuleNotFoundError as error:
            yield Finding(subject, False, f"this Python lacks the module {error.name!r}", asked=True)


def _test_set(test_set: TestSet, pair: str, carried: Contents | None) -> Finding:
    subject = f"{test_set.name} {pair}"
    if not test_set.archives:
        return Finding(subject, True, "part of purebleu", asked=True)
    from ..scoring.selection import is_at_hand

    if is_at_hand(test_set, pair):
        return Finding(subject, True, "in the cache", asked=True)
    if carried and (test_set.name, pair) in carried.pairs:
        return Finding(subject, True, "in this program's own archive", asked=True)
    if carried and not _mirror():
        return _not_carried(subject, carried)
    from ...files.download import check_file

    archives = [((url,), partial(check_file, registered=checksum, urls=[url]))
                for url, checksum in test_set.archives_of(pair)]
    return _to_be_fetched(subject, archives, f"{test_set.name} -l {pair}")


def _tokenizer(name: str, carried: Contents | None) -> Finding:
    try:
        return _model(name, carried) or Finding(name, True, f"a tokenizer that works (tok:{_signature(name)})",
                                                asked=True)
    except (PurebleuError, OSError) as error:
        return Finding(name, False, str(error), asked=True)


def _model(name: str, carried: Contents | None) -> Finding | None:
    """The finding on the published model of a tokenizer; `None` for a tokenizer without one."""
    if not name.startswith(("flores", "spBLEU")):
        return None  # (tested by the name, as the module with the list of models may be left out)
    from ...engines.sentencepiece.published import MODELS, check_model, model_is_at_hand

    if name not in MODELS:
        return None
    if _holds(partial(model_is_at_hand, name)):
        return Finding(name, True, "its model is in the cache", asked=True)
    if carried and name in carried.models:
        return Finding(name, True, "its model is in this program's own archive", asked=True)
    if carried and not _mirror():
        return _not_carried(name, carried)
    return _to_be_fetched(name, [(MODELS[name], partial(check_model, name))], name)


def _mirror() -> str | None:
    """The mirror that options or the environment name."""
    from ...files.download import chosen_source

    return chosen_source().mirror


def _not_carried(subject: str, carried: Contents) -> Finding:
    return Finding(subject, False, f"not in this bundle, which holds {carried}",
                   "where there is a network, --download fetches it", asked=True)


def _to_be_fetched(subject: str, archives: Sequence[tuple[Sequence[str], Check]], name: str) -> Finding:
    """Whether files that are not in the cache could be fetched now, to judge by the first answer of a server.

    Args:
        subject: the subject of the finding.
        archives: for each file the addresses where it is published, and a function that verifies the file.
        name: the value of `--download` that fetches them.
    """
    from ...files.cache import cache_is_writable
    from ...files.download import chosen_source, obstacle_to

    advice = f"fetch it where there is a network (--download {name}, or --bundle for another machine)"
    for urls, check in archives:
        obstacles: list[str] = []
        for address in chosen_source().addresses(*urls):
            obstacle = obstacle_to(address, check)
            if obstacle is None:
                break
            obstacles.append(f"{address} can't be had ({obstacle})")
        else:
            found = "; ".join(obstacles) or f"--offline forbids to fetch {urls[0]}"
            return Finding(subject, False, f"not at hand, and {found}", advice, asked=True)
    if not cache_is_writable():
        return Finding(subject, False, "not at hand, and the cache, into which it would be fetched, can't be written",
                       asked=True)
    return Finding(subject, True, "not at hand, but it can be fetched", asked=True)
