"""Score a corpus: `MetricChoice` makes the metrics that options choose, and `Scored` has systems with their scores."""

from __future__ import annotations

import warnings
from functools import cached_property, lru_cache, partial

from ...metrics import BLEU, metric_class
from ...metrics.base import Metric
from ...metrics.evaluation import Part, References, System, evaluated_systems, score_block
from ...metrics.input_checks import InputChecks
from ...metrics.score import Score, Signature
from ...report.formats import short_names, signed_by_name
from ...runtime.errors import LeftOutError, OptionError, PurebleuWarning, warn
from ...runtime.hints import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Naming, Row, Sequence
from ...runtime.progress import observer
from ..arguments.groups import METRIC_PREFIXES, OPTIONS_OF_METRICS, MetricValues, option_of
from ..arguments.values import check_takes
from .inputs import Examined, Inputs, shown_names
from .read import CorpusTexts, SegmentList, read_blocks, read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ...analysis.summary import Tokens
    from ...metrics.evaluation import Block
    from ...rows import TextChecksums
    from ...significance.sampling import Sampled, Units

    OfSystem = TypeVar("OfSystem")

#: The number of lines that are tokenized at once.
_TOKENIZED_AT_ONCE = 4096


class MetricChoice:
    """The metrics of a run.

    Attributes:
        as_given: the registered names of the metrics in lower case, in the order of `-m`. Scores of other programs
            that `-m` does not name come last.
        names: the same names, in the order of the results.
        computed: the names of the metrics that purebleu computes.
        asked: the names in `-m`; may be empty.
        effective_order: whether BLEU has effective n-gram order, because single segments are scored.
    """

    def __init__(self, values: MetricValues, inputs: Inputs, *, keeps_order: bool = False,
                 effective_order: bool = False) -> None:
        """Read the names of metrics from options. The default is BLEU, unless all scores come from other programs.

        Args:
            values: the values of the options about metrics.
            inputs: the inputs, which have the target language and the scores of other programs.
            keeps_order: whether results are in the order of `-m`.
            effective_order: as for the attribute.
        """
        self._values = values
        self._language = inputs.target_language
        self.effective_order = effective_order
        self._outside = inputs.outside
        outside = self._outside.lower_names
        self.asked = values.metrics
        usual = ["bleu"] if inputs.has_references or inputs.rows or not outside else []
        self.as_given = list(dict.fromkeys([*(self.asked or usual), *outside]))
        # sacreBLEU-compat: in a significance test, metrics stay in the order of -m. (fixtures: tables)
        self.names = self.as_given if keeps_order else [
            *sorted([name for name in self.as_given if name not in outside]),
            *[name for name in self.as_given if name in outside]]
        self.computed = [name for name in self.names if name not in outside]

    def make(self) -> list[Metric[Score]]:
        """Make the metrics, in the order of `names`."""
        return [self._make(name) if name in self.computed else self._outside.make_metric(name) for name in self.names]

    def bleu_among(self, metrics: Sequence[Metric[Score]]) -> BLEU:
        """Return BLEU if it is in `metrics`, or else make it from options. (Lengths are counted in BLEU's tokens.)"""
        for metric in metrics:
            if isinstance(metric, BLEU):
                return metric
        metric = self._make("bleu")
        assert isinstance(metric, BLEU)
        return metric

    def _make(self, name: str) -> Metric[Score]:
        """Make a metric from its own options, and from options that it shares with BLEU and TER."""
        prefix = option_of(name, "")
        arguments: dict[str, Any] = {key[len(prefix):]: value for key, value in vars(self._values).items()
                                     if key.startswith(prefix)}
        metric_type = metric_class(name)
        if issubclass(metric_type, BLEU):
            arguments["effective_order"] = self.effective_order
        arguments.update({argument: getattr(self._values, option_of(name, argument))
                          for argument in (*metric_type.OPTIONS_OF_BLEU, *metric_type.OPTIONS_OF_TER)})
        if "tokenize" in metric_type.OPTIONS_OF_BLEU or name == "bleu":
            arguments["trg_lang"] = self._language
        try:
            return metric_type(**arguments)
        except OptionError as error:
            if error.option is not None:  # (the name of the metric's argument becomes the destination of the option)
                error.option = option_of(name, error.option)
            raise

    def check_unused(self, counts_tokens: bool = False) -> None:
        """Raise `OptionError` if an option is given that no metric uses. (`counts_tokens`: see `unused`.)"""
        for name, option, needed in self.unused(counts_tokens):
            raise OptionError(f"{option} needs {needed}", name)

    def unused(self, counts_tokens: bool = False) -> list[tuple[str, str, str]]:
        """Return the given options that no metric uses.

        Args:
            counts_tokens: whether BLEU's tokens are counted even if BLEU is not scored.

        Returns:
            For each option, its destination, its name, and what it needs.
        """
        values = self._values
        unused: list[tuple[str, str, str]] = []
        names = {option.destination: option.name for option in OPTIONS_OF_METRICS}
        for name in [name for name in values.given() if name.startswith(METRIC_PREFIXES)]:
            family, _, argument = name.partition("_")
            try:
                is_used = any(option_of(metric, argument) == name for metric in self.computed)
            except LeftOutError:
                return []  # (making the metric will raise an error)
            if not is_used and not (counts_tokens and name in ("bleu_tokenize", "bleu_lowercase")):
                unused.append((name, names[name], f"-m {family}"))
        method = values.bleu_smooth_method
        if values.bleu_smooth_value is not None and method not in ("floor", "add-k") and (
                "bleu_smooth_value" in [option_of(name, "smooth_value") for name in self.computed]):
            unused.append(("bleu_smooth_value", "--smooth-value",
                           f"--smooth-method floor or add-k (the method is {method})"))
        return unused


