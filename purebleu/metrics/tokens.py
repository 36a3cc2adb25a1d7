"""The tokenizers of metrics: the choice of a tokenizer, advice for languages, and the tokens of segments."""

from __future__ import annotations

from ..runtime.blocks import BLOCK_CHARACTERS, BLOCK_SEGMENTS, CACHED_SEGMENTS, slices
from ..runtime.errors import check_text, warn
from ..tokenizers import DEFAULT, DEFAULT_BY_LANGUAGE, SENTENCEPIECE_TOKENIZERS, language_meant, make_tokenizer
from ..unicode.properties import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..runtime.hints import Callable, Iterator, Segment, Sequence, Tokens
    from ..tokenizers import BaseTokenizer

#: Tokenizers that need spaces between words.
_TOKENIZERS_OF_WORDS = ("13a", "intl", "none", "moses")

#: What is usual for languages without spaces between words and without a default tokenizer, and the codes of these
#: languages.
_USUAL_BY_LANGUAGE = {
    "the tokenizer zh, or flores200 (spBLEU)": ("yue", "wuu"),
    "the tokenizer flores200 (spBLEU), the tokenizer char, or the metric chrF": (
        "th", "tha", "lo", "lao", "km", "khm", "my", "mya", "bo", "bod"),
}


def tokenizer_for(choice: str | Callable[[str], object] | None, language: str, name: str = "") -> BaseTokenizer:
    """Make the chosen tokenizer, or the default tokenizer of the target language if the choice is `None`.

    `name` is the name in signatures if the choice is a function.
    """
    check_text("trg_lang", language)
    warn_of_language(choice, language)
    return make_tokenizer(DEFAULT_BY_LANGUAGE.get(language, DEFAULT) if choice is None else choice, name)


def warn_of_language(choice: str | Callable[[str], object] | None, language: str) -> None:
    """Warn if a choice of a tokenizer (`None`: the default) is unusual for a target language."""
    usual = DEFAULT_BY_LANGUAGE.get(language, DEFAULT)
    is_usual = choice in (None, usual, *SENTENCEPIECE_TOKENIZERS)
    if language in DEFAULT_BY_LANGUAGE and not is_usual:
        warn(f"scores for {language!r} are usually computed with the tokenizer {usual!r} (or 'spm'), "
             f"not with {choice!r}")
    doubt = doubt_of_language(choice, language)
    if doubt:
        warn(doubt)


def doubt_of_language(choice: str | Callable[[str], object] | None, language: str) -> str:
    """Return why the default tokenizer is probably wrong for a target language; '' for any other choice.

    >>> doubt_of_language("13a", "jp")
    "the language code 'jp' selects no tokenizer, so 13a is used; the code 'ja' (-l en-ja) selects ja-mecab"
    """
    if choice not in (None, DEFAULT) or not language or language in DEFAULT_BY_LANGUAGE:
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
    """Return what to use instead for text without spaces between words; '' if the tokenizer suits such text.

    Args:
        signature: the signature of the tokenizer.
        language: the language of the text, as `usual_language` returns it.
    """
    if signature not in _TOKENIZERS_OF_WORDS and (signature != "zh" or language == "zh"):
        return ""
    usual = f"{DEFAULT_BY_LANGUAGE[language]} (-l en-{language}), " if language else ""
    return f"-tok {usual}flores200 or char (tokenize= in Python)"


def slices_for(tokenizer: BaseTokenizer, hypotheses: Sequence[Segment]) -> Iterator[slice]:
    """Return the slices of a corpus that are tokenized and counted at once, for speed."""
    if not tokenizer.WHOLE_BLOCKS or sum(map(len, hypotheses)) > BLOCK_CHARACTERS:
        return slices(len(hypotheses), CACHED_SEGMENTS)
    return slices(len(hypotheses), BLOCK_SEGMENTS)


def tokens_of(segments: Sequence[Segment], tokenizer: BaseTokenizer, lowercase: bool) -> Sequence[Tokens]:
    """Return the tokens of each segment, in lower case if requested. A segment is a line, or already tokens."""
    lines = [segment for segment in segments if isinstance(segment, str)]
    if len(lines) < len(segments):
        return [_given_tokens(segment, lowercase) for segment in segments]
    if lowercase:
        from ..unicode.casing import lower_case_of_lines

        lines = lower_case_of_lines(lines)
    # sacreBLEU-compat: whitespace at the end is removed first, so 13a keeps a hyphen before a line feed at the end.
    return tokenizer.tokenize_lines([line.rstrip(WHITESPACE) for line in lines])


def _given_tokens(tokens: Tokens, lowercase: bool) -> Tokens:
    if lowercase:
        from ..unicode.casing import lower_case

        return [lower_case(token) if isinstance(token, str) else token for token in tokens]
    return list(tokens)
