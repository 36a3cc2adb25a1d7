"""Start of `python scripts/make_fixtures`."""

import os
import subprocess
import sys
from pathlib import Path

#: sacreBLEU takes some references in the order of a set of strings, which differs from process to process without it.
HASH_SEED = {"PYTHONHASHSEED": "3"}

if __name__ == "__main__":
    if not HASH_SEED.items() <= os.environ.items():
        raise SystemExit(subprocess.run([sys.executable, *sys.argv], env={**os.environ, **HASH_SEED}).returncode)
    # A folder that is run is first on the path itself. Its modules are those of a package, beside the other scripts.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from make_fixtures.registry import main

    raise SystemExit(main())