def single_metric(values: MetricValues, inputs: Inputs, usual: str, word: str) -> Metric[Score]:
    """Make the metric of a command that takes only one metric; the default is `usual`."""
    values.metrics = list(dict.fromkeys(values.metrics)) or [usual]
    check_takes(len(values.metrics) == 1, word, "one metric", "metrics")
    choice = MetricChoice(values, inputs, effective_order=True)
    choice.check_unused()
    [metric] = choice.make()
    return metric


class Scored:
    """Systems with their scores, from text or from stored rows.

    Attributes:
        metrics: the metrics, in the order of the results.
        systems: one or more systems.
        inputs: the inputs of the corpus.
        choice: the choice of metrics.
        names: the names of the systems, in their order.
        naming: the origin of these names, as for `StoredRows`.
        texts: the text of the corpus; `None` if there are only rows, or if no text is needed.
        pair: the language pair of a manifest, or the group of segments; empty: the whole corpus.
        units: the units of resampling; `None`: single segments without strata.
        listed: the segments without their text; `None` if they are not needed.
        checksums: the checksums of the text; `None` if they are not needed.
    """

    def __init__(self, metrics: list[Metric[Score]], systems: list[System], inputs: Inputs, choice: MetricChoice,
                 names: Sequence[str], naming: Naming) -> None:
        self.metrics = metrics
        self.systems = systems
        self.inputs = inputs
        self.choice = choice
        self.names = names
        self.naming: Naming = naming
        self.texts: CorpusTexts | None = None
        self.pair = ""
        self.units: Units | None = None
        self.listed: SegmentList | None = None
        self.checksums: TextChecksums | None = None
        self._first = 0

    def shorten_names(self) -> None:
        """If systems have names of files, leave out folders and the parts that all names share."""
        if self.naming == "files":
            self.names, self.naming = short_names(self.names), "given"

    def put_first(self, name: str) -> None:
        """Move a system to the front, so that all other systems are tested against it.

        `name` is the name of the system in results, or the name of its file, with or without folders and ending. Raise
        `OptionError` unless exactly one system has this name.
        """
        names = [[shown] for shown in self.names]
        for names_of_system, file in zip(names, self.inputs.files):
            names_of_system.append(file)
        from ...files.scores import index_called

        self._first = index = index_called(name, names)
        self.systems = [self.systems[index], *self.systems[:index], *self.systems[index + 1:]]
        self.names = [self.names[index], *self.names[:index], *self.names[index + 1:]]
        if self.texts is not None:
            self.texts.put_first(index)

    def as_given(self, of_systems: Sequence[OfSystem]) -> list[OfSystem]:
        """Undo `put_first` in a list with a value for each system: return the values in the order of the options."""
        first, *others = of_systems
        return [*others[:self._first], first, *others[self._first:]]

    @property
    def rows(self) -> list[Sequence[list[Row]]]:
        """The rows of each system under each metric."""
        return [system.rows for system in self.systems]

    @property
    def signatures(self) -> list[Signature]:
        """For each metric, the signature of the scores of all systems."""
        return [evaluation.signature() for evaluation in self.systems[0].evaluations]

    def signed(self, results: Sampled) -> dict[str, Signature]:
        """Return signatures by the names of scores. The signatures have fields about the resampling of `results`."""
        return signed_by_name(results, self.systems[0].scores(), self.signatures)

    @property
    def counting_bleu(self) -> BLEU | None:
        """The BLEU metric that tokenizes texts to count tokens; `None` without texts."""
        return None if self.texts is None else self.choice.bleu_among(self.metrics)

    @property
    def labels(self) -> Mapping[str, Sequence[str]]:
        """The labels of each segment, as in `CorpusTexts`; empty without texts."""
        return {} if self.texts is None else self.texts.labels

    @cached_property
    def tokens(self) -> Tokens | None:
        """The tokens of the outputs and of the references, as BLEU tokenizes text; `None` without texts or references.

        (The value is cached, so `put_first` must be called before.)
        """
        texts, metric = self.texts, self.counting_bleu
        if texts is None or metric is None or not texts.references:
            return None

        @lru_cache(maxsize=None)  # (a large corpus has many tokens, but few different ones)
        def text_of(token: object) -> str:
            return token.decode("utf-8", "replace") if isinstance(token, bytes) else str(token)

        def words(lines: Sequence[str]) -> list[list[str]]:
            return [list(map(text_of, tokens)) for start in range(0, len(lines), _TOKENIZED_AT_ONCE)
                    for tokens in metric.preprocess_lines(lines[start:start + _TOKENIZED_AT_ONCE])]

        streams: list[Iterator[list[str]]] = []
        for stream in texts.references:
            streams.append(iter(words([line for line in stream if line is not None])))
        references: list[list[list[str]]] = []
        for segment in zip(*texts.references):
            references.append([next(stream) for stream, line in zip(streams, segment) if line is not None])
        return [None if lines is None else words(lines) for lines in texts.outputs_of(len(self.systems))], references

    @property
    def names_in_warnings(self) -> Sequence[str]:
        """The names of the systems in warnings; an empty name for a single system."""
        return self.names if len(self.systems) > 1 else [""]


