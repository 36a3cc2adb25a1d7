"""`purebleu doctor`: what works on this machine, what is missing, and whether there is what a line needs."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from functools import partial

from ...errors import LeftOutError, PurebleuError, printable, without_commands
from ...files.opening import column_of
from ...files.writing import can_write_into
from ...metrics import BLEU, metric_class
from ...runtime.json_writer import to_json
from ...runtime.program import CONTENTS, missing_files, own_archive
from ...runtime.workers import number_of_processors
from ...tokenizers import DEFAULT_BY_LANGUAGE
from ...version import __version__
from ..answer import Answer
from ..arguments.command import Command, LineValues
from ..arguments.groups import STRATA_FIELDS
from ..corpus.carried import bundle_of_program, wanted_by
from ..corpus.inputs import named_file
from ..corpus.runs import files_of_runs
from ..process.terminal import columns_of, is_terminal, takes_colors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, ContextManager, Iterator, Sequence

    from ...datasets import TestSet
    from ...datasets.bundle import Contents
    from ...files.download import Check

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

#: Modules of the standard library that certain options need, by their destinations, certain formats, and commands.
_MODULES_OF_OPTIONS = {"json": ("rows", "files"), "decimal": ("scores", "human", "human_systems"), "html": ("report",)}
_MODULES_OF_COMMANDS = {"report": "html", "bundle": "tarfile"}
_MODULES_OF_FORMATS = {"csv": "csv", "tsv": "csv"}

#: Tokenizers that need a dictionary: the language, and the package whose native library is faster.
DICTIONARIES = {"ja-mecab": ("Japanese", "MeCab", "mecab-python3"), "ko-mecab": ("Korean", "mecab_ko", "mecab-ko")}

#: The width of lines if standard output is no terminal.
_USUAL_WIDTH = 100

#: Limit of the errors about a bundle that are shown.
_MAX_ERRORS = 5


class Finding:
    """A result of the examination.

    Attributes:
        subject: the name of the thing that was examined.
        fine: whether all is well with it.
        found: the result, in words.
        advice: a remedy; empty if there is nothing to do.
        asked: whether a line asks for it.
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
        contents: those contents that are whole; `None` without a bundle, or if its description can't be read.
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
                          "copy it here again, and compare its SHA-256 sum with the one that purebleu bundle printed",
                          asked=True)
        elif self._archive is not None:
            yield Finding("bundle", True, f"all that it holds is as it was written: {self.contents}")


#: The exit code if something that is asked for would not work.
UNFIT = 1


def run_doctor(given: LineValues) -> Answer:
    """All findings, as text or JSON: on this machine, and on what a line needs."""
    words = given.line
    as_json = words[:1] == ["--json"]
    line = words[1:] if as_json else words
    asked = given.read_line(line[1:] if line[:1] == ["purebleu"] else line) if line else None
    carried = Carried()
    with _fetching_as(asked[1] if asked else given):
        findings = [*_machine(), *carried.findings(), *_data(carried.contents)]
        if asked is not None:
            findings += _asked(*asked, carried.contents)
    fine = all(finding.fine for finding in findings if finding.asked)
    if as_json:
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
    from ..corpus.selection import pairs_at_hand

    held = [" ".join(pair) for pair in carried.pairs] if carried else []
    try:
        there = [f"{test_set.name} {pair}" for test_set, pair in pairs_at_hand() if test_set.archives]
    except PurebleuError as error:  # (the catalogue is a file that may have been left out of a wheel)
        return Finding(subject, False, str(error))
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
                       "purebleu doctor -t NAME -l PAIR asks the addresses of a test set")
    return Finding(subject, True, "from " + ", else from ".join(sources) if sources else "forbidden (offline)")


def _signature(tokenizer: str) -> str:
    """The name of a tokenizer in signatures; raises an error if the tokenizer can't be made."""
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


# What a line needs


#: The destinations of options that name files to read, and files to write.
_READ = ("references", "input", "ids", "source", "docs", "strata", "rows", "manifest", "baseline", "human",
         "human_systems", "counts", "nonbreaking_prefixes", "files")
