"""Command lines on small files: what they print, and their exit codes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from .files import TARGET, compressed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Mapping

ODD_LINES = (
    ("a line separator\u2028inside\u2028", "a line separator\u2028inside"),
    ("a next line\u0085inside, and at the end\u0085", "a next line\u0085inside, and at its end"),
    ("separators\x1c\x1d\x1e\x1f of information\x1f", "separators of information"),
    ("a form feed\x0c and a\x0bvertical one", "a form feed and a vertical one\x0c"),
    ("no-break\u00a0spaces, wide\u3000ones\u3000", "no-break spaces, wide ones"),
    ("", ""),
    ("   ", "there is nothing in the reference"),
    ("the hypothesis has nothing", "\t \t"),
    ("Ben &amp; Jerry&quot;s 3 &lt; 4 &amp;gt; 2", "Ben & Jerry\"s 3 < 4 &gt; 2"),
    ("<skipped>1.000,5 -- 2-3 x-y .5 5. ...", "1.000,5 -- 2 - 3 x - y .5 5. .. ."),
    ("nul\0inside, joiner\u200dinside, mark\ufeffinside", "nul\0inside, joiner\u200dinside, markinside"),
    ("ISTANBUL İstanbul STRASSE straße ΌΔΟΣ", "istanbul i\u0307stanbul strasse STRASSE όδος"),
    ("😀 🫠 👩\u200d👩\u200d👧 e\u0301 é ｆｕｌｌ １２３", "😀🫠 👩\u200d👩\u200d👧 é é full １２３"),
    ("\r\r carriage returns \r inside \r", "carriage returns inside"),
    ("a vowel separator\u180einside, and at the end\u180e", "a vowel separator inside, and at the end"),
)


def cli_files() -> dict[str, bytes]:
    """The input files that are made from the handwritten ones, or from nothing."""
    folder = TARGET / "cli"
    reference, reference2, hypothesis = [(folder / f"{name}.txt").read_bytes()
                                         for name in ("reference", "reference2", "hypothesis")]
    german = {side: (folder / f"{side}.de.txt").read_text("utf-8") for side in ("reference", "hypothesis")}
    pairs = list(zip(reference.splitlines(), reference2.splitlines()))
    incomplete = [pair[:1] if index == 7 else pair for index, pair in enumerate(pairs)]
    first_five = b"".join(hypothesis.splitlines(keepends=True)[:5])
    files = {
        "reference.txt.gz": compressed(reference),
        "hypothesis.txt.gz": compressed(hypothesis),
        "hypothesis.members.gz": compressed(first_five) + compressed(hypothesis[len(first_five):]),
        "hypothesis.truncated.gz": compressed(hypothesis)[:-40],
        "references.tsv": b"".join([b"\t".join(pair) + b"\n" for pair in pairs]),
        "references.more.tsv": b"".join([b"\t".join((*pair, pair[0], b"more")) + b"\n" for pair in pairs]),
        "references.short.tsv": b"".join([b"\t".join(pair) + b"\n" for pair in incomplete]),
        "hypothesis.crlf.txt": hypothesis.replace(b"\n", b"\r\n"),
        "reference.crlf.txt": reference.replace(b"\n", b" \r\n"),
        "hypothesis.bom.txt": b"\xef\xbb\xbf" + hypothesis,
        "reference.bom.txt": b"\xef\xbb\xbf" + reference,
        "hypothesis.unended.txt": hypothesis.rstrip(b"\n"),
        "hypothesis.blank-end.txt": hypothesis + b"\n",
        "hypothesis.invalid.txt": hypothesis.replace(b"flood", b"fl\xf6\xf6d"),
        "empty.txt": b"",
        "blank.txt": b"\n" * 12,
        "capitals.txt": hypothesis.upper(),
        "little.txt": b"".join([line[:15] + b"\n" for line in hypothesis.splitlines()]),
        "shuffled.txt": b"".join([b" ".join(sorted(line.split())) + b"\n" for line in hypothesis.splitlines()]),
        "tokenized.txt": b"This line has been tokenized .\n" * 120,
        "tokenized.reference.txt": b"This line has not been tokenized.\n" * 120,
        "odd.reference.txt": "".join([line + "\n" for line, _ in ODD_LINES]).encode(),
        "odd.hypothesis.txt": "".join([line + "\n" for _, line in ODD_LINES]).encode(),
    }
    systems = [hypothesis, files["capitals.txt"], files["shuffled.txt"], files["little.txt"]]
    columns = [system.splitlines() for system in systems]
    files["systems.tsv"] = b"".join([b"\t".join(line) + b"\n" for line in zip(*columns)])
    files["systems.short.tsv"] = files["systems.tsv"].replace(b"\t", b" ", 1)
    for side, text in german.items():
        files[f"{side}.latin-1.txt"] = text.encode("latin-1")
        files[f"{side}.utf-16.txt"] = b"\xff\xfe" + text.encode("utf-16-le")
    return files


#: One command line each, as a shell has it: `VARIABLE=value` before it, `<file` for standard input.
COMMAND_LINES = """
reference.txt -i hypothesis.txt -m chrf
reference.txt -i hypothesis.txt --metrics chrf -f text
reference.txt reference2.txt -i hypothesis.txt -m chrf -f text
reference.txt -i hypothesis.txt -m bleu chrf
reference.txt -i hypothesis.txt -m chrf bleu -f text
reference.txt -i hypothesis.txt -m chrf bleu -f text -sh
reference.txt -i hypothesis.txt -m chrf bleu chrf -b
reference.txt -i hypothesis.txt -m chrf bleu -b -f text -w 4
reference.txt -i hypothesis.txt -m chrf --chrf-word-order 2 -f text
reference.txt -i hypothesis.txt -m chrf -cw 1 -f text -sh
reference.txt -i hypothesis.txt -m chrf --chrf-char-order 4 -f text -w 3
reference.txt -i hypothesis.txt -m chrf -cc 3 -cw 2 --chrf-beta 3
reference.txt -i hypothesis.txt -m chrf --chrf-beta 1 -b -w 6
reference.txt -i hypothesis.txt -m chrf --chrf-whitespace -f text
reference.txt -i hypothesis.txt -m chrf --chrf-lowercase -f text -w 5
reference.txt -i hypothesis.txt -m chrf --chrf-eps-smoothing -f text
reference.txt -i hypothesis.txt -m chrf -sl
reference.txt reference2.txt -i hypothesis.txt -m chrf -sl -b -cw 2
reference.txt -i hypothesis.txt -m bleu chrf -lc -tok intl -s floor -f text
references.tsv -nr 2 -i hypothesis.txt -m bleu chrf -f text
reference.de.txt -i hypothesis.de.txt -m chrf bleu -w 7 -f text
reference.zh.txt -i hypothesis.zh.txt -m chrf bleu -l en-zh -f text
reference.txt -i hypothesis.txt -m ter
reference.txt -i hypothesis.txt --metrics ter -f text
reference.txt -m ter -f text < hypothesis.txt
reference.txt reference2.txt -i hypothesis.txt -m ter
reference.txt reference2.txt -i hypothesis.txt -m ter -f text -w 12
references.tsv -nr 2 -i hypothesis.txt -m ter -f text -w 4
references.more.tsv -nr 4 -i hypothesis.txt -m ter -f text -sh
references.tsv -nr 2 -sl -i hypothesis.txt -m ter
reference.txt -i hypothesis.txt -m ter -b
reference.txt -i hypothesis.txt -m ter -b -w 0
reference.txt -i hypothesis.txt -m ter -b -f text -w 20
reference.txt -i hypothesis.txt -m ter -sh
reference.txt -i hypothesis.txt -m ter -sh -f text -w 6 --ter-normalized --ter-no-punct
reference.txt -i capitals.txt -m ter -f text
reference.txt -i capitals.txt -m ter -f text --ter-case-sensitive
reference.txt -i hypothesis.txt -m ter --ter-case-sensitive -lc
reference.txt -i hypothesis.txt -m ter --ter-normalized -f text -w 5
reference.txt -i hypothesis.txt -m ter --ter-normalized
reference.txt -i hypothesis.txt -m ter --ter-no-punct -f text -w 5
reference.txt -i hypothesis.txt -m ter --ter-asian-support -f text -w 5
reference.txt -i hypothesis.txt -m ter -f text --ter-asian-support --ter-normalized --ter-no-punct --ter-case-sensitive
reference.txt -i shuffled.txt -m ter -f text -w 6
reference.txt -i shuffled.txt -m ter -sl -w 3
reference.txt -i little.txt -m ter -f text -w 6 --ter-normalized
hypothesis.txt -i shuffled.txt -m ter -sl -b
reference.txt -i hypothesis.txt -m ter -sl
reference.txt reference2.txt -i hypothesis.txt -m ter -sl -b -w 4
reference.txt -i hypothesis.txt -m ter -sl -sh --ter-no-punct
reference.txt -i hypothesis.txt -m ter -q -f text --force
tokenized.reference.txt -i tokenized.txt -m ter -f text
reference.txt -i blank.txt -m ter -sl -b
reference.txt -i blank.txt -m ter
blank.txt -i hypothesis.txt -m ter -sl -f text
blank.txt -i blank.txt -m ter -f text
blank.txt reference.txt -i hypothesis.txt -m ter -f text -w 4
reference.zh.txt -i hypothesis.zh.txt -m ter -f text
reference.zh.txt -i hypothesis.zh.txt -m ter -f text -l en-zh --ter-normalized --ter-asian-support
reference.zh.txt -i hypothesis.zh.txt -m ter -sl --ter-no-punct --ter-asian-support
reference.de.txt -i hypothesis.de.txt -m ter -f text -w 4 --ter-normalized
reference.latin-1.txt -i hypothesis.latin-1.txt -m ter -e latin-1 -f text -w 4
odd.reference.txt -i odd.hypothesis.txt -m ter -sl -b -w 10
odd.reference.txt -i odd.hypothesis.txt -m ter -f text -w 10 --ter-normalized --ter-asian-support
odd.reference.txt -i odd.hypothesis.txt -m ter -sl -b -w 10 --ter-normalized --ter-no-punct --ter-asian-support
odd.reference.txt -i odd.hypothesis.txt -m ter -sl -b -w 10 --ter-no-punct --ter-asian-support --ter-case-sensitive
SACREBLEU_FORMAT=text reference.txt -i hypothesis.txt -m ter
reference.txt -i hypothesis.txt -m bleu chrf ter
reference.txt -i hypothesis.txt -m bleu chrf ter -f text
reference.txt -i hypothesis.txt --metrics ter chrf bleu --format text --short
reference.txt -i hypothesis.txt -m ter bleu ter chrf -b
reference.txt reference2.txt -i hypothesis.txt -m bleu chrf ter -b -f text -w 4
reference.txt reference2.txt -i hypothesis.txt -m bleu chrf ter -f text -w 3
references.tsv -nr 2 -i hypothesis.txt -m bleu chrf ter -w 2
reference.txt -m bleu chrf ter -f text < hypothesis.txt
reference.txt -i shuffled.txt -m bleu chrf ter -lc --chrf-word-order 2 --ter-case-sensitive -tok intl -s floor -f text
reference.zh.txt -i hypothesis.zh.txt -m bleu chrf ter -l en-zh -f text -sh
reference.zh.txt -i hypothesis.zh.txt -m bleu chrf ter -l en-zh --ter-asian-support --ter-normalized
reference.de.txt -i hypothesis.de.txt -m chrf ter -f text -w 5
reference.txt -i hypothesis.txt -m bleu ter -f text
reference.txt -i hypothesis.txt -m chrf -cc 0 -cw 2 -f text -w 4
reference.txt -i blank.txt -m bleu chrf ter -f text
blank.txt -i blank.txt -m bleu chrf ter
reference.txt -i hypothesis.txt
reference.txt --input hypothesis.txt
reference.txt < hypothesis.txt
reference.txt -i hypothesis.txt -f text
reference.txt -i hypothesis.txt --format text
reference.txt -i hypothesis.txt --format=json
reference.txt reference2.txt -i hypothesis.txt
reference.txt reference2.txt -i hypothesis.txt -f text
reference.txt reference2.txt -f text < hypothesis.txt
-f text reference.txt reference2.txt hypothesis.txt -i hypothesis.txt
-i hypothesis.txt -f text -- reference.txt
reference.txt -i hypothesis.txt -b
reference.txt -i hypothesis.txt --score-only
reference.txt -i hypothesis.txt -b -f text
reference.txt -i hypothesis.txt -b -w 0
reference.txt -i hypothesis.txt -b -w 4
reference.txt -i hypothesis.txt -b --width 12
reference.txt -i hypothesis.txt -b --width=60
reference.txt -i hypothesis.txt -w3
reference.txt -i hypothesis.txt -w 0 -f text
reference.txt -i hypothesis.txt -w 0
reference.txt -i reference.txt -w 20
reference.txt -i hypothesis.txt -bw4
reference.txt -i hypothesis.txt -sh -f text
reference.txt -i hypothesis.txt --short --format text
reference.txt -i hypothesis.txt -sh
reference.txt reference2.txt -i hypothesis.txt -sh -f text -lc -s floor -sv 0.25
reference.txt -i capitals.txt -f text
reference.txt -i capitals.txt -f text -lc
reference.txt -i capitals.txt -f text --lowercase
reference.txt -i hypothesis.txt -tok 13a
reference.txt -i hypothesis.txt -tok intl
reference.txt -i hypothesis.txt -tok zh -f text
reference.txt -i hypothesis.txt -tok char -f text
reference.txt -i hypothesis.txt -tok none -f text
reference.txt -i hypothesis.txt --tokenize intl -lc -f text -w 6
reference.txt -i hypothesis.txt --tok none -f text
reference.txt -i little.txt -f text -w 6
reference.txt -i little.txt -f text -w 6 -s none
reference.txt -i shuffled.txt -f text -w 6 -s exp
reference.txt -i shuffled.txt -f text -w 6 --smooth-method none
reference.txt -i shuffled.txt -f text -w 6 -s floor
reference.txt -i shuffled.txt -f text -w 6 -s floor -sv 0.5
reference.txt -i shuffled.txt -f text -w 6 -s floor --smooth-value 0
reference.txt -i shuffled.txt -f text -w 6 -s add-k
reference.txt -i shuffled.txt -f text -w 6 -s add-k -sv 0.5
reference.txt -i shuffled.txt -w 6 -s add-k --smooth-value=1e-3
reference.txt -i shuffled.txt -sfloor -sv 2 -f text
reference.txt -i shuffled.txt -sv2 -f text
reference.txt -i hypothesis.txt -s exp -sv 7 -f text
reference.txt -i hypothesis.txt -m bleu -f text
reference.txt -i hypothesis.txt --metrics bleu
reference.txt -i hypothesis.txt -m bleu bleu -f text
reference.txt -i hypothesis.txt -sl
reference.txt -sl < hypothesis.txt
reference.txt -i hypothesis.txt -sl -b
reference.txt -i hypothesis.txt -sl -b -w 8
reference.txt -i hypothesis.txt -sl -sh
reference.txt reference2.txt -i hypothesis.txt -sl -sh -w 3 -lc -tok intl
reference.txt -i little.txt -sl -w 4
reference.txt -i little.txt -sl -w 4 -s add-k
reference.txt -i shuffled.txt -sl -s floor -sv 0.01 -w 4
reference.txt -i blank.txt -sl
references.tsv -nr 2 -sl -i hypothesis.txt
references.tsv -nr 2 -i hypothesis.txt -f text
references.tsv --num-refs 2 -f text < hypothesis.txt
references.tsv -nr 1 -i hypothesis.txt -f text
references.tsv -i hypothesis.txt -f text
references.more.tsv -nr 2 -i hypothesis.txt -f text
references.more.tsv -nr 3 -i hypothesis.txt -f text
references.more.tsv -nr 4 -i hypothesis.txt -f text -sh
references.short.tsv -nr 2 -i hypothesis.txt
references.tsv -nr 3 -i hypothesis.txt
reference.txt.gz -i hypothesis.txt.gz
reference.txt.gz reference2.txt -f text < hypothesis.txt
reference.txt.gz -i hypothesis.members.gz -f text
reference.crlf.txt -i hypothesis.crlf.txt -f text -w 8
reference.crlf.txt -f text -w 8 < hypothesis.crlf.txt
reference.txt -i hypothesis.crlf.txt -sl -b
reference.bom.txt -i hypothesis.bom.txt -f text -q
reference.bom.txt -i hypothesis.txt -f text -w 8
reference.txt -i hypothesis.bom.txt -f text -w 8 --quiet
reference.bom.txt -i hypothesis.bom.txt -e utf-8-sig -f text -w 8
reference.txt -i hypothesis.unended.txt
reference.txt -f text < hypothesis.unended.txt
reference.de.txt -i hypothesis.de.txt -f text -w 4
reference.de.txt -i hypothesis.de.txt -f text -w 4 -tok intl -l en-de
reference.latin-1.txt -i hypothesis.latin-1.txt -e latin-1 -f text -w 4
reference.latin-1.txt -i hypothesis.latin-1.txt --encoding ISO-8859-1 -f text -w 4 -lc
reference.latin-1.txt -e latin-1 -f text -w 4 < hypothesis.latin-1.txt
reference.utf-16.txt -i hypothesis.utf-16.txt -e utf-16 -f text -w 4
reference.utf-16.txt -e utf-16 -f text -w 4 < hypothesis.utf-16.txt
reference.de.txt -i hypothesis.de.txt -e latin-1 -f text -w 4
reference.zh.txt -i hypothesis.zh.txt -f text
reference.zh.txt -i hypothesis.zh.txt -f text -tok zh
reference.zh.txt -i hypothesis.zh.txt -f text -l en-zh
reference.zh.txt -i hypothesis.zh.txt -l en-zh
reference.zh.txt -i hypothesis.zh.txt -f text --language-pair en-zh -tok 13a
reference.zh.txt -i hypothesis.zh.txt -f text -l ja-en -tok char
reference.zh.txt -i hypothesis.zh.txt -sl -l en-zh -sh
odd.reference.txt -i odd.hypothesis.txt -f text -w 10
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10
odd.reference.txt -i odd.hypothesis.txt -f text -w 10 -lc -tok intl
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -lc -tok intl
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -lc -tok zh
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -tok char
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -tok none
reference.txt -i blank.txt
reference.txt -i blank.txt -f text
blank.txt -i blank.txt -f text
blank.txt -i hypothesis.txt
blank.txt reference.txt -i hypothesis.txt -f text -sl
reference.txt < blank.txt
tokenized.reference.txt -i tokenized.txt -f text
tokenized.reference.txt -i tokenized.txt -f text --force
tokenized.reference.txt -i tokenized.txt -q -tok none
reference.txt -i hypothesis.txt -q
reference.txt -i hypothesis.txt --quiet --no-color
reference.txt -i hypothesis.txt -nc -f text
NO_COLOR=1 reference.txt -i hypothesis.txt -f text
SACREBLEU_FORMAT=text reference.txt -i hypothesis.txt
SACREBLEU_FORMAT=text reference.txt -i hypothesis.txt -f json
SACREBLEU_FORMAT=json reference.txt -i hypothesis.txt -f text
SACREBLEU_FORMAT=TEXT reference.txt -i hypothesis.txt -sh
SACREBLEU_FORMAT= reference.txt -i hypothesis.txt -f text
PYTHONIOENCODING=ascii reference.zh.txt -i hypothesis.zh.txt -sl -tok zh
LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 reference.de.txt -f text -w 4 < hypothesis.de.txt
reference.txt -i no-such-file.txt
no-such-file.txt -i hypothesis.txt
reference.txt -i .
reference.txt -i empty.txt
empty.txt -i hypothesis.txt
reference.de.txt -i hypothesis.txt
reference.txt -i hypothesis.blank-end.txt
reference.txt reference.de.txt -i hypothesis.txt
reference.de.txt < hypothesis.txt
reference.txt -i hypothesis.invalid.txt
reference.txt < hypothesis.invalid.txt
reference.txt -i hypothesis.truncated.gz
reference.txt -i hypothesis.txt -e no-such-encoding
reference.txt -i hypothesis.txt -tok no-such-tokenizer
reference.txt -i hypothesis.txt -s no-such-method
reference.txt -i hypothesis.txt -m no-such-metric
reference.txt -i hypothesis.txt -f no-such-format
reference.txt -i hypothesis.txt -w x
reference.txt -i hypothesis.txt -sv x
reference.txt -i hypothesis.txt -nr x
reference.txt -i hypothesis.txt --no-such-option
"""

#: Of several systems, or with resampling. (sacreBLEU's JSON fails for chrF and TER with --paired-bs.)
TABLE_LINES = """
reference.txt -i hypothesis.txt capitals.txt
reference.txt -i hypothesis.txt capitals.txt -f text
reference.txt -i hypothesis.txt capitals.txt -f latex
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -m ter chrf bleu
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -m ter chrf bleu -f text
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -m ter chrf bleu -f latex
reference.txt reference2.txt -i hypothesis.txt capitals.txt shuffled.txt -m ter chrf bleu -f text -w 3 -sh
reference.txt -i hypothesis.txt capitals.txt -f text -b
reference.txt -i hypothesis.txt capitals.txt -f text -w 0 -lc -tok intl
reference.txt -i hypothesis.txt capitals.txt -w 5 -q
references.tsv -nr 2 -i hypothesis.txt shuffled.txt -f text -m chrf -cw 2
reference.txt -f text < systems.tsv
reference.txt -m bleu chrf < systems.tsv
reference.txt -m chrf -f latex < systems.tsv
SACREBLEU_FORMAT=latex reference.txt -i hypothesis.txt capitals.txt
NO_COLOR=1 reference.txt -i hypothesis.txt capitals.txt -f text
reference.txt -i hypothesis.txt -ci
reference.txt -i hypothesis.txt --confidence -f text
reference.txt -i hypothesis.txt -ci -f text -sh -w 4
reference.txt -i hypothesis.txt -ci -b
reference.txt -i hypothesis.txt -ci -b -f text -w 3
reference.txt -i hypothesis.txt -ci -cin 100
reference.txt -i hypothesis.txt -ci --confidence-n 7 -f text -w 12
reference.txt -i hypothesis.txt -ci -m bleu chrf ter
reference.txt -i hypothesis.txt -ci -m bleu chrf ter -f text -w 10
reference.txt reference2.txt -i hypothesis.txt -ci -m chrf ter -w 12 -cin 250
reference.txt -i shuffled.txt -ci -m chrf -cw 2 --chrf-eps-smoothing -f text -w 9
reference.txt -i little.txt -ci -f text -w 9 -s floor -sv 0.3
reference.txt -i little.txt -ci -f text -w 9 -s add-k
reference.txt -i capitals.txt -ci -f text -w 9
reference.txt -i blank.txt -ci -f text -m bleu chrf ter
SACREBLEU_SEED=7 reference.txt -i hypothesis.txt -ci -w 12
SACREBLEU_SEED=123456789012345678901234567890123456789012345 reference.txt -i hypothesis.txt -ci -w 12
reference.txt -ci -f text < hypothesis.txt
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-bs
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-bs -f text -m bleu chrf ter
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -pbs -f latex -m bleu chrf ter -w 4
reference.txt -i hypothesis.txt capitals.txt shuffled.txt -pbs -pbsn 333 -f text -w 12 -sh
reference.txt -i hypothesis.txt capitals.txt -pbs --paired-bs-n 20 -f text -w 12 -m chrf ter
reference.txt -i capitals.txt hypothesis.txt capitals.txt -pbs -pbsn 50 -f text
SACREBLEU_SEED=1 reference.txt -i hypothesis.txt shuffled.txt -pbs -pbsn 100
reference.txt -pbs -pbsn 50 -f text < systems.tsv
reference.txt -pbs -pbsn 50 < systems.tsv
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-ar -parn 500
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-ar -f text -m bleu chrf ter -parn 400
reference.txt -i hypothesis.txt capitals.txt shuffled.txt -par -f latex -m bleu chrf ter -w 4 --paired-ar-n 400
reference.txt reference2.txt -i hypothesis.txt shuffled.txt -par -parn 99 -m chrf ter bleu -w 12
SACREBLEU_SEED=99 reference.txt -i hypothesis.txt shuffled.txt -par -parn 100 -f text -sh
reference.txt -par -parn 50 -f text < systems.tsv
reference.txt -i hypothesis.txt reference.de.txt -f text
reference.txt < systems.short.tsv
reference.txt -pbs -i hypothesis.txt no-such-file.txt
"""

#: Environment variables that would change the oracle's results: the same that the tests keep from the command line.
_INFLUENCES = ("PUREBLEU", "SACREBLEU", "NO_COLOR", "PYTHONPATH")


def command_line_cases() -> Iterator[dict[str, object]]:
    """Command lines to run in `tests/fixtures/cli`, with standard output and exit code. Writes the input files."""
    folder = TARGET / "cli"
    for name, content in cli_files().items():
        (folder / name).write_bytes(content)
    for line in COMMAND_LINES.strip().splitlines():
        case = parse_command_line(line)
        done = run_oracle(case)
        yield {**case, "stdout": done.stdout.decode("utf-8"), "exit_code": done.returncode}


def table_cases() -> Iterator[dict[str, object]]:
    """The same for several systems, and resampling: how standard output starts and ends.

    What lies between is sacreBLEU's explanation of its test, in its own words.
    """
    for line in TABLE_LINES.strip().splitlines():
        case = parse_command_line(line)
        done = run_oracle(case)
        start = end = done.stdout.decode("utf-8")
        if "paired" in start.lower() and not start.startswith("["):
            start = start[:start.index("\n\n---") + 1]
            end = end[end.rindex("---\nMetric signatures"):]
        yield {**case, "start": start, "end": end, "exit_code": done.returncode}


def run_oracle(case: Mapping[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Run a case of `parse_command_line` with the oracle."""
    folder = TARGET / "cli"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_INFLUENCES)}
    with open(folder / case["stdin"] if case["stdin"] else os.devnull, "rb") as stdin:
        return subprocess.run([sys.executable, "-m", "sacrebleu", *case["arguments"]], stdin=stdin, cwd=folder,
                              env={**clean, **case["environment"]}, capture_output=True, check=False)


def parse_command_line(line: str) -> dict[str, Any]:
    """Variables, arguments and the name of the file for standard input of a line of `COMMAND_LINES`."""
    command, _, stdin = line.partition(" < ")
    words = shlex.split(command)
    variables = {}
    while "=" in words[0]:
        name, _, variables[name] = words.pop(0).partition("=")
    return {"line": line, "environment": variables, "arguments": words, "stdin": stdin or None}
