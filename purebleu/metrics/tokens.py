"""The tokens of segments, for metrics that compare tokens. A segment is a line of text, or a sequence of tokens."""

from __future__ import annotations

from ..runtime.blocks import BLOCK_CHARACTERS, BLOCK_SEGMENTS, CACHED_SEGMENTS, slices
from ..runtime.errors import check_text, warn
from ..tokenizers import DEFAULT, DEFAULT_BY_LANGUAGE, SENTENCEPIECE_TOKENIZERS, language_meant, make_tokenizer
from ..unicode.properties import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..runtime.hints import Callable, Iterator, Segment, Sequence, Tokens
    from ..tokenizers import BaseTokenizer

#: Tokenizers that split lines at spaces (and punctuation marks).
_TOKENIZERS_OF_WORDS = ("13a", "intl", "none", "moses")

#: The usual choices for languages without spaces between words and without a tokenizer of their own, each with the
#: codes of its languages.
_USUAL_BY_LANGUAGE = {
    "the tokenizer zh, or flores200 (spBLEU)": ("yue", "wuu"),
    "the tokenizer flores200 (spBLEU), the tokenizer char, or the metric chrF": (
        "th", "tha", "lo", "lao", "km", "khm", "my", "mya", "bo", "bod"),
}


def tokenizer_for(choice: str | Callable[[str], object] | None, language: str, name: str = "") -> BaseTokenizer:
    """Make the chosen tokenizer, or the usual tokenizer of the language if the choice is `None`.

    `name` is the name of the tokenizer in signatures, if `choice` is a function.
    """
    check_text("trg_lang", language)
    warn_of_language(choice, language)
    return make_tokenizer(DEFAULT_BY_LANGUAGE.get(language, DEFAULT) if choice is None else choice, name)


def warn_of_language(choice: str | Callable[[str], object] | None, language: str) -> None:
    """Warn if a tokenizer is unusual for a language."""
    usual = DEFAULT_BY_LANGUAGE.get(language, DEFAULT)
    if choice is not None and language in DEFAULT_BY_LANGUAGE and choice != usual and (
            choice not in SENTENCEPIECE_TOKENIZERS):
        warn(f"scores for {language!r} are usually computed with the tokenizer {usual!r} (or 'spm'), "
             f"not with {choice!r}")
    doubt = doubt_of_language(language)
    if doubt and choice in (None, DEFAULT):
        warn(doubt)


def doubt_of_language(language: str) -> str:
    """Return a reason why the default tokenizer is probably wrong for a target language; '' if there is none.

    >>> doubt_of_language("jp")
    "the language code 'jp' selects no tokenizer, so 13a is used; the code 'ja' (-l en-ja) selects ja-mecab"
    """
    if not language or language in DEFAULT_BY_LANGUAGE:
        return ""
    meant = language_meant(language)
    if meant:
        return (f"the language code {language!r} selects no tokenizer, so {DEFAULT} is used; the code "
                f"{meant!r} (-l en-{meant}) selects {DEFAULT_BY_LANGUAGE[meant]}")
    code = language.rpartition("-")[2].partition("_")[0]
    for usual, codes in _USUAL_BY_LANGUAGE.items():
        if code in codes:
            return (f"the language {language!r} has no tokenizer of its own, so {DEFAULT} is used, which needs spaces "
                    f"between words: use {usual} (purebleu help choose)")
    return ""


def advice_on_tokenizer(signature: str, language: str) -> str:
    """Return the options to use for text without spaces between words; '' if the tokenizer suits such text.

    Args:
        signature: the signature of the tokenizer.
        language: the language of the text, as `usual_language` returns it.
    """
    if signature not in _TOKENIZERS_OF_WORDS and (signature != "zh" or language == "zh"):
        return ""
    usual = f"{DEFAULT_BY_LANGUAGE[language]} (-l en-{language}), " if language else ""
    return f"-tok {usual}flores200 or char (tokenize= in Python)"


def slices_for(tokenizer: BaseTokenizer, hypotheses: Sequence[Segment]) -> Iterator[slice]:
    """Return the slices of a corpus whose segments are tokenized and matched at once, for speed."""
    if not tokenizer.WHOLE_BLOCKS or sum(map(len, hypotheses)) > BLOCK_CHARACTERS:
        return slices(len(hypotheses), CACHED_SEGMENTS)
    return slices(len(hypotheses), BLOCK_SEGMENTS)


def tokens_of(segments: Sequence[Segment], tokenizer: BaseTokenizer, lowercase: bool) -> Sequence[Tokens]:
    """Return the tokens of each segment, in lower case if requested. Segments may be tokens already."""
    lines = [segment for segment in segments if isinstance(segment, str)]
    if len(lines) < len(segments):
        return [_given_tokens(segment, lowercase) for segment in segments]
    if lowercase:
        from ..unicode.casing import lower_case_of_lines

        lines = lower_case_of_lines(lines)
    # (White space at the end is removed, as in sacreBLEU, so a final hyphen and line feed keep the hyphen under 13a.)
    return tokenizer.tokenize_lines([line.rstrip(WHITESPACE) for line in lines])


def _given_tokens(tokens: Tokens, lowercase: bool) -> Tokens:
    if lowercase:
        from ..unicode.casing import lower_case

        return [lower_case(token) if isinstance(token, str) else token for token in tokens]
    return list(tokens)
