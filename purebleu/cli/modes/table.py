"""The modes of the command line: for each, the options that ask for it, the options that go with it, its formats."""

from __future__ import annotations

from ...errors import LeftOutError, OptionError
from ...metrics import FURTHER_MODULES, METRIC_FAMILIES, MODULES
from ...report import DELIMITED_FORMATS, FORMATS, GITHUB, PAPER, SIGNED_JSON
from ..arguments.options import option_of
from ..arguments.table import GROUPS, OPTIONS, name_as_given, name_of, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from ..arguments.options import Options


class Mode:
    """A mode of the command line.

    Attributes:
        name: the value of `Options.mode`.
        asked_by: destinations of the options that ask for it; empty for scores of whole files, the default mode.
        takes: destinations of all options that go with it.
        formats: its values of `--format`, the default first; empty where `--format` does not go with it.
    """

    def __init__(self, name: str, asked_by: Sequence[str], takes: Iterable[str], formats: Sequence[str] = ()) -> None:
        self.name = name
        self.asked_by = asked_by
        self.formats: Sequence[str] = formats
        self.takes = {*asked_by, *takes, *_EVERYWHERE, *(("format",) if formats else ())}

    @property
    def called(self) -> str:
        """Its name in errors."""
        if self.name == "views" or not self.asked_by:
            return self.name if self.asked_by else "scores of whole files"
        return name_of(self.asked_by[0])


#: Options that go with every mode, also where they change nothing.
_EVERYWHERE = ("quiet", "no_color", "offline", "doctor", "version", "help")

#: The prefixes of options that say how a metric is computed.
_METRIC_PREFIXES = tuple([f"{name.lower()}_" for name in (*MODULES, *FURTHER_MODULES, *METRIC_FAMILIES)])

#: Those options of metrics that sacreBLEU has, too; where they have no effect, it ignores them.
_SACREBLEU_OPTIONS = ("bleu_tokenize", "bleu_lowercase", "bleu_smooth_method", "bleu_smooth_value", "bleu_force",
                 *[option.destination for group in GROUPS if group.name in ("chrf", "ter") for option in group.options
                   if option.destination != "ter_kinds"])

#: Options that sacreBLEU takes in a mode, and ignores; there is a note on each.
_IGNORED_BY_SACREBLEU: dict[str, Sequence[str]] = {"sentences": ("detail",), **dict.fromkeys(
    ("download", "list", "citation", "echo"),
    ("metrics", *_SACREBLEU_OPTIONS, "num_refs", "encoding", "confidence", "confidence_n", "paired_bs_n", "paired_ar_n",
     "detail", "score_only", "width", "short"))}

_METRICS = ("metrics", *[name for name in OPTIONS if name.startswith(_METRIC_PREFIXES)])
#: (Kinds of edits are no part of a score that is printed as a number.)
_METRICS_OF_NUMBERS = tuple([name for name in _METRICS if name != "ter_kinds"])
_SCORES = ("scores", "scores_lower", "scores_signature", "equal_outputs")
_TEXTS = ("references", "input", "num_refs", "names", "encoding", "reference_encoding", "paragraphs", "resegment",
          "save_resegmented", "langpair", "test_set", "origlang", "subset", "mirror")
_CORPUS = (*_TEXTS, "normalize", "jobs", "signature", *_METRICS)
_CORPUS_OF_NUMBERS = [name for name in _CORPUS if name not in ("signature", "ter_kinds")]
_INTERVALS = ("confidence", "confidence_n", "seed", "rng")
_UNITS = ("unit", "docs", "strata")
_TESTING = ("test", "rank", "holm", "exact", "worth", "power", "paired_bs_n", "paired_ar_n", *_UNITS, *_INTERVALS)
_GATES = [option.destination for group in GROUPS if group.name == "gates" for option in group.options]
_AUDIT = ("audit", "nonbreaking_prefixes", "counts")
_AGREEMENT = ("agreement", "agreement_systems", "agreement_lower", "measures", "trials")
_REPORT = ("report", "report_segments", "report_title", "paths", "check", *_AUDIT)
_VIEWS_OF_ROWS = ("buckets", "worst", "best", "compare", "lengths", "cross")
_VIEWS = (*_VIEWS_OF_ROWS, "show_alignments", "confusions")
_BESIDE = ("save_rows", "offset", "alignments", "ids", "source", *_REPORT, *_AGREEMENT)
_CHECKS = ("fail_on", "check_threshold")

_TABLES = ("json", *[form for form in FORMATS if form not in ("json", GITHUB)])
_LINES = ("text", "json", *DELIMITED_FORMATS)

#: Scores of whole files, the mode where no option asks for another one.
SCORE = Mode("score", (), (*_CORPUS, *_SCORES, *_TESTING, *_GATES, *_CHECKS, *_BESIDE, "detail", "score_only", "width",
                          "short"), ("json", *[form for form in FORMATS if form != "json"]))

