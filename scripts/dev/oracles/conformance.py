"""Write the conformance set: sacreBLEU computes the expected values of all cases again.

    python3 scripts/dev/oracles conformance OUT [--oracle PYTHON]

OUT is a file of JSON Lines, such as tests/fixtures/conformance.jsonl, the golden file. Its SHA-256 checksum is written
to OUT.sha256. PYTHON is an interpreter that has `sacrebleu==2.6.0` (default: the one that runs this command). The file
`tests/fixtures/conformance.md` explains the format. To add a case, add its line without `expected` to the golden file.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Sequence

from dev.oracles.files import TARGET, Case, run_by_oracle

#: Characters at which some readers end lines.
ESCAPED = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}


def main(parser: ArgumentParser) -> int:
    parser.add_argument("out", type=Path, metavar="OUT", help="the file to write, in JSON Lines")
    parser.add_argument("--oracle", default=sys.executable, metavar="PYTHON",
                        help="an interpreter that has sacreBLEU (default: the one that runs this)")
    options = parser.parse_args()
    code = run_by_oracle("conformance", options.oracle)
    if code is not None:
        return code
    logging.disable(logging.WARNING)  # (Some cases have unusual input on purpose, and sacreBLEU warns of it.)
    lines = (TARGET / "conformance.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    write(options.out, [answered(json.loads(line)) for line in lines])
    return 0


def answered(case: Case) -> Case:
    """Return the case with sacreBLEU's answer."""
    from conformance.sacrebleu_adapter import answer

    question = {name: value for name, value in case.items() if name != "expected"}
    return {**question, "expected": answer(question)}


def write(path: Path, cases: Sequence[Case]) -> None:
    """Write the cases and their checksum."""
    content = "".join([line_of(case) + "\n" for case in cases]).encode("utf-8")
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    path.with_name(path.name + ".sha256").write_bytes(f"{digest}  {path.name}\n".encode("ascii"))
    print(f"{path.name}: {len(cases):,} cases, {len(content):,} bytes, SHA-256 {digest}")


def line_of(case: Case) -> str:
    return json.dumps(case, ensure_ascii=False, separators=(",", ":")).translate(ESCAPED)
