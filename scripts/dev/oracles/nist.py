"""Write tests/fixtures/nist.json.gz with the results of mteval-v13a.pl.

    python3 scripts/dev/oracles nist --mteval FILE

FILE is scripts/generic/mteval-v13a.pl of github.com/moses-smt/mosesdecoder, which is run, and nothing else; it needs
Perl's XML::Twig (Debian: libxml-twig-perl).
"""

from __future__ import annotations

import subprocess
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Iterator, Sequence

from dev.oracles.files import golden_cases, write_cases


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--mteval", required=True, type=Path, metavar="FILE", help="mteval-v13a.pl")
    options = parser.parse_args()
    return write_cases("nist.json.gz", cases(options.mteval.resolve()), "mteval-v13a.pl")


def cases(mteval: Path) -> Iterator[dict[str, Any]]:
    """The corpora of the fixture, some of which are scored in lower case, with their scores."""
    for case in golden_cases("nist.json.gz"):
        yield {**case, **figures_of(mteval, case["hypotheses"], case["references"], case["lowercase"])}


def figures_of(mteval: Path, hypotheses: Sequence[str], streams: Sequence[Sequence[str]],
               lowercase: bool) -> dict[str, Any]:
    """The scores of mteval-v13a.pl, as it prints them: of the corpus, what its orders add, and of its segments."""
    with TemporaryDirectory() as folder:
        write_set(Path(folder, "src"), "srcset", [hypotheses])
        write_set(Path(folder, "ref"), "refset", streams)
        write_set(Path(folder, "tst"), "tstset", [hypotheses])
        command = ["perl", str(mteval), "-n", "-s", "src", "-r", "ref", "-t", "tst", "--metricsMATR-output",
                   *([] if lowercase else ["-c"])]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        *_, order_figures, _ = [line for line in done.stdout.split("\n") if line.startswith(" NIST:")]
        return {"corpus": scores_in(Path(folder, "NIST-sys.scr"))[0],
                "orders": list(map(float, order_figures.split()[1:6])),
                "segments": scores_in(Path(folder, "NIST-seg.scr"))}


def write_set(path: Path, kind: str, streams: Sequence[Sequence[str]]) -> None:
    """Write parallel texts in the form of SGML that mteval-v13a.pl reads, which resolves entities itself."""
    lines = [f'<{kind} setid="s" srclang="en" trglang="de">']
    for number, stream in enumerate(streams):
        lines.append(f'<doc sysid="system{number}" docid="d">')
        lines += [f'<seg id="{index}">{text}</seg>' for index, text in enumerate(stream, 1)]
        lines.append("</doc>")
    path.write_text("\n".join([*lines, f"</{kind}>", ""]), encoding="utf-8")


def scores_in(path: Path) -> list[float]:
    """The scores in a file of mteval-v13a.pl, in its order."""
    return [float(line.rpartition("\t")[2]) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
