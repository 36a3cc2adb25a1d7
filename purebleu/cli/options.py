"""The options of the command line."""

from __future__ import annotations

import math
import os
import sys

from ..errors import OptionError
from ..files.forms import STDIN
from ..metrics import BLEU, FURTHER_MODULES, METRIC_FAMILIES, MODULES
from ..report import DELIMITED_FORMATS, FORMATS, GITHUB
from ..version import __version__
from .targets import check_targets
from .terminal import takes_colors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action, ArgumentParser, Namespace
    from argparse import _ArgumentGroup as ArgumentGroup
    from typing import Any, Callable, Mapping, NoReturn, Sequence

    from ..significance.gates import Gate
    from .selection import Selection

#: Options that do something else than scoring with test sets; of several, the first one counts.
TEST_SET_COMMANDS = ("doctor", "serve", "download", "bundle", "unbundle", "list", "citation", "echo")

#: What `--buckets` takes: what is known of segments and words (`analysis.bucket_scores`).
BUCKET_KINDS = ("length", "score", "frequency", "document", "origlang", "domain")

#: The options of views, for errors.
_VIEWS = "--buckets, --worst, --best, --compare, --show-alignments and --confusions"

#: The memory that a request to the local page may take, in MiB, where nothing else is said.
DEFAULT_MEMORY = 2048

#: There can't be more of anything.
_MAX_NUMBER = sys.maxsize

#: No float has more decimal places than this.
_MAX_WIDTH = 1074


class TextRequested(Exception):
    """`--help` or `--version` was given: the text that answers it is the only argument."""


