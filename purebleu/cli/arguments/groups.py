"""The options of commands, in groups that commands share. Each option is described once."""

from __future__ import annotations

from ...checks.table import CHECKS
from ...metrics import BLEU, FURTHER_MODULES, METRIC_FAMILIES, MODULES, metric_class
from ...runtime.hints import Any, Callable, Mapping, NamedTuple, Seed, Sequence
from ...unicode.properties import NORMAL_FORMS
from .values import (
    check_and_threshold,
    check_needs,
    checks_and_tolerances,
    decimal_places,
    language_pair,
    metric_names,
    name_and_pattern,
    name_and_value,
    not_negative,
    not_negative_float,
    option_name,
    positive,
    resamples,
    score_difference,
    seed_or_none,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    #: The ways in which options take values. `one`: one value. `several`: a list of one or more values. `each`: one
    #: value, but the option may be repeated, and the values become a list. `optional`: one value or none. `switch`: no
    #: value. `positional`: words without an option. `answer`: no value, but a text is printed, as for `--help`.
    Form = Literal["one", "several", "each", "optional", "switch", "positional", "answer"]

# Options and groups


_NO_DEFAULT = object()


class Option:
    """One option of the command line.

    Attributes:
        names: the names of the option, the long name first. The only name of a positional argument is its destination.
        name: the name of the option in errors: the long name; for the references, which have none, a description.
        destination: the name of the attribute of `Values` that has the value of the option.
        form: the way in which the option takes values: see `Form`.
        help: the purpose of the option, in a line or two.
        more: further help; may be empty.
        metavar: the name of the value in help.
        convert: converts a text to a value; `None`: the value is the text.
        choices: the allowed values, if they are few.
        constant: the value if the option is given without a value.
        needs: destinations of options, one of which must also be given. Empty: no other option is needed.
        not_with: destinations of options that conflict with this option.
    """

    def __init__(self, *names: str, help: str, more: str = "", destination: str = "", form: Form = "one",
                 metavar: str | None = None, convert: Callable[[str], object] | None = None,
                 choices: Sequence[str] = (), constant: object = True, needs: Sequence[str] = (),
                 not_with: Sequence[str] = ()) -> None:
        self.names = names
        self.name = "a file of references" if form == "positional" else names[0]
        self.destination = destination or names[0].lstrip("-").replace("-", "_")
        self.form = form
        self.help = help
        self.more = more
        self.metavar = metavar
        self.convert = convert
        self.choices = choices
        self.constant = constant
        self.needs = needs
        self.not_with = not_with


class Group(NamedTuple):
    """Options that belong together.

    Attributes:
        name: the word after `purebleu help` that shows the group.
        title: the heading of the group.
        options: the options of the group, in the order of the help.
        common: the most used options of the group, with their arguments. The help on a command shows them.
    """

    name: str
    title: str
    options: Sequence[Option]
    common: Sequence[str] = ()

    def only(self, *destinations: str) -> Group:
        """Return a group that has only the options with these destinations."""
        return self._replace(options=[option for option in self.options if option.destination in destinations])

    def without(self, *destinations: str) -> Group:
        """Return the group without the options with these destinations."""
        return self._replace(options=[option for option in self.options if option.destination not in destinations])


class Values:
    """The values of options, as attributes named like destinations. The attributes of the class are the defaults."""

    @property
    def named_data(self) -> tuple[Sequence[str], str | None, str | None]:
        """The names of test sets and models, the tokenizer, and the language pair in the values."""
        return getattr(self, "test_set", ()), getattr(self, "bleu_tokenize", None), getattr(self, "langpair", None)

    def given(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, by destination."""
        return {name: value for name, value in vars(self).items()
                if value != getattr(type(self), name, _NO_DEFAULT)}

    def check_uses(self, **uses: tuple[object, str]) -> None:
        """Raise `OptionError` if an option is given, but the condition for the option is not met.

        Each keyword is the destination of an option. Its value is a pair: whether the condition is met, and the
        condition in words.
        """
        given = self.given()
        for name, (is_met, needed) in uses.items():
            check_needs(is_met or name not in given, option_name(name), needed, name)


# Inputs


#: The fields of test sets that can be values of `--strata`.
STRATA_FIELDS = ("domain", "origlang")

#: The end of the field `reseg` in signatures if `--resegment` knows the documents (`--docs`).
OF_DOCUMENTS = "-docs"


class InputValues(Values):
    """The values of the options about inputs."""

    references: list[str] = []
    input: list[str] = []
    num_refs: int = 1
    names: list[str] = []
    ids: str = ""
    source: str = ""
    docs: str = ""
    strata: str = ""
    paragraphs: bool = False
    where: list[str] = []
    group: str = ""
    srt_unit: str = ""
    resegment: str = ""
    save_resegmented: list[str] = []
    normalize: str = ""
    encoding: str = "utf-8"
    reference_encoding: str = ""
    unit: str | None = None
    langpair: str | None = None
    test_set: list[str] = []
    origlang: str | None = None
    subset: str | None = None
    mirror: str | None = None
    offline: bool = False
    rows: list[str] = []
    runs: list[tuple[str, str]] = []
    manifest: str = ""

    #: The contents of the files that the local page sent, by file name; `None` if files are read from disk.
    texts: Mapping[str, str] | None = None
    #: The command line, which a report shows.
    arguments: Sequence[str] = ()
    #: Whether the command stops before it scores, because `purebleu doctor` only checks the inputs.
    examines: bool = False


INPUTS = Group("inputs", "inputs", (
    Option("references", form="positional", metavar="REFERENCE",
           help="a file of references, parallel to the outputs", more="compressed files are decompressed"),
    Option("--input", "-i", form="several", metavar="FILE", help="the outputs of systems (default: standard input)",
           more="one file for each system (on standard input, one column for each system, separated by tabs); "
                "FILE:COLUMN reads a column of JSON Lines, CSV or TSV (out.jsonl:hypothesis), or of WMT's XML "
                "(wmt.xml:hyp:SYSTEM); a pattern with a column ('out/*.jsonl:text') names several files; - reads "
                "standard input, and -:jsonl:COLUMN reads a column of it"),
    Option("--num-refs", "-nr", convert=positive, metavar="N", not_with=("test_set",),
           help="each line of the reference file holds N references, separated by tabs"),
    Option("--names", form="several", metavar="NAME", help="names of the systems, in the order of -i",
           more="-i NAME=FILE also names a system"),
    Option("--docs", metavar="FILE", needs=("resegment", "unit"),
           help="the document id of each segment (a file of lines, or a column); implies --unit doc"),
    Option("--paragraphs", form="switch", not_with=("test_set",),
           help="each paragraph of a text in a column (FILE:COLUMN) is a segment; blank lines separate paragraphs",
           more="each row in a column of --scores may have a list with a score for each paragraph"),
    Option("--where", form="each", metavar="CONDITION", not_with=("num_refs", "resegment"),
           help="keep only rows that meet a condition: COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX",
           more="a row must meet all conditions; a file without the column keeps the same rows as the first file that "
                "has the column (but a file of --scores keeps the rows of its output); with -t, COLUMN is a field of "
                "the test set"),
    Option("--group", metavar="COLUMN",
           not_with=("strata", "detail", "sentence_level", "score_only", "power", "num_refs", "resegment", "report"),
           help="score each group of segments that have the same value in a column (or in a field of a test set), and "
                "all segments together",
           more="resampling keeps the size of each group; with COLUMN~REGEX, the group of a segment is the part of the "
                "value that REGEX (or its first pair of parentheses) matches"),
    Option("--srt-unit", choices=("block", "line"), not_with=("paragraphs",),
           help="read the text of subtitles (.srt, .vtt): each block, or each line of a block, is a segment",
           more="with FILE:seg, a line break counts as a word; with FILE:br, all other words are also masked (TER-br)"),
    Option("--resegment", form="optional", constant="usual", metavar="TOKENS",
           help="align the words of outputs and references, and give outputs the line breaks of the references",
           more="TOKENS says what is aligned: words (default), unpunctuated (words without case and punctuation; "
                "default for subtitles), characters (default for ja and zh), the tokens of a tokenizer, or time (the "
                "times of words in subtitles); with --docs, each line of -i is a document"),
    Option("--save-resegmented", form="several", metavar="FILE", needs=("resegment",),
           help="also write the lines that --resegment makes, to one file for each system"),
    Option("--normalize", choices=NORMAL_FORMS,
           help="convert outputs and references to this normal form of Unicode (default: no conversion)"),
    Option("--encoding", "-e", help="encoding of all input files and of standard input (default: utf-8)"),
    Option("--reference-encoding", metavar="ENCODING",
           needs=("references", "source", "ids", "docs", "strata", "manifest"),
           help="encoding of the references, and of --source, --ids, --docs and --strata (default: that of -e)"),
    Option("--language-pair", "-l", destination="langpair", convert=language_pair, metavar="SRC-TRG",
           help="the language pair, such as en-de", more="the target language selects the default tokenizer"),
), ("REFERENCE ...", "-i FILE ...", "-l SRC-TRG", "--names", "-e ENCODING"))

TEST_SETS = Group("test-sets", "test sets", (
    Option("--test-set", "-t", form="each", metavar="NAME",
           help="score against a test set instead of files of references",
           more="separate the names of several test sets by commas"),
    Option("--origlang", "-ol", metavar="LANG", needs=("test_set",),
           help="score only segments whose original language is LANG",
           more="non-LANG means all languages except LANG"),
    Option("--subset", metavar="REGEX", needs=("test_set",),
           help="score only segments of documents whose domain or tag matches REGEX"),
), ("-t NAME -l SRC-TRG",))

NETWORK = Group("network", "network", (
    Option("--mirror", metavar="URL",
           help="look for archives in this folder or at this address first (with the layout of 'wget -x'; default: "
                "PUREBLEU_MIRROR in the environment)"),
    Option("--offline", form="switch", help="never use the network (default: PUREBLEU_OFFLINE in the environment)"),
), ("--offline", "--mirror URL"))


# Metrics


#: For each metric of a family, the name of the family, which is the prefix of the metric's options.
_PREFIXES = {name: family for family, names in METRIC_FAMILIES.items() for name in names}

#: The prefixes of the destinations of options that configure a metric.
METRIC_PREFIXES = tuple([f"{name.lower()}_" for name in (*MODULES, *FURTHER_MODULES, *METRIC_FAMILIES)])


class MetricValues(Values):
    """The values of the options of metrics. (An option without a default here has the default of the metric.)"""

    metrics: list[str] = []
    signature: str = ""
    scores: list[tuple[str, str]] = []
    scores_lower: list[str] = []
    scores_signature: list[tuple[str, str]] = []
    equal_outputs: str = ""
    bleu_tokenize: str | None = None
    bleu_lowercase: bool = False
    bleu_smooth_method: str = "exp"
    bleu_smooth_value: float | None = None
    bleu_force: bool = False
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


def option_of(metric: str, argument: str) -> str:
    """Return the destination of the option that sets an argument of a metric.

    >>> option_of("rougel", "stemmer"), option_of("wer", "lowercase")
    ('rouge_stemmer', 'bleu_lowercase')
    """
    if argument in metric_class(metric).OPTIONS_OF_BLEU:
        return f"bleu_{argument}"
    if argument in metric_class(metric.upper()).OPTIONS_OF_TER:
        return f"ter_{argument}"
    return f"{_PREFIXES.get(metric, metric)}_{argument}"


METRIC_OPTIONS = Group("metrics", "metrics", (
    Option("--metrics", "-m", form="several", convert=metric_names, metavar="NAME",
           help=f"one or more of {', '.join(map(str.lower, MODULES))} (default: bleu)",
           more=f"further metrics, which sacreBLEU lacks: {', '.join(map(str.lower, FURTHER_MODULES))}, and "
                f"{', '.join(METRIC_FAMILIES)} for all four ROUGE metrics; -lc applies to all further metrics except "
                "ROUGE and SubER; -tok applies to gleu, nist and suber"),
    Option("--rouge-stemmer", form="switch", help="compare stems of English words in ROUGE (by Porter's algorithm)"),
    Option("--rouge-tokenize", choices=("rouge", "unicode"),
           help="tokenizer of ROUGE: rouge keeps only ASCII letters and digits, as rouge_score does; unicode keeps all "
                "scripts, and each ideograph is a word (default: rouge)"),
    Option("--gleu-min-order", convert=positive, metavar="N", help="minimum order of GLEU's n-grams (default: 1)"),
    Option("--gleu-max-order", convert=positive, metavar="N", help="maximum order of GLEU's n-grams (default: 4)"),
), ("-m NAME ...",))

OUTSIDE = Group("scores", "scores of other programs", (
    Option("--scores", form="several", convert=name_and_value, metavar="NAME=FILE", needs=("input", "runs", "manifest"),
           help="also compare scores of another program, such as those of a learned metric",
           more="give a file for each system, in the order of -i, or one file with all systems, or a folder; a file "
                "can have a number on each line, or a system and its score on each line, or a column (FILE:COLUMN of "
                "CSV, TSV or JSON Lines), or it can be the output of comet-score; with --manifest, give NAME=COLUMN: "
                "the column of the manifest has the names of files of scores"),
    Option("--scores-lower", form="several", metavar="NAME", needs=("scores",),
           help="the scores called NAME are better if they are lower"),
    Option("--scores-signature", form="several", convert=name_and_value, metavar="NAME=TEXT", needs=("scores",),
           help="the signature that the other program prints for these scores (default: a checksum of the scores)"),
    Option("--equal-outputs", choices=("tie",), needs=("scores",),
           help="if systems have the same output for a segment, give each system the mean of their --scores",
           more="a program may score the same output differently in another batch or on other hardware"),
), ("--scores NAME=FILE ...",))

BLEU_OPTIONS = Group("bleu", "BLEU", (
    Option("--tokenize", "-tok", destination="bleu_tokenize", metavar="NAME",
           help=f"tokenizer (default: {BLEU.TOKENIZER_DEFAULT}, or the tokenizer for the target language of -l)",
           more=f"one of {', '.join(BLEU.TOKENIZERS)}, or spm:FILE for a SentencePiece model; 13a is for most "
                "languages; zh, ja-mecab and ko-mecab are the defaults for the target languages zh, ja and ko (see "
                "-l); with flores101 or flores200, BLEU is spBLEU; intl separates punctuation of all scripts"),
    Option("--lowercase", "-lc", destination="bleu_lowercase", form="switch", help="compare texts in lower case"),
    Option("--smooth-method", "-s", destination="bleu_smooth_method", choices=tuple(BLEU.SMOOTH_DEFAULTS),
           help="smoothing for n-gram orders without a match: exp counts 1/2 of a match, then 1/4, and so on; floor "
                "counts a fixed fraction of a match; add-k adds to the counts of all orders above 1 (default: exp)"),
    Option("--smooth-value", "-sv", destination="bleu_smooth_value", convert=not_negative_float, metavar="X",
           help=f"number for the smoothing by floor (default: {BLEU.SMOOTH_DEFAULTS['floor']}) or add-k (default: "
                f"{BLEU.SMOOTH_DEFAULTS['add-k']})"),
    Option("--force", destination="bleu_force", form="switch", help="do not warn if the outputs look tokenized"),
), ("-tok NAME", "-lc", "-s METHOD"))

CHRF_OPTIONS = Group("chrf", "chrF", (
    Option("--chrf-char-order", "-cc", convert=not_negative, metavar="N",
           help="maximum order of character n-grams (default: 6)"),
    Option("--chrf-word-order", "-cw", convert=not_negative, metavar="N",
           help="maximum order of word n-grams (default: 0); 2 makes it chrF++"),
    Option("--chrf-beta", convert=not_negative, metavar="N",
           help="weight of recall relative to precision (default: 2)"),
    Option("--chrf-whitespace", form="switch", help="include whitespace in n-grams of characters"),
    Option("--chrf-lowercase", form="switch", help="compare texts in lower case"),
    Option("--chrf-eps-smoothing", form="switch",
           help="score orders that have no n-grams as almost 0, as chrF++.py, NLTK and Moses do (default: skip such "
                "orders)"),
), ("-cw N",))

TER_OPTIONS = Group("ter", "TER", (
    Option("--ter-case-sensitive", form="switch", help="distinguish upper case from lower case"),
    Option("--ter-normalized", form="switch",
           help="separate punctuation from words (as 13a does for BLEU), and decode four HTML entities"),
    Option("--ter-no-punct", form="switch", help="remove punctuation"),
    Option("--ter-asian-support", form="switch",
           help="also apply --ter-normalized (each ideograph becomes a word) and --ter-no-punct to Chinese and "
                "Japanese"),
    Option("--ter-kinds", form="switch",
           help="also print the numbers of insertions, deletions, substitutions, shifts and shifted words",
           more="edits are counted as in Tercom; TER stays the same, but takes longer to compute"),
), ("--ter-case-sensitive", "--ter-normalized"))

#: The groups of metric options.
COMPUTED = (METRIC_OPTIONS, BLEU_OPTIONS, CHRF_OPTIONS, TER_OPTIONS)
#: The same groups, without options that leave scores unchanged.
OF_SCORES = (METRIC_OPTIONS, BLEU_OPTIONS, CHRF_OPTIONS, TER_OPTIONS.without("ter_kinds"))
OPTIONS_OF_METRICS = [option for group in COMPUTED for option in group.options]


# Inputs besides texts


_OF_TEXTS = ("references", "input", "num_refs", "paragraphs", "where", "group", "resegment", "save_resegmented", "ids",
             "srt_unit")
_OF_TEST_SETS = ("test_set", "origlang", "subset")
_OF_SCORES = ("scores", "scores_lower", "scores_signature", "equal_outputs")
_OF_METRICS = [option.destination for option in OPTIONS_OF_METRICS if option.destination != "metrics"]

#: Options that need a single corpus of texts.
_OF_ONE_CORPUS = ("signature", "save_rows", "offset", "sentence_level", "detail", "score_only", "baseline", "fail_on",
                  "report", "audit", "human", "human_systems", "against")

#: Options that need a single language pair. With a manifest, they need `-l`, which chooses the pair.
OF_ONE_PAIR = (*_OF_ONE_CORPUS, "docs", "unit", "strata", "ter_kinds", "source", "ids", "resegment", "save_resegmented",
               "paragraphs", "where", "group", "srt_unit")

STORED = Group("stored", "rows, runs, language pairs", (
    Option("--rows", form="several", metavar="FILE",
           help="read stored rows (from --save-rows) instead of text; the results are the same as for the text",
           more="rows of the same system in several files are joined; -m chooses among the stored metrics",
           not_with=(*_OF_TEXTS, *_OF_TEST_SETS, *_OF_SCORES, *_OF_METRICS, "normalize", "reference_encoding",
                     "langpair", "source", "signature", "save_rows", "offset", "detail", "jobs", "fail_on", "audit",
                     "human", "human_systems", "check_threshold", "runs", "manifest", "cross", "segments")),
    Option("--runs", form="several", convert=name_and_pattern, metavar="NAME=PATTERN",
           help="systems with several runs each, such as runs with different seeds",
           more="PATTERN matches the files of a system, and must be in quotes (A='out.A.*.txt')",
           not_with=(*_OF_ONE_CORPUS[:-1], "input", "names", "ids", "source", "ter_kinds", "manifest", "power",
                     "autorank", "group")),
    Option("--manifest", metavar="FILE", help="read the names of files of many systems and language pairs from a table",
           more="FILE is a table (.tsv, .csv, .jsonl) with the columns name, pair, references (separated by ;) and "
                "hypothesis; paths are relative to the folder of FILE; -l chooses one pair",
           not_with=(*_OF_TEXTS, *_OF_TEST_SETS, *_OF_ONE_CORPUS, "names", "docs", "unit", "strata", "ter_kinds",
                     "source")),
), ("--rows FILE ...", "--runs NAME=PATTERN ...", "--manifest FILE"))


# Resampling


class SamplingValues(Values):
    """The values of the options of resampling."""

    confidence: bool = False
    confidence_n: int = 1000
    seed: Seed = "environment"
    rng: str = "environment"


def resampling(needs: Sequence[str] = ()) -> Group:
    """Return the group of the options of resampling. `needs` applies to each of them (see `Option`)."""
    return Group("sampling", "resampling", (
        Option("--seed", convert=seed_or_none, metavar="N", needs=needs,
               help="seed of the random numbers, or 'none' (default: PUREBLEU_SEED or SACREBLEU_SEED in the "
                    "environment, else 12345)"),
        Option("--rng", choices=("mt19937", "numpy"), needs=needs,
               help="random number generator: mt19937 is Python's, numpy is NumPy's default_rng, which sacreBLEU uses "
                    "(default: PUREBLEU_RNG in the environment, else mt19937)"),
        Option("--unit", choices=("segment", "doc"), needs=needs,
               help="resample and swap single segments, or whole documents of the test set or of --docs (default: "
                    "segment)"),
        Option("--strata", metavar="FILE", needs=needs,
               help="resample within strata; FILE is a file of lines or a column with the stratum of each segment, or, "
                    "for a test set, 'domain' or 'origlang'"),
    ), ("--seed N", "--unit doc", "--strata FILE"))


# Output


class OutputValues(Values):
    """The values of the options about output."""

    format: str = ""
    width: int = 1
    short: bool = False
    label: str = ""
    no_color: bool = False
    jobs: int = 1
    quiet: bool = False


#: The options of output and of processes.
OUTPUT = Group("output", "output", (
    Option("--format", "-f", metavar="NAME", help="the format of the output"),
    Option("--width", "-w", convert=decimal_places, metavar="N", help="number of decimal places (default: 1)"),
    Option("--short", "-sh", form="switch", help="print short signatures (in text)"),
    Option("--jobs", "-j", "--paired-jobs", convert=not_negative, metavar="N", help="score in N processes (default: 1)",
           more="0: one for each processor; N is at most the number of processors (or 2, if there is only one)"),
    Option("--no-color", "-nc", form="switch", help="print no colours in a terminal",
           more="the environment variable NO_COLOR has the same effect"),
), ("-f NAME", "-w N", "-j N"))


#: The options that every command has.
EVERYWHERE = Group("everywhere", "everywhere", (
    Option("--quiet", "-q", form="switch", help="print only errors on standard error: no warnings, no progress"),
    Option("--version", "-V", form="answer", help="print the version"),
    Option("--help", "-h", form="answer", help="print this help"),
), ("-q", "-V", "-h"))


# Parts of a few commands


_USUAL_THRESHOLDS = ", ".join([f"{name}={check.threshold:g}" for name, check in CHECKS.items()])

#: Options that only a few commands have, by destination.
SHARED = {option.destination: option for option in (
    Option("--ids", metavar="FILE", needs=("sentence_level",),
           help="ids of the segments (a file of lines, or a column)"),
    Option("--source", metavar="FILE",
           help="source text of the outputs (a file of lines, or a column; default: the source of a test set)"),
    Option("--signature", metavar="TEXT",
           help="take the options from a published signature, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'",
           more="the signature sets the metric, its options, the test set and the resampling; a warning lists fields "
                "that differ in the result"),
    Option("--confidence", "-ci", form="switch", help="95% confidence intervals by bootstrap resampling"),
    Option("--confidence-n", "-cin", convert=resamples, metavar="N",
           help="number of bootstrap resamples for intervals (default: 1000)"),
    Option("--against", metavar="NAME",
           help="test each system against the system with this name or file (default: test all pairs, and print "
                "ranges of ranks)"),
    Option("--power", convert=score_difference, metavar="D",
           help="print the power of the test for a true difference of D (default: 1), and how many segments are "
                "needed to find this difference"),
    Option("--no-power", form="switch", not_with=("power",), help="do not print the power of the test set"),
    Option("--no-worth", form="switch", help="do not print how often people prefer the system with the better score"),
    Option("--autorank", form="switch", needs=("manifest",),
           help="with --manifest: also print AutoRank, which combines all metrics, as in WMT25"),
    Option("--label", metavar="NAME", help="with -f paper: the label of the table (default: tab:purebleu)"),
    Option("--save-rows", metavar="FILE",
           help="also write statistics of segments, but no text, to a file (compressed if its name ends in .gz)"),
    Option("--fail-on", form="each", convert=checks_and_tolerances, metavar="CHECKS",
           help="fail (exit code 3) if one of these checks (separated by commas) finds a line; CHECK=N tolerates N "
                "lines, and CHECK=X% tolerates X % of the lines",
           more=f"the checks are {', '.join(CHECKS)}"),
    Option("--check-threshold", form="each", convert=check_and_threshold, metavar="NAME=X",
           help="set the threshold of the check NAME to X", more=f"usual thresholds: {_USUAL_THRESHOLDS}"),
    Option("--junit", metavar="FILE", needs=("fail_on", "min", "max", "baseline"),
           help="also write the verdicts of the gates to a file, as JUnit XML"),
    Option("--nonbreaking-prefixes", metavar="FILE", needs=("audit",),
           help="Moses' file of abbreviations for the target language (default: a built-in list for English and "
                "German, none for others)"),
    Option("--counts", metavar="FILE", needs=("audit",),
           help="a file in which each line has a word, a tab and its count (default: counts in the references)",
           more="a word with a count below 2 is treated as unknown"),
)}


def input_groups(*kinds: str) -> tuple[Group, ...]:
    """Return the option groups of a command that reads a corpus.

    `kinds` has the destinations of the options of `STORED` that the command takes, and `group` if it takes `--group`.
    """
    inputs = INPUTS if "group" in kinds else INPUTS.without("group")
    return (inputs, TEST_SETS, STORED.only(*kinds), NETWORK)


def corpus_groups(*kinds: str) -> tuple[Group, ...]:
    """Return the option groups of a command that scores a corpus. `kinds` is as for `input_groups`."""
    return (*input_groups(*kinds), *COMPUTED, OUTSIDE)


#: The names of the options of sacreBLEU 2.6.0.
SACREBLEU_NAMES = (
    "--citation", "--cite", "--list", "--test-set", "-t", "--language-pair", "-l", "--origlang", "-ol", "--subset",
    "--download", "--echo", "--input", "-i", "--num-refs", "-nr", "--encoding", "-e", "--metrics", "-m",
    "--sentence-level", "-sl", "--smooth-method", "-s", "--smooth-value", "-sv", "--tokenize", "-tok", "--lowercase",
    "-lc", "--force", "--chrf-char-order", "-cc", "--chrf-word-order", "-cw", "--chrf-beta", "--chrf-whitespace",
    "--chrf-lowercase", "--chrf-eps-smoothing", "--ter-case-sensitive", "--ter-asian-support", "--ter-no-punct",
    "--ter-normalized", "--confidence", "-ci", "--confidence-n", "-cin", "--paired-ar", "-par", "--paired-bs", "-pbs",
    "--paired-ar-n", "-parn", "--paired-bs-n", "-pbsn", "--paired-jobs", "-j", "--quiet", "-q", "--short", "-sh",
    "--score-only", "-b", "--width", "-w", "--detail", "-d", "--no-color", "-nc", "--format", "-f", "--version", "-V",
    "--help", "-h",
)

#: The destinations of metric options that sacreBLEU has, too. sacreBLEU ignores the options of unused metrics.
SACREBLEU_METRIC_OPTIONS = [option.destination for option in OPTIONS_OF_METRICS if option.names[0] in SACREBLEU_NAMES]
