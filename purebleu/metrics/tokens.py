"""The input of metrics on tokens: the tokens of a line, or those that a segment was given as."""

from __future__ import annotations

from ..blocks import BLOCK_CHARACTERS, BLOCK_SEGMENTS, CACHED_SEGMENTS, slices
from ..errors import warn
from ..tokenizers import DEFAULT, DEFAULT_BY_LANGUAGE, SENTENCEPIECE_TOKENIZERS, make_tokenizer
from ..unicode.whitespace import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Hashable, Iterator, Sequence

    from ..tokenizers import BaseTokenizer
    from .segments import Segment

    Tokens = Sequence[Hashable]


def tokenizer_for(choice: str | Callable[[str], object] | None, language: str) -> BaseTokenizer:
    """The tokenizer that was chosen; `None`: the usual one for the target language.

    Warns of one that is unusual for the language.
    """
    usual = DEFAULT_BY_LANGUAGE.get(language, DEFAULT)
    if choice is not None and language in DEFAULT_BY_LANGUAGE and choice != usual and (
            choice not in SENTENCEPIECE_TOKENIZERS):
        warn(f"scores for {language!r} are usually computed with the tokenizer {usual!r} (or 'spm'), "
             f"not with {choice!r}")
    return make_tokenizer(usual if choice is None else choice)


def slices_for(tokenizer: BaseTokenizer, hypotheses: Sequence[Segment]) -> Iterator[slice]:
    """The slices of a corpus that are tokenized and matched together, for speed."""
    if not tokenizer.WHOLE_BLOCKS or sum(map(len, hypotheses)) > BLOCK_CHARACTERS:
        return slices(len(hypotheses), CACHED_SEGMENTS)
    return slices(len(hypotheses), BLOCK_SEGMENTS)


def tokens_of(segments: Sequence[Segment], tokenizer: BaseTokenizer, lowercase: bool) -> Sequence[Tokens]:
    """The tokens of each segment, in lower case if asked for; those that are given as tokens need no tokenizer."""
    lines = [segment for segment in segments if isinstance(segment, str)]
    if len(lines) < len(segments):
        return [_given_tokens(segment, lowercase) for segment in segments]
    if lowercase:
        from ..unicode.casing import lower_case_of_lines

        lines = lower_case_of_lines(lines)
    return tokenizer.tokenize_lines([line.rstrip(WHITESPACE) for line in lines])


def _given_tokens(tokens: Tokens, lowercase: bool) -> Tokens:
    if lowercase:
        from ..unicode.casing import lower_case

        return [lower_case(token) if isinstance(token, str) else token for token in tokens]
    return list(tokens)
