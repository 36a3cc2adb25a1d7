"""The manual: pages of Markdown beside this module, which terminals, the repository and HTML show."""

from __future__ import annotations

from ..runtime.program import own_file

#: All pages in the order of reading, with their purpose.
PAGES = {
    "start": "the first score, the first comparison, the first report",
    "vendoring": "a copy of purebleu in another repository",
    "servers": "machines without a network or a package installer",
    "containers": "images with little more than Python in them",
    "continuous-integration": "gates: a build that fails if scores fall",
    "checks": "outputs beside source and references, without scores: copies, loops, chatter, lost numbers",
    "language-models": "from a model's answers to clean, scored and gated outputs",
    "scores": "scores of other programs, such as COMET, in the same tables and tests",
    "agreement": "how well metrics agree with people",
    "spark": "Spark, Dask, Beam, Ray and torch.distributed",
    "test-sets": "published test sets, bundles and mirrors",
    "own-test-sets": "test sets that a file describes, from a spreadsheet to a shared one",
    "page": "the local page in a browser",
    "report": "the page of HTML, many language pairs",
    "compare": "where systems differ, and errors word by word, in a terminal",
    "harnesses": "evaluation harnesses, training loops, notebooks, frozen programs",
    "clients": "programs that call sacreBLEU or evaluate",
    "options": "every option of every command",
    "python": "every public name in Python",
    "metrics": "metrics, tokenizers, minimum Bayes risk decoding, the audit of the preprocessing",
    "signatures": "signatures, field by field",
    "subtitles": "files of subtitles: SubER, blocks, and words by their times",
    "formats": "files that are read, and formats that are printed",
    "exit-codes": "exit codes and errors",
    "statistics": "intervals, tests and ranks, and their limits",
    "differences": "differences from sacreBLEU",
    "conformance": "cases that any implementation can be held to",
    "rows": "sufficient statistics in files",
    "speed": "measured speed and memory",
    "limits": "sizes that were tried",
    "compatibility": "forms that stay, and how changes are announced",
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