def parse_options(argv: Sequence[str] | None = None, texts: Mapping[str, str] | None = None) -> Namespace:
    """The options in `argv` (or of the process), checked one by one and against each other, and resolved.

    With `texts`, the files that `argv` names are their keys, and no file is opened.

    What follows from several options is decided here, and nowhere else: `command`, `selection`, `metrics`,
    `metrics_as_given`, `test`, `samples`, `input`, `format`, `views`, `color` and `seed`.

    Raises `OptionError` for what is wrong, and `TextRequested` for `--help` and `--version`.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _check_arguments(arguments)
    parser = build_parser()
    given = _resolved(parser.parse_args(_marked(arguments)), texts=texts)
    if given.report:
        given = _resolved(given, arguments=arguments)  # which the report shows
    if given.signature:
        from .published import with_signature

        given = with_signature(given, parser)
    is_text = given.audit or given.mbr or _views(given)
    form = _format_from_environment() or given.format or ("text" if is_text else "json")
    command = next((command for command in TEST_SET_COMMANDS if getattr(given, command)), None)
    if (given.with_program and command != "bundle") or (given.sha256 and command != "unbundle"):
        raise OptionError("--with-program goes with --bundle, and --sha256 with --unbundle")
    _check_serving(given, command)
    if given.runs and command is None:
        return _resolved_to_score_runs(given, form)
    if given.mbr and command is None:
        from .mbr import check_mbr

        check_mbr(given, form)
        as_given = [name for names in given.metrics for name in names] or ["bleu"]
        return _resolved(given, command=None, format=form, selection=None, metrics=as_given[:1])
    if given.rows:
        return _resolved_to_rescore(given, form)
    if given.manifest:
        return _resolved_to_score_pairs(given, form)
    if command is not None:
        return _resolved(given, command=command, format=form, selection=_selection_of_command(given, command))
    return _resolved_to_score(given, form)


def _resolved_to_score(given: Namespace, form: str) -> Namespace:
    """The options where something is to be scored."""
    selection = _selection_to_score(given)
    _check_scoring(given)
    as_given = [name for names in given.metrics for name in names] or ["bleu"]
    if given.sentence_level and len(set(as_given)) > 1:
        raise OptionError("--sentence-level takes one metric")
    return _resolved_to_report(given, form, selection, as_given)


def _resolved_to_report(given: Namespace, form: str, selection: Selection | None, as_given: list[str]) -> Namespace:
    """The options of resampling and of output, with these metrics."""
    if given.audit and form == GITHUB:
        raise OptionError("--audit has no annotations: choose another format than github")
    if _views(given):
        _check_views(given, form)
    as_given = list(dict.fromkeys(as_given))
    if given.alignments or given.show_alignments is not None or given.confusions:
        from .alignments import check_alignments

        check_alignments(given, as_given)
    gates, stored_baseline = _gates(given, as_given)
    test = given.test or ("ar" if given.rank else "bs" if given.baseline else None)
    systems = _different_systems(given, bool(test), given.baseline if not stored_baseline else None)
    resolved = _resolved(
        given, **systems, command=None, selection=selection, test=test, metrics_as_given=as_given,
        gates=gates, stored_baseline=stored_baseline, views=_views(given),
        # sacreBLEU-compat: with a test, the metrics stay in the order given. (fixtures: tables)
        metrics=as_given if test else sorted(as_given),
        samples={"bs": given.paired_bs_n, "ar": given.paired_ar_n}.get(test or "", 0),
        # sacreBLEU-compat: subset scores are reported as text only
        format="text" if given.detail and form == "json" else form,
        color=not (given.no_color or os.environ.get("NO_COLOR")) and takes_colors(sys.stdout),
        **_random_stream(given, bool(test or given.confidence or given.report)))
    if resolved.texts is None and not resolved.runs:
        check_targets(resolved)
    return resolved


def _gates(given: Namespace, as_given: list[str]) -> tuple[list[Gate], bool]:
    """The gates, and whether the baseline is a file of rows; raises `OptionError` for what does not go together."""
    if not (given.fail_under or given.fail_over or given.baseline or given.must_not_lose is not None
            or given.margin is not None or given.junit):
        return [], False
    from .gates import check_metrics, gates_of

    gates = gates_of(given)
    if not given.rows:
        check_metrics(gates, as_given)
    if not given.baseline:
        return gates, False
    from ..rows.file import is_file_of_rows

    stored = is_file_of_rows(given.baseline)
    if given.rows and not stored:
        raise OptionError(f"beside --rows, the baseline is a file of rows, which {given.baseline} is not")
    return gates, stored


def _resolved_to_rescore(given: Namespace, form: str) -> Namespace:
    """The options where stored rows are scored."""
    if given.references or given.input or given.test_set or given.save_rows or given.audit or given.ids:
        raise OptionError("--rows needs no text, and saves nothing: leave out files, -i, -t, --ids, "
                          "--save-rows and --audit")
    if given.sentence_level or given.detail:
        raise OptionError("--rows tells nothing of single segments and of subsets: leave out -sl and --detail")
    if _sets_bleu(given):
        raise OptionError("--rows were counted with the options in their signature: leave out -tok, -lc, -s, -sv")
    return _resolved_to_report(given, form, None, [name for names in given.metrics for name in names])


def _resolved_to_score_pairs(given: Namespace, form: str) -> Namespace:
    """The options where a manifest tells what is to be scored."""
    if given.references or given.input or given.test_set or given.langpair or given.names:
        raise OptionError("--manifest tells references, hypotheses, names and pairs: leave out files, -i, -t, -l, "
                          "--names")
    if (given.sentence_level or given.detail or given.audit or given.save_rows or given.ids or given.source
            or given.num_refs > 1 or given.score_only or given.signature or _views(given)):
        raise OptionError("--manifest makes tables and reports of scores: leave out options of segments, subsets, "
                          "rows, audits and signatures, and -nr and -b")
    if given.fail_under or given.fail_over or given.baseline or given.junit or form == GITHUB:
        raise OptionError("--manifest has no gates, and no format github")
    return _resolved_to_report(given, form, None, [name for names in given.metrics for name in names] or ["bleu"])


def _resolved_to_score_runs(given: Namespace, form: str) -> Namespace:
    """The options where systems have several runs."""
    if given.input or given.names or given.rows or given.manifest or given.save_rows or given.alignments:
        raise OptionError("--runs tells files and names of systems: leave out -i, --names, --rows, --manifest, "
                          "--save-rows and --alignments")
    if given.test or given.rank:
        raise OptionError("--runs has a test of its own (-parn N sets its number of trials): leave out --paired-bs, "
                          "--paired-ar and --rank")
    if (given.sentence_level or given.detail or given.audit or given.mbr or given.report or given.ids or given.source
            or given.score_only or given.signature or _views(given)):
        raise OptionError("--runs makes tables of scores: leave out options of segments, subsets, audits, reports and "
                          "signatures, --mbr and -b")
    if given.fail_under or given.fail_over or given.baseline or given.junit or form == GITHUB:
        raise OptionError("--runs has no gates, and no format github")
    from .runs import files_of_runs

    selection = _selection_to_score(given)
    _check_scoring(given)
    resolved = _resolved_to_report(given, form, selection, [name for names in given.metrics for name in names]
                                   or ["bleu"])
    runs = files_of_runs(given.runs)
    is_sampled = bool(given.confidence or len(runs) > 1)
    resolved = _resolved(resolved, runs=runs, input=[path for _, paths in runs for path in paths],
                     metrics=resolved.metrics_as_given, samples=given.paired_ar_n,
                     **_random_stream(given, is_sampled))
    check_targets(resolved)
    return resolved


def _resolved(given: Namespace, **decided: object) -> Namespace:
    return type(given)(**{**vars(given), **decided})


def _names(values: Sequence[str]) -> list[str]:
    """The names in values, each of which may have several with commas between."""
    return [name for value in values for name in value.split(",")]


def _selection_of_command(given: Namespace, command: str) -> Selection:
    """The test sets and models of a command; raises `OptionError` where something is missing."""
    if command in ("citation", "echo") and not given.test_set:
        raise OptionError("choose a test set (-t; see --list)")
    values = given.test_set
    if command == "download":
        values = given.download
    elif command == "bundle":
        values = [*given.bundle[1:], *given.test_set, *_model_to_bundle(given.bleu_tokenize)]
        if not values:
            raise OptionError("--bundle takes a file to write, and one test set or more")
    from .selection import select

    selection = select(_names(values), given.langpair, given.origlang, given.subset, command in ("download", "bundle"))
    if command == "echo":
        selection.pair()  # raises an error where there is none
    return selection


def _model_to_bundle(tokenizer: str | None) -> list[str]:
    """The model of a tokenizer, if it needs one; raises `OptionError` for what no bundle has."""
    from ..engines.sentencepiece.published import MODELS

    name = tokenizer or ""
    if name.startswith(("spm:", "ja-", "ko-")):
        raise OptionError(f"a bundle can't hold what {name} needs: carry that along beside it")
    return [name] if name in MODELS else []


def _selection_to_score(given: Namespace) -> Selection | None:
    """The test sets to score against, if any; raises `OptionError` unless there are references, from them or files."""
    if given.test_set:
        if given.references:
            raise OptionError("give files of references, or a test set (-t), but not both")
        from .selection import select

        selection = select(_names(given.test_set), given.langpair, given.origlang, given.subset)
        selection.pair()  # raises an error where there is none
        if given.num_refs > 1:
            raise OptionError("--num-refs is for a file of references, not for a test set")
        return selection
    if not given.references:
        raise OptionError("no references: give one or more files of them, before -i, or a test set (-t; see --list)")
    if given.origlang or given.subset or given.detail:
        raise OptionError("--origlang, --subset and --detail are for test sets (-t)")
    return None


def _check_scoring(given: Namespace) -> None:
    """Raise `OptionError` for options of scoring that do not go together."""
    tests = given.test or given.rank
    if given.num_refs > 1 and len(given.references) > 1:
        raise OptionError("--num-refs splits the lines of one reference file, but there are "
                          f"{len(given.references)} of them")
    if given.audit:
        _check_audit(given)
    elif given.nonbreaking_prefixes or given.counts:
        raise OptionError("--nonbreaking-prefixes and --counts go with --audit")
    if given.save_rows and (given.sentence_level or given.detail or given.audit):
        raise OptionError("--save-rows goes with scores of whole files: leave out -sl, --detail and --audit")
    shows_segments = given.report or given.worst or given.best or given.compare
    aligns = given.alignments or given.show_alignments is not None
    if given.ids and not (given.sentence_level or shows_segments or aligns):
        raise OptionError("--ids goes with -sl, for -f csv and -f tsv, and with --report, --worst, --best, --compare, "
                          "--alignments, --show-alignments")
    if given.source and not shows_segments:
        raise OptionError("--source goes with --report, --worst, --best and --compare")
    if given.report and (given.sentence_level or given.detail or given.audit):
        raise OptionError("--report is of whole files: leave out -sl, --detail and --audit (which is part of it)")
    if given.offset and not given.save_rows:
        raise OptionError("--offset goes with --save-rows")
    if given.sentence_level and (tests or given.confidence):
        raise OptionError("--sentence-level has no confidence intervals and no tests")
    if tests and given.input is not None and len(given.input) == 1 and not given.baseline:
        raise OptionError("a paired test compares systems: give more than one to -i")


def _check_serving(given: Namespace, command: str | None) -> None:
    """Raise `OptionError` for options that do not go together with a server."""
    if command != "serve" and (given.port or given.public_port or given.open
                               or given.memory is not None):
        raise OptionError("--port, --public-port, --open and --memory go with --serve")
    if command == "serve" and (given.references or given.input or given.rows):
        raise OptionError("--serve takes what is scored in its page: leave out files, -i and --rows")


def _check_audit(given: Namespace) -> None:
    """Raise `OptionError` for options that do not go together with an audit."""
    if [name for names in given.metrics for name in names] not in ([], ["bleu"]):
        raise OptionError("--audit is of BLEU, and of no other metric")
    if given.sentence_level or given.confidence or given.test or given.rank or given.detail or given.score_only:
        raise OptionError("--audit prints tables of scores alone: without segments, intervals, tests and details")
    if _sets_bleu(given):
        raise OptionError("--audit goes through tokenizers, lower case and smoothing itself: leave out their options")


def _views(given: Namespace) -> bool:
    """Whether tables by kinds of segments, or single segments, are to be printed instead of scores."""
    return _shows_segments(given) or bool(given.cross or given.lengths)


def _shows_segments(given: Namespace) -> bool:
    """Whether some of these are of kinds of segments, or of single ones."""
    return bool(given.buckets or given.worst or given.best or given.compare or given.confusions
                or given.show_alignments is not None)


def _check_views(given: Namespace, form: str) -> None:
    """Raise `OptionError` for options that do not go together with these views."""
    from ..report.views import MATRIX_FORMATS, VIEW_FORMATS

    of_segments = _shows_segments(given)
    called = _VIEWS if of_segments else "--cross and --lengths"
    formats = VIEW_FORMATS if of_segments else MATRIX_FORMATS
    if given.sentence_level or given.detail or given.audit or given.test or given.rank or given.score_only:
        raise OptionError(f"{called} print views instead of scores: leave out -sl, -b, --detail, --audit, tests and "
                          "--rank")
    if given.fail_under or given.fail_over or given.baseline or given.junit:
        raise OptionError(f"{called} have no gates")
    if given.confidence and not [kind for kind in given.buckets if kind != "score"]:
        raise OptionError("of views, -ci is for --buckets alone, by anything but scores")
    if form not in formats:
        raise OptionError(f"{called} print {', '.join(formats)}, but not {form}")


def _sets_bleu(given: Namespace) -> bool:
    """Whether options say how BLEU is to be computed."""
    return bool(given.bleu_tokenize or given.bleu_lowercase or given.bleu_smooth_method != "exp"
                or given.bleu_smooth_value is not None)


def _different_systems(given: Namespace, paired: bool, baseline: str | None) -> dict[str, object]:
    """The files of systems, each once, the names that are given for them, if they are, and how the last is read.

    Without names, only the baseline of a test may be given again, and is left out then. A `baseline` of its own comes
    first; what is in standard input beside it may be several systems.
    """
    given_paths: list[str] = given.input or []
    systems = [_named_file(path) for path in given_paths]
    names: list[str] | None = given.names
    if names and given.input:
        if len(names) != len(systems):
            raise OptionError(f"--names has {len(names)} names, but -i has {len(systems)} files")
        if any(name for name, _ in systems):
            raise OptionError("names are given by --names, or in -i NAME=FILE, but not both")
        systems = [(name, path) for name, (_, path) in zip(names, systems)]
    if not systems:
        return {"input": [baseline, STDIN] if baseline else None, "names": names, "splits_last_input": bool(baseline),
                "left_out": []}
    left_out: list[str] = []
    if paired and not baseline:
        # sacreBLEU-compat: the baseline is left out where it is given again. (fixtures: tables)
        left_out = [path for name, path in systems[1:] if not name and path == systems[0][1]]
        systems = [systems[0], *[system for system in systems[1:] if system[0] or system[1] != systems[0][1]]]
    paths = [path for _, path in systems]
    if (left_out and len(paths) == 1) or {baseline} == {*paths}:
        raise OptionError(f"a paired test compares systems, but {paths[0]} is the only one, and the baseline")
    for kind, values in (("-i has", paths), ("there is a system called", [name or path for name, path in systems])):
        if repeated := [value for index, value in enumerate(values) if value in values[:index]]:
            raise OptionError(f"{kind} {repeated[0]} twice")
    if baseline:
        systems = [_named_file(baseline), *systems]
    return {"input": [path for _, path in systems], "splits_last_input": False, "left_out": left_out,
            "names": [name or path for name, path in systems] if any(name for name, _ in systems) else None}


def _named_file(text: str) -> tuple[str | None, str]:
    """A file of `-i`, and its name where it is given as `NAME=FILE` (and no file is called like that)."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path or os.path.lexists(text):
        return None, text
    return name, path


