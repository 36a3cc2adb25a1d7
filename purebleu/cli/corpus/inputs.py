"""What is read: the files, columns and test sets of one corpus, checked against each other."""

from __future__ import annotations

import os

from ...errors import OptionError, counted
from ...files.opening import STDIN, can_be_read_again, column_of, files_of_pattern, may_have_columns, subtitles_of
from ...files.writing import check_writable
from ...hints import Mapping, Naming, Sequence
from ...metrics.signature import plain_value
from ...report.formats import numbered_names, short_names, without_folders
from ...tokenizers import MODEL_PREFIX, language_of_code, make_tokenizer
from ..arguments.groups import STRATA_FIELDS, InputValues, MetricValues, ScoredValues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...datasets.registry import Selection
    from ...files.manifest import ManifestPair
    from ...files.records import Condition
    from ...metrics.base import Metric
    from ...metrics.score import Score

#: The beginning of each line of a file that `purebleu check --fix` wrote.
FIXED_MARK = '{"fix": 1, '


def _is_fixed(name: str) -> bool:
    """Whether a column is one of a file that begins with `FIXED_MARK`."""
    column = column_of(name)
    if column.kind != "jsonl" or column.path is None or not os.path.isfile(column.path):
        return False
    with open(column.path, "rb") as file:
        return file.read(len(FIXED_MARK)) == FIXED_MARK.encode()


class Examined(Exception):
    """Raised instead of scoring if a command line is only examined, and nothing is wrong so far.

    Attributes:
        segments: the number of segments that were read; 0: none were.
    """

    def __init__(self, segments: int = 0) -> None:
        super().__init__()
        self.segments = segments


class OutsideScores:
    """Scores that other programs have given to the outputs.

    Attributes:
        files: the pairs of `--scores`: the name of scores, and a file of them.
        names, lower_names: the names of the scores; the same in lower case, as metrics have them.
        paths: the files.
        equal_outputs: what becomes of different scores for the same output; empty: nothing.
    """

    def __init__(self, values: MetricValues, files: Sequence[tuple[str, str]], width: int | None = None) -> None:
        """Take the options of `--scores`; `files` are the pairs of this corpus, `width` the decimal places, if given.

        Raises:
            OptionError: two kinds of scores have the same name, or an option is for scores that are not given.
        """
        self.files = files
        self.names = list(dict.fromkeys([name for name, _ in files]))
        self.lower_names = list(map(str.lower, self.names))
        self.paths = [file for _, file in files]
        self.equal_outputs = values.equal_outputs
        self._lower = values.scores_lower
        self._signatures = values.scores_signature
        self._width = width
        if len({*self.lower_names}) < len(self.names):
            raise OptionError(f"--scores: two of these names differ only in case: {', '.join(self.names)}",
                              option="scores")
        for destination, names in (("scores_lower", self._lower),
                                   ("scores_signature", [name for name, _ in self._signatures])):
            for index, name in enumerate(names):
                if name not in self.names or name in names[:index]:
                    wrong = "given twice" if name in names[:index] else "not the name of any --scores"
                    raise OptionError(f"--{destination.replace('_', '-')}: {name} is {wrong}", option=destination)

    def make_metric(self, name: str) -> Metric[Score]:
        """Make the metric of the scores that have this name in lower case."""
        from ...metrics.external import DEFAULT_WIDTH, SegmentScores

        [given] = [known for known in self.names if known.lower() == name]
        return SegmentScores(given, lower_is_better=given in self._lower,
                             signature=dict(self._signatures).get(given, ""),
                             width=DEFAULT_WIDTH if self._width is None else self._width)