def check_called(name: str, inputs: Inputs) -> None:
    """Raise `OptionError` if no system has the name in `--against`. (Systems in standard input are not known yet.)"""
    if name and inputs.files and not inputs.splits_last:
        from ...files.scores import index_called

        index_called(name, [*zip(inputs.short_system_names(len(inputs.files)), inputs.files)])


# From inputs to scores


class Scoring(NamedTuple):
    """The settings for the scoring of a corpus.

    Attributes:
        jobs: the number of processes; 0: one for each processor.
        keeps_rows: whether the rows of segments are kept.
        checks_references: whether to look for references that may have been made from outputs.
        paired: whether the first system is the baseline of a test. (Without a name, the baseline is called `Baseline`.)
        stored_baseline: a file of rows with a baseline, which becomes the first system; empty: no such baseline.
        offset: the number of segments before the first one in a larger corpus; `None`: texts get no checksums.
        check: a function that raises an error if metrics and options conflict, before anything is read. (`len` does
            nothing here.)
    """

    jobs: int
    keeps_rows: bool = False
    checks_references: bool = False
    paired: bool = False
    stored_baseline: str = ""
    offset: int | None = None
    check: Callable[[Sequence[Metric[Score]]], object] = len


def scored_corpus(inputs: Inputs, choice: MetricChoice, scoring: Scoring,
                  warned_texts: list[str] | None = None, warned: set[str] | None = None) -> Scored:
    """Score a corpus.

    Args:
        inputs: the inputs.
        choice: the metrics.
        scoring: the settings.
        warned_texts: the warnings so far, which are kept with the text of the corpus; `None`: no text is kept.
        warned: the kinds of warnings about texts that are not issued again.

    Raises:
        OptionError: no segment is selected, or inputs and metrics conflict.
        PurebleuError: a file can't be read, or files differ in length.
    """
    if inputs.left_out:
        warn(f"the baseline {inputs.left_out[0]} is given again as a system, and this repetition is left out")
    metrics = choice.make()
    scoring.check(metrics)
    baseline = None
    if scoring.stored_baseline:
        from .rows import StoredBaseline

        baseline = StoredBaseline(scoring.stored_baseline)
        baseline.check_before(metrics, inputs.signature_fields)
    texts = None if warned_texts is None else CorpusTexts(warned_texts)
    listed = texts.listed if texts else SegmentList() if inputs.has_units or inputs.group else None
    seen: list[Callable[[Block], None]] = [] if texts is None else [texts.see]
    checksums = None
    if scoring.offset is not None or scoring.stored_baseline:
        from ...rows import TextChecksums

        checksums = TextChecksums(scoring.offset or 0)
        seen.append(checksums.see)
    systems = evaluate_systems(inputs, metrics, scoring, seen, listed, warned)
    naming = inputs.naming
    names = inputs.system_names(len(systems))
    scored = Scored(metrics, systems, inputs, choice, shown_names(names, naming, scoring.paired), naming)
    scored.texts, scored.listed, scored.checksums = texts, listed, checksums
    if baseline is not None:
        baseline.put_first_in(scored, [] if checksums is None else checksums.references)
    if inputs.has_units and listed is not None:
        from .units import units_of

        scored.units = units_of(inputs, listed)
    return scored