_WRITTEN = ("save_rows", "output", "report", "junit", "save_resegmented")


def _fetching_as(values: Any) -> ContextManager[None]:
    """Fetch from the addresses that the options of a line allow."""
    mirror, offline = getattr(values, "mirror", None), getattr(values, "offline", False)
    if not (mirror or offline):
        return nullcontext()
    from ...files.download import fetching

    return fetching(mirror, offline)


def _asked(command: Command, values: Any, carried: Contents | None) -> Iterator[Finding]:
    """Whether there is what a line needs: test sets, models, metrics, processes, files, folders."""
    for name in wanted_by(command, values):
        test_set, is_pair, pair = name.partition(" ")
        if is_pair:
            from ...datasets import get_test_set

            yield _test_set(get_test_set(test_set), pair, carried)
        else:
            yield _model(name, carried) or Finding(name, True, "")
    if tokenizer := _tokenizer_of(values):
        yield _tokenizer(tokenizer, carried)
    outside = [name.lower() for name, _ in getattr(values, "scores", ())]
    for name in getattr(values, "metrics", ()):
        if name not in outside and not getattr(values, "rows", ()):
            yield _metric(name)
    for module in _modules_of(command, values):
        if not _can_import(module):
            yield Finding("module", False, f"this Python lacks the module {module!r}, which this line needs",
                          asked=True)
    if values.jobs != 1:
        fine = _can_import("multiprocessing.connection")
        yield Finding(f"-j {values.jobs}", True, "several processes" if fine else "one process has to do", asked=True)
    if command.word == "unbundle":
        finding = _cache("unbundle")
        finding.asked = True
        yield finding
    if command.word == "serve":
        yield _tried(f"port {values.port or 'any'}", partial(_try_port, values.port))
    for path in dict.fromkeys([*_files_read(values, _READ), *_named_in_manifest(values)]):
        if command.word == "unbundle":
            yield _tried(path, partial(_try_bundle, path, values.sha256))
            continue
        yield _tried(path, partial(_try_to_read, path))
    if runs := getattr(values, "runs", ()):
        yield _tried("--runs", partial(_try_runs, runs))
    for path in dict.fromkeys(_paths_of_scores(values)):
        yield _tried(path, partial(_try_folder if os.path.isdir(path) else _try_to_read, path))
    for path in _targets_of(command, values):
        yield _tried(path, partial(_try_target, path))


def _tokenizer_of(values: Any) -> str | None:
    """The tokenizer that a line names, or that BLEU has for its target language."""
    if getattr(values, "bleu_tokenize", None) or "bleu" not in (getattr(values, "metrics", None) or ["bleu"]):
        return getattr(values, "bleu_tokenize", None)
    language = (getattr(values, "langpair", None) or "").rpartition("-")[2]
    return DEFAULT_BY_LANGUAGE.get(language) if hasattr(values, "bleu_tokenize") else None


def _modules_of(command: Command, values: Any) -> Iterator[str]:
    """The modules of the standard library that a line needs, and that some Pythons lack."""
    if command.word in _MODULES_OF_COMMANDS:
        yield _MODULES_OF_COMMANDS[command.word]
    for module, destinations in _MODULES_OF_OPTIONS.items():
        if any(getattr(values, destination, None) for destination in destinations):
            yield module
    if values.format in _MODULES_OF_FORMATS:
        yield _MODULES_OF_FORMATS[values.format]


def _targets_of(command: Command, values: Any) -> Iterator[str]:
    """The files that a line writes, apart from the cache."""
    yield from _files_read(values, _WRITTEN)
    if command.word == "report" and not values.output:
        yield "report.html"
    if command.word == "bundle":
        yield from values.words[:1]


def _metric(name: str) -> Finding:
    try:
        metric_class(name.upper())
    except PurebleuError as error:
        return Finding(name, False, str(error), asked=True)
    return Finding(name, True, "a metric that can be computed here", asked=True)


