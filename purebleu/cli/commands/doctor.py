"""`purebleu doctor`: what works on this machine, what is missing, and whether a command line would work."""

from __future__ import annotations

import os
import sys
from functools import partial

from ...files.opening import check_readable, column_of
from ...files.writing import check_writable
from ...metrics import BLEU
from ...runtime.errors import PurebleuError, printable, without_commands
from ...runtime.hints import Any, Callable, Iterator, NamedTuple, Sequence
from ...runtime.json_writer import to_json
from ...runtime.program import CONTENTS, missing_files, own_archive
from ...runtime.workers import number_of_processors
from ...version import FULL_VERSION
from ..arguments.command import Answer, Command, CorpusValues, LineValues
from ..arguments.parser import read_line
from ..corpus.inputs import Examined, Inputs, OutsideScores, named_file
from ..corpus.score import MetricChoice
from ..corpus.selection import bundle_of_program, fetching_as, name_is_at_hand, pairs_at_hand, wanted_data
from ..process import collected_warnings, columns_of, is_terminal, show_nothing, takes_colors
from .help import filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...datasets.bundle import Contents

#: Modules of the standard library that some Pythons lack, and the features that need them.
NEEDED_MODULES = {
    "zlib": "compressed files, archives and bundles",
    "zipfile": "archives and bundles",
    "tarfile": "archives of test sets",
    "ssl": "fetching from https addresses",
    "urllib.request": "fetching",
    "hashlib": "verifying fetched files",
    "xml.parsers.expat": "XML",
    "multiprocessing": "-j (one process does it all)",
    "fractions": "intervals of TER with several references",
    "html": "tables in HTML",
    "mmap": "MeCab's dictionaries",
}

#: Modules of the standard library, each with the commands, formats and options that need it. An option has the name of
#: its destination. `.gz` stands for a compressed output file. `mean lengths` stands for TER with several references.
_NEEDED_BY = {
    "json": ("rows", "files", "save_rows", "report", "bundle", "serve"),
    "decimal": ("scores", "human", "human_systems", "report", "serve", "mean lengths"),
    "fractions": ("mean lengths",),
    "html": ("report", "serve", "html", "junit"),
    "shlex": ("report", "serve"),
    "tarfile": ("bundle",),
    "zipfile": ("bundle",),
    "gzip": (".gz",),
    "csv": ("csv", "tsv"),
}

#: Commands and options (by destinations) that resample.
_RESAMPLING = ("test", "report", "confidence", "baseline")

#: For each tokenizer with a dictionary: the language, and the faster reader of dictionaries (its module, its package).
DICTIONARIES = {"ja-mecab": ("Japanese", "MeCab", "mecab-python3"), "ko-mecab": ("Korean", "mecab_ko", "mecab-ko")}

#: The width of lines if standard output is not a terminal.
_USUAL_WIDTH = 100

#: The largest number of errors that are shown for a bundle.
_MAX_ERRORS = 5


class Finding(NamedTuple):
    """One result of `purebleu doctor`.

    Attributes:
        subject: what was examined, such as `cache`.
        fine: whether the subject works.
        found: the result, in words.
        advice: what the user can do; empty: nothing.
        asked: whether the exit code depends on the finding, because the command line or purebleu needs the subject.
    """

    subject: str
    fine: bool
    found: str
    advice: str = ""
    asked: bool = False


#: The subject of a finding that is a warning. (The exit code does not depend on warnings.)
_WARNING = "warning"

#: The exit code if a finding that is `asked` is not fine.
UNFIT = 1


def run_doctor(given: LineValues) -> Answer:
    """Examine this machine and what a command line needs, and return all findings, as text or JSON."""
    as_json = given.line[:1] == ["--json"]
    line = given.line[1:] if as_json else given.line
    if len(line) == 1 and " " in line[0] and not os.path.exists(line[0]):
        import shlex

        line = shlex.split(line[0])  # (the line is one argument in quotes)
    asked = read_line(line[1:] if line[:1] == ["purebleu"] else line) if line else None
    carried, of_bundle = _verified_bundle()
    source = asked[1] if asked else given
    with fetching_as(getattr(source, "mirror", None), getattr(source, "offline", False)):
        of_line: list[Finding] = []
        try:
            for finding in _asked(*asked, carried) if asked else ():
                of_line.append(finding)
        except ModuleNotFoundError as error:
            of_line.append(_lacking(error.name))
        of_line = [finding._replace(asked=finding.subject != _WARNING) for finding in dict.fromkeys(of_line)]
        # (The verdict on the line comes first, then its reasons, then findings about the machine.)
        of_line.sort(key=lambda finding: finding.subject != "the line")
        tried = [finding.subject for finding in of_line if finding.found.startswith("missing")]
        findings = [*of_line, *_machine(), *of_bundle, *_data(carried, tried)]
    fine = all(finding.fine for finding in findings if finding.asked)
    if as_json:
        members = [finding._asdict() for finding in findings]
        text = to_json({"version": FULL_VERSION, "fine": fine, "findings": members}, indent=1, ascii_only=False)
    else:
        widest = max([len(finding.subject) for finding in findings])
        text = without_commands("\n".join([_lines(finding, widest) for finding in findings]))
    return Answer(text, exit_code=0 if fine else UNFIT)


