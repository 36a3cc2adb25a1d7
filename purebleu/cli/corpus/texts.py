"""The labels and the tokens of the segments of a corpus, for the report and for views."""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ...analysis.buckets import Tokens
    from .read import CorpusTexts
    from .scored import Scored

#: The number of lines that are tokenized at once.
_LINES_AT_ONCE = 4096


def labels_of(texts: CorpusTexts | None) -> Mapping[str, Sequence[str]]:
    """The document, the original language and the domain of each segment, as far as they are known."""
    if texts is None:
        return {}
    columns = texts.listed.columns
    labels: dict[str, Sequence[str]] = {name: column for name, column in columns.items()
                                        if name in ("docid", "origlang", "domain")}
    return {**labels, "docid": columns["document"]} if "document" in columns else labels


def tokens_of_corpus(scored: Scored) -> Tokens | None:
    """The tokens of a corpus, as BLEU has them: of each segment of each system, and of each reference of each segment.

    Without texts or references, they are `None`.
    """
    texts, metric = scored.texts, scored.counting_bleu
    if texts is None or metric is None or not texts.references:
        return None

    @lru_cache(maxsize=None)  # (a large corpus has many tokens, but few different ones)
    def text_of(token: object) -> str:
        return token.decode("utf-8", "replace") if isinstance(token, bytes) else str(token)

    def words(lines: Sequence[str]) -> list[list[str]]:
        return [list(map(text_of, tokens)) for start in range(0, len(lines), _LINES_AT_ONCE)
                for tokens in metric.preprocess_lines(lines[start:start + _LINES_AT_ONCE])]

    streams = [iter(words([line for line in stream if line is not None])) for stream in texts.references]
    references = [[next(stream) for stream, line in zip(streams, segment) if line is not None]
                  for segment in zip(*texts.references)]
    return [None if lines is None else words(lines) for lines in texts.outputs_of(len(scored.systems))], references