def _tried(subject: str, attempt: Callable[[], str]) -> Finding:
    """The finding of an attempt: what it returns, or its error."""
    try:
        return Finding(subject, True, attempt(), asked=True)
    except PurebleuError as error:
        return Finding(subject, False, str(error), asked=True)
    except OSError as error:
        return Finding(subject, False, f"{subject}: {error.strerror or error}", asked=True)


def _files_read(values: Any, destinations: Sequence[str]) -> Iterator[str]:
    """The files that these options name, without columns; standard streams are left out."""
    for destination in destinations:
        given: Sequence[str] | str | None = getattr(values, destination, None)
        for name in [given] if isinstance(given, str) else given or ():
            if destination == "strata" and name in STRATA_FIELDS and values.test_set:
                continue
            path = column_of(named_file(name)[1]).path
            if path:
                yield path


def _named_in_manifest(values: Any) -> Iterator[str]:
    """The files that a manifest names, if there is one; with a language pair, those of that pair."""
    if os.path.isfile(getattr(values, "manifest", "")):
        from ..corpus.chosen import pairs_of

        for pair in pairs_of(values):
            if values.langpair in (None, pair.pair):
                names = [*pair.references, *pair.hypotheses, *([pair.source] if pair.source else [])]
                yield from filter(None, [column_of(name).path for name in names])


def _paths_of_scores(values: Any) -> Iterator[str]:
    """The files and folders of `--scores`, without columns. (With a manifest, its columns name them.)"""
    for _, name in getattr(values, "scores", ()) if not getattr(values, "manifest", "") else ():
        path = column_of(name).path
        if path:
            yield path


def _try_to_read(path: str) -> str:
    """Try whether a file can be read; raises `OSError`."""
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        return "is no plain file, and is read when it comes"
    with open(path, "rb") as file:
        file.read(1)
    return f"can be read ({os.path.getsize(path):,} bytes)"


def _try_runs(values: Sequence[str]) -> str:
    """Try whether the files of all runs can be read; raises `PurebleuError`."""
    paths = [column_of(name).path or name for _, names in files_of_runs(values) for name in names]
    for path in paths:
        finding = _tried(path, partial(_try_to_read, path))
        if not finding.fine:
            raise PurebleuError(finding.found)
    return f"{len(paths):,} files can be read"


def _try_bundle(path: str, checksum: str | None) -> str:
    """Try whether a bundle is as it was written; raises `PurebleuError`."""
    from ...datasets.bundle import verify_bundle

    return f"holds {', '.join(verify_bundle(path, checksum))}"


def _try_folder(path: str) -> str:
    """Try whether a folder can be read; raises `OSError`."""
    os.listdir(path)
    return "is a folder that can be read"


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


def _try_port(port: int) -> str:
    from .serve import try_to_serve

    try_to_serve(port)
    return "can be served"


def _test_set(test_set: TestSet, pair: str, carried: Contents | None) -> Finding:
    subject = f"{test_set.name} {pair}"
    if not test_set.archives:
        return Finding(subject, True, "part of purebleu", asked=True)
    from ..corpus.selection import is_at_hand

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
                   "where there is a network, purebleu --download fetches it", asked=True)


def _to_be_fetched(subject: str, archives: Sequence[tuple[Sequence[str], Check]], name: str) -> Finding:
    """Whether files that are not in the cache could be fetched now, to judge by the first answer of a server.

    Args:
        subject: the subject of the finding.
        archives: for each file the addresses where it is published, and a function that verifies the file.
        name: the value of `--download` that fetches them.
    """
    from ...files.cache import cache_is_writable
    from ...files.download import chosen_source, obstacle_to

    advice = f"fetch it where there is a network (purebleu --download {name}, or purebleu bundle for another machine)"
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


DOCTOR = Command(
    "doctor", "doctor [--json] [LINE ...]",
    "What this machine can do, and what is missing. All that follows is a command line, with or without 'purebleu' "
    "before it: is there all that it needs? (If not, the exit code is 1.)",
    run_doctor, LineValues, (), (), (), (
        ("", "this machine"),
        ("-t wmt18 -l en-de -i out.txt", "would this line work?"),
    ), takes_line=True, fetches=False)