def _random_stream(given: Namespace, needed: bool) -> dict[str, object]:
    """The random stream and its seed, where anything is resampled; else, a wrong one in the environment does no harm.
    """
    if not needed:
        return {"rng": "mt19937", "seed": None}
    from ..engines.resampling.streams import resolved_rng, resolved_seed

    return {"rng": resolved_rng(given.rng), "seed": resolved_seed(getattr(given, "seed", "environment"))}


def build_parser() -> ArgumentParser:
    """The parser, with all `GROUPS` of options."""
    from argparse import ArgumentParser

    class Parser(ArgumentParser):
        """Reports a wrong option as an error like any other, in one line."""

        def error(self, message: str) -> NoReturn:
            raise OptionError(f"{message} (see {self.prog} --help)")

    parser = Parser(prog="purebleu", add_help=False,
                    usage="%(prog)s [options] {REFERENCE ... | -t NAME -l SRC-TRG} [-i FILE ...]")
    for title, add_options in GROUPS.values():
        add_options(parser.add_argument_group(title))
    return parser


def _answering(answer: Callable[[ArgumentParser, Any], str]) -> type[Action]:
    """An action that ends the parsing with a text, which `answer` makes of the parser and the option's value.

    (argparse's own actions print theirs, and don't notice where that fails.)
    """
    from argparse import Action

    class Answer(Action):
        def __call__(self, parser: ArgumentParser, _: object, value: object, __: object = None) -> NoReturn:
            raise TextRequested(answer(parser, value))

    return Answer


