"""The options that say what is computed: metrics, how each is computed, and scores of other programs."""

from __future__ import annotations

from ...errors import LeftOutError
from ...metrics import BLEU, FURTHER_MODULES, METRIC_FAMILIES, MODULES, metric_class
from .option import SEVERAL, SWITCH, Group, Option, Values
from .values import metric_names, name_and_file, name_and_signature, not_negative, not_negative_number, positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: The prefix of the options of each metric that shares them with its family.
_PREFIXES = {name: family for family, names in METRIC_FAMILIES.items() for name in names}

#: The prefixes of the destinations of options that say how a metric is computed.
METRIC_PREFIXES = tuple([f"{name.lower()}_" for name in (*MODULES, *FURTHER_MODULES, *METRIC_FAMILIES)])


class MetricValues(Values):
    """The values of these options. (Some options of metrics have no default here: theirs are the metric's own.)"""

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
    """The destination of the option that sets an argument of a metric.

    >>> option_of("rougel", "stemmer"), option_of("wer", "lowercase")
    ('rouge_stemmer', 'bleu_lowercase')
    """
    if argument in metric_class(metric.upper()).OPTIONS_OF_BLEU:
        return f"bleu_{argument}"
    return f"{_PREFIXES.get(metric, metric)}_{argument}"


def unused_options(values: MetricValues, metrics: Sequence[str], counts_tokens: bool = False) -> list[str]:
    """The destinations of the options that are given, and are of metrics that are not scored.

    Args:
        values: the values of the options.
        metrics: the names of the metrics that are scored.
        counts_tokens: whether tokens of BLEU are counted even if BLEU is not scored.
    """
    unused: list[str] = []
    for name in [name for name in values.given() if name.startswith(METRIC_PREFIXES)]:
        argument = name.partition("_")[2]
        try:
            is_used = any(option_of(metric, argument) == name for metric in metrics)
        except LeftOutError:
            return []  # (making the metric will raise an error)
        if not is_used and not (counts_tokens and name in ("bleu_tokenize", "bleu_lowercase")):
            unused.append(name)
    return unused


METRICS = Group("metrics", "metrics", (
    Option("--metrics", "-m", form=SEVERAL, convert=metric_names, metavar="NAME",
           help=f"one or more of {', '.join(map(str.lower, MODULES))} (default: bleu)",
           more=f"also {', '.join([*map(str.lower, FURTHER_MODULES), *METRIC_FAMILIES])} (all of that family), "
                "which sacreBLEU lacks; -lc is for these, too (but not for rouge), and -tok for gleu and nist"),
    Option("--rouge-stemmer", form=SWITCH,
           help="ROUGE compares stems of English words (Porter)"),
    Option("--rouge-tokenize", choices=("rouge", "unicode"),
           help="the words of ROUGE: of ASCII letters and digits, as rouge_score has them, or of any script, each "
                "ideograph being a word (default: rouge)"),
    Option("--gleu-min-order", convert=positive, metavar="N",
           help="minimum order of GLEU's n-grams (default: 1)"),
    Option("--gleu-max-order", convert=positive, metavar="N",
           help="maximum order of GLEU's n-grams (default: 4)"),
), ("-m NAME ...",))

SIGNATURE = Option("--signature", metavar="TEXT",
                   help="score as a published signature says, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'",
                   more="it sets the metric, its options, test set and resampling; differences are reported")

