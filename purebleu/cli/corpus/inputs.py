"""The inputs of one corpus: files, columns and test sets, checked against each other."""

from __future__ import annotations

import os

from ...files.opening import STDIN, column_of, files_of_pattern, has_subtitles, is_same_input, may_have_columns
from ...files.writing import check_writable
from ...metrics.signature import plain_value
from ...report.formats import numbered_names, short_names, without_folders
from ...runtime.errors import OptionError, counted, warn
from ...runtime.hints import Mapping, Naming, Sequence
from ...tokenizers import MODEL_PREFIX, language_of_code, make_tokenizer
from ..arguments.groups import OF_DOCUMENTS, STRATA_FIELDS, InputValues, MetricValues
from ..arguments.values import check_apart, check_needs, check_takes, option_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...datasets.registry import Selection
    from ...files.opening import Column
    from ...files.records import Condition, ManifestPair
    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.command import CorpusValues

#: The beginning of each line of a file that `purebleu check --fix` wrote.
FIXED_MARK = '{"fix": 1, '


def _is_fixed(column: Column) -> bool:
    """Whether the file of a column begins with `FIXED_MARK`."""
    if column.kind != "jsonl" or column.path is None or not os.path.isfile(column.path):
        return False
    with open(column.path, "rb") as file:
        return file.read(len(FIXED_MARK)) == FIXED_MARK.encode()


class Examined(Exception):
    """Raised before anything is scored, if `purebleu doctor` examines the command, and its inputs have no error.

    Attributes:
        segments: the number of segments that were read, which may be 0.
    """

    def __init__(self, segments: int = 0) -> None:
        super().__init__()
        self.segments = segments


class OutsideScores:
    """Scores that other programs gave to the outputs (`--scores`).

    Attributes:
        files: the values of `--scores`: pairs of a name and a file of scores. A name may have several files.
        names: the names of the scores, each once.
        lower_names: `names` in lower case, like the names of metrics.
        paths: the files of scores.
        equal_outputs: the value of `--equal-outputs`: `tie`, or empty.
    """

    def __init__(self, values: MetricValues, files: Sequence[tuple[str, str]], width: int | None = None) -> None:
        """Store the options about scores.

        Args:
            values: the options, except `--scores` and `--width`.
            files: the pairs of `--scores`.
            width: the value of `--width`; `None`: the default for scores of other programs.

        Raises:
            OptionError: two names of scores differ only in case, or another option has a repeated or unknown name.
        """
        self.files = files
        self.names = list(dict.fromkeys([name for name, _ in files]))
        self.lower_names = list(map(str.lower, self.names))
        self.paths = [file for _, file in files]
        self.equal_outputs = values.equal_outputs
        self._lower = values.scores_lower
        self._signatures = values.scores_signature
        self._width = width
        if not files:
            return  # (the parser allows no other options about scores)
        check_takes(len({*self.lower_names}) == len(self.names), "--scores",
                    f"names that differ in more than case, not {', '.join(self.names)}", "scores")
        for destination, names in (("scores_lower", self._lower),
                                   ("scores_signature", [name for name, _ in self._signatures])):
            check_distinct(names, f"{option_name(destination)} has {{}} twice", destination)
            for name in names:
                check_takes(name in self.names, option_name(destination), f"names of --scores, not {name}", destination)

    def make_metric(self, name: str) -> Metric[Score]:
        """Return the metric for the scores that are called `name` (in lower case)."""
        from ...metrics.external import DEFAULT_WIDTH, SegmentScores

        [given] = [known for known in self.names if known.lower() == name]
        return SegmentScores(given, lower_is_better=given in self._lower,
                             signature=dict(self._signatures).get(given, ""),
                             width=DEFAULT_WIDTH if self._width is None else self._width)