def _version(parser: ArgumentParser, _: object) -> str:
    return f"{parser.prog} {__version__}"


def _help_on(parser: ArgumentParser, group: Any) -> str:
    from .help import help_on

    return help_on(parser, list(GROUPS), group)


def _check_arguments(arguments: Sequence[str]) -> None:
    """Raise `OptionError` for arguments that would count for nothing, whatever option they belong to.

    That is an empty one, as comes from a variable which is not set; and `--`, which argparse drops from the values of
    an option before Python 3.13.
    """
    latest, are_options = "an argument", True
    for argument in arguments:
        if "\0" in argument:
            raise OptionError(f"the argument {argument!r} has a NUL character in it")
        if not argument:
            raise OptionError(f"{latest}: the value is empty (is a variable not set?)")
        if argument == "--":
            are_options = False  # from here on, all are files
        if are_options and argument.startswith("-") and argument != "-":
            latest, equals, value = argument.partition("=")
            if equals and not value:
                raise OptionError(f"{latest}: the value is empty (is a variable not set?)")
            if value == "--" or (len(argument) == 4 and argument.endswith("--")):
                raise OptionError(f"{argument}: -- is no value of an option")


def _marked(arguments: Sequence[str]) -> list[str]:
    """The arguments, with a NUL before columns of standard input, which argparse would take for options."""
    return ["\0" + argument if argument.startswith("-:") else argument for argument in arguments]


def _unmarked(name: str) -> str:
    return name.replace("\0", "")


