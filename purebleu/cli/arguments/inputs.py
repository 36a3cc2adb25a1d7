"""The options that say what is read: files of text, test sets, stored rows, several runs, a manifest."""

from __future__ import annotations

from ...unicode.normal_forms import NORMAL_FORMS
from .option import EACH, OPTIONAL, POSITIONAL, SEVERAL, SWITCH, Group, Option, Values
from .values import language_pair, positive, unmarked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

#: The fields of test sets that `--strata` takes.
STRATA_FIELDS = ("domain", "origlang")


class InputValues(Values):
    """The values of these options."""

    references: list[str] = []
    input: list[str] = []
    num_refs: int = 1
    names: list[str] = []
    ids: str = ""
    source: str = ""
    docs: str = ""
    strata: str = ""
    paragraphs: bool = False
    resegment: str = ""
    save_resegmented: list[str] = []
    normalize: str = ""
    encoding: str = "utf-8"
    reference_encoding: str = ""
    langpair: str | None = None
    test_set: list[str] = []
    origlang: str | None = None
    subset: str | None = None
    mirror: str | None = None
    offline: bool = False
    rows: list[str] = []
    runs: list[str] = []
    manifest: str = ""

    #: Texts in place of files, by the files' names; `None`: files are read.
    texts: Mapping[str, str] | None = None
    #: The arguments of the process, which a report shows.
    arguments: Sequence[str] = ()


INPUTS = Group("inputs", "inputs", (
    Option("references", form=POSITIONAL, convert=unmarked, metavar="REFERENCE",
           help="a file of references, parallel to the outputs",
           more="compressed files are decompressed"),
    Option("--input", "-i", form=SEVERAL, convert=unmarked, metavar="FILE",
           help="the outputs of systems (default: standard input)",
           more="several files (or columns of standard input, separated by tabs) are several systems; FILE:COLUMN is a "
                "column of JSON Lines, CSV or TSV (out.jsonl:hypothesis), or of WMT's XML or SGML "
                "(wmt.xml:hyp:SYSTEM), - is standard input, -:jsonl:COLUMN a column of it"),
    Option("--num-refs", "-nr", convert=positive, metavar="N",
           help="each line of the reference file holds N references, separated by tabs"),
    Option("--names", form=SEVERAL, metavar="NAME",
           help="names of the systems of -i, in their order",
           more="as is -i NAME=FILE"),
    Option("--docs", convert=unmarked, metavar="FILE",
           help="the id of each segment's document, a line or a column, for --resegment and --unit doc, which it "
                "implies"),
    Option("--paragraphs", form=SWITCH,
           help="each paragraph of a text in a column (FILE:COLUMN) is a segment; blank lines separate them"),
    Option("--resegment", form=OPTIONAL, constant="usual", metavar="TOKENS",
           help="break the lines of -i anew where those of the references break, by aligning words",
           more="TOKENS: words (default), characters (default for ja and zh), or a tokenizer; with --docs, each line "
                "of -i is a whole document, and words are aligned within documents"),
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
), ("REFERENCE ...", "-i FILE ...", "-l SRC-TRG", "--names", "-e ENCODING"))

IDS = Option("--ids", convert=unmarked, metavar="FILE",
             help="the id of each segment, a line or a column")

SOURCE = Option("--source", convert=unmarked, metavar="FILE",
                help="the source of the outputs, a line or a column (default: that of a test set)")

TEST_SETS = Group("test-sets", "test sets", (
    Option("--test-set", "-t", form=EACH, metavar="NAME",
           help="score against a test set instead of files",
           more="several have commas between them"),
    Option("--origlang", "-ol", metavar="LANG", needs=("test_set",),
           help="only segments that were written in this language",
           more="with 'non-' before it, in any other"),
    Option("--subset", metavar="REGEX", needs=("test_set",),
           help="only segments of documents whose domain or tag matches"),
), ("-t NAME -l SRC-TRG",))

STORED = Group("stored", "rows, runs, language pairs", (
    Option("--rows", form=SEVERAL, metavar="FILE",
           help="stored rows (of --save-rows) in place of texts, with the results that the texts gave",
           more="parts of a system are put together; -m chooses metrics"),
    Option("--runs", form=SEVERAL, metavar="NAME=PATTERN",
           help="systems with several runs each, such as those of different seeds",
           more="the files of a system match its pattern (in quotes: A='out.A.*.txt')"),
    Option("--manifest", metavar="FILE",
           help="many systems on many language pairs",
           more="FILE is a table (.tsv, .csv, .jsonl) with the columns name, pair, references (with ; between several) "
                "and hypothesis; paths are relative to its folder; with -l, the systems of that pair alone"),
), ("--rows FILE ...", "--runs NAME=PATTERN ...", "--manifest FILE"))

NETWORK = Group("network", "network", (
    Option("--mirror", metavar="URL",
           help="a folder or address to fetch archives from first, laid out as by 'wget -x' (default: PUREBLEU_MIRROR "
                "in the environment)"),
    Option("--offline", form=SWITCH,
           help="never connect to anything (default: PUREBLEU_OFFLINE in the environment)"),
), ("--offline", "--mirror URL"))
