"""The manual: pages of Markdown beside this module, which terminals, the repository and HTML show."""

from __future__ import annotations

from ..runtime.program import own_file

#: All pages in the order of reading, with their purpose.
PAGES = {
    "start": "the first score, the first comparison, the first report",
    "choose": "which metric and which tokenizer, and whether 33 is good",
    "python": "ten programs, and every public name in Python",
    "metrics": "metrics and their options, minimum Bayes risk decoding, the audit of the preprocessing",
    "tokenizers": "tokenizers: Chinese, Japanese, Korean, spBLEU, and tokens of your own",
    "formats": "files that are read, scores of other programs, and formats that are printed",
    "mistakes": "messages, their causes and their cures",
    "test-sets": "published test sets, bundles and mirrors",
    "own-test-sets": "test sets that a file describes, from a spreadsheet to a shared one",
    "statistics": "intervals, tests and ranks, and their limits",
    "agreement": "how well metrics agree with people",
    "report": "the page of HTML, many language pairs",
    "compare": "where systems differ, and errors word by word, in a terminal",
    "checks": "outputs beside source and references, without scores: copies, loops, chatter, lost numbers",
    "language-models": "from a model's answers to clean, scored and gated outputs",
    "subtitles": "files of subtitles: SubER, blocks, and words by their times",
    "continuous-integration": "gates: a build that fails if scores fall",
    "clients": "programs that call sacreBLEU or evaluate",
    "harnesses": "evaluation harnesses, training loops, notebooks, frozen programs",
    "differences": "differences from sacreBLEU",
    "servers": "machines without a network or a package installer",
    "containers": "images with little more than Python in them",
    "page": "the local page in a browser",
    "vendoring": "a copy of purebleu in another repository",
    "rows": "sufficient statistics in files",
    "spark": "Spark, Dask, Beam, Ray and torch.distributed",
    "signatures": "signatures, field by field",
    "exit-codes": "exit codes and errors",
    "compatibility": "forms that stay, and how changes are announced",
    "conformance": "cases that any implementation can be held to",
    "speed": "measured speed and memory",
    "limits": "sizes that were tried",
}


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
