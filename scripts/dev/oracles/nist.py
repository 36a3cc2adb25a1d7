"""Write tests/fixtures/nist.json.gz with the results of mteval-v13a.pl.

    python3 scripts/dev/oracles nist --mteval FILE

FILE is scripts/generic/mteval-v13a.pl of github.com/moses-smt/mosesdecoder. It is only run. It needs Perl's XML::Twig
(Debian: libxml-twig-perl).
"""

from __future__ import annotations

import subprocess
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Sequence

from dev.oracles.files import Case, write_answers


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--mteval", required=True, type=Path, metavar="FILE", help="mteval-v13a.pl")
    options = parser.parse_args()
    return write_answers("nist.json.gz", partial(figures, options.mteval.resolve()), "mteval-v13a.pl")


def figures(mteval: Path, case: Case) -> Case:
    """Return the scores of mteval-v13a.pl: of the corpus, of each n-gram order, and of the segments."""
    with TemporaryDirectory() as folder:
        write_set(Path(folder, "src"), "srcset", [case["hypotheses"]])
        write_set(Path(folder, "ref"), "refset", case["references"])
        write_set(Path(folder, "tst"), "tstset", [case["hypotheses"]])
        command = ["perl", str(mteval), "-n", "-s", "src", "-r", "ref", "-t", "tst", "--metricsMATR-output",
                   *([] if case["lowercase"] else ["-c"])]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        *_, order_figures, _ = [line for line in done.stdout.split("\n") if line.startswith(" NIST:")]
        return {"corpus": scores_in(Path(folder, "NIST-sys.scr"))[0],
                "orders": list(map(float, order_figures.split()[1:6])),
                "segments": scores_in(Path(folder, "NIST-seg.scr"))}


def write_set(path: Path, kind: str, streams: Sequence[Sequence[str]]) -> None:
    """Write parallel texts as SGML for mteval-v13a.pl. (It resolves entities itself, so nothing is escaped.)"""
    lines = [f'<{kind} setid="s" srclang="en" trglang="de">']
    for number, stream in enumerate(streams):
        lines.append(f'<doc sysid="system{number}" docid="d">')
        lines += [f'<seg id="{index}">{text}</seg>' for index, text in enumerate(stream, 1)]
        lines.append("</doc>")
    path.write_text("\n".join([*lines, f"</{kind}>", ""]), encoding="utf-8")


def scores_in(path: Path) -> list[float]:
    """Return the scores in a file of mteval-v13a.pl, in the order of its lines."""
    return [float(line.rpartition("\t")[2]) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
