"""Given options turned into those of a run: checked against each other, and completed with derived values."""

from __future__ import annotations

import os
import sys

from ...errors import OptionError
from ...files.forms import STDIN, column_of
from ...files.text import may_have_columns
from ...report import PAPER
from ..arguments.options import Options
from ..arguments.parser import TextRequested as TextRequested
from ..arguments.parser import format_from_environment, parse_arguments
from ..arguments.targets import check_targets
from ..process.terminal import columns_of, is_terminal, takes_colors
from .table import MODES, Mode, check, check_options_of_metrics, mode_of, shows_views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Mapping, Sequence

    from ...significance.gates import Gate
    from ..scoring.selection import Selection


#: The formats in which a signature may be short.
_SIGNED_IN_TEXT = ("text", "latex", "html", "markdown", PAPER)


def parse_options(argv: Sequence[str] | None = None, texts: Mapping[str, str] | None = None) -> Options:
    """The options in `argv` (or of the process), checked one by one and against each other, and resolved.

    With `texts`, the files that `argv` names are keys of that mapping, and no file is opened.

    Raises:
        OptionError: an option is wrong.
        TextRequested: for `--help` and `--version`.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    given = parse_arguments(arguments).replace(texts=texts)
    if given.report:
        given = given.replace(arguments=arguments)  # which the report shows
    if given.signature:
        from ..arguments.signature import with_signature

        given = with_signature(given, given.signature)
    if given.paragraphs:
        _check_paragraphs(given)
    if given.resegment:
        given = _with_resegmentation(given)
    mode = mode_of(given)
    ignored = check(given, mode)
    if given.scores or given.human_files:
        _check_input_of_scores(given)
    resolved = _RESOLVERS.get(mode.name, _resolve_test_sets)(_with_format(given, mode).replace(mode=mode.name))
    return resolved.replace(notes=[*ignored, *_notes(resolved)], color=_takes_colors(given),
                            columns=columns_of(sys.stdout) if is_terminal(sys.stdout) else None)


def _check_paragraphs(given: Options) -> None:
    """Raise `OptionError` where `--paragraphs` has no columns to split."""
    if given.test_set:
        raise OptionError("--paragraphs splits texts in columns of files: leave out -t", option="paragraphs")
    if not any(map(may_have_columns, [*given.references, *given.input])):
        raise OptionError("--paragraphs splits texts in columns (FILE:COLUMN), and all files are lines of text",
                          option="paragraphs")


def _check_input_of_scores(given: Options) -> None:
    """Raise `OptionError` where both scores and something else would be read from standard input."""
    separate = [name for name in (*given.score_files, *given.human_files) if column_of(name).path is None]
    texts = [name for name in (*given.input, *given.references, *given.files_beside) if column_of(name).path is None]
    if len(separate) + bool(texts or not (given.input or given.runs or given.manifest)) > 1:
        raise OptionError(f"standard input can be read only once, but {separate[0]} is not all that is read from it")


def _with_resegmentation(given: Options) -> Options:
    """The options with the tokens by which lines are broken anew.

    Raises:
        OptionError: there are no such tokens, no inputs, or not as many files to write as systems.
    """
    from ..scoring.corpus import target_language
    from ..scoring.resegmentation import resegmentation_tokens

    if not given.input and not given.runs:
        raise OptionError("--resegment takes outputs from -i (-i - is standard input)", option="resegment")
    if not given.references and not given.test_set:
        raise OptionError("--resegment needs references, whose line breaks it takes", option="resegment")
    if given.save_resegmented and len(given.save_resegmented) != len(given.input):
        raise OptionError(f"--save-resegmented takes a file for each system of -i: {len(given.input)}, not "
                          f"{len(given.save_resegmented)}", option="save_resegmented")
    return given.replace(resegment=resegmentation_tokens(given.resegment, target_language(given)))


def _notes(options: Options) -> Iterator[str]:
    """Notes on options that have no effect; sacreBLEU takes them, too, and ignores them."""
    if options.metrics_as_given:
        yield from check_options_of_metrics(options, options.text_metrics, bool(options.report or options.views))
    if options.bleu_smooth_value is not None and options.bleu_smooth_method not in ("floor", "add-k"):
        yield f"--smooth-value is for floor and add-k, and counts for nothing under {options.bleu_smooth_method}"
    is_table = len(options.input) > 1 or options.mode in ("rows", "manifest", "runs")
    if options.short and not (options.score_only and not is_table) and options.format not in _SIGNED_IN_TEXT:
        yield f"--short is for text: {options.format} has the full signature anyway"
    if options.width != Options.width and (options.test or options.mode in ("manifest", "runs")) and (
            options.style.format.kind == "json"):
        yield "--width is for text and tables: JSON has all digits here"
    if options.confidence and options.test == "bs" and not options.margin:
        yield "--confidence counts for nothing beside --paired-bs, which has intervals anyway"
    if options.confidence_n != type(options).confidence_n and not (
            options.confidence or options.report or options.margin or options.worth or options.power is not None):
        yield "--confidence-n counts for nothing without --confidence"
    if options.paired_bs_n != type(options).paired_bs_n and options.test != "bs" and not options.report:
        yield "--paired-bs-n counts for nothing without --paired-bs"
    if options.paired_ar_n != type(options).paired_ar_n and options.test != "ar" and options.mode != "runs":
        yield "--paired-ar-n counts for nothing without --paired-ar"


def _with_format(given: Options, mode: Mode) -> Options:
    """The options with the format that is asked for, or with the usual one."""
    form = (format_from_environment() if mode.formats else None) or given.format
    if form and form not in mode.formats:
        raise OptionError(f"{mode.called} print{'' if len(mode.asked_by) != 1 else 's'} {', '.join(mode.formats)}, but "
                          f"not {form}", option="format")
    usual = "text" if given.rows and shows_views(given) else (mode.formats or [""])[0]
    return given.replace(format=form or usual)


# Modes that score nothing


def _resolve_test_sets(given: Options) -> Options:
    """The options with the test sets and models that are asked for; raises `OptionError` where something is missing."""
    if given.mode in ("citation", "echo") and not given.test_set:
        raise OptionError("choose a test set (-t; see --list)")
    if given.rows and (given.test_set or given.langpair):
        raise OptionError("--list is for test sets, or for rows in files: leave out --rows, or -t and -l")
    values = given.test_set
    if given.mode == "download":
        values = given.download
    elif given.bundle:
        values = [*given.bundle[1:], *given.test_set, *_model_to_bundle(given.bleu_tokenize)]
        if not values:
            raise OptionError("--bundle takes a file to write, and one test set or more")
    from ..scoring.selection import select

    selection = select(_names(values), given.langpair, given.origlang, given.subset,
                       given.mode in ("download", "bundle"))
    if given.mode == "echo":
        selection.pair()  # raises an error where there is none
    return given.replace(selection=selection)


def _names(values: Sequence[str]) -> list[str]:
    """The names in values, each of which may have several with commas between."""
    return [name for value in values for name in value.split(",")]


def _model_to_bundle(tokenizer: str | None) -> list[str]:
    """The model of a tokenizer, if it has a published one; raises `OptionError` where no bundle has what it needs."""
    from ...engines.sentencepiece.published import MODELS

    name = tokenizer or ""
    if name.startswith(("spm:", "ja-", "ko-")):
        raise OptionError(f"a bundle can't hold what {name} needs: carry that along beside it")
    return [name] if name in MODELS else []


# Modes that score a corpus


def _resolve_scores(given: Options) -> Options:
    """The options where whole files are scored, or views of them are shown."""
    if given.mode == "views":
        _check_views(given)
    if given.human_files and given.baseline:
        raise OptionError("--agreement is for the systems of -i: leave out --baseline", option="baseline")
    if given.detail and given.report:
        raise OptionError("--report is for whole files: leave out --detail")
    if given.fail_on:
        if given.detail:
            raise OptionError("--fail-on is for whole files: leave out --detail", option="fail_on")
        _check_checks(given)
    return _with_results(given.replace(selection=_selection_to_score(given), views=given.mode == "views"),
                         _metrics_of(given, bool(given.references or given.test_set)))


def _metrics_of(given: Options, has_references: bool) -> list[str]:
    """The metrics that are asked for, in the order given; scores from outside come last, unless `-m` names them.

    Raises:
        OptionError: two kinds of scores have the same name, or an option is for scores that are not given.
    """
    outside = given.outside_metrics
    for index, name in enumerate(outside):
        if name in outside[:index]:
            raise OptionError(f"--scores has {' and '.join(given.outside)}, whose names differ in their case alone",
                              option="scores")
    for destination, names in (("scores_lower", given.scores_lower),
                               ("scores_signature", [name for name, _ in given.scores_signature])):
        for index, name in enumerate(names):
            if name not in given.outside or name in names[:index]:
                wrong = "there twice" if name in names[:index] else "not the name of any --scores"
                raise OptionError(f"--{destination.replace('_', '-')}: {name} is {wrong}", option=destination)
    asked = given.metrics or (["bleu"] if has_references else [])
    return [*asked, *[name for name in outside if name not in asked]]


def _resolve_sentences(given: Options) -> Options:
    """The options where each segment is scored."""
    as_given = list(dict.fromkeys(given.metrics or ["bleu"]))
    if given.format == "text" and (len(as_given) > 1 or len(given.input) > 1):
        raise OptionError("--sentence-level of several metrics or systems is a table: add -f csv, tsv or json")
    if given.signature and len(given.input) > 1:
        raise OptionError("--signature with -sl is for one system", option="signature")
    if given.ids and given.format == "text":
        raise OptionError("beside -sl, --ids is for -f json, csv and tsv", option="ids")
    if given.score_only and given.format != "text":
        raise OptionError(f"beside -sl, --score-only is for text, and not for {given.format}", option="score_only")
    if given.short and (given.score_only or given.format != "text"):
        raise OptionError("beside -sl, --short is for the signatures of text", option="short")
    return _with_systems(given.replace(selection=_selection_to_score(given), metrics=as_given,
                                       metrics_as_given=as_given))


def _resolve_check(given: Options) -> Options:
    """The options of `--check`, which needs no references."""
    selection: Selection | None = None
    if given.references or given.test_set:
        selection = _selection_to_score(given)
    elif given.num_refs > 1:
        raise OptionError("--num-refs splits the lines of a reference file, and there is none", option="num_refs")
    _check_checks(given)
    resolved = _with_systems(given.replace(selection=selection))
    if resolved.texts is None:
        check_targets(resolved)
    return resolved


def _check_checks(given: Options) -> None:
    """Raise `OptionError` for options of checks that contradict each other, or need another one."""
    from ...checks.table import CHECKS
    from .findings import check_needs

    thresholds: dict[str, float] = {}
    for name, threshold in given.check_threshold:
        if thresholds.setdefault(name, threshold) != threshold:
            raise OptionError(f"--check-threshold gives {name} two thresholds", option="check_threshold")
    looked_for = list(CHECKS) if given.check else given.fail_on
    for name in thresholds:
        if name not in looked_for:
            raise OptionError(f"--check-threshold {name} counts for nothing without --check or --fail-on {name}",
                              option="check_threshold")
    has_uses = given.report or given.worst or given.best or given.compare
    if given.source and not has_uses and not any(CHECKS[name].uses_source for name in looked_for):
        raise OptionError(f"--source counts for nothing beside --fail-on {','.join(given.fail_on)}", option="source")
    check_needs(given, bool(given.source or given.test_set), bool(given.references or given.test_set),
                len(given.input) or 2)


def _resolve_audit(given: Options) -> Options:
    """The options of an audit."""
    if given.metrics not in ([], ["bleu"]):
        raise OptionError("--audit is for BLEU, and for no other metric", option="metrics")
    if _sets_bleu(given):
        raise OptionError("--audit goes through tokenizers, lower case and smoothing itself: leave out their options")
    return _with_results(given.replace(selection=_selection_to_score(given)), ["bleu"])


def _resolve_select(given: Options) -> Options:
    """The options of `--select`, which takes no references."""
    if len(set(given.metrics)) > 1:
        raise OptionError("--select takes one metric", option="metrics")
    selection = _selection_to_score(given) if given.test_set else None
    return _with_systems(given.replace(selection=selection, metrics_as_given=given.metrics))


def _resolve_agreement(given: Options) -> Options:
    """The options where metrics are compared with people."""
    resolved = _with_results(given.replace(selection=_selection_to_score(given)),
                             _metrics_of(given, bool(given.references or given.test_set)))
    return resolved.replace(**_random_stream(given, given.trials > 0))


def _resolve_samples(given: Options) -> Options:
    """The options of `--mbr`."""
    if len(set(given.metrics)) > 1:
        raise OptionError("--mbr takes one metric", option="metrics")
    if len(given.input or []) > 1 or len(given.references) > 1:
        raise OptionError("--mbr takes one file of samples (-i), and at most one of references")
    if given.width != 1 and given.format == "text" and not given.sentence_level:
        raise OptionError("beside --mbr, --width is for utilities: -sl, or -f json, csv and tsv", option="width")
    as_given = given.metrics[:1] or ["bleu"]
    return given.replace(metrics=as_given, metrics_as_given=as_given)


def _resolve_rows(given: Options) -> Options:
    """The options where stored rows are scored."""
    if shows_views(given):
        given = given.replace(views=True)
        _check_views(given)
    return _with_results(given, given.metrics)


def _resolve_manifest(given: Options) -> Options:
    """The options where a manifest names the files to score."""
    if given.autorank and given.format == PAPER:
        raise OptionError(f"-f {PAPER} has no room for --autorank: choose another format", option="format")
    return _with_results(given, _metrics_of(given, has_references=True))


def _resolve_runs(given: Options) -> Options:
    """The options where systems have several runs."""
    from .runs import files_of_runs

    resolved = _with_results(given.replace(selection=_selection_to_score(given)),
                             _metrics_of(given, bool(given.references or given.test_set)))
    runs = files_of_runs(given.runs)
    is_sampled = bool(given.confidence or len(runs) > 1)
    resolved = resolved.replace(run_files=runs, input=[path for _, paths in runs for path in paths],
                                metrics=resolved.metrics_as_given,
                                **_random_stream(given, is_sampled))
    check_targets(resolved)
    return resolved


#: The function that resolves the options of each mode; the modes that are missing here are about test sets.
_RESOLVERS: dict[str, Callable[[Options], Options]] = {
    "serve": lambda given: given, "rows": _resolve_rows, "manifest": _resolve_manifest, "runs": _resolve_runs,
    "mbr": _resolve_samples, "audit": _resolve_audit, "check": _resolve_check, "agreement": _resolve_agreement,
    "select": _resolve_select, "sentences": _resolve_sentences, "views": _resolve_scores, "score": _resolve_scores,
}
assert all(name in {mode.name for mode in MODES} for name in _RESOLVERS)


def _with_results(given: Options, as_given: list[str]) -> Options:
    """The options with these metrics, and with resampling, gates and output resolved."""
    as_given = list(dict.fromkeys(as_given))
    if given.alignments or given.show_alignments is not None or given.confusions:
        from .alignments import check_alignments

        check_alignments(given, given.replace(metrics=as_given).text_metrics)
    if given.audit and "bleu" not in as_given:
        raise OptionError("--audit is for BLEU, which is not scored: add bleu to -m", option="audit")
    gates, stored_baseline = _gates(given, as_given)
    test = given.test or ("ar" if given.rank else "bs" if given.baseline else None)
    if given.exact and test == "bs":
        raise OptionError("--exact makes all trials of --paired-ar, --rank or --runs: those of the bootstrap are far "
                          "too many", option="exact")
    if given.docs and given.unit == "segment":
        raise OptionError("--docs is for --unit doc, but --unit segment is given: leave one of them out", option="docs")
    if given.format == PAPER and (given.worth or given.power is not None):
        wanted = "--worth" if given.worth else "--power"
        raise OptionError(f"-f {PAPER} has no room for {wanted}: choose another format", option="format")
    if (given.test or given.rank) and len(given.input) == 1 and not given.baseline:
        raise OptionError("a paired test compares systems: give more than one to -i", option="input")
    needs_stream = bool(test or given.confidence or given.report or given.worth or given.power is not None)
    resolved = given.replace(
        test=test, metrics_as_given=as_given, gates=gates, stored_baseline=stored_baseline,
        # sacreBLEU-compat: with a test, the metrics stay in the order given. (fixtures: tables)
        metrics=as_given if test else _sorted_metrics(given, as_given),
        samples=given.samples_of(test),
        # sacreBLEU-compat: subset scores are reported as text only
        format="text" if given.detail and given.format == "json" else given.format,
        **_random_stream(given, needs_stream))
    resolved = _with_systems(resolved, paired=bool(test), baseline=None if stored_baseline else given.baseline)
    if resolved.texts is None and not resolved.runs:
        check_targets(resolved)
    return resolved


def _sorted_metrics(given: Options, as_given: Sequence[str]) -> list[str]:
    """Metrics in the order of their names; scores from outside come last, as they are given."""
    outside = given.outside_metrics
    return [*sorted([name for name in as_given if name not in outside]),
            *[name for name in as_given if name in outside]]


def _takes_colors(given: Options) -> bool:
    """Whether the output may have colours."""
    return not (given.no_color or os.environ.get("NO_COLOR")) and takes_colors(sys.stdout)


def _gates(given: Options, as_given: Sequence[str]) -> tuple[list[Gate], bool]:
    """The gates, and whether the baseline is a file of rows; raises `OptionError` for options that contradict."""
    if not (given.fail_under or given.fail_over or given.baseline):
        return [], False
    from .gates import check_metrics, gates_of

    gates = gates_of(given)
    if not given.rows:
        check_metrics(gates, as_given)
    if not given.baseline:
        return gates, False
    from ...rows.file import is_file_of_rows

    stored = is_file_of_rows(given.baseline)
    if given.rows and not stored:
        raise OptionError(f"beside --rows, the baseline is a file of rows, which {given.baseline} is not",
                          option="baseline")
    return gates, stored


def _selection_to_score(given: Options) -> Selection | None:
    """The test sets to score against, or `None`; raises `OptionError` where there are no references at all."""
    if given.num_refs > 1 and len(given.references) > 1:
        raise OptionError("--num-refs splits the lines of one reference file, but there are "
                          f"{len(given.references)} of them", option="num_refs")
    if given.test_set:
        if given.references:
            raise OptionError("give files of references, or a test set (-t), but not both", option="references")
        from ..scoring.selection import select

        selection = select(_names(given.test_set), given.langpair, given.origlang, given.subset)
        selection.pair()  # raises an error where there is none
        if given.num_refs > 1:
            raise OptionError("--num-refs is for a file of references, not for a test set", option="num_refs")
        return selection
    if given.num_refs > 1 and not given.references:
        raise OptionError("--num-refs splits the lines of a reference file, and there is none", option="num_refs")
    if not given.references and not given.doctor and not _needs_no_references(given):
        raise OptionError("no references: give one or more files of them, before -i, or a test set (-t; see --list)",
                          option="references")
    return None


def _needs_no_references(given: Options) -> bool:
    """Whether all scores come from outside."""
    outside = given.outside_metrics
    return bool(outside) and all(name in outside for name in given.metrics)


def _sets_bleu(given: Options) -> bool:
    """Whether options say how BLEU is to be computed."""
    return bool(given.bleu_tokenize or given.bleu_lowercase or given.bleu_smooth_method != "exp"
                or given.bleu_smooth_value is not None)


def _check_views(given: Options) -> None:
    """Raise `OptionError` for options that do not go together with views."""
    from ...report.views import MATRIX_FORMATS, VIEW_FORMATS

    shows_segments = bool(given.buckets or given.worst or given.best or given.compare or given.confusions
                       or given.show_alignments is not None)
    called = ("--buckets, --worst, --best, --compare, --show-alignments and --confusions" if shows_segments
              else "--cross and --lengths")
    formats = VIEW_FORMATS if shows_segments else MATRIX_FORMATS
    if given.confidence and not [kind for kind in given.buckets if kind != "score"]:
        raise OptionError("of views, -ci is for --buckets alone, by anything but scores", option="confidence")
    if given.width != type(given).width and not (given.buckets or given.cross):
        raise OptionError("of views, --width is for --buckets and --cross", option="width")
    if (given.metrics or given.scores) and given.lengths and not (shows_segments or given.cross):
        name, option = ("-m", "metrics") if given.metrics else ("--scores", "scores")
        raise OptionError(f"--lengths counts as BLEU does, under any metric: leave out {name}", option=option)
    if given.format not in formats:
        raise OptionError(f"{called} print {', '.join(formats)}, but not {given.format}", option="format")


def _with_systems(given: Options, paired: bool = False, baseline: str | None = None) -> Options:
    """The options with the files of the systems, each once, and with the systems' names where these are given.

    Only the baseline of a test may be given once more, without a name; that repetition is left out. A separate
    `baseline` becomes the first system; standard input beside it may hold several systems.
    """
    systems = [_named_file(path) for path in given.input]
    names = given.names
    if names and given.input:
        if len(names) != len(systems):
            raise OptionError(f"--names has {len(names)} names, but -i has {len(systems)} files", option="names")
        if any(name for name, _ in systems):
            raise OptionError("names are given by --names, or in -i NAME=FILE, but not both", option="names")
        systems = [(name, path) for name, (_, path) in zip(names, systems)]
    if not systems:
        return given.replace(input=[baseline, STDIN] if baseline else [], splits_last_input=bool(baseline))
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
            raise OptionError(f"{kind} {repeated[0]} twice", option="input")
    if baseline:
        systems = [_named_file(baseline), *systems]
    return given.replace(
        input=[path for _, path in systems], splits_last_input=False, left_out=left_out,
        names=[name or path for name, path in systems] if any(name for name, _ in systems) else [])


def _named_file(text: str) -> tuple[str | None, str]:
    """A file of `-i`, and its name where it is given as `NAME=FILE` (and no file is called like that)."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path or os.path.lexists(text):
        return None, text
    return name, path


def _random_stream(given: Options, needed: bool) -> dict[str, object]:
    """The random stream and its seed; where nothing is resampled, wrong ones in the environment raise no error."""
    if not needed:
        return {"rng": "mt19937", "seed": None}
    from ...engines.resampling.streams import resolved_rng, resolved_seed

    return {"rng": resolved_rng(given.rng), "seed": resolved_seed(given.seed)}