class Inputs(InputValues):
    """The inputs of one corpus: the values of options, and what follows from them.

    Attributes:
        files: the files (or columns) of outputs, one for each system; empty: standard input.
        names: the names of the systems; empty: those of their files.
        selection: the test sets and their segments; `None` with files of references.
        has_references: whether there are references: in files, or in a test set.
        outside: the scores of other programs.
        by_documents: whether documents are resampled in place of segments.
        has_units: whether units of resampling are asked for: documents or strata.
        strata_file: the file of strata; empty if these are a field of the test set.
        files_beside: the files of the ids, the sources, the documents and the strata of segments.
        resegment: the tokens by which outputs get the line breaks of the references; empty: they do not.
        subtitles: the form in which subtitles are read (`parts` for `-m suber`); empty: there are none.
        forms: the columns of subtitles that are read, by the names of files.
        splits_last: whether the last stream of `files` may hold several systems, as columns.
        has_baseline: whether the first system is a baseline from `--baseline`.
        left_out: systems that are left out, since they are the baseline.
        scores_all: whether segments that are not selected are scored, too (for subset scores).
    """

    def __init__(self, values: InputValues, outside: OutsideScores, *, unit: str | None = None,
                 needs_references: bool = True) -> None:
        vars(self).update({name: value for name, value in vars(values).items() if hasattr(InputValues, name)})
        self.files: list[str] = [file for name in values.input for file in _files_of_columns(name)]
        self.outside = outside
        self.by_documents = unit == "doc" or bool(values.docs)
        self.resegment = ""
        self.subtitles = ""
        self.forms: dict[str, str] = {}
        self.reference_encoding = values.reference_encoding or values.encoding
        self.splits_last = False
        self.has_baseline = False
        self.left_out: list[str] = []
        self.scores_all = False
        if values.docs and unit == "segment":
            raise OptionError("--docs is for --unit doc, not for --unit segment: leave one out", option="docs")
        self.conditions: list[Condition] = []
        if values.where or values.group:
            from ...files.records import check_regex, condition_of

            check_regex(values.group.partition("~")[2], "group")
            self.conditions = list(map(condition_of, values.where))
        self.selection = self._selected(values, needs_references)
        if self.selection:
            self.selection.conditions = self.conditions
        self.has_references = bool(self.references or self.selection)
        self.has_units = self.by_documents or bool(self.strata)
        self.strata_file = "" if self.strata in STRATA_FIELDS and self.selection else self.strata
        self.files_beside = list(filter(None, (self.ids, self.source, self.docs, self.strata_file)))
        if values.paragraphs and not any(map(may_have_columns, [*self.references, *self.files])):
            raise OptionError("--paragraphs splits texts in columns (FILE:COLUMN): name a column", option="paragraphs")
        if values.resegment:
            self._set_resegmentation(values)

    def _selected(self, values: InputValues, needs_references: bool) -> Selection | None:
        """The test sets to score against, or `None`; raises `OptionError` if there are no references at all."""
        if self.num_refs > 1 and len(self.references) != 1:
            found = f"are {len(self.references)} of them" if self.references else "is none"
            raise OptionError(f"--num-refs splits lines of one reference file, but there {found}", option="num_refs")
        if values.test_set:
            if self.references:
                raise OptionError("give reference files, or a test set (-t), but not both", option="references")
            from .selection import names_in_values, select

            selection = select(names_in_values(values.test_set), self.langpair, values.origlang, values.subset)
            selection.pair()  # raises an error if there is none
            return selection
        if not self.references and needs_references:
            raise OptionError("no references: give one or more reference files before -i, or a test set (-t; see "
                              "--list)", option="references")
        return None

    def _set_resegmentation(self, values: InputValues) -> None:
        """Set the tokens by which lines are broken; raises `OptionError` if that is not possible."""
        from .resegmentation import resegmentation_tokens

        if not self.files:
            raise OptionError("--resegment takes outputs from -i (-i - is standard input)", option="resegment")
        if not self.has_references:
            raise OptionError("--resegment needs references, because it takes their line breaks", option="resegment")
        if self.save_resegmented:
            check_number("save_resegmented", self.save_resegmented, len(self.files))
        self.resegment = resegmentation_tokens(values.resegment, self.target_language,
                                               any(map(subtitles_of, self.files)))

    @property
    def selects_rows(self) -> bool:
        """Whether rows of files are selected or grouped (and not segments of a test set)."""
        return bool(self.where or self.group) and not self.selection

    @property
    def group_column(self) -> str:
        """The column of `--group`, without a pattern."""
        return self.group.partition("~")[0]

    @property
    def target_language(self) -> str:
        """The code of the target language (of two letters, if it has a tokenizer); empty without a pair."""
        return language_of_code(self.langpair.split("-")[1]) if self.langpair else ""

    @property
    def all_files(self) -> list[str]:
        """All files (or columns) that are read."""
        return [*self.references, *self.files, *self.files_beside, *self.outside.paths]

    def can_be_read_again(self, names: Sequence[str]) -> bool:
        """Whether these files (or columns) are held in memory, or are plain files."""
        return self.texts is not None or can_be_read_again(names)

    @property
    def signature_fields(self) -> dict[str, str]:
        """The fields of signatures that say what is done to the text before it is scored."""
        fields: dict[str, str] = {}
        if self.resegment:
            is_model = self.resegment.startswith(MODEL_PREFIX)
            fields["reseg"] = make_tokenizer(self.resegment).signature() if is_model else self.resegment
        if self.subtitles in ("seg", "br"):
            fields["seg"] = self.subtitles
        if self.normalize:
            fields["unicode"] = self.normalize
        if any(map(_is_fixed, self.files)):
            fields["fix"] = "1"
        if self.where:
            fields["where"] = plain_value(",".join(self.where))
        if self.selection and any("@" in test_set.name for test_set in self.selection.test_sets):
            fields["test"] = self.selection.name
        return fields

    def name_systems(self, paired: bool = False, baseline: str = "", same_files: bool = False) -> None:
        """Set the files and the names of the systems, each once.

        Args:
            paired: whether the first system is the baseline of a test. Then a repetition of it without a name is left
                out.
            baseline: the file of `--baseline`, which becomes the first system. Then standard input may hold several
                systems.
            same_files: whether several systems may have the same file, as in a manifest.

        Raises:
            OptionError: a file or a name is given twice, there are more names than files or fewer, or no system is
                left.
        """
        systems = [named_file(path) for path in self.files]
        if self.names and self.files:
            check_number("names", self.names, len(systems), "name")
            if any(name for name, _ in systems):
                raise OptionError("name the systems with --names, or with -i NAME=FILE, but not both",
                                  option="names")
            systems = [(name, path) for name, (_, path) in zip(self.names, systems)]
        self.has_baseline = bool(baseline)
        if not systems:
            self.files, self.splits_last = [baseline, STDIN] if baseline else [], bool(baseline)
            return
        if paired and not baseline:
            # sacreBLEU-compat: the baseline is left out if it is given again. (fixtures: tables)
            self.left_out = [path for name, path in systems[1:] if not name and path == systems[0][1]]
            systems = [systems[0], *[system for system in systems[1:] if system[0] or system[1] != systems[0][1]]]
        paths = [path for _, path in systems]
        if (self.left_out and len(paths) == 1) or {baseline} == {*paths}:
            raise OptionError(f"a paired test needs a system besides the baseline {paths[0]}", option="input")
        for kind, values in (("-i has", [] if same_files else paths),
                             ("there is a system called", [name or path for name, path in systems])):
            if repeated := [value for index, value in enumerate(values) if value in values[:index]]:
                raise OptionError(f"{kind} {repeated[0]} twice", option="input")
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
        """The origin of the names of systems."""
        return "given" if self.names or self.splits_last else "files" if self.files else "numbers"

    @property
    def corpus(self) -> str:
        """The test sets and the language pair, such as `wmt18, en-de`; empty if there are none."""
        parts = [self.langpair or ""]
        if self.selection:
            parts = [*[test_set.name for test_set in self.selection.test_sets], *parts,
                     f"original language {self.selection.origlang}" if self.selection.origlang else "",
                     f"subset {self.selection.subset}" if self.selection.subset else ""]
        parts += self.where
        return ", ".join(filter(None, parts))

    def system_names(self, systems: int) -> Sequence[str]:
        """The names of this many systems: those that were given, or those of files, or else numbers.

        Raises:
            OptionError: there are more or fewer names than systems, or two systems have the same name.
        """
        # (With `splits_last`, the systems are a baseline, and columns of standard input.)
        count = systems - 1 if self.splits_last else systems
        if self.names:
            check_number("names", self.names, count, "name")
        names: Sequence[str] = self.names or self.files or numbered_names(count, paired=False)
        if self.splits_last:
            names = [self.files[0], *(self.names or numbered_names(count, paired=False))]
        checked = names[1:] if self.has_baseline else names
        if len(set(checked)) < len(checked):
            repeated = next(name for index, name in enumerate(checked) if name in checked[:index])
            raise OptionError(f"two systems are called {repeated}: give them different names", option="names")
        return names

    def short_system_names(self, systems: int) -> Sequence[str]:
        """The names of this many systems; those of files without what all of them have in common."""
        names = self.system_names(systems)
        return short_names(names) if self.naming == "files" else names

    def check_targets(self, written: Mapping[str, str | Sequence[str]], further: Sequence[str] = ()) -> None:
        """Check the files to write (`--save-resegmented` among them) before anything is read or computed.

        Args:
            written: for each option that names files to write, these files.
            further: files that are read besides these inputs.

        Raises:
            OptionError: a file that is to be written is read as well, or written twice.
            PurebleuError: a file can't be written.
        """
        written = {**written, "--save-resegmented": self.save_resegmented}
        targets: dict[str, str] = {}
        for option, path in [(option, path) for option, paths in written.items()
                             for path in ([paths] if isinstance(paths, str) else paths)]:
            if not path or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)):
                continue  # (a device may be read and written)
            target = os.path.realpath(path)
            if target in targets:
                raise OptionError(f"{targets[target]} and {option} would write the same file, {path}")
            targets[target] = option
            check_writable(path)
        for name in [*self.all_files, *further] if targets and self.texts is None else ():
            path_read = column_of(name).path
            target = os.path.realpath(path_read or "")
            if path_read and target in targets:
                raise OptionError(f"{targets[target]} would replace {path_read}, which is read: choose another name")

    def check_standard_input(self, *further: str) -> None:
        """Raise `OptionError` if both texts and scores of other programs (or `further` files) are standard input."""
        separate = [name for name in (*self.outside.paths, *further) if column_of(name).path is None]
        texts = [name for name in (*self.files, *self.references, *self.files_beside) if column_of(name).path is None]
        if separate and len(separate) + bool(texts or not self.files) > 1:
            raise OptionError(f"standard input can be read only once: {separate[0]} and another option read it")


