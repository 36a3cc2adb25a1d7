"""Start of `python scripts/dev/oracles sacrebleu`."""

import os
import subprocess
import sys
from pathlib import Path

from dev.oracles.sacrebleu.registry import main

#: sacreBLEU takes some references in the order of a set of strings, which differs from process to process without it.
HASH_SEED = {"PYTHONHASHSEED": "3"}

if __name__ == "__main__":
    if not HASH_SEED.items() <= os.environ.items():
        command = [sys.executable, str(Path(__file__).resolve().parents[1]), "sacrebleu", *sys.argv[1:]]
        raise SystemExit(subprocess.run(command, env={**os.environ, **HASH_SEED}).returncode)
    raise SystemExit(main())