OUTSIDE = Group("scores", "scores of other programs", (
    Option("--scores", form=SEVERAL, convert=name_and_file, metavar="NAME=FILE",
           needs=("input", "runs", "manifest"),
           help="compare scores of another program, too: of a learned metric, say",
           more="a file for each system, in the order of -i, or one with all systems, or a folder: a number a line, "
                "FILE:COLUMN of CSV, TSV or JSON Lines, what comet-score prints (or its --to_json), or lines "
                "SYSTEM SCORE; with --manifest, NAME=COLUMN is the column that names these files"),
    Option("--scores-lower", form=SEVERAL, metavar="NAME", needs=("scores",),
           help="lower scores of this name are better"),
    Option("--scores-signature", form=SEVERAL, convert=name_and_signature, metavar="NAME=TEXT", needs=("scores",),
           help="the signature of the scores of this name, as their program prints it (default: a checksum)"),
    Option("--equal-outputs", choices=("tie",), needs=("scores",),
           help="give systems with the same output for a segment the mean of its --scores",
           more="a program on other hardware, or in other batches, may score the same output differently"),
), ("--scores NAME=FILE ...",))

BLEU_OPTIONS = Group("bleu", "BLEU", (
    Option("--tokenize", "-tok", destination="bleu_tokenize", metavar="NAME",
           help=f"a tokenizer (default: {BLEU.TOKENIZER_DEFAULT}, or that for -l)",
           more=f"one of {', '.join(BLEU.TOKENIZERS)}, or spm:FILE for a SentencePiece model; 13a is the standard "
                "for most languages, zh, ja-mecab and ko-mecab are the defaults for the target languages zh, ja "
                "and ko (see -l), flores101 and flores200 make it spBLEU, intl separates punctuation of all "
                "scripts"),
    Option("--lowercase", "-lc", destination="bleu_lowercase", form=SWITCH,
           help="compare in lower case"),
    Option("--smooth-method", "-s", destination="bleu_smooth_method", choices=tuple(BLEU.SMOOTH_DEFAULTS),
           help="for n-gram orders without a match: exp halves the precision from order to order, floor counts a "
                "fraction of a match, add-k adds to all counts above order 1 (default: exp)"),
    Option("--smooth-value", "-sv", destination="bleu_smooth_value", convert=not_negative_number, metavar="X",
           help=f"for floor (default: {BLEU.SMOOTH_DEFAULTS['floor']}) and add-k (default: "
                f"{BLEU.SMOOTH_DEFAULTS['add-k']})"),
    Option("--force", destination="bleu_force", form=SWITCH,
           help="no warning if the hypotheses look tokenized"),
), ("-tok NAME", "-lc", "-s METHOD"))

CHRF_OPTIONS = Group("chrf", "chrF", (
    Option("--chrf-char-order", "-cc", convert=not_negative, metavar="N",
           help="maximum order of character n-grams (default: 6)"),
    Option("--chrf-word-order", "-cw", convert=not_negative, metavar="N",
           help="maximum order of word n-grams (default: 0), 2 makes it chrF++"),
    Option("--chrf-beta", convert=not_negative, metavar="N",
           help="weight of recall relative to precision (default: 2)"),
    Option("--chrf-whitespace", form=SWITCH,
           help="n-grams of characters include whitespace"),
    Option("--chrf-lowercase", form=SWITCH,
           help="compare in lower case"),
    Option("--chrf-eps-smoothing", form=SWITCH,
           help="orders without n-grams count almost nothing, as in chrF++.py, NLTK and Moses, instead of being "
                "left out"),
), ("-cw N",))

TER_OPTIONS = Group("ter", "TER", (
    Option("--ter-case-sensitive", form=SWITCH,
           help="words differ by case, too"),
    Option("--ter-normalized", form=SWITCH,
           help="separate punctuation from words (as 13a does for BLEU), and resolve four entities"),
    Option("--ter-no-punct", form=SWITCH,
           help="remove punctuation"),
    Option("--ter-asian-support", form=SWITCH,
           help="with the former two: for Chinese and Japanese, too, each ideograph being a word"),
    Option("--ter-kinds", form=SWITCH,
           help="tell the kinds of edits, too",
           more="insertions, deletions, substitutions, shifts and words shifted, as Tercom counts them; the score is "
                "the same, but takes longer"),
), ("--ter-normalized",))

#: The groups of options that say how metrics are computed.
COMPUTED = (METRICS, BLEU_OPTIONS, CHRF_OPTIONS, TER_OPTIONS)