def scored_from(inputs: Inputs, choice: MetricChoice, scoring: Scoring,
                warned_texts: list[str] | None = None) -> Scored:
    """Score a corpus for a command that compares systems, from texts or from stored rows. Shorten the systems' names.

    The arguments are as for `scored_corpus`.
    """
    if inputs.rows:
        scored = scored_rows(inputs, choice, scoring, paired=True, keeps_order=True)
    else:
        choice.check_unused(warned_texts is not None)
        scored = scored_corpus(inputs, choice, scoring, warned_texts)
    scored.shorten_names()
    return scored


def scored_rows(inputs: Inputs, choice: MetricChoice, scoring: Scoring, *, paired: bool, keeps_order: bool) -> Scored:
    """Score the systems in files of rows.

    Args:
        inputs: the files of rows, the names of the systems, and the files of documents and strata.
        choice: the metrics; if `-m` names none, all metrics that have rows are scored.
        scoring: the settings; only `stored_baseline` and `check` are used.
        paired, keeps_order: as for `stored_systems` in `rows`.
    """
    from .rows import StoredBaseline, names_of_rows, stored_systems
    from .units import stored_units

    metrics, systems, merged = stored_systems(inputs.rows, choice, paired=paired, keeps_order=keeps_order)
    scoring.check(metrics)
    scored = Scored(metrics, systems, inputs, choice, *names_of_rows(inputs, merged))
    if scoring.stored_baseline:
        StoredBaseline(scoring.stored_baseline).put_first_in(scored, merged[0].references_sha256)
    if inputs.has_units:
        scored.units = stored_units(inputs, merged)
    if inputs.examines:
        raise Examined
    return scored