def _files_of_columns(name: str) -> list[str]:
    """The files that a pattern with a column matches, such as `out/*.jsonl:text`; any other name as it is.

    (A shell expands patterns without columns.)
    """
    if ":" in name and any(character in name for character in "*?["):
        return files_of_pattern(name) or [name]
    return [name]


def named_file(text: str) -> tuple[str | None, str]:
    """A file of `-i`, and its name if it is given as `NAME=FILE` (and no file is called like that)."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path or os.path.lexists(text):
        return None, text
    return name, path


def check_number(option: str, given: Sequence[str], systems: int, noun: str = "file", *, of: str = "",
                 more: str = "") -> None:
    """Raise `OptionError` unless an option has one value for each system.

    Args:
        option: its destination.
        given: its values.
        systems: the number of systems.
        noun: what each value is.
        of: the scores that the values are of; empty: the option is not about scores.
        more: what may be given instead.
    """
    if len(given) != systems:
        called = " ".join([f"--{option.replace('_', '-')}", *filter(None, [of])])
        raise OptionError(f"{called} has {counted(len(given), noun)} for {counted(systems, 'system')}: give one for "
                          f"each, in their order{more}", option=option)


def check_several(systems: int, who: str, option: str = "input") -> None:
    """Raise `OptionError` if there is only one system; `who` needs more."""
    if systems < 2:
        raise OptionError(f"{who} needs two systems or more: give a file for each", option=option)


# From the options of a command


def inputs_of(values: ScoredValues, *, unit: str | None = None, needs_references: bool = True,
              needs_files: bool = False, paired: bool = False, baseline: str = "",
              pair: ManifestPair | None = None) -> Inputs:
    """The inputs that options name.

    Args:
        values: the options.
        unit: the units of resampling that are asked for.
        needs_references: whether references are needed, unless all scores are those of other programs.
        needs_files: whether `-i` is needed.
        paired, baseline: as `Inputs.name_systems` has them.
        pair: the pair of a manifest; `None`: the one that `-l` names.
    """
    scores: Sequence[tuple[str, str]] = values.scores
    if values.manifest:
        from ...files.manifest import read_manifest

        pair = pair or _pair_called(values.langpair or "", values.manifest, read_manifest(
            values.manifest, values.encoding, [column for _, column in scores]))
        # (In options, scores are columns of the manifest, which has the names of their files.)
        scores = [(name, files[column]) for name, column in scores for files in pair.scores]
        changed = type(values)()
        vars(changed).update(vars(values), manifest="", references=list(pair.references), input=list(pair.hypotheses),
                             names=list(pair.names), source=values.source or pair.source,
                             langpair=pair.pair if all(pair.pair.partition("-")[::2]) else None)
        values = changed
    outside = OutsideScores(values, scores, vars(values).get("width"))
    outside_alone = bool(outside.files) and all(name in outside.lower_names for name in values.metrics)
    stored = bool(values.rows)
    if needs_files and not (values.input or stored):
        raise OptionError("no outputs: name their files with -i (-i - is standard input)", option="input")
    inputs = Inputs(values, outside, unit=unit, needs_references=needs_references and not (outside_alone or stored))
    inputs.name_systems(paired, "" if stored else baseline, pair is not None)
    inputs.check_standard_input()
    _take_subtitles(inputs, values.metrics)
    return inputs


def _pair_called(langpair: str, path: str, pairs: Sequence[ManifestPair]) -> ManifestPair:
    """The pair of a manifest that `-l` names (empty: there is no `-l`)."""
    for pair in pairs:
        if pair.pair == langpair:
            return pair
    missing = f", but not {langpair}" if langpair else ""
    names = ", ".join([pair.pair for pair in pairs])
    raise OptionError(f"{path} has {names}{missing}: choose one of them with -l", option="langpair")


def _take_subtitles(inputs: Inputs, metrics: Sequence[str]) -> None:
    """Set the forms of files of subtitles, unless they are read as lines of text."""
    names = [] if inputs.texts is not None else [*inputs.references, *inputs.files]
    columns = {name: subtitles_of(name) for name in names}
    selectors = [column.selector for column in columns.values() if column]
    suber = [name for name in metrics if name.startswith("suber")]
    asked = f"-m {suber[0]}" if suber else "--srt-unit" if inputs.srt_unit else ""
    if asked and not selectors and not inputs.rows:
        raise OptionError(f"{asked} takes only subtitles (.srt, .vtt)", option="metrics" if suber else "srt_unit")
    if selectors and (asked or inputs.resegment or any(selectors)):
        from .resegmentation import take_subtitles

        take_subtitles(inputs, metrics, columns)


def shown_names(names: Sequence[str], naming: Naming, paired: bool) -> Sequence[str]:
    """The names of systems in results: numbers depend on whether the first one is the baseline of a test."""
    return numbered_names(len(names), paired) if naming == "numbers" else names
