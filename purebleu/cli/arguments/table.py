"""The options of the command line: each is described here, once, for the parser, the help, the local page and Spark."""

from __future__ import annotations

from ...checks.table import CHECKS
from ...metrics import BLEU, FURTHER_MODULES, METRIC_FAMILIES, MODULES
from ...report import FORMATS
from ...unicode.normal_forms import NORMAL_FORMS
from .options import Options
from .values import (
    MAX_NUMBER,
    check_and_threshold,
    check_names,
    decimal_places,
    language_pair,
    measure_name,
    metric_and_limit,
    metric_names,
    name_and_file,
    name_and_signature,
    not_negative,
    not_negative_number,
    port,
    positive,
    probability,
    resamples,
    score_difference,
    seed_or_none,
    sha256_sum,
    unmarked,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Sequence

#: Forms of options: one value; a list of values (repeated lists add up); one value of a list (repeated ones add up); an
#: optional value; no value; files without an option's name; and an answer, as of `--help`, which ends the parsing.
ONE, SEVERAL, EACH, OPTIONAL, SWITCH, POSITIONAL, ANSWER = (
    "one", "several", "each", "optional", "switch", "positional", "answer")

#: The values of `--buckets`: properties of segments and of words (`analysis.bucket_scores`).
BUCKET_KINDS = ("length", "score", "frequency", "document", "origlang", "domain")

#: Options that resample; and options that use the units of resampling.
_SAMPLING = ("confidence", "test", "rank", "runs", "report", "must_not_lose", "margin", "worth", "power")
_RESAMPLING = (*_SAMPLING, "save_rows")


class Option:
    """One option of the command line.

    Attributes:
        names: the long one first; for the references, which are given without a name, that of their attribute.
        destination: the name of the attribute of `Options` that has its value.
        form: one of `ONE`, `SEVERAL`, ...
        help: its purpose, in a line or two.
        more: further help; may be empty.
        metavar: the name of the value in help; where there are two values, both names.
        convert: from a text to a value; `None`: the text itself.
        choices: the values that it takes, where they are few.
        constant: the value of an option that is given without one.
        needs: destinations of options, at least one of which must be given, too; empty: none is needed.
    """

    def __init__(self, *names: str, help: str, more: str = "", destination: str = "", form: str = ONE,
                 metavar: str | tuple[str, str] | None = None, convert: Callable[[str], object] | None = None,
                 choices: Sequence[str] = (), constant: object = True, needs: Sequence[str] = ()) -> None:
        self.names = names
        self.destination = destination or names[0].lstrip("-").replace("-", "_")
        self.form = form
        self.help = help
        self.more = more
        self.metavar = metavar
        self.convert = convert
        self.choices = choices
        self.constant = constant
        self.needs = needs


class Group:
    """Options that belong together.

    Attributes:
        name: its value of `--help`.
        title: its heading.
        options: in the order of the help.
    """

    def __init__(self, name: str, title: str, options: Sequence[Option]) -> None:
        self.name = name
        self.title = title
        self.options = options


GROUPS = (
    Group("input", "input", (
        Option("references", form=POSITIONAL, convert=unmarked, metavar="REFERENCE",
               help="a file of references, parallel to the hypotheses",
               more="compressed files are decompressed"),
        Option("--input", "-i", form=SEVERAL, convert=unmarked, metavar="FILE",
               help="the hypotheses to score (default: standard input)",
               more="several files (or columns of standard input, separated by tabs) are several systems, and make a "
                    "table; FILE:COLUMN is a column of JSON Lines, CSV or TSV (out.jsonl:hypothesis), or of WMT's XML"
                    " or SGML (wmt.xml:hyp:SYSTEM), - is standard input, -:jsonl:COLUMN a column of it"),
        Option("--num-refs", "-nr", convert=positive, metavar="N",
               help="each line of the reference file holds N references, separated by tabs"),
        Option("--names", form=SEVERAL, metavar="NAME",
               help="names of the systems of -i, in their order",
               more="as is -i NAME=FILE"),
        Option("--runs", form=SEVERAL, metavar="NAME=PATTERN",
               help="score systems with several runs each, such as those of different seeds",
               more="the files of a system match its pattern (in quotes: A='out.A.*.txt'); prints means and standard "
                    "deviations, and tests each system against the first one (stratified approximate randomization); "
                    "with -ci, also the deviation that the choice of segments makes"),
        Option("--ids", convert=unmarked, metavar="FILE",
               needs=("sentence_level", "report", "worst", "best", "compare", "alignments", "show_alignments",
                      "select"),
               help="the id of each segment, a line or a column, for -sl with -f csv or tsv"),
        Option("--manifest", metavar="FILE",
               help="score many systems on many language pairs",
               more="FILE is a table (.tsv, .csv, .jsonl) with the columns name, pair, references (with ; between "
                    "several) and hypothesis; paths are relative to its folder; prints a table with means, and "
                    "(--report) writes one page for all"),
        Option("--paragraphs", form=SWITCH,
               help="each paragraph of a text in a column (FILE:COLUMN) is a segment; blank lines separate them"),
        Option("--resegment", form=OPTIONAL, constant="usual", metavar="TOKENS",
               help="break the lines of -i anew where those of the references break, by aligning words",
               more="TOKENS: words (default), characters (default for ja and zh), or a tokenizer; with --docs, each "
                    "line of -i is a whole document, and words are aligned within documents"),
        Option("--save-resegmented", form=SEVERAL, metavar="FILE", needs=("resegment",),
               help="also write these lines, a file for each system"),
        Option("--normalize", choices=NORMAL_FORMS,
               help="bring outputs and references into this normal form of Unicode first (default: as they are)"),
        Option("--encoding", "-e",
               help="encoding of all input files and of standard input (default: utf-8)"),
        Option("--reference-encoding", metavar="ENCODING",
               needs=("references", "source", "ids", "docs", "strata", "manifest"),
               help="encoding of the references, and of --source, --ids, --docs and --strata (default: that of -e)"),
        Option("--language-pair", "-l", destination="langpair", convert=language_pair, metavar="SRC-TRG",
               help="the language pair, such as en-de",
               more="the target language selects the tokenizer"),
    )),
    Group("test-sets", "test sets", (
        Option("--test-set", "-t", form=EACH, metavar="NAME",
               help="score against a test set instead of files",
               more="several have commas between them"),
        Option("--origlang", "-ol", metavar="LANG", needs=("test_set",),
               help="only segments that were written in this language",
               more="with 'non-' before it, in any other"),
        Option("--subset", metavar="REGEX", needs=("test_set",),
               help="only segments of documents whose domain or tag matches"),
        Option("--list", destination="listing", form=SWITCH,
               help="list the test sets",
               more="with -l, those that have this pair, with -t, the fields of that one"),
        Option("--echo", form=SEVERAL, metavar="FIELD",
               help="print fields of a test set",
               more="src, ref, docid, ..., or all, separated by tabs"),
        Option("--citation", "--cite", form=SWITCH,
               help="print how to cite a test set, as BibTeX"),
        Option("--download", form=EACH, metavar="NAME",
               help="fetch a test set (or the model of flores101, flores200 or spBLEU-1K) into the cache"),
        Option("--bundle", form=SEVERAL, metavar=("FILE", "NAME"),
               help="write test sets (of the pair -l, or all pairs) and models to a file, for machines without a "
                    "network",
               more="also those of -t, and the model of -tok"),
        Option("--with-program", form=SWITCH,
               help="with --bundle: this program, too",
               more="'python3 FILE' runs it, with what is in the bundle"),
        Option("--unbundle", metavar="FILE",
               help="put the contents of such a file into the cache"),
        Option("--sha256", convert=sha256_sum, metavar="SUM",
               help="with --unbundle: refuse a file whose SHA-256 sum is another one"),
        Option("--mirror", metavar="URL",
               help="a folder or address to fetch archives from first, laid out as by 'wget -x' (default: "
                    "PUREBLEU_MIRROR in the environment)"),
        Option("--offline", form=SWITCH,
               help="never connect to anything (default: PUREBLEU_OFFLINE in the environment)"),
    )),
    Group("rows", "stored rows", (
        Option("--save-rows", metavar="FILE",
               help="also write the rows of sufficient statistics to a file (compressed, if its name ends in .gz): "
                    "numbers and checksums, but no text"),
        Option("--offset", convert=not_negative, metavar="N", needs=("save_rows",),
               help="with --save-rows: the files are a part of a corpus, with N segments before it"),
        Option("--rows", form=SEVERAL, metavar="FILE",
               help="score and compare systems from such files alone, with the results that the text gave",
               more="parts of a system are put together; -m chooses metrics, --list lists the contents of files"),
    )),
    Group("metrics", "metrics", (
        Option("--metrics", "-m", form=SEVERAL, convert=metric_names, metavar="NAME",
               help=f"one or more of {', '.join(map(str.lower, MODULES))} (default: bleu)",
               more=f"also {', '.join([*map(str.lower, FURTHER_MODULES), *METRIC_FAMILIES])} (all of that family), "
                    "which sacreBLEU lacks; -lc is for these, too (but not for rouge), and -tok for gleu and nist"),
        Option("--signature", metavar="TEXT",
               help="score as a published signature says, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'",
               more="it sets the metric, its options, test set and resampling; differences are reported"),
        Option("--scores", form=SEVERAL, convert=name_and_file, metavar="NAME=FILE",
               needs=("input", "runs", "manifest"),
               help="compare scores of another program, too: of a learned metric, say",
               more="a file for each system, in the order of -i, or one with all systems, or a folder: a number a line,"
                    " FILE:COLUMN of CSV, TSV or JSON Lines, what comet-score prints (or its --to_json), or lines"
                    " SYSTEM SCORE; with --manifest, NAME=COLUMN is the column that names these files"),
        Option("--scores-lower", form=SEVERAL, metavar="NAME", needs=("scores",),
               help="lower scores of this name are better"),
        Option("--scores-signature", form=SEVERAL, convert=name_and_signature, metavar="NAME=TEXT", needs=("scores",),
               help="the signature of the scores of this name, as their program prints it (default: a checksum)"),
        Option("--equal-outputs", choices=("tie",), needs=("scores",),
               help="give systems with the same output for a segment the mean of its --scores",
               more="a program on other hardware, or in other batches, may score the same output differently"),
        Option("--sentence-level", "-sl", form=SWITCH,
               help="a score for each segment",
               more="the default format is text; BLEU has effective n-gram order; several metrics or systems make a "
                    "table (-f csv, tsv or json), with the lengths in tokens of BLEU"),
        Option("--rouge-stemmer", form=SWITCH,
               help="ROUGE compares stems of English words (Porter)"),
        Option("--rouge-tokenize", choices=("rouge", "unicode"),
               help="the words of ROUGE: of ASCII letters and digits, as rouge_score has them, or of any script, each"
                    " ideograph being a word (default: rouge)"),
        Option("--gleu-min-order", convert=positive, metavar="N",
               help="minimum order of GLEU's n-grams (default: 1)"),
        Option("--gleu-max-order", convert=positive, metavar="N",
               help="maximum order of GLEU's n-grams (default: 4)"),
        Option("--mbr", form=SWITCH,
               help="minimum Bayes risk decoding: of the samples in each line of -i, separated by tabs (or in lists, "
                    "as -i FILE.jsonl:COLUMN), print the one with the highest mean score against all of them, or "
                    "against those of a REFERENCE file",
               more="with -sl, its utility and its index (from 0) before it; -f json, csv and tsv, too"),
    )),
    Group("bleu", "BLEU", (
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
        Option("--audit", form=SWITCH,
               help="how far preprocessing moves BLEU",
               more="prints tables of scores of the same output: split at whitespace, with the words of Moses' "
                    "tokenizer (also with compounds split, and with rare words unknown), with BLEU's own tokenizers, "
                    "each cased and lower-cased; and with each smoothing method; with --report, they are a part of it"),
        Option("--nonbreaking-prefixes", metavar="FILE", needs=("audit",),
               help="Moses' file of abbreviations for the target language (default: a built-in list for English and "
                    "German, none for others)"),
        Option("--counts", metavar="FILE", needs=("audit",),
               help="how often words are seen, as lines of a word, a tab and a number",
               more="those seen less than twice are unknown (default: counts of the references)"),
    )),
    Group("chrf", "chrF", (
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
    )),
    Group("ter", "TER", (
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
               more="insertions, deletions, substitutions, shifts and words shifted, as Tercom counts them; the score"
                    " is the same, but takes longer"),
    )),
    Group("tests", "confidence intervals and paired tests", (
        Option("--confidence", "-ci", form=SWITCH,
               help="95% confidence intervals",
               more="by bootstrap resampling"),
        Option("--confidence-n", "-cin", convert=resamples, metavar="N",
               help="number of bootstrap resamples (default: 1000)"),
        Option("--paired-bs", "-pbs", destination="test", form=SWITCH, constant="bs",
               help="paired bootstrap resampling test",
               more="of each system against the first one"),
        Option("--paired-ar", "-par", destination="test", form=SWITCH, constant="ar",
               help="paired approximate randomization test",
               more="of each system against the first one"),
        Option("--rank", form=SWITCH,
               help="rank three systems or more",
               more="orders them by score, and gives each the range of ranks that tests of all pairs (--paired-ar "
                    "unless --paired-bs is given), with Holm's correction, leave open; where the correction needs it, "
                    "these tests make more samples than a test against the first system"),
        Option("--holm", form=SWITCH, needs=("test", "rank", "runs"),
               help="correct p-values for the number of tests (Holm)",
               more="of all systems and metrics together; with --rank, of all pairs and metrics"),
        Option("--exact", form=SWITCH, needs=("test", "rank", "runs"),
               help="with --paired-ar, --rank or --runs: make all trials, in place of samples",
               more="for up to 20 segments or documents"),
        Option("--worth", form=SWITCH,
               help="tell how often people agree with such differences in score",
               more="known for BLEU, chrF and spBLEU; also intervals of differences, and what a reviewer asks of a "
                    "comparison: for each system against the first one, or (--rank) for all pairs"),
        Option("--power", convert=score_difference, metavar="D",
               help="tell the smallest difference that the test set can show, and the segments needed for a difference "
                    "of D"),
        Option("--unit", choices=("segment", "doc"), needs=_RESAMPLING,
               help="resample and swap segments, or whole documents of a test set (default: segment)"),
        Option("--docs", convert=unmarked, metavar="FILE", needs=(*_RESAMPLING, "resegment"),
               help="the id of each segment's document, a line or a column, for --resegment and --unit doc, which it "
                    "implies"),
        Option("--strata", convert=unmarked, metavar="FILE", needs=_RESAMPLING,
               help="resample within strata: the stratum of each segment, a line or a column, or 'domain' or "
                    "'origlang' of a test set"),
        Option("--paired-bs-n", "-pbsn", convert=resamples, metavar="N",
               help="number of resamples of --paired-bs (default: 1000)"),
        Option("--paired-ar-n", "-parn", convert=positive, metavar="N",
               help="number of trials of --paired-ar and --runs (default: 10000)"),
        Option("--seed", convert=seed_or_none, metavar="N",
               needs=(*_SAMPLING, "agreement", "agreement_systems"),
               help="of the random stream, or 'none' (default: PUREBLEU_SEED or SACREBLEU_SEED in the environment, "
                    "else 12345)"),
        Option("--rng", choices=("mt19937", "numpy"),
               needs=(*_SAMPLING, "agreement", "agreement_systems"),
               help="the random stream: Python's, or that of NumPy's default_rng, which sacreBLEU uses (default: "
                    "PUREBLEU_RNG in the environment, else mt19937)"),
    )),
    Group("agreement", "agreement with people", (
        Option("--agreement", form=SEVERAL, convert=unmarked, metavar="FILE",
               help="how well metrics agree with human scores of segments",
               more="a file for each system, in the order of -i, or one with all: in the forms of --scores (None where "
                    "nobody judged), tables with columns system and seg_id (FILE:COLUMN), or MQM's errors; with "
                    "--report, a part of that"),
        Option("--agreement-systems", metavar="FILE",
               help="human scores of systems, as lines SYSTEM SCORE (default: means of those of segments)"),
        Option("--agreement-lower", form=SWITCH, needs=("agreement", "agreement_systems"),
               help="lower human scores are better, as of counts of errors"),
        Option("--measures", form=SEVERAL, convert=measure_name, metavar="NAME",
               needs=("agreement", "agreement_systems"),
               help="spa, acc-eq, accuracy, pearson, tau-b, tau-c; sys:NAME is of systems' scores (default: spa acc-eq "
                    "sys:accuracy sys:pearson)",
               more="NAME:item, NAME:system and NAME:none are over the outputs for a segment, of a system, or all"),
        Option("--select", convert=positive, metavar="N",
               help="the N segments whose outputs differ most between systems (chrF, or -m): most worth annotating",
               more="line, id (--ids), mean similarity, source (--source)"),
        Option("--autorank", form=SWITCH, needs=("manifest",),
               help="with --manifest: AutoRank of systems, from all metrics together, as WMT25 has it"),
        Option("--trials", convert=not_negative, metavar="N", needs=("agreement", "agreement_systems"),
               help="permutations in each test between two metrics (default: 1000; 0: no tests, no ranks)"),
    )),
    Group("gates", "gates, for continuous integration", (
        Option("--fail-under", form=SEVERAL, convert=metric_and_limit, metavar="M=X",
               help="fail (exit code 3) where the score of a system under the metric M is below X, unrounded"),
        Option("--fail-over", form=SEVERAL, convert=metric_and_limit, metavar="M=X",
               help="fail where it is above X, as for TER"),
        Option("--baseline", convert=unmarked, metavar="FILE", needs=("must_not_lose", "margin"),
               help="the system to compare with: an output, or a file of --save-rows"),
        Option("--must-not-lose", form=OPTIONAL, constant=0.05, convert=probability, metavar="P", needs=("baseline",),
               help="fail where a system is worse than the baseline, and the paired test (--paired-bs unless "
                    "--paired-ar is given) finds p <= P (default: 0.05)"),
        Option("--margin", convert=not_negative_number, metavar="X", needs=("baseline",),
               help="fail unless the 95% interval of the difference shows that a system is worse than the baseline by"
                    " less than X (or better)"),
        Option("--junit", metavar="FILE",
               needs=("fail_under", "fail_over", "must_not_lose", "margin", "fail_on"),
               help="also write the verdicts of the gates as JUnit's XML"),
    )),
    Group("checks", "checks without scores", (
        Option("--check", form=SWITCH,
               help="look for faults in outputs, without scores: copies, loops, blank lines and so on",
               more=f"{', '.join(CHECKS)}; compares with a source (--source FILE, or that of a test set) and with "
                    "references where there are any; lists lines and thresholds, and the checks that were not "
                    "possible; with --report, the page has all that"),
        Option("--fail-on", form=EACH, convert=check_names, metavar="NAMES",
               help="fail (exit code 3) where one of these checks, with commas between, finds a line",
               more="with --check, or beside scores"),
        Option("--check-threshold", form=EACH, convert=check_and_threshold, metavar="NAME=X",
               needs=("check", "fail_on"), help="another threshold of a check",
               more=f"usually, {', '.join([f'{name}={check.threshold:g}' for name, check in CHECKS.items()])}"),
    )),
    Group("views", "where systems differ", (
        Option("--buckets", form=SEVERAL, choices=BUCKET_KINDS, metavar="KIND",
               help="scores by kinds of segments, instead of those of all",
               more=f"{', '.join(BUCKET_KINDS)}: by the length of references, sentence scores, how frequent words are, "
                    "and, where a test set tells them, documents, original languages, domains; with intervals, if -ci "
                    "is given"),
        Option("--worst", convert=positive, metavar="N",
               help="print the N segments that the first system gets worst",
               more="with source, references, all outputs, their scores, and how they differ from the first "
                    "reference; under the first metric of -m"),
        Option("--best", convert=positive, metavar="N",
               help="those that the first system gets best"),
        Option("--compare", convert=positive, metavar="N",
               help="those with the largest difference between any two systems"),
        Option("--cross", form=SWITCH,
               help="scores of each system with each other one as its reference (cross-BLEU), a matrix for each "
                    "metric of -m",
               more="in any format"),
        Option("--lengths", form=SWITCH,
               help="the numbers of tokens of systems and of references, and their ratios, as BLEU counts them"),
    )),
    Group("alignments", "alignments, word by word", (
        Option("--alignments", metavar="FILE",
               help="also write how each segment is aligned with its best reference",
               more="the end of the name selects the form: .ter, .sum, .pra and .xml are Tercom's, of one system under "
                    "TER; .json is of all systems, under each of ter, wer, cer, mer, wil that -m names"),
        Option("--show-alignments", form=OPTIONAL, constant=MAX_NUMBER, convert=positive, metavar="N",
               help="print the segments with errors (N: the first N of them) word by word, instead of scores",
               more="the reference above the output, with S, D and I below what is substituted, deleted and inserted,"
                    " and the numbers of TER's shifts; under the first of these metrics in -m"),
        Option("--confusions", form=OPTIONAL, constant=20, convert=positive, metavar="N",
               help="print the N (default: 20) most frequent substitutions, deletions and insertions of words (with "
                    "-m cer, of characters), instead of scores"),
    )),
    Group("serve", "the local page", (
        Option("--serve", form=SWITCH,
               help="a page to paste text into and see it scored, for a browser",
               more="prints its address, which has a token after its #, and serves this machine alone, until Ctrl-C"),
        Option("--port", convert=port, metavar="N",
               help="with --serve: the port to listen on (default: any that is free)"),
        Option("--public-port", convert=port, metavar="N",
               help="with --serve: the port under which a browser elsewhere sees it, as forwarded by ssh"),
        Option("--open", form=SWITCH,
               help="with --serve: open the page in a browser"),
        Option("--memory", convert=not_negative, metavar="MIB",
               help=f"with --serve: limit of the memory of each request, in MiB (default: {Options.memory}, 0: none)",
               more="one that needs more gets the status 413; bodies have a limit of 64 MiB; macOS ends such a request "
                    "soon after, Windows has no limit but that of bodies"),
    )),
    Group("speed", "speed", (
        Option("--jobs", "-j", convert=not_negative, metavar="N",
               help="score in N processes (default: 1)",
               more="0: one for each processor; never more than the processors, but always up to 2"),
    )),
    Group("output", "output", (
        Option("--format", "-f", choices=tuple(FORMATS), metavar="NAME",
               help=f"one of {', '.join(FORMATS)} (default: json)",
               more="that of --audit and --check is text by default, json-signed is JSON with signatures for any "
                    "number of systems, html and markdown are tables, latex is one for several systems, csv and tsv "
                    "have a line for each score (also with -sl), github is the annotations of a workflow, with a step "
                    "summary, paper is a table of LaTeX with caption and signatures; "
                    "PUREBLEU_FORMAT or SACREBLEU_FORMAT in the environment overrides it"),
        Option("--report", metavar="FILE",
               help="also write a page of HTML that shows where systems differ",
               more="one file, to look at offline"),
        Option("--source", convert=unmarked, metavar="FILE",
               needs=("report", "worst", "best", "compare", "check", "fail_on", "select"),
               help="with --report, --worst, --best, --compare: the source, to be shown; with --check and --fail-on, to"
                    " be looked at"),
        Option("--report-segments", convert=not_negative, metavar="N", needs=("report",),
               help="with --report: texts of no more than N segments (0: none, for private data)"),
        Option("--report-title", metavar="TEXT", needs=("report",),
               help="with --report: the title of the page (default: the metrics, the test set and the language pair)"),
        Option("--paths", form=SWITCH, needs=("report",),
               help="with --report: whole paths in the command line that it shows"),
        Option("--detail", "-d", form=SWITCH, needs=("test_set",),
               help="subset scores, too, by original language and domain",
               more="with a test set and a single system, as text"),
        Option("--score-only", "-b", form=SWITCH,
               help="print nothing but the score (of a single system)"),
        Option("--width", "-w", convert=decimal_places, metavar="N",
               help="decimal places (default: 1)"),
        Option("--short", "-sh", form=SWITCH,
               help="a short signature (in text)"),
        Option("--quiet", "-q", form=SWITCH,
               help="no warnings and no progress on standard error, only errors"),
        Option("--no-color", "-nc", form=SWITCH,
               help="no colours in a terminal",
               more="as NO_COLOR in the environment"),
        Option("--doctor", form=OPTIONAL, constant="text", choices=("text", "json"),
               help="tell what this machine can do and what is missing",
               more="with other options, whether they would work here (else, the exit code is 1)"),
        Option("--version", "-V", form=ANSWER,
               help="print the version"),
        Option("--help", "-h", form=ANSWER, metavar="WORD",
               help="print this help",
               more="or that on a group of options, on all of them, on a page of the manual (topics: the list), or on "
                    "any word: an option, a metric, a tokenizer, a test set, a format, an exit code, a field of "
                    "signatures"),
    )),
)

#: All options, by the names of their attributes. (Of the two paired tests, which share one, the first.)
OPTIONS = {option.destination: option for group in reversed(GROUPS) for option in reversed(group.options)}


def name_as_given(destination: str, value: object) -> str:
    """As `name_of`; where several options set the same attribute, the name of the one that sets this value."""
    return next((option.names[0] for group in GROUPS for option in group.options
                 if option.destination == destination and option.form == SWITCH and option.constant == value),
                name_of(destination))


def names_of(destination: str) -> list[str]:
    """As `name_of`, for each of the options that set the same attribute."""
    names = [option.names[0] for group in GROUPS for option in group.options
             if option.destination == destination and option.form != POSITIONAL]
    return names or [name_of(destination)]


def name_of(destination: str) -> str:
    """The name of an option in errors: the long one; for references, which have none, a description."""
    option = OPTIONS[destination]
    return "a file of references" if option.form == POSITIONAL else option.names[0]
