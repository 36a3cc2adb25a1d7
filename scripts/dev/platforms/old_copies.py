"""Try copies with the names of sacreBLEU 1.x in clones of real projects, in place of the module that these have.

    python3 scripts/dev/platforms old_copies                      # in all of them
    python3 scripts/dev/platforms old_copies --source-root DIR    # clone from bare mirrors: DIR/OWNER+NAME/repo

Each project runs its tests, or prints scores with 12 digits, before and after: both have to be the same. Nothing but
the module changes. Clones and environments are kept in `.environments/hosts`.

Exit codes: 0 all is well, 1 something fails, 2 wrong usage.
"""

from __future__ import annotations

import re
import shutil
from argparse import ArgumentParser
from pathlib import Path

from dev.platforms.hosts import PYTEST, Host, place_of, put_copy
from dev.platforms.steps import ENVIRONMENTS, Failed, tell

#: Prints the scores of a module of metrics of sign-language translation.
SCORES = (
    "import {0} as metrics; "
    "hyp, ref = [open('{{files}}/' + name, encoding='utf-8').read().splitlines()[:50] "
    "for name in ('hypothesis.txt', 'reference.txt')]; found = metrics.bleu(references=ref, hypotheses=hyp); "
    "found = found if isinstance(found, dict) else {{'bleu': found}}; "
    "chrf = metrics.chrf(references=ref, hypotheses=hyp); "
    "found['chrf'] = getattr(chrf, 'score', chrf); found['rouge'] = metrics.rouge(references=ref, hypotheses=hyp); "
    "print({{name: format(score, '.12g') for name, score in found.items()}})"
)

#: Projects, and where each has its module, or a package with it.
PROJECTS = (
    (Host("sockeye-1", "awslabs/sockeye", "3cca0c3ec397fbcb4c0ff0f51487e29338f53614", "sockeye_contrib/sacrebleu",
          ("--only", "bleu", "chrf", "--api", "1"), (),
          (*PYTEST, "-c", "/dev/null", "test/unit/test_bleu.py", "test/unit/test_chrf.py"), packages=("pytest",)),
     "sockeye_contrib/sacrebleu"),
    (Host("slt", "neccam/slt", "90588825f6229474bc19ac7a6b30ea3116635ba3", "signjoey/external_metrics/sacrebleu",
          ("--only", "bleu", "chrf", "--api", "1"), (), ("-c", SCORES.format("signjoey.metrics")),
          packages=("numpy", "portalocker")),
     "signjoey/external_metrics/sacrebleu.py"),
    (Host("SLP", "BenSaunders27/ProgressiveTransformersSLP", "ff8b28cb0817d177f63dfa18c7c322806ee5dd96",
          "external_metrics/sacrebleu", ("--only", "bleu", "chrf", "--api", "1"), (),
          ("-c", SCORES.format("metrics")), packages=("numpy", "portalocker")),
     "external_metrics/sacrebleu.py"),
    (Host("fairseq-multi", "yilinyang7/fairseq_multi_fix", "3c253cec55c492788f96143b5dad03cd42d896ac",
          "scripts/sacrebleu.py", ("--only", "bleu", "--with", "cli"), (),
          ("scripts/sacrebleu.py", "{files}/reference.txt", "-i", "{files}/hypothesis.txt", "-b")),
     "scripts/sacrebleu.py"),
)


def is_same(host: Host, module: str, source_root: Path | None) -> bool:
    """Whether a project runs as before with a copy in place of its module."""
    place = place_of(host, ENVIRONMENTS / "hosts", source_root)
    before = place.run(host.tests, with_original=False)
    old = place.clone / module
    shutil.rmtree(old) if old.is_dir() else old.unlink()
    put_copy(place)
    after = place.run(host.tests, with_original=False)
    results = [(code, re.sub(r" in [\d.]+s", "", output)) for code, output in (before, after)]
    print(f"{host.name}: {results[1][1].splitlines()[-1:]}", flush=True)
    if results[0] != results[1] or before[0]:
        tell(f"{host.name} differs", [*before[1].splitlines()[-4:], "---", *after[1].splitlines()[-4:]])
    return results[0] == results[1] and not before[0]


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--source-root", metavar="DIR", type=Path, help="a folder with bare mirrors, OWNER+NAME/repo")
    options = parser.parse_args()
    root = options.source_root and options.source_root.resolve()
    try:
        fine = [is_same(host, module, root) for host, module in PROJECTS]
        return 0 if all(fine) else 1
    except (Failed, OSError) as error:
        tell(str(error))
        return 1