class Inputs(InputValues):
    """The inputs of one corpus: the values of options, and attributes that are computed from these values.

    Attributes:
        files: the files (or columns) of outputs, one for each system; empty: standard input.
        names: the names of the systems; empty: the names of their files.
        selection: the test sets and their selected segments; `None` if references are files.
        has_references: whether there are references, in files or in a test set.
        corpus: a description of the test sets and conditions, such as `wmt18, en-de`; may be empty.
        selects_rows: whether `--where` or `--group` reads columns of files, not fields of a test set.
        group_column: the name of the column in `--group`, without the pattern.
        target_language: the code of the target language (two letters, if the language has a tokenizer); empty without
            `-l`.
        outside: the scores of other programs.
        by_documents: whether documents are resampled in place of segments.
        has_units: whether options ask for resampling of documents, or within strata.
        strata_file: the file of strata; empty if strata are a field of the test set.
        files_beside: the files with the ids, the sources, the documents and the strata of segments.
        resegment: the tokens that `--resegment` aligns; empty: outputs keep their line breaks.
        subtitles: the form in which subtitles are read (`parts` for `-m suber`); empty: no subtitles are read.
        columns: the files and columns that are read, by their names in options (set by `inputs_of`).
        splits_last: whether the last of `files` is standard input, which may hold several systems as columns.
        has_baseline: whether the first system comes from `--baseline`.
        left_out: files that are left out, because they repeat the baseline of a test.
        scores_all: whether segments outside of the selection are scored, too (for subset scores).
    """

    def __init__(self, values: InputValues, outside: OutsideScores, *, needs_references: bool = True) -> None:
        vars(self).update({name: value for name, value in vars(values).items() if hasattr(InputValues, name)})
        self.files: list[str] = [file for name in values.input for file in _files_of_columns(name)]
        self.outside = outside
        self.by_documents = values.unit == "doc" or bool(values.docs)
        self.resegment = ""
        self.subtitles = ""
        self.columns: dict[str, Column] = {}
        self.reference_encoding = values.reference_encoding or values.encoding
        self.splits_last = False
        self.has_baseline = False
        self.left_out: list[str] = []
        self.scores_all = False
        if values.docs:
            check_apart(values.unit == "segment", "--docs", "--unit segment", "docs")
        self.target_language = language_of_code(self.langpair.split("-")[1]) if self.langpair else ""
        self.group_column, _, pattern = values.group.partition("~")
        self.conditions: list[Condition] = []
        if values.where or values.group:
            from ...files.records import check_regex, condition_of

            check_regex(pattern, "group")
            self.conditions = list(map(condition_of, values.where))
        self.selection = self._selected(values, needs_references)
        if self.selection:
            self.selection.conditions = self.conditions
        self.corpus = ", ".join(filter(None, [
            *[test_set.name for test_set in (self.selection.test_sets if self.selection else ())], self.langpair,
            f"original language {values.origlang}" if values.origlang else "",
            f"subset {values.subset}" if values.subset else "", *values.where]))
        self.selects_rows = bool(values.where or values.group) and not self.selection
        self.has_references = bool(self.references or self.selection)
        self.has_units = self.by_documents or bool(self.strata)
        self.strata_file = "" if self.strata in STRATA_FIELDS and self.selection else self.strata
        self.files_beside = list(filter(None, (self.ids, self.source, self.docs, self.strata_file)))
        if values.paragraphs:
            check_needs(any(map(may_have_columns, [*self.references, *self.files])), "--paragraphs",
                        "texts in a column of a file: give FILE:COLUMN", "paragraphs")
        if values.resegment:
            self._set_resegmentation(values)

    def _selected(self, values: InputValues, needs_references: bool) -> Selection | None:
        """Return the selection of `-t`, or `None`. Raise `OptionError` if references are missing or given twice."""
        if self.num_refs > 1:
            check_needs(len(self.references) == 1, "--num-refs",
                        f"one file of references, not {len(self.references)}", "num_refs")
        if not values.test_set:
            if needs_references and not self.references:
                raise OptionError("scoring needs references: give files before -i, or a test set (-t; purebleu --list "
                                  "lists all test sets)", "references")
            return None
        check_apart(self.references, "a file of references", "a test set (-t)", "references", "leave out one of them")
        from .selection import names_in_values, select

        selection = select(names_in_values(values.test_set), self.langpair, values.origlang, values.subset)
        selection.pair()  # raises an error if no language pair was chosen
        return selection

    def _set_resegmentation(self, values: InputValues) -> None:
        """Set the tokens that `--resegment` aligns. Raise `OptionError` if outputs or references are missing."""
        from .resegmentation import resegmentation_tokens

        check_needs(self.files, "--resegment", "outputs (-i FILE; for standard input, -i -)", "resegment")
        check_needs(self.has_references, "--resegment", "references, whose line breaks are taken", "resegment")
        if self.save_resegmented:
            check_number("save_resegmented", self.save_resegmented, len(self.files))
        self.resegment = resegmentation_tokens(values.resegment, self.target_language,
                                               any(map(has_subtitles, map(column_of, self.files))))

    @property
    def all_files(self) -> list[str]:
        """All files (or columns) that are read."""
        return [*self.references, *self.files, *self.files_beside, *self.outside.paths]

    def can_be_read_again(self, names: Sequence[str]) -> bool:
        """Whether these files (or columns) are in memory, or are plain files. (Pipes can be read only once.)"""
        paths = [column_of(name).path for name in names]
        return self.texts is not None or all(path is not None and os.path.isfile(path) for path in paths)

    @property
    def fixed_files(self) -> list[str]:
        """The files (or columns) of outputs that `purebleu check --fix` wrote."""
        return [name for name in self.files if _is_fixed(self.columns[name])]

    def warned_fields(self) -> dict[str, str]:
        """Return `signature_fields`, and warn if `purebleu check --fix` wrote only some of the outputs."""
        fixed = self.fixed_files
        if 0 < len(fixed) < len(self.files):
            others = [name for name in self.files if name not in fixed]
            warn(f"some outputs were written by check --fix, but signatures say fix:1 only if all were: fixed: "
                 f"{', '.join(fixed)}; not fixed: {', '.join(others)}")
        return self.signature_fields

    @property
    def signature_fields(self) -> dict[str, str]:
        """The fields of signatures that say how the scored text was selected and prepared."""
        fields: dict[str, str] = {}
        if self.resegment:
            is_model = self.resegment.startswith(MODEL_PREFIX)
            fields["reseg"] = make_tokenizer(self.resegment).signature() if is_model else self.resegment
            if self.docs:  # (each line of an output is a document)
                fields["reseg"] += OF_DOCUMENTS
        if self.subtitles in ("seg", "br"):
            fields["seg"] = self.subtitles
        if self.normalize:
            fields["unicode"] = self.normalize
        if self.files and len(self.fixed_files) == len(self.files):
            fields["fix"] = "1"
        if self.where:
            fields["where"] = plain_value(",".join(self.where))
        if self.selection and any("@" in test_set.name for test_set in self.selection.test_sets):
            fields["test"] = self.selection.name
        return fields

    def name_systems(self, paired: bool = False, baseline: str = "", same_files: bool = False) -> None:
        """Set the files and the names of the systems.

        Args:
            paired: whether the first system is the baseline of a test. If the file of the baseline is given again
                without a name, the repetition is left out.
            baseline: the file of `--baseline`, which becomes the first system; may be empty. With a baseline, standard
                input may have several systems.
            same_files: whether several systems may have the same file, as in a manifest.

        Raises:
            OptionError: a file or a name is given twice, the numbers of names and files differ, or the baseline is the
                only system.
        """
        systems = [named_file(path) for path in self.files]
        if self.names and self.files:
            check_number("names", self.names, len(systems), "name")
            check_apart(any(name for name, _ in systems), "--names", "-i NAME=FILE", "names", "leave out one of them")
            systems = [(name, path) for name, (_, path) in zip(self.names, systems)]
        self.has_baseline = bool(baseline)
        if not systems:
            self.files, self.splits_last = [baseline, STDIN] if baseline else [], bool(baseline)
            return
        if paired and not baseline:
            # sacreBLEU-compat: if the baseline is given again, the repetition is left out. (fixtures: tables)
            self.left_out = [path for name, path in systems[1:] if not name and path == systems[0][1]]
            systems = [systems[0], *[system for system in systems[1:] if system[0] or system[1] != systems[0][1]]]
        paths = [path for _, path in systems]
        if self.left_out:
            check_needs(len(paths) > 1, "a paired test", f"two systems or more, but {paths[0]} is the only system",
                        "input")
        check_baseline(baseline, paths, "-i")
        check_distinct(() if same_files else paths, "-i has {} twice", "input")
        check_distinct([name or path for name, path in systems], "two systems are called {}", "input")
        if baseline:
            systems = [named_file(baseline), *systems]
        self.files = [path for _, path in systems]
        if any(name for name, _ in systems):
            self.names = [name or without_folders(path) for name, path in systems]
            if len({*self.names}) < len(self.names):
                self.names = [name or path for name, path in systems]
        else:
            self.names = []

    @property
    def naming(self) -> Naming:
        """The origin of the names of systems: options (`given`), names of files, or the numbers of systems."""
        return "given" if self.names or self.splits_last else "files" if self.files else "numbers"

    def system_names(self, systems: int) -> Sequence[str]:
        """Return the names of this many systems: from options, or else the names of files, or else numbers.

        Raises:
            OptionError: there are more or fewer names than systems, or two systems have the same name.
        """
        # (With `splits_last`, the systems are a baseline and the columns of standard input.)
        count = systems - 1 if self.splits_last else systems
        if self.names:
            check_number("names", self.names, count, "name")
        names: Sequence[str] = self.names or self.files or numbered_names(count, paired=False)
        if self.splits_last:
            names = [self.files[0], *(self.names or numbered_names(count, paired=False))]
        check_distinct(names[1:] if self.has_baseline else names, "two systems are called {}", "names")
        return names

    def short_system_names(self, systems: int) -> Sequence[str]:
        """Return the names of this many systems. Names of files lack the parts that all of them share."""
        names = self.system_names(systems)
        return short_names(names) if self.naming == "files" else names

    def check_targets(self, written: Mapping[str, str | Sequence[str]], further: Sequence[str] = ()) -> None:
        """Check the files that will be written (also by `--save-resegmented`), before anything is computed.

        Args:
            written: the files to write, by the option that names them.
            further: files that are read in addition to the inputs.

        Raises:
            OptionError: a file would be both read and written, or written twice.
            PurebleuError: a file can't be written.
        """
        written = {**written, "--save-resegmented": self.save_resegmented}
        targets: dict[str, str] = {}
        for option, path in [(option, path) for option, paths in written.items()
                             for path in ([paths] if isinstance(paths, str) else paths)]:
            check_takes(path != STDIN, option, "the name of a file, not -")
            if not path or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)):
                continue  # (a device may be read and written)
            target = os.path.realpath(path)
            if target in targets:
                raise OptionError(f"{targets[target]} and {option} would write the same file, {path}")
            targets[target] = option
            check_writable(path)
        columns = [*self.columns.values(), *map(column_of, further)] if targets and self.texts is None else []
        for path_read in [column.path for column in columns]:
            target = os.path.realpath(path_read or "")
            if path_read and target in targets:
                raise OptionError(f"{targets[target]} would replace the input {path_read}: choose another name")

    def check_standard_input(self, *further: str) -> None:
        """Raise `OptionError` if texts, scores and `further` files would read standard input more than once."""
        separate = [name for name in self.outside.paths if self.columns[name].path is None]
        separate += [name for name in further if column_of(name).path is None]
        texts = [name for name in (*self.files, *self.references, *self.files_beside)
                 if self.columns[name].path is None]
        if separate and len(separate) + bool(texts or not self.files) > 1:
            raise OptionError(f"standard input can be read only once, but {separate[0]} and another option read it")


