"""The sections of a report's page in their order."""

from __future__ import annotations

from ...version import __version__
from ..markup import xml_text
from .certainty import certainty_content
from .checks import checks_content
from .conclusions import listed
from .kinds import kinds_content
from .pairs import pairs_content
from .scores import scores_content, worth_content
from .tables import plain_table, subsection

#: The fields of signatures about resampling, which does not change a score.
_RESAMPLING_FIELDS = ("bs", "ar", "sar", "seed", "rng", "unit", "strata")

#: The beginnings of the names of the scores of sacreBLEU's metrics.
_SACREBLEU_NAMES = ("BLEU", "chrF", "TER")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from ...metrics.score import Signature
    from .content import InputFile, Page


def page_sections(page: Page) -> Iterator[tuple[str, str, str]]:
    """The id, the title and the content of each section of the page; the content may be empty."""
    yield "scores", "Scores", scores_content(page)
    yield "gates", "Gates", "\n".join(map(subsection, page.gates))
    if len(page.names) > 1 and page.summary.results.test is not None:
        yield "worth", "Are the differences real, and worth anything?", worth_content(page)
    yield "agreement", "Agreement with people", "\n".join(map(subsection, page.agreement))
    yield "distributions", "How certain the scores are", certainty_content(page)
    yield "buckets", "By kind of segment", kinds_content(page)
    if len(page.names) > 1:
        yield "pairs", "System against system", pairs_content(page)
    yield "segments", "Segments", _segments(page)
    yield "checks", "Checks of the outputs", checks_content(page)
    yield "line-breaks", "Line breaks", "\n".join(map(subsection, page.line_breaks))
    yield "audit", "Audit of the preprocessing", "\n".join(map(subsection, page.audit))
    signatures = zip([score.name for score in page.summary.results.scores[0]], page.summary.signatures)
    yield "origin", "Signatures and files", origin_content([*signatures], page.files)


def _segments(page: Page) -> str:
    count, shown = len(page.summary.segments[0][0]), page.shown
    parts: list[str] = []
    if page.segments["outputs"] is None:
        parts.append("<p>The texts are not in this file.</p>")
    elif shown < count:
        parts.append(f"<p>The first {shown:,} of {count:,} segments are in this file.</p>")
    parts.append("<noscript><p>The segments need JavaScript.</p></noscript>")
    if page.segments["outputs"] is not None and page.segments["references"]:
        closest = "reference" if len(page.segments["references"]) == 1 else "closest reference"
        parts.append(f"<p>In an output, <ins>words</ins> are those that the {closest} lacks, <del>words</del> those of "
                     'that reference which the output lacks, and <u class="m">words</u> those in a run of four that a '
                     "reference has, too. Here, words are what is between spaces; in Chinese, Japanese, Korean, Thai "
                     "and other scripts without spaces, they are characters.</p>")
    if any(page.segments["shifts"] or ()):
        parts.append("<p>TER shifts blocks of words: a number, as in <sup><span>shift </span>1</sup>words, stands in "
                     "front of what a shift moves, and an arrow with the same number, "
                     '<sup class="to"><span>to here: shift </span>1</sup>, where that goes; the line below says so in '
                     "words.</p>")
    parts.append(f'<ol class="segments" data-from="{page.prefix}data"></ol>')  # (`page.js` fills it)
    return "\n".join(parts)


def _as_published(signature: str) -> str:
    """A signature without the fields of resampling, and without the name of this program.

    >>> _as_published("nrefs:1|bs:1000|seed:12345|rng:mt19937|case:lc|version:purebleu-2.6.0.post1")
    'nrefs:1|case:lc|version:2.6.0'
    """
    fields = [field for field in signature.split("|") if field.partition(":")[0] not in _RESAMPLING_FIELDS]
    return "|".join(fields).replace("version:purebleu-", "version:").partition(".post")[0]


def origin_content(signatures: Sequence[tuple[str, Signature]], files: Sequence[InputFile]) -> str:
    """The signatures of metrics, by the names of their scores, and the files that were read."""
    items: list[str] = []
    published: list[str] = []
    outside: list[str] = []
    for name, signature in signatures:
        items.append(f"<dt>{xml_text(name)}</dt><dd><code>{xml_text(signature.format())}</code></dd>")
        if signature.info["nrefs"] is None:
            outside.append(name)
        elif name.startswith(_SACREBLEU_NAMES) and not (signature.info.get("reseg") or signature.info.get("unicode")):
            published.append(f"<dt>{xml_text(name)}, as sacreBLEU signs it</dt>"
                             f"<dd><code>{xml_text(_as_published(signature.format()))}</code></dd>")
    rows = [[xml_text(name), f"<code>{digest}</code>", f"{lines}"] for name, digest, lines in files]
    # (The summary on paper has the signatures alone; elements with the class `beside` are printed with the whole page.)
    return "\n".join([
        f"<dl>{''.join(items)}</dl>", '<div class="beside">',
        "<p>These scores can be compared with others of the same test set and the same references whose signatures "
        "have the same fields. Resampling (bs, ar, seed, rng) does not change a score.</p>",
        *(["<p>These scores are those of sacreBLEU with the same version number, which would sign them so:</p>",
           f"<dl>{''.join(published)}</dl>"] if published else []),
        *([f"<p>The scores of {xml_text(listed(outside))} come from outside: purebleu did not compute them, and "
           "compares them as they are.</p>"] if outside else []),
        *([plain_table("Files", ["File", "SHA-256", "Lines"], rows, 2)] if rows else []),
        "</div>", f"<p>Made by purebleu {__version__}.</p>"])
