"""Start of `python scripts/dev/oracles NAME ...`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    from dev.commands import run_command

    raise SystemExit(run_command("oracles"))