def _lines(finding: Finding, width: int) -> str:
    """Return a finding as text, with its advice below it, in lines that fit into the terminal."""
    mark = "ok" if finding.fine else "NO" if finding.asked else "--"
    indent = " " * (width + 5)
    columns = max(columns_of(sys.stdout) if is_terminal(sys.stdout) else _USUAL_WIDTH, 2 * len(indent))
    parts = [filled(printable(finding.found), indent, f"{mark} {finding.subject:<{width}}  ", columns)]
    if finding.advice:
        parts.append(filled(printable(finding.advice), f"{indent}   ", f"{indent}-> ", columns))
    return "\n".join(parts)


def _verified_bundle() -> tuple[Contents | None, list[Finding]]:
    """Verify the bundle that this program runs from. Return its contents (if they can be read) and findings."""
    archive = bundle_of_program()
    if archive is None:
        return None, []
    from ...datasets.bundle import examine_bundle

    contents: Contents | None = None
    try:
        contents, errors = examine_bundle(archive)
    except PurebleuError as error:
        errors = [f"{CONTENTS}, its table of contents, can't be read ({error})"]
    if not errors:
        return contents, [Finding("bundle", True, f"undamaged; it holds {contents}")]
    more = len(errors) - _MAX_ERRORS
    shown = [*errors[:_MAX_ERRORS], *([f"and {more} more"] if more > 0 else [])]
    return contents, [Finding("bundle", False, f"this bundle is damaged: {'; '.join(shown)}",
                              "copy the bundle here again, and compare its SHA-256 sum with the sum that purebleu "
                              "bundle printed", asked=True)]


# The machine


def _machine() -> Iterator[Finding]:
    """Yield findings about Python, this program, the processors and the terminal."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("Python", True, f"{sys.implementation.name} {version}, {sys.executable or 'of unknown path'}")
    yield _program()
    if lacking := missing_files():
        yield Finding("files", False, f"files of purebleu are missing, such as {lacking[0]}",
                      "a wheel or a copy was made without some files, so the report, the local page or the sample "
                      "does not work (vendor.py prints the lines that pyproject.toml needs)", asked=True)
    missing = [(name, lost) for name, lost in NEEDED_MODULES.items() if not _can_import(name)]
    for name, lost in missing:
        yield Finding("module", False, f"{name} is missing", f"missing features: {lost}")
    if not missing:
        yield Finding("modules", True, "the standard library is complete")
    processors = number_of_processors()
    yield Finding("processors", True, f"{processors} (-j takes up to {max(2, processors)})")
    stream = sys.stdout
    if is_terminal(stream):
        colors = "with" if takes_colors(stream) and not os.environ.get("NO_COLOR") else "without"
        yield Finding("terminal", True, f"{columns_of(stream)} columns, {colors} colours")
    else:
        yield Finding("terminal", True, "standard output is not a terminal")


def _can_import(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def _program() -> Finding:
    """Return where this package is, and whether it has bytecode. (Without bytecode, each start compiles it.)"""
    archive, spec = own_archive(), globals()["__spec__"]
    here = sys.modules[__name__.partition(".cli.")[0]]
    path = archive or (here.__path__[0] if hasattr(here, "__path__") else os.path.abspath(__file__))
    if archive:
        compiled = __file__.endswith(".pyc")
        advice = "scripts/make_zipapp.py --compile puts bytecode for this Python into an archive"
    else:
        compiled = os.path.exists(getattr(spec, "cached", None) or "")
        advice = f"python3 -m compileall {path} makes each start of purebleu quicker"
    return Finding("purebleu", compiled, f"{FULL_VERSION}, {path}{'' if compiled else ', without bytecode'}",
                   "" if compiled else advice)


# Test sets, models and dictionaries


def _data(carried: Contents | None, tried: Sequence[str]) -> Iterator[Finding]:
    """Yield findings about the cache, downloads, test sets, models and dictionaries.

    Args:
        carried: the test sets and models in the bundle that this program runs from; `None`: no bundle.
        tried: the names of test sets and models whose addresses were tried.
    """
    for subject, examine in (("cache", _cache), ("fetching", partial(_fetching, tried)),
                             ("test sets", partial(_test_sets, carried)), ("models", partial(_models, carried))):
        try:
            yield examine(subject)
        except PurebleuError as error:  # (a part of purebleu is missing in this copy or wheel)
            yield Finding(subject, False, str(error))
    for name in DICTIONARIES:
        yield _dictionary(name)


def _cache(subject: str) -> Finding:
    from ...files.download import VARIABLES, cache_folder, cache_is_writable

    fine, advice = cache_is_writable(), f"set {VARIABLES[0]} to a folder that can be written"
    try:
        folder = cache_folder()
    except PurebleuError as error:
        return Finding(subject, False, str(error), advice)
    return Finding(subject, True, folder) if fine else Finding(subject, False, f"{folder} cannot be written", advice)


def _test_sets(carried: Contents | None, subject: str) -> Finding:
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
            return Finding(subject, False, f"{name}: {error}", "the next run that needs the model fetches it again")
        if checksum:
            models.append(name if name in SUMS else f"{name} (SHA-256 {checksum})")
    return Finding(subject, True, ", ".join(models) or "none of " + ", ".join(MODELS))


def _fetching(tried: Sequence[str], subject: str) -> Finding:
    from ...files.download import chosen_source

    source = chosen_source()
    missing = [name for name in ("urllib.request", "ssl", "hashlib") if not _can_import(name)]
    if missing and not source.offline:
        return Finding(subject, False, f"not possible without the module {missing[0]}")
    if source.mirror and "://" not in source.mirror and not os.path.isdir(source.mirror):
        return Finding(subject, False, f"the mirror {source.mirror} is not a folder", "see --mirror")
    sources = [source.mirror] if source.mirror else []
    if not source.offline:
        sources.append("the published addresses")
        if tried:
            return Finding(subject, True, f"from {', or else from '.join(sources)} (see {', '.join(tried)})")
        return Finding(subject, False, f"from {', or else from '.join(sources)} (not tried)",
                       "purebleu doctor -t NAME -l PAIR asks the addresses of a test set")
    return Finding(subject, True, "from " + ", or else from ".join(sources) if sources else "forbidden (offline)")


def _signature(tokenizer: str) -> str:
    """Return the name of a tokenizer in signatures. Raise `PurebleuError` if the tokenizer can't be made."""
    return BLEU(tokenize=tokenizer).tokenizer_signature


