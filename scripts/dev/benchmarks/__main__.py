"""Start of `python scripts/dev/benchmarks`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # A folder that is run is first on the path itself. Its modules are those of a package, beside the other scripts.
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    from dev.benchmarks.command_line import main

    raise SystemExit(main())