def save_rows(path: str, scored: Scored) -> None:
    """Write the rows of systems and checksums of the texts to a file. Do nothing if `path` is empty."""
    if path:
        from ...rows import write
        from .rows import stored_parts

        write(path, stored_parts(scored))


def evaluate_systems(inputs: Inputs, metrics: Sequence[Metric[Score]], scoring: Scoring,
                     see: Sequence[Callable[[Block], None]] = (), listed: SegmentList | None = None,
                     warned: set[str] | None = None) -> list[System]:
    """Evaluate each system under each metric.

    The corpus and the scores of other programs are read once. Each block is passed to the functions `see`, scored and
    dropped. (If a metric needs weights, the references are also read before scoring.)

    Raises:
        OptionError: no segment is selected.
    """
    if inputs.outside.files and listed is None:
        listed = SegmentList()
    checks = InputChecks(metrics, warned, samples=scoring.checks_references)
    metrics, blocks = weighted_metrics(inputs, metrics, listed, checks)
    computed = [metric for metric in metrics if metric.COUNTS_TEXT]
    fields = inputs.warned_fields()
    scored_blocks = score_blocks(computed, _seen(blocks, see), scoring.keeps_rows, scoring.jobs)
    systems = evaluated_systems(scored_blocks, computed, scoring.keeps_rows, fields)
    for system in systems:
        for metric, evaluation in zip(computed, system.evaluations):
            evaluation.suits_text = checks.texts.suits(metric)
    if listed is not None and len(computed) < len(metrics):
        from .outside import with_outside_scores

        return with_outside_scores(inputs.outside, metrics, systems, listed, scoring.keeps_rows,
                                   fields.get("where", ""))
    return systems


def _seen(blocks: Iterable[Block], see: Sequence[Callable[[Block], None]]) -> Iterator[Block]:
    """Pass each block to the functions `see`, and then yield the block."""
    for block in blocks:
        for function in see:
            function(block)
        yield block


def weighted_metrics(inputs: Inputs, metrics: Sequence[Metric[Score]], listed: SegmentList | None,
                     checks: InputChecks) -> tuple[Sequence[Metric[Score]], Iterable[Block]]:
    """Return the metrics with their weights, and the blocks of the corpus (see `read_blocks`).

    The weights of a metric come from all references, so references are read twice: for the weights, and for scoring. If
    they can be read only once (such as a pipe), the whole corpus is kept in a temporary file.
    """
    blocks: Iterable[Block] = read_blocks(inputs, listed, checks)
    if not any(metric.lacks_weights() for metric in metrics):
        return metrics, blocks
    from ...files.writing import Spool

    spool = None
    if not (inputs.selection or inputs.can_be_read_again(inputs.references)):
        blocks = spool = Spool(blocks)

    def weighted(metric: Metric[Score]) -> Metric[Score]:
        read = _quietly(read_references(inputs)) if spool is None else (references for _, references in spool)
        return metric.with_weights(References(metric, streams) for streams in read)

    return list(map(weighted, metrics)), blocks


def _quietly(blocks: Iterator[Sequence[Sequence[Any]]]) -> Iterator[Sequence[Sequence[Any]]]:
    """Yield blocks of references, but suppress warnings. (Warnings are issued when the references are read again.)"""
    observer().begin("reading references", 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PurebleuWarning)
        for references in blocks:
            observer().advance(len(references[0]))
            yield references


def score_blocks(metrics: Sequence[Metric[Score]], blocks: Iterable[Block], keeps_rows: bool,
                 jobs: int) -> Iterator[list[list[Part]]]:
    """Score blocks (or pieces of blocks) in `jobs` processes. Return the result of `score_block` for each, in order."""
    score = partial(score_block, metrics, keeps_rows)
    if jobs == 1:
        return map(score, blocks)
    from ...runtime.blocks import divided_blocks
    from ...runtime.workers import number_of_workers, spread

    workers = number_of_workers(jobs)
    return spread(score, divided_blocks(blocks, workers), workers, own_process=True)
