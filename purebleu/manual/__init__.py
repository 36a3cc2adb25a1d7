"""The manual: pages of Markdown beside this module, which terminals, the repository and HTML show."""

from __future__ import annotations

from ..runtime.program import own_file

#: All pages in the order of reading, with their purpose.
PAGES = {
    "start": "the first score, the first comparison, the first report",
    "choose": "which metric and which tokenizer, and whether 33 is good",
    "python": "ten programs, and every public name in Python",
    "metrics": "metrics and their options, minimum Bayes risk decoding, the audit of the preprocessing",
    "tokenizers": "Chinese, Japanese, Korean, spBLEU, and tokens of your own",
    "formats": "forms of input, scores of other programs, and formats of output",
    "subtitles": "subtitle files: SubER, and other metrics on the text of blocks",
    "mistakes": "messages, their causes and their cures",
    "test-sets": "published test sets, the cache, bundles and mirrors",
    "own-test-sets": "test sets that you make from your own files, and share",
    "statistics": "intervals, tests and ranks, and their limits",
    "agreement": "how well metrics agree with people",
    "report": "an HTML page, and tables of many language pairs",
    "compare": "where systems differ, and errors word by word, in a terminal",
    "checks": "faults in outputs, without scores: copies, loops, chatter, lost numbers",
    "language-models": "how to clean, score and gate a model's answers",
    "continuous-integration": "gates: a build that fails if scores fall",
    "differences": "moving from sacreBLEU, evaluate, jiwer or R, and all differences",
    "harnesses": "evaluation harnesses, training loops, notebooks, frozen programs",
    "rows": "sufficient statistics in files: scoring in parts, Spark, Dask, Beam, Ray",
    "servers": "deployment: servers without a network, containers, a page in a browser",
    "vendoring": "a copy of purebleu in another repository",
    "signatures": "signatures, field by field",
    "compatibility": "what later releases keep: exit codes, errors, and what programs may rely on",
    "speed": "measured speed and memory, also for large input",
    "conformance": "cases that test any implementation",
}

#: Pages of before, and the page that has their contents.
MERGED = {"clients": "differences", "containers": "servers", "exit-codes": "compatibility", "limits": "speed",
          "page": "servers", "scores": "formats", "spark": "rows"}


def page_text(name: str) -> str:
    """Return the Markdown of a page, also if the package is in an archive.

    Args:
        name: a key of `PAGES`.

    Raises:
        PurebleuError: this copy of the package was made without it.

    Example:
        >>> page_text("start").splitlines()[0].startswith("# ")
        True
    """
    return own_file(f"manual/{name}.md").decode("utf-8")
