"""Run purebleu for GitHub: with the arguments in GATE_ARGUMENTS, as annotations and a summary of the step.

(They come in a variable, and no shell reads them: a title of a pull request among them is but text.)
"""

import os
import shlex
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def main() -> None:
    try:
        arguments = shlex.split(os.environ.get("GATE_ARGUMENTS", ""))
    except ValueError as error:
        raise SystemExit(f"gate.py: error: arguments: {error}") from None
    sys.path.insert(0, ROOT)
    sys.argv[1:] = [*arguments, "-f", "github"]
    from purebleu.cli import run

    run()


if __name__ == "__main__":
    main()