#: All modes. Where options ask for several, the first one counts, and refuses the options of the others.
MODES = (
    Mode("serve", ("serve",), ("port", "public_port", "open", "memory")),
    Mode("download", ("download",), ("langpair", "mirror")),
    Mode("bundle", ("bundle",), ("test_set", "langpair", "bleu_tokenize", "with_program", "mirror")),
    Mode("unbundle", ("unbundle",), ("sha256",)),
    Mode("list", ("listing",), ("test_set", "langpair", "rows")),
    Mode("rows", ("rows",), ("metrics", "names", "report", "report_title", "paths", *_TESTING, *_GATES, *_VIEWS_OF_ROWS,
                             "score_only", "width", "short"), SCORE.formats),
    Mode("citation", ("citation",), ("test_set",)),
    Mode("echo", ("echo",), ("test_set", "langpair", "origlang", "subset", "mirror")),
    Mode("manifest", ("manifest",), ("autorank", "jobs", "normalize", "encoding", "reference_encoding", "mirror",
                                     "width", "short", *_METRICS_OF_NUMBERS, *_SCORES, *_TESTING, *_REPORT), _TABLES),
    Mode("runs", ("runs",), (*[name for name in _CORPUS_OF_NUMBERS if name not in ("input", "names")], *_SCORES,
                             *_INTERVALS, *_UNITS, "holm", "exact", "paired_ar_n", "width", "short", "report",
                             "report_title", "paths"), _TABLES),
    Mode("mbr", ("mbr",), ("references", "input", "encoding", "reference_encoding", "langpair", "mirror", "jobs",
                           "sentence_level", "width", *_METRICS_OF_NUMBERS), _LINES),
    Mode("audit", ("audit",), (*_CORPUS_OF_NUMBERS, *_AUDIT, "width", "short"),
         ("text", *[form for form in _TABLES if form not in ("text", PAPER)])),
    Mode("check", ("check",), (*_TEXTS, *_CHECKS, "source", "junit"),
         ("text", *[form for form in FORMATS if form not in ("text", SIGNED_JSON, PAPER)])),
    Mode("select", ("select",), ("input", "names", "encoding", "reference_encoding", "langpair", "test_set", "origlang",
                                 "subset", "mirror", "ids", "source", "width", *_METRICS_OF_NUMBERS), _LINES),
    Mode("agreement", ("agreement", "agreement_systems"),
         (*_CORPUS_OF_NUMBERS, *_SCORES, *_AGREEMENT, "seed", "rng", "width", "short"),
         ("text", *[form for form in _TABLES if form not in ("text", PAPER, SIGNED_JSON)])),
    Mode("sentences", ("sentence_level",), (*_CORPUS, "ids", "score_only", "width", "short"), _LINES),
    Mode("views", _VIEWS, (*_CORPUS, *_SCORES, *_INTERVALS, *_BESIDE, "width"), ("text", *FORMATS)),
    SCORE,
)


#: Options that ask for a mode of their own, or, with `--report`, for a part of the report.
_PARTS_OF_REPORTS = ("audit", "check", "agreement", "agreement_systems")


def mode_of(options: Options) -> Mode:
    """The mode that options ask for."""
    given = {*options.given()}
    if "report" in given:
        given -= {*_PARTS_OF_REPORTS}
    return next(mode for mode in MODES if not mode.asked_by or any(name in given for name in mode.asked_by))


def shows_views(options: Options) -> bool:
    """Whether the options ask for views instead of scores."""
    given = options.given()
    return any(name in given for name in _VIEWS)


def check(options: Options, mode: Mode) -> list[str]:
    """A note on each option that has no effect in a mode, if sacreBLEU takes it there and ignores it.

    Raises:
        OptionError: another option would have no effect.
    """
    given = options.given()
    if mode.name == "rows" and shows_views(options):
        [views] = [other for other in MODES if other.name == "views"]
        for name in given:
            if name in mode.takes and name not in {*views.takes, "rows"}:
                raise OptionError(_refusal(name, name_as_given(name, given[name]), views), option=name)
    notes: list[str] = []
    for name in [name for name in OPTIONS if name in given]:
        if name not in mode.takes:
            if name not in _IGNORED_BY_SACREBLEU.get(mode.name, ()):
                raise OptionError(_refusal(name, name_as_given(name, given[name]), mode), option=name)
            notes.append(f"{name_as_given(name, given[name])} counts for nothing beside {mode.called}")
        needed = OPTIONS[name].needs
        if name in _PARTS_OF_REPORTS and name not in mode.asked_by and "report" not in given:
            raise OptionError(f"{name_of(name)} and {mode.called} exclude each other", option=name)
        if needed and not any(other in given for other in needed):
            options_needed = [called for other in needed for called in names_of(other)]
            raise OptionError(f"{name_of(name)} goes with {_one_of(options_needed)}", option=name)
    return notes


def _refusal(name: str, called: str, mode: Mode) -> str:
    """The message about an option that does not go with a mode: it asks for another mode, or goes with others."""
    if any(name in other.asked_by for other in MODES):
        return f"{called} and {mode.called} exclude each other"
    takers = [other.called for other in MODES if name in other.takes]
    if len(takers) > 3:
        return f"{called} does not go with {mode.called}"
    return f"{called} goes with {_one_of(takers)}{'' if mode is SCORE else f', not with {mode.called}'}"


def check_options_of_metrics(options: Options, metrics: Sequence[str], counts_tokens: bool) -> list[str]:
    """A note on each option of a metric that is not scored, if sacreBLEU has that option and ignores it.

    Args:
        options: the options as they were given.
        metrics: the names of the metrics that are scored.
        counts_tokens: whether tokens of BLEU are counted even if BLEU is not scored.

    Raises:
        OptionError: another option belongs to a metric that is not scored.
    """
    notes: list[str] = []
    for name in [name for name in options.given() if name.startswith(_METRIC_PREFIXES) and name in OPTIONS]:
        family, _, argument = name.partition("_")
        try:
            counts = any(option_of(metric, argument) == name for metric in metrics)
        except LeftOutError:
            return []  # (making the metric will raise an error)
        if counts or (counts_tokens and name in ("bleu_tokenize", "bleu_lowercase")):
            continue
        if name not in _SACREBLEU_OPTIONS:
            raise OptionError(f"{name_of(name)} is for {family}, which is not scored: choose that with -m", option=name)
        notes.append(f"{name_of(name)} is for {family}, which is not scored, and counts for nothing")
    return notes


def _one_of(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
