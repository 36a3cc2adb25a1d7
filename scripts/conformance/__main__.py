"""Start of `python scripts/conformance NAME`, which answers the cases of the conformance set with the library NAME."""

import sys
from importlib import import_module
from pathlib import Path

#: The libraries. Each has a module `NAME_adapter`.
NAMES = ("purebleu", "sacrebleu", "bleuscore", "evaluate", "fastchrf", "ignite", "nltk", "pyter", "torchmetrics")

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in NAMES:
        print(f"usage: python scripts/conformance NAME (one of {', '.join(NAMES)})", file=sys.stderr)
        raise SystemExit(2)
    # Python puts the folder that it runs first on the path. The package `conformance` needs the parent folder there.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from conformance.serving import serve

    raise SystemExit(serve(import_module(f"conformance.{sys.argv[1]}_adapter").answer))
