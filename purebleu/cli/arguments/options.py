"""The options of a run as one value, with a type for each."""

from __future__ import annotations

from ...metrics import METRIC_FAMILIES, metric_class
from .values import MAX_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ...engines.resampling.streams import Seed
    from ...report.style import Style
    from ...significance.gates import Gate
    from ..scoring.selection import Selection

#: The prefix of the options of each metric that shares them with its family.
_PREFIXES = {name: family for family, names in METRIC_FAMILIES.items() for name in names}

_NO_DEFAULT = object()

#: The fields of test sets that `--strata` takes.
STRATA_FIELDS = ("domain", "origlang")


class Options:
    """The options of the command line, and the values that follow from them.

    Each option in `table.OPTIONS` has an attribute, by its destination, whose value here is the default. (Some options
    of metrics have none: their defaults are the metric's own.) Modes derive further attributes.
    """

    # Input
    references: list[str] = []
    input: list[str] = []
    num_refs: int = 1
    names: list[str] = []
    runs: list[str] = []
    ids: str = ""
    manifest: str = ""
    paragraphs: bool = False
    resegment: str = ""
    save_resegmented: list[str] = []
    normalize: str = ""
    equal_outputs: str = ""
    encoding: str = "utf-8"
    reference_encoding: str = ""
    langpair: str | None = None

    # Test sets
    test_set: list[str] = []
    origlang: str | None = None
    subset: str | None = None
    listing: bool = False
    echo: list[str] = []
    citation: bool = False
    download: list[str] = []
    bundle: list[str] = []
    with_program: bool = False
    unbundle: str = ""
    sha256: str | None = None
    mirror: str | None = None
    offline: bool = False

    # Stored rows
    save_rows: str = ""
    offset: int = 0
    rows: list[str] = []

    # Metrics
    metrics: list[str] = []
    signature: str = ""
    scores: list[tuple[str, str]] = []
    scores_lower: list[str] = []
    scores_signature: list[tuple[str, str]] = []
    sentence_level: bool = False
    mbr: bool = False
    bleu_tokenize: str | None = None
    bleu_lowercase: bool = False
    bleu_smooth_method: str = "exp"
    bleu_smooth_value: float | None = None
    bleu_force: bool = False
    audit: bool = False
    nonbreaking_prefixes: str | None = None
    counts: str | None = None
    rouge_stemmer: bool = False
    rouge_tokenize: str = "rouge"
    chrf_whitespace: bool = False
    chrf_lowercase: bool = False
    chrf_eps_smoothing: bool = False
    ter_case_sensitive: bool = False
    ter_normalized: bool = False
    ter_no_punct: bool = False
    ter_asian_support: bool = False
    ter_kinds: bool = False

    # Intervals and tests
    confidence: bool = False
    confidence_n: int = 1000
    test: str | None = None
    rank: bool = False
    holm: bool = False
    exact: bool = False
    worth: bool = False
    power: float | None = None
    unit: str | None = None
    docs: str = ""
    strata: str = ""
    paired_bs_n: int = 1000
    paired_ar_n: int = 10_000
    seed: Seed = "environment"
    rng: str = "environment"

    # Gates
    fail_under: list[tuple[str, float]] = []
    fail_over: list[tuple[str, float]] = []
    baseline: str = ""
    must_not_lose: float | None = None
    margin: float | None = None
    junit: str = ""

    # Checks
    check: bool = False
    check_threshold: list[tuple[str, float]] = []
    fail_on: list[str] = []

    # Agreement with people
    agreement: list[str] = []
    agreement_systems: str = ""
    agreement_lower: bool = False
    measures: list[str] = []
    trials: int = 1000
    select: int | None = None
    autorank: bool = False

    # Views and alignments
    buckets: list[str] = []
    worst: int | None = None
    best: int | None = None
    compare: int | None = None
    cross: bool = False
    lengths: bool = False
    alignments: str = ""
    show_alignments: int | None = None
    confusions: int | None = None

    # Speed and output
    jobs: int = 1
    format: str = ""
    report: str = ""
    source: str = ""
    report_segments: int = MAX_NUMBER
    report_title: str = ""
    paths: bool = False
    serve: bool = False
    port: int = 0
    public_port: int = 0
    open: bool = False
    memory: int = 2048
    detail: bool = False
    score_only: bool = False
    width: int = 1
    short: bool = False
    quiet: bool = False
    no_color: bool = False
    doctor: str | None = None

    # Derived from the options above
    #: Warnings about options that have no effect (and that sacreBLEU ignores, too).
    notes: list[str] = []
    mode: str = "score"
    #: The arguments of the process, for the report.
    arguments: Sequence[str] = ()
    #: Texts in place of files, by the files' names; `None`: files are read.
    texts: Mapping[str, str] | None = None
    selection: Selection | None = None
    metrics_as_given: list[str] = []
    #: The files of the runs of each system, by its name.
    run_files: list[tuple[str, list[str]]] = []
    #: Whether the last stream of `input` may hold several systems, as columns.
    splits_last_input: bool = False
    #: Systems that are left out, since they are the baseline.
    left_out: list[str] = []
    #: The number of trials or resamples of the test; 0 where the options do not give it.
    samples: int = 0
    gates: list[Gate] = []
    #: Whether the baseline is a file of rows.
    stored_baseline: bool = False
    #: Whether views are printed instead of scores.
    views: bool = False
    color: bool = False
    #: The width of the terminal; `None` where standard output is not one.
    columns: int | None = None

    @property
    def style(self) -> Style:
        """The style of the output."""
        from ...report.style import Style

        return Style(self.format, self.width, self.short, self.color, self.columns)

    def style_in(self, form: str) -> Style:
        """The style of the output in the format `form`, for answers in several formats."""
        return self.style if form == self.format else self.style.in_format(form)

    @property
    def chosen(self) -> Selection:
        """The selection, in modes that always have one."""
        assert self.selection is not None
        return self.selection

    @property
    def outside(self) -> list[str]:
        """The names of the scores that come from outside."""
        return list(dict.fromkeys([name for name, _ in self.scores]))

    @property
    def outside_metrics(self) -> list[str]:
        """The names of the scores from outside in lower case, as `metrics` has them."""
        return list(map(str.lower, self.outside))

    @property
    def human_files(self) -> list[str]:
        """The files of human scores, of segments and of systems."""
        return [*self.agreement, *([self.agreement_systems] if self.agreement_systems else [])]

    @property
    def score_files(self) -> list[str]:
        """The files of the scores that come from outside. (With a manifest, they are named there.)"""
        return [] if self.manifest and not self.input else [file for _, file in self.scores]

    @property
    def text_metrics(self) -> list[str]:
        """The metrics that are computed, by their registered names: all but those whose scores come from outside."""
        outside = self.outside_metrics
        return [name for name in self.metrics if name not in outside]

    @property
    def has_gates(self) -> bool:
        """Whether a run may fail by its findings: by scores, or by checks."""
        return bool(self.gates or self.fail_on)

    @property
    def by_documents(self) -> bool:
        """Whether documents are resampled instead of segments."""
        return self.unit == "doc" or bool(self.docs)

    @property
    def has_units(self) -> bool:
        """Whether the options ask for units of resampling: documents or strata."""
        return self.by_documents or bool(self.strata)

    @property
    def strata_file(self) -> str:
        """The file of strata; empty where these are a field of the test set."""
        return "" if self.strata in STRATA_FIELDS and self.test_set else self.strata

    @property
    def files_beside(self) -> list[str]:
        """The files of the ids, the sources, the documents and the strata of segments."""
        return [name for name in (self.ids, self.source, self.docs, self.strata_file) if name]

    def encodings_of(self, inputs: int, others: int) -> list[str]:
        """The encodings of this many files of hypotheses, and of this many others (references, sources, ...)."""
        return [self.encoding] * inputs + [self.reference_encoding or self.encoding] * others

    def samples_of(self, test: str | None) -> int:
        """The number of resamples or trials of a test; 0 where the options do not give it."""
        given = vars(self)
        return int(given.get("paired_bs_n" if test == "bs" else "paired_ar_n", 0)) if test else 0

    def replace(self, **changes: object) -> Options:
        """The options with other values of some of them."""
        changed = Options()
        vars(changed).update({**vars(self), **changes})
        return changed

    def given(self) -> dict[str, Any]:
        """The options that have another value than their default, by their destinations."""
        return {name: value for name, value in vars(self).items() if value != getattr(Options, name, _NO_DEFAULT)}


def option_of(metric: str, argument: str) -> str:
    """The destination of the option that sets an argument of a metric.

    >>> option_of("rougel", "stemmer"), option_of("wer", "lowercase")
    ('rouge_stemmer', 'bleu_lowercase')
    """
    if argument in metric_class(metric.upper()).OPTIONS_OF_BLEU:
        return f"bleu_{argument}"
    return f"{_PREFIXES.get(metric, metric)}_{argument}"