def _dictionary(name: str) -> Finding:
    """Look for the dictionary of a tokenizer, and for the package that reads it faster."""
    language, binding, package = DICTIONARIES[name]
    try:
        signature = _signature(name)
    except PurebleuError as error:
        return Finding(language, False, f"no dictionary for {name}", str(error))
    if _can_import(binding):
        return Finding(language, True, f"{signature}, by {package}")
    return Finding(language, True, f"{signature}, read by purebleu",
                   f"{name} is about twenty times as fast with {package}")


# What a command line needs


#: Options about inputs. If a line has none of them, only its metrics, test sets and models are examined.
_INPUTS = ("references", "input", "test_set", "rows", "runs", "manifest")


def _asked(command: Command, values: Any, carried: Contents | None) -> Iterator[Finding]:
    """Yield findings about the inputs, test sets, models and modules that a command line needs."""
    wanted = wanted_data(*values.named_data)
    for name in wanted:
        yield _wanted(name, carried)
    given: set[str] = {command.word, values.format, *values.given()}
    if any(str(value).endswith(".gz") for value in values.given().values()):
        given.add(".gz")
    if given.intersection(_RESAMPLING) and "ter" in values.metrics and len(values.references) > 1:
        given.add("mean lengths")
    for module, needing in _NEEDED_BY.items():
        if given.intersection(needing) and not _can_import(module):
            yield _lacking(module)
    if values.jobs != 1:
        fine = _can_import("multiprocessing.connection")
        yield Finding(f"-j {values.jobs}", True, "several processes" if fine else "a single process")
    if command.word == "unbundle":
        yield _cache("unbundle")
        from ...datasets.bundle import read_bundle

        for path in values.files:
            yield _tried(path, "is undamaged", read_bundle, path, values.sha256, False)
    elif command.word == "bundle":
        from .bundle import file_and_names

        yield _tried("bundle", "can be written", check_writable, file_and_names(values)[0])
    elif command.word == "serve":
        from .serve import try_to_serve

        yield _tried(f"port {values.port or 'any'}", "can be served", try_to_serve, values.port)
    elif all(map(name_is_at_hand, wanted)) and (command.word == "rows" or isinstance(values, CorpusValues)):
        yield from _examined(command, values)
    elif getattr(values, "input", ()):  # (a test set or a model is missing, so the line can't run)
        paths = [column_of(named_file(name)[1]).path for name in values.input]
        yield _tried("-i", "can be read", check_readable, paths)


