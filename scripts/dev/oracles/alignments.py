"""Write tests/fixtures/alignments.json.gz anew, with what Tercom writes of the lines there.

    python3 scripts/dev/oracles alignments --tercom FOLDER

FOLDER has Tercom 0.10.0's classes (https://github.com/jhclark/tercom, LGPL, to run and nothing else: `git clone` it,
then `javac -encoding UTF-8 -d FOLDER $(find src -name '*.java')`, with Java 17).
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

from dev.oracles.cases.tercom_forms import FORMS, without_head
from dev.oracles.files import golden_cases
from dev.oracles.making import maker_parser, write_cases

Corpus = Mapping[str, Any]


def tercom_output(classes: str, case: Corpus) -> dict[str, str]:
    """Tercom's output in each form, without names of files and the date."""
    count = len(case["hypotheses"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, streams in (("hyp", [case["hypotheses"]]), ("ref", case["references"])):
            (folder / file).write_text("".join([f"{stream[index]} ({index + 1})\n" for index in range(count)
                                                for stream in streams]), encoding="utf-8")
        subprocess.run(["java", "-Dfile.encoding=UTF-8", "-cp", str(Path(classes).resolve()), "ter.TER", "-s", "-r",
                        "ref", "-h", "hyp", "-n", "out", "-o", ",".join(FORMS)], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        return {form: without_head((folder / f"out.{form}").read_bytes().decode("utf-8"), form) for form in FORMS}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture; returns the exit code."""
    parser = maker_parser(__doc__)
    parser.add_argument("--tercom", required=True, metavar="FOLDER", help="Tercom's classes")
    options = parser.parse_args(argv)
    cases = [{**case, "forms": tercom_output(options.tercom, case)} for case in golden_cases("alignments.json.gz")]
    return write_cases("alignments.json.gz", cases, "tercom 0.10.0")


if __name__ == "__main__":
    raise SystemExit(main())
