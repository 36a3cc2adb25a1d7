"""Command lines that have to print the same on every interpreter, in `tests/fixtures/cli` and two long files there."""

from __future__ import annotations

from pathlib import Path

SCORE = "reference.txt -i hypothesis.txt"
SYSTEMS = "reference.txt -i hypothesis.txt shuffled.txt capitals.txt"
TEST_SET = "-t sample -l en-de"

#: Command lines that work wherever there is a Python. (Files are those of `tests/fixtures/cli`, and two long ones.)
CORE = (
    "--version",
    "--help",
    SCORE,
    f"{SCORE} -f text",
    f"{SCORE} -f text -m bleu chrf ter -w 14",
    f"{SCORE} -m bleu chrf ter",
    f"{SCORE} -sl -w 14",
    f"{SCORE} -tok char -lc -b",
    f"{SCORE} -tok intl -f text",
    f"{SCORE} -m chrf -cw 2 -b -w 14",
    f"{SCORE} -m ter --ter-normalized --ter-asian-support",
    "reference.zh.txt -i hypothesis.zh.txt -tok zh -f text",
    "reference.txt reference2.txt -i hypothesis.txt -m bleu chrf ter -f text",
    "long.reference.txt -i long.hypothesis.txt -m bleu chrf -j 2 -w 14",  # in one process, where there is no other way
    f"{TEST_SET} --echo all",
    f"{TEST_SET} -f text",
    "--list",
    "reference.txt -i missing.txt",
    "reference.txt -i hypothesis.invalid.txt",
    "reference.txt -i empty.txt",
    f"{SCORE} -w -1",
)

#: Command lines that may need more of the standard library than there is.
MORE = (
    f"{SCORE} -ci -cin 200 -m bleu chrf ter -f text",
    f"{SCORE} -ci -cin 200 -m ter --rng numpy",
    SYSTEMS,
    f"{SYSTEMS} -m bleu chrf ter -f text",
    f"{SYSTEMS} -f markdown",
    f"{SYSTEMS} -f html",
    f"{SYSTEMS} -f latex",
    f"{SCORE} -f html",
    f"{SYSTEMS} -ci -cin 200",
    f"{SYSTEMS} -m bleu chrf ter --paired-bs -pbsn 200 -f text",
    f"{SYSTEMS} -m bleu --paired-ar -parn 200",
    f"test {SYSTEMS} -m bleu chrf --paired-bs --samples 200",
    f"gate {SCORE} --min bleu=99",
    "check reference.txt -i hypothesis.txt shuffled.txt",
    f"{TEST_SET} -d -m chrf",
    "reference.txt.gz -i hypothesis.txt.gz -f text",
    "reference.txt -i hypothesis.truncated.gz",
    f"{TEST_SET} --citation",
    "-t wmt18 -l en-de --offline --echo src",
)


def write_long_files(folder: Path) -> None:
    """Write the two long files."""
    for name in ("reference.txt", "hypothesis.txt"):
        (folder / f"long.{name}").write_bytes((folder / name).read_bytes() * 300)
