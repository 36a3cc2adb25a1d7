"""Start of `python scripts/dev/oracles sacrebleu`."""

import sys

from dev.oracles.making import run_by_oracle
from dev.oracles.sacrebleu.registry import main

if __name__ == "__main__":
    code = run_by_oracle("sacrebleu", sys.argv[1:])
    raise SystemExit(main() if code is None else code)