def _files_of_columns(name: str) -> list[str]:
    """Return the columns of the files that match a pattern such as `out/*.jsonl:text`, or else the unchanged name.

    (A shell only expands patterns without columns.)
    """
    if ":" in name and any(character in name for character in "*?["):
        return files_of_pattern(name) or [name]
    return [name]


def named_file(text: str) -> tuple[str | None, str]:
    """Split `NAME=FILE`. The name is `None` if the text has no name, or if the whole text is the name of a file."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path or os.path.lexists(text):
        return None, text
    return name, path


def check_distinct(values: Sequence[str], message: str, option: str | None = None) -> None:
    """Raise `OptionError` if a value is repeated. The repeated value replaces `{}` in the message."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise OptionError(message.replace("{}", value), option)
        seen.add(value)


def check_baseline(baseline: str, systems: Sequence[str], option: str) -> None:
    """Raise `OptionError` if all files in `option` (the systems) are the file of `--baseline`."""
    path = named_file(baseline)[1]
    if baseline and all(is_same_input(path, system) for system in systems):
        raise OptionError(f"the baseline is the only system: --baseline and {option} name the same file, {path}",
                          "baseline")


def check_number(option: str, given: Sequence[str], systems: int, noun: str = "file", *, of: str = "",
                 more: str = "") -> None:
    """Raise `OptionError` unless an option has one value for each system.

    Args:
        option: the destination of the option.
        given: the values of the option.
        systems: the number of systems.
        noun: what the message calls a value.
        of: for `--scores`, the name of the scores; else empty.
        more: further words for the end of the message.
    """
    if len(given) != systems:
        called = f"{option_name(option)} {of}".rstrip()
        raise OptionError(f"{called} has {counted(len(given), noun)} for {counted(systems, 'system')}: give one "
                          f"{noun} for each system, in the same order{more}", option=option)


