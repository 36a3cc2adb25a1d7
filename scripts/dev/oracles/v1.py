"""Write tests/fixtures/v1.json.gz: the results of calls of sacreBLEU 1.x.

    ORACLE/bin/python scripts/dev/oracles v1

ORACLE has `sacrebleu==1.4.2`. Segments in a new call need six characters or more: chrF differs for shorter ones.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from importlib import import_module
from typing import Any

from dev.oracles.files import golden_cases, write_cases


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    sacrebleu = import_module("sacrebleu")
    cases = [[name, arguments, keywords, plain(getattr(sacrebleu, name)(*arguments, **keywords))]
             for name, arguments, keywords, _ in golden_cases("v1.json.gz")]
    return write_cases("v1.json.gz", cases, f"sacreBLEU {sacrebleu.VERSION}")


def plain(result: Any) -> Any:
    """Return a result as values of JSON."""
    if hasattr(result, "precisions"):
        return [result.score, list(result.counts), list(result.totals), list(result.precisions), result.bp]
    if isinstance(result, Counter):
        return sorted(result.items())
    if isinstance(result, tuple):
        return list(map(plain, result))
    if isinstance(result, str):
        return " ".join(result.split())  # (There may be several spaces between two tokens.)
    return getattr(result, "score", result)