def _wrong(message: str) -> Exception:
    """The error that argparse expects for a wrong value."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)


def _add_input_options(group: ArgumentGroup) -> None:
    group.add_argument("references", nargs="*", type=_unmarked, metavar="REFERENCE",
                       help="a file of references, parallel to the hypotheses; a name ending in .gz is decompressed")
    group.add_argument("--input", "-i", nargs="+", action="extend", type=_unmarked, metavar="FILE",
                       help="the hypotheses to score (default: standard input); several files (or columns of standard "
                            "input, separated by tabs) are several systems, and make a table; FILE:COLUMN is a column "
                            "of JSON Lines, CSV or TSV (out.jsonl:hypothesis), or of WMT's XML or SGML "
                            "(wmt.xml:hyp:SYSTEM), - is standard input, -:jsonl:COLUMN a column of it")
    group.add_argument("--num-refs", "-nr", type=_positive, default=1, metavar="N",
                       help="each line of the reference file holds N references, separated by tabs")
    group.add_argument("--names", nargs="+", action="extend", metavar="NAME",
                       help="what the systems of -i are called, in their order; as is -i NAME=FILE")
    group.add_argument("--runs", nargs="+", action="extend", default=[], metavar="NAME=PATTERN",
                       help="score systems with several runs each, such as those of different seeds; the files of a "
                            "system match its pattern (in quotes: A='out.A.*.txt'); tells means and standard "
                            "deviations, and tests each system against the first one (stratified approximate "
                            "randomization); with -ci, also the deviation that the choice of segments makes")
    group.add_argument("--ids", type=_unmarked, metavar="FILE",
                       help="the id of each segment, a line or a column, for -sl with -f csv or tsv")
    group.add_argument("--manifest", metavar="FILE",
                       help="score many systems on many language pairs; a table (.tsv, .csv, .jsonl) with the columns "
                            "name, pair, references and hypothesis, whose files are relative to its own folder, with ; "
                            "between several references; a table with means, and (--report) one page for all")
    group.add_argument("--encoding", "-e", default="utf-8",
                       help="encoding of all input files and of standard input (default: utf-8)")
    group.add_argument("--language-pair", "-l", dest="langpair", type=_language_pair, metavar="SRC-TRG",
                       help="the language pair, such as en-de; the target language selects the tokenizer")


def _add_test_set_options(group: ArgumentGroup) -> None:
    group.add_argument("--test-set", "-t", action="append", default=[], metavar="NAME",
                       help="score against a test set instead of files; several have commas between them")
    group.add_argument("--origlang", "-ol", metavar="LANG",
                       help="only segments that were written in this language; with 'non-' before it, in any other")
    group.add_argument("--subset", metavar="REGEX", help="only segments of documents whose domain or tag matches")
    group.add_argument("--list", action="store_true",
                       help="list the test sets; with -l, those that have this pair, with -t, the fields of that one")
    group.add_argument("--echo", nargs="+", action="extend", metavar="FIELD",
                       help="print fields of a test set; src, ref, docid, ..., or all, separated by tabs")
    group.add_argument("--citation", "--cite", action="store_true", help="print how to cite a test set, as BibTeX")
    group.add_argument("--download", action="append", default=[], metavar="NAME",
                       help="fetch a test set (or the model of flores101, flores200 or spBLEU-1K) into the cache")
    group.add_argument("--bundle", nargs="+", action="extend", metavar=("FILE", "NAME"),
                       help="write test sets (of the pair -l, or all pairs) and models to a file, for machines "
                            "without a network; also those of -t, and the model of -tok")
    group.add_argument("--with-program", action="store_true",
                       help="with --bundle: this program, too; 'python3 FILE' runs it, with what is in the bundle")
    group.add_argument("--unbundle", metavar="FILE", help="put the contents of such a file into the cache")
    group.add_argument("--sha256", type=_sha256, metavar="SUM",
                       help="with --unbundle: refuse a file whose SHA-256 sum is another one")
    group.add_argument("--mirror", metavar="URL",
                       help="a folder or address to fetch archives from first, laid out as by 'wget -x' (default: "
                            "PUREBLEU_MIRROR in the environment)")
    group.add_argument("--offline", action="store_true",
                       help="never connect to anything (default: PUREBLEU_OFFLINE in the environment)")


def _add_row_options(group: ArgumentGroup) -> None:
    group.add_argument("--save-rows", metavar="FILE",
                       help="also write the rows of sufficient statistics to a file (compressed, if its name ends in "
                            ".gz): numbers and checksums, but no text")
    group.add_argument("--offset", type=_not_negative, default=0, metavar="N",
                       help="with --save-rows: the files are a part of a corpus, with N segments before it")
    group.add_argument("--rows", nargs="+", action="extend", metavar="FILE",
                       help="score and compare systems from such files alone, with the results that the text gave; "
                            "parts of a system are put together; -m chooses metrics, --list tells what is there")


def _add_metric_options(group: ArgumentGroup) -> None:
    # What is not given is left to the metric: see `_add_chrf_options`.
    from argparse import SUPPRESS

    group.add_argument("--metrics", "-m", nargs="+", action="extend", type=_metrics, default=[], metavar="NAME",
                       help=f"one or more of {', '.join(map(str.lower, MODULES))} (default: bleu); also "
                            f"{', '.join([*map(str.lower, FURTHER_MODULES), *METRIC_FAMILIES])} (all of that family), "
                            "which sacreBLEU lacks; -lc is for these, too (but not for rouge), and -tok for gleu and "
                            "nist")
    group.add_argument("--signature", metavar="TEXT",
                       help="score as a published signature says, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'; "
                            "it sets the metric, its options, test set and resampling; what differs is told")
    group.add_argument("--sentence-level", "-sl", action="store_true",
                       help="a score for each segment; as text, with effective n-gram order")
    group.add_argument("--rouge-stemmer", action="store_true", help="ROUGE compares stems of English words (Porter)")
    group.add_argument("--rouge-tokenize", choices=("rouge", "unicode"), default="rouge",
                       help="the words of ROUGE: of ASCII letters and digits, as rouge_score has them, or of any "
                            "script, each ideograph being a word (default: rouge)")
    group.add_argument("--gleu-min-order", type=_positive, default=SUPPRESS, metavar="N",
                       help="minimum order of GLEU's n-grams (default: 1)")
    group.add_argument("--gleu-max-order", type=_positive, default=SUPPRESS, metavar="N",
                       help="maximum order of GLEU's n-grams (default: 4)")
    group.add_argument("--mbr", action="store_true",
                       help="minimum Bayes risk decoding: of the samples in each line of -i, separated by tabs (or in "
                            "lists, as -i FILE.jsonl:COLUMN), print the one with the highest mean score against all of "
                            "them, or against those of a REFERENCE file; with -sl, its utility and its index (from 0) "
                            "before it; -f json, csv and tsv, too")


def _add_bleu_options(group: ArgumentGroup) -> None:
    defaults = BLEU.SMOOTH_DEFAULTS
    group.add_argument("--tokenize", "-tok", dest="bleu_tokenize", metavar="NAME",
                       help=f"a tokenizer (default: {BLEU.TOKENIZER_DEFAULT}, or that for -l); one of "
                            f"{', '.join(BLEU.TOKENIZERS)}, or spm:FILE for a SentencePiece model; 13a is the standard "
                            "for most languages, zh, ja-mecab and ko-mecab are the defaults for the target languages "
                            "zh, ja and ko (see -l), flores101 and flores200 make it spBLEU, intl separates "
                            "punctuation of all scripts")
    group.add_argument("--lowercase", "-lc", dest="bleu_lowercase", action="store_true",
                       help="compare in lower case")
    group.add_argument("--smooth-method", "-s", dest="bleu_smooth_method", choices=list(defaults), default="exp",
                       help="for n-gram orders without a match: exp halves the precision from order to order, floor "
                            "counts a fraction of a match, add-k adds to all counts above order 1 (default: exp)")
    group.add_argument("--smooth-value", "-sv", dest="bleu_smooth_value", type=float, metavar="X",
                       help=f"for floor (default: {defaults['floor']}) and add-k (default: {defaults['add-k']})")
    group.add_argument("--force", dest="bleu_force", action="store_true",
                       help="no warning if the hypotheses look tokenized")
    group.add_argument("--audit", action="store_true",
                       help="how far preprocessing moves BLEU; prints tables of scores of the same output: split at "
                            "whitespace, with the words of Moses' tokenizer (also with compounds split, and with rare "
                            "words unknown), with BLEU's own tokenizers, each cased and lower-cased; and with each "
                            "smoothing method")
    group.add_argument("--nonbreaking-prefixes", metavar="FILE",
                       help="Moses' file of abbreviations for the target language (default: an own list for English "
                            "and German, none for others)")
    group.add_argument("--counts", metavar="FILE",
                       help="how often words are seen, as lines of a word, a tab and a number; those seen less than "
                            "twice are unknown (default: counts of the references)")


def _add_chrf_options(group: ArgumentGroup) -> None:
    # What is not given is left to the metric, whose defaults these are; so it is not imported for help alone.
    from argparse import SUPPRESS

    group.add_argument("--chrf-char-order", "-cc", type=_not_negative, default=SUPPRESS, metavar="N",
                       help="maximum order of character n-grams (default: 6)")
    group.add_argument("--chrf-word-order", "-cw", type=_not_negative, default=SUPPRESS, metavar="N",
                       help="maximum order of word n-grams (default: 0), 2 makes it chrF++")
    group.add_argument("--chrf-beta", type=_not_negative, default=SUPPRESS, metavar="N",
                       help="weight of recall relative to precision (default: 2)")
    group.add_argument("--chrf-whitespace", action="store_true", help="n-grams of characters include whitespace")
    group.add_argument("--chrf-lowercase", action="store_true", help="compare in lower case")
    group.add_argument("--chrf-eps-smoothing", action="store_true",
                       help="orders without n-grams count almost nothing, as in chrF++.py, NLTK and Moses, instead of "
                            "being left out")


def _add_ter_options(group: ArgumentGroup) -> None:
    group.add_argument("--ter-case-sensitive", action="store_true", help="words differ by case, too")
    group.add_argument("--ter-normalized", action="store_true",
                       help="separate punctuation from words (as 13a does for BLEU), and resolve four entities")
    group.add_argument("--ter-no-punct", action="store_true", help="remove punctuation")
    group.add_argument("--ter-asian-support", action="store_true",
                       help="with the former two: for Chinese and Japanese, too, each ideograph being a word")
    group.add_argument("--ter-kinds", action="store_true",
                       help="tell the kinds of edits, too; insertions, deletions, substitutions, shifts and words "
                            "shifted, as Tercom counts them; the score is the same, but takes longer")


def _add_resampling_options(group: ArgumentGroup) -> None:
    from argparse import SUPPRESS

    group.add_argument("--confidence", "-ci", action="store_true",
                       help="95%% confidence intervals; by bootstrap resampling")
    group.add_argument("--confidence-n", "-cin", type=_resamples, default=1000, metavar="N",
                       help="number of bootstrap resamples (default: 1000)")
    test = group.add_mutually_exclusive_group()
    test.add_argument("--paired-bs", "-pbs", dest="test", action="store_const", const="bs",
                      help="paired bootstrap resampling test; of each system against the first one")
    test.add_argument("--paired-ar", "-par", dest="test", action="store_const", const="ar",
                      help="paired approximate randomization test; of each system against the first one")
    group.add_argument("--rank", action="store_true",
                       help="rank three systems or more; orders them by score, and groups those that do not differ "
                            "significantly: tests all pairs (--paired-ar unless --paired-bs is given), with Holm's "
                            "correction")
    group.add_argument("--paired-bs-n", "-pbsn", type=_resamples, default=1000, metavar="N",
                       help="number of resamples of --paired-bs (default: 1000)")
    group.add_argument("--paired-ar-n", "-parn", type=_positive, default=10_000, metavar="N",
                       help="number of trials of --paired-ar and --runs (default: 10000)")
    group.add_argument("--seed", type=_seed, default=SUPPRESS, metavar="N",
                       help="of the random stream, or 'none' (default: PUREBLEU_SEED or SACREBLEU_SEED in the "
                            "environment, else 12345)")
    group.add_argument("--rng", choices=("mt19937", "numpy"), default="environment",
                       help="the random stream: Python's, or that of NumPy's default_rng, which sacreBLEU uses "
                            "(default: PUREBLEU_RNG in the environment, else mt19937)")


def _add_gate_options(group: ArgumentGroup) -> None:
    group.add_argument("--fail-under", nargs="+", action="extend", type=_limit, default=[], metavar="M=X",
                       help="fail (exit code 3) where the score of a system under the metric M is below X, unrounded")
    group.add_argument("--fail-over", nargs="+", action="extend", type=_limit, default=[], metavar="M=X",
                       help="fail where it is above X, as for TER")
    group.add_argument("--baseline", type=_unmarked, metavar="FILE",
                       help="what systems are compared with: an output, or a file of --save-rows")
    group.add_argument("--must-not-lose", nargs="?", type=_probability, const=0.05, metavar="P",
                       help="fail where a system is worse than the baseline, and the paired test (--paired-bs unless "
                            "--paired-ar is given) finds p <= P (default: 0.05)")
    group.add_argument("--margin", type=_margin, metavar="X",
                       help="fail unless the 95%% interval of the difference shows that a system is worse than the "
                            "baseline by less than X (or better)")
    group.add_argument("--junit", metavar="FILE", help="also write what the gates say as JUnit's XML")


def _add_page_options(group: ArgumentGroup) -> None:
    group.add_argument("--report", metavar="FILE",
                       help="also write a page of HTML that shows where systems differ; one file, to look at offline")
    group.add_argument("--source", type=_unmarked, metavar="FILE",
                       help="with --report, --worst, --best, --compare: the source, to be shown")
    group.add_argument("--report-segments", type=_not_negative, default=_MAX_NUMBER, metavar="N",
                       help="with --report: texts of no more than N segments (0: none, for private data)")
    group.add_argument("--paths", action="store_true",
                       help="with --report: whole paths in the command line that it shows")


def _add_view_options(group: ArgumentGroup) -> None:
    group.add_argument("--buckets", nargs="+", action="extend", choices=BUCKET_KINDS, default=[], metavar="KIND",
                       help=f"scores by kinds of segments, instead of those of all; {', '.join(BUCKET_KINDS)}: by the "
                            "length of references, sentence scores, how frequent words are, and, where a test set "
                            "tells them, documents, original languages, domains; with intervals, if -ci is given")
    group.add_argument("--worst", type=_positive, metavar="N",
                       help="print the N segments that the first system gets worst; with source, references, all "
                            "outputs, their scores, and how they differ from the first reference; under the first "
                            "metric of -m")
    group.add_argument("--best", type=_positive, metavar="N", help="those that the first system gets best")
    group.add_argument("--compare", type=_positive, metavar="N",
                       help="those with the largest difference between any two systems")
    group.add_argument("--cross", action="store_true",
                       help="what each system scores with each other one as its reference (cross-BLEU), a matrix for "
                            "each metric of -m; in any format")
    group.add_argument("--lengths", action="store_true",
                       help="the numbers of tokens of systems and of references, and their ratios, as BLEU counts them")


def _add_alignment_options(group: ArgumentGroup) -> None:
    group.add_argument("--alignments", metavar="FILE",
                       help="also write how each segment is aligned with its best reference; the end of the name tells "
                            "the form: .ter, .sum, .pra and .xml are Tercom's, of one system under TER; .json is of "
                            "all systems, under each of ter, wer, cer, mer, wil that -m names")
    group.add_argument("--show-alignments", nargs="?", type=_positive, const=_MAX_NUMBER, metavar="N",
                       help="print the segments with errors (N: the first N of them) word by word, instead of scores; "
                            "the reference above the output, with S, D and I below what is substituted, deleted and "
                            "inserted, and the numbers of TER's shifts; under the first of these metrics in -m")
    group.add_argument("--confusions", nargs="?", type=_positive, const=20, metavar="N",
                       help="print the N (default: 20) most frequent substitutions, deletions and insertions of words "
                            "(with -m cer, of characters), instead of scores")


def _add_server_options(group: ArgumentGroup) -> None:
    group.add_argument("--serve", action="store_true",
                       help="a page to paste text into and see it scored, for a browser; prints its address, which has "
                            "a token after its #, and serves this machine alone, until Ctrl-C")
    group.add_argument("--port", type=_port, default=0, metavar="N",
                       help="with --serve: the port to listen on (default: any that is free)")
    group.add_argument("--public-port", type=_port, default=0, metavar="N",
                       help="with --serve: the port under which a browser elsewhere sees it, as forwarded by ssh")
    group.add_argument("--open", action="store_true", help="with --serve: open the page in a browser")
    group.add_argument("--memory", type=_not_negative, metavar="MIB",
                       help=f"with --serve: limit of the memory of each request, in MiB (default: {DEFAULT_MEMORY}, 0: "
                            "none); one that needs more gets the status 413; bodies have a limit of 64 MiB; macOS "
                            "ends such a request soon after, Windows has no limit but that of bodies")


def _add_work_options(group: ArgumentGroup) -> None:
    group.add_argument("--jobs", "-j", type=_not_negative, default=1, metavar="N",
                       help="score in N processes (default: 1); 0: one on each processor; the limit is the number of "
                            "processors, or 2")


def _add_report_options(group: ArgumentGroup) -> None:
    formats = (*FORMATS, *DELIMITED_FORMATS, GITHUB)
    group.add_argument("--format", "-f", choices=formats, metavar="NAME",
                       help=f"one of {', '.join(formats)} (default: json); --audit's is text by default, json-signed "
                            "is JSON with signatures for any number of systems, html and markdown are tables, latex is "
                            "one for several systems, csv and tsv have a line for each score (also with -sl), github "
                            "is the annotations of a workflow, with a step summary; PUREBLEU_FORMAT or "
                            "SACREBLEU_FORMAT in the environment overrides it")
    _add_page_options(group)
    group.add_argument("--detail", "-d", action="store_true",
                       help="subset scores, too, by original language and domain; with a test set and a single "
                            "system, as text")
    group.add_argument("--score-only", "-b", action="store_true", help="print nothing but the score")
    group.add_argument("--width", "-w", type=_decimal_places, default=1, metavar="N",
                       help="decimal places (default: 1)")
    group.add_argument("--short", "-sh", action="store_true", help="a short signature (in text)")
    group.add_argument("--quiet", "-q", action="store_true",
                       help="no warnings and no progress on standard error, only errors")
    group.add_argument("--no-color", "-nc", action="store_true",
                       help="no colours in a terminal; as NO_COLOR in the environment")
    group.add_argument("--doctor", nargs="?", const="text", choices=("text", "json"),
                       help="tell what this machine can do and what is missing; with other options, whether they would "
                            "work here (else, the exit code is 1)")
    group.add_argument("--version", "-V", action=_answering(_version), nargs=0, help="print the version")
    group.add_argument("--help", "-h", action=_answering(_help_on), nargs="?", metavar="GROUP",
                       help="print this help; on the options of a group, or on all")


#: The groups of options by the names that `--help` takes: what they are called, and what adds them to a parser.
GROUPS = {
    "input": ("input", _add_input_options),
    "test-sets": ("test sets", _add_test_set_options),
    "rows": ("stored rows", _add_row_options),
    "metrics": ("metrics", _add_metric_options),
    "bleu": ("BLEU", _add_bleu_options),
    "chrf": ("chrF", _add_chrf_options),
    "ter": ("TER", _add_ter_options),
    "tests": ("confidence intervals and paired tests", _add_resampling_options),
    "gates": ("gates, for continuous integration", _add_gate_options),
    "views": ("where systems differ", _add_view_options),
    "alignments": ("alignments, word by word", _add_alignment_options),
    "serve": ("the local page", _add_server_options),
    "speed": ("speed", _add_work_options),
    "output": ("output", _add_report_options),
}

def _metrics(text: str) -> list[str]:
    """The names of metrics, one or several with commas between, as the registry has them in lower case."""
    known = [*map(str.lower, MODULES), *map(str.lower, FURTHER_MODULES)]
    names = [name for given in text.lower().split(",") for name in METRIC_FAMILIES.get(given, (given,))]
    for name in names:
        if name not in known:
            hint = "write '-m chrf -cw 2' for chrF++, " if name.startswith("chrf") else ""
            raise _wrong(f"there is no metric {name!r}: {hint}there are "
                         f"{', '.join([*known, *METRIC_FAMILIES])}")
    return names


def _limit(text: str) -> tuple[str, float]:
    """A metric and a score, such as `BLEU=30`."""
    name, equals, number = text.partition("=")
    if not equals:
        raise _wrong(f"{text!r} is not of the form METRIC=SCORE, such as BLEU=30")
    [metric, *more] = _metrics(name)
    if more:
        raise _wrong(f"{text!r} names several metrics: give one limit for each")
    return metric, _finite(number)


def _probability(text: str) -> float:
    number = _finite(text)
    if not 0 < number <= 1:
        raise _wrong(f"{text!r} is not a probability above 0, at most 1")
    return number


def _margin(text: str) -> float:
    number = _finite(text)
    if number < 0:
        raise _wrong(f"{text!r} is a negative margin")
    return number


def _finite(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _wrong(f"{text!r} is not a finite number")
    return number


def _resamples(text: str) -> int:
    return _whole_number(text, 2)  # a single one has no spread


def _positive(text: str) -> int:
    return _whole_number(text, 1)


def _not_negative(text: str) -> int:
    return _whole_number(text, 0)


def _port(text: str) -> int:
    return _whole_number(text, 1, 65535)


def _decimal_places(text: str) -> int:
    return _whole_number(text, 0, _MAX_WIDTH)


def _whole_number(text: str, lowest: int, highest: int = _MAX_NUMBER) -> int:
    try:
        number = int(text)
    except ValueError:
        number = lowest - 1
    if number < lowest:
        raise _wrong(f"{text!r} is not a whole number of at least {lowest}")
    if number > highest:
        raise _wrong(f"{text!r} is more than {highest}")
    return number


def _seed(text: str) -> int | None:
    from ..engines.resampling.streams import parse_seed

    try:
        return parse_seed(text, "it")
    except OptionError as error:
        raise _wrong(str(error)) from error


def _sha256(text: str) -> str:
    if len(text) != 64 or not set(text.lower()) <= set("0123456789abcdef"):
        raise _wrong(f"{text!r} is not a SHA-256 sum, which has 64 hexadecimal digits")
    return text


def _language_pair(text: str) -> str:
    source, _, target = text.partition("-")
    if not source or not target:
        raise _wrong(f"{text!r} is not of the form SRC-TRG, such as en-de")
    return text


def _format_from_environment() -> str | None:
    """The format that the environment asks for, if it does.

    sacreBLEU-compat: it overrides the option. (fixtures: command_lines)
    """
    for variable in ("PUREBLEU_FORMAT", "SACREBLEU_FORMAT"):
        form = os.environ.get(variable, "").lower()
        formats = (*FORMATS, *DELIMITED_FORMATS, GITHUB)
        if form in formats:
            return form
        if form:
            raise OptionError(f"{variable} is {form!r}, but the formats are {', '.join(formats)}")
    return None