def check_several(systems: int, who: str, option: str = "input") -> None:
    """Raise `OptionError` with the subject `who` if there is only one system."""
    check_needs(systems > 1, who, "two systems or more: give a file for each system", option)


# From the options of a command


def inputs_of(values: CorpusValues, *, needs_references: bool = True, needs_files: bool = False, paired: bool = False,
              baseline: str = "", pair: ManifestPair | None = None) -> Inputs:
    """Return the inputs that options name.

    Args:
        values: the values of the options.
        needs_references: whether references are needed. (They are not needed if all scores come from other programs or
            stored rows.)
        needs_files: whether `-i` is needed.
        paired, baseline: as for `Inputs.name_systems`.
        pair: a language pair of the manifest; `None`: the pair of `-l`.
    """
    scores: Sequence[tuple[str, str]] = values.scores
    if values.manifest:
        from ...files.records import read_manifest

        pair = pair or _pair_called(values.langpair or "", values.manifest, read_manifest(
            values.manifest, values.encoding, [column for _, column in scores]))
        # (With a manifest, `--scores NAME=COLUMN` names a column, which has the names of files of scores.)
        scores = [(name, files[column]) for name, column in scores for files in pair.scores]
        changed = type(values)()
        vars(changed).update(vars(values), manifest="", references=list(pair.references), input=list(pair.hypotheses),
                             names=list(pair.names), source=values.source or pair.source,
                             langpair=pair.pair if all(pair.pair.partition("-")[::2]) else None)
        values = changed
    outside = OutsideScores(values, scores, vars(values).get("width"))
    outside_alone = bool(outside.files) and all(name in outside.lower_names for name in values.metrics)
    stored = bool(values.rows)
    if stored:
        values.check_uses(encoding=(values.docs or values.strata, "--docs or --strata, if --rows is given"))
    if needs_files:
        check_needs(values.input or stored, "this command",
                    "outputs: give their files with -i (-i - is standard input)", "input")
    inputs = Inputs(values, outside, needs_references=needs_references and not (outside_alone or stored))
    inputs.name_systems(paired, "" if stored else baseline, pair is not None)
    inputs.columns = {name: column_of(name) for name in inputs.all_files}
    inputs.check_standard_input()
    _take_subtitles(inputs, values.metrics)
    return inputs