def _lacking(module: str | None) -> Finding:
    return Finding("module", False, f"this Python lacks the module {module!r}, which this command line needs")


def _examined(command: Command, values: Any) -> Iterator[Finding]:
    """Run a command until its scoring would begin. Yield its warnings, and whether it succeeded.

    If the command line has no inputs, only make its metrics.
    """
    values.examines, values.jobs = True, 1
    has_inputs = command.word == "rows" or any(getattr(values, name, ()) for name in _INPUTS)

    def run() -> None:
        with fetching_as(None, True):
            if not has_inputs:
                MetricChoice(values, Inputs(values, OutsideScores(values, ()), needs_references=False)).make()
                return
            try:
                command.run(values)
            except Examined as reached:
                if getattr(values, "exact", False) and len(values.input) > 1 and not (values.docs or values.strata):
                    from ...significance.sampling import Sampling

                    # (`of_trials` raises an error if an exact test would have too many trials.)
                    Sampling("ar", exact=values.unit in (None, "segment")).of_trials(1 << reached.segments)

    fine = ("inputs match, and output files can be written (standard input and pipes are not read)"
            if has_inputs else "the metrics can be computed on this machine")
    with collected_warnings(show_nothing) as warned:
        finding = _tried("the line", fine, run)
    yield from [Finding(_WARNING, False, text) for text in warned]
    yield finding


def _tried(subject: str, found: str, attempt: Callable[..., object], *arguments: object) -> Finding:
    """Call a function. Return the finding `found` if the call succeeds, or else the error."""
    try:
        attempt(*arguments)
        return Finding(subject, True, found)
    except PurebleuError as error:
        return Finding(subject, False, str(error))
    except OSError as error:
        return Finding(subject, False, f"{error.filename or subject}: {error.strerror or error}")


def _wanted(name: str, carried: Contents | None) -> Finding:
    """Look for a test set with its language pair, or for the model of a tokenizer."""
    from ...files.download import check_file, chosen_source

    test_set, is_pair, pair = name.partition(" ")
    it_is = "" if is_pair else "its model is "
    if name_is_at_hand(name):
        return Finding(name, True, f"{it_is}in the cache")
    if carried and name in (*[" ".join(held) for held in carried.pairs], *carried.models):
        return Finding(name, True, f"{it_is}in this program's own archive")
    if carried and not chosen_source().mirror:
        return Finding(name, False, f"not in this bundle, which holds {carried}",
                       "on a machine with a network, purebleu --download fetches test sets and models")
    if is_pair:
        from ...datasets import get_test_set

        archives: list[tuple[Sequence[str], Callable[..., object]]] = [
            ((url,), partial(check_file, registered=checksum, urls=[url]))
            for url, checksum in get_test_set(test_set).archives_of(pair)]
        return _to_be_fetched(name, archives, f"{test_set} -l {pair}")
    from ...engines.sentencepiece.published import MODELS, check_model

    return _to_be_fetched(name, [(MODELS[name], partial(check_model, name))], name)


def _to_be_fetched(subject: str, archives: Sequence[tuple[Sequence[str], Callable[..., object]]],
                   name: str) -> Finding:
    """Ask servers for missing files, and return whether the files can be fetched.

    Args:
        subject: the subject of the finding.
        archives: for each file, its published addresses, and a function that verifies it.
        name: the value of `--download` that fetches the files.
    """
    from ...files.download import cache_is_writable, chosen_source, obstacle_to

    advice = f"on a machine with a network, fetch it (purebleu --download {name}), or put it into a purebleu bundle"
    for urls, check in archives:
        obstacles: list[str] = []
        for address in chosen_source().addresses(*urls):
            obstacle = obstacle_to(address, check)
            if obstacle is None:
                break
            obstacles.append(f"{address} can't be fetched ({obstacle})")
        else:
            found = "; ".join(obstacles) or f"--offline forbids fetching {urls[0]}"
            return Finding(subject, False, f"missing, and {found}", advice)
    if not cache_is_writable():
        return Finding(subject, False, "missing, and can't be fetched, because the cache can't be written")
    return Finding(subject, True, "missing, but it can be fetched")


DOCTOR = Command(
    "doctor", "doctor [--json] [LINE ...]",
    "Show what this machine can do, and what is missing. If a command line follows (with or without 'purebleu'), "
    "check whether the line has everything that it needs; the exit code is 1 if something is missing.",
    run_doctor, LineValues, (), (), (), (
        ("", "this machine"),
        ("-t wmt18 -l en-de -i out.txt", "would this command line work?"),
    ))