def _pair_called(langpair: str, path: str, pairs: Sequence[ManifestPair]) -> ManifestPair:
    """Return the language pair `langpair` of a manifest. Raise `OptionError` if the manifest lacks this pair."""
    for pair in pairs:
        if pair.pair == langpair:
            return pair
    missing = f", but not {langpair}" if langpair else ""
    names = ", ".join([pair.pair for pair in pairs])
    raise OptionError(f"{path} has the language pairs {names}{missing}: choose one of its pairs with -l",
                      option="langpair")


def _take_subtitles(inputs: Inputs, metrics: Sequence[str]) -> None:
    """Set the form in which each file of subtitles is read. Do nothing if all files are read as plain lines."""
    names = [] if inputs.texts is not None else [*inputs.references, *inputs.files]
    selectors = [inputs.columns[name].selector for name in names if has_subtitles(inputs.columns[name])]
    suber = [name for name in metrics if name.startswith("suber")]
    asked = f"-m {suber[0]}" if suber else "--srt-unit" if inputs.srt_unit else ""
    if asked:
        check_takes(selectors or inputs.rows, asked, "subtitles (.srt, .vtt)", "metrics" if suber else "srt_unit")
    if selectors and (asked or inputs.resegment or any(selectors)):
        from .resegmentation import take_subtitles

        take_subtitles(inputs, metrics)


def shown_names(names: Sequence[str], naming: Naming, paired: bool) -> Sequence[str]:
    """Return the names of systems in results. If `paired` systems have no names, the first is called `Baseline`."""
    return numbered_names(len(names), paired) if naming == "numbers" else names
