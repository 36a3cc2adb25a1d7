"""Tokenizers by name: the registry, the default of each language, and the function that makes a tokenizer.

In reading order: `tokenizer_base`; `tokenizer_13a`, `_re`, `_zh`, `_intl`, `_char`, `_none` and `_ter` (the definitions
of tokenizers without data); `separation` (faster functions for many lines); `tokenizer_ja_mecab`, `_ko_mecab` and
`_spm` (tokenizers with dictionaries and models); `rouge_words`.
"""

from __future__ import annotations

from functools import lru_cache, partial
from importlib import import_module

from ..runtime.hints import Callable
from ..runtime.errors import OptionError, nearest

__all__ = ["DEFAULT", "TOKENIZERS", "BaseTokenizer", "make_tokenizer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tokenizer_base import BaseTokenizer as BaseTokenizer

#: The registry: for each name, a module of this package, a class of the module, and the arguments of the class.
TOKENIZERS: dict[str, tuple[str, ...]] = {
    "13a": ("tokenizer_13a", "Tokenizer13a"),
    "intl": ("tokenizer_intl", "TokenizerV14International"),
    "zh": ("tokenizer_zh", "TokenizerZh"),
    "char": ("tokenizer_char", "TokenizerChar"),
    "none": ("tokenizer_none", "NoneTokenizer"),
    "ja-mecab": ("tokenizer_ja_mecab", "TokenizerJaMecab"),
    "ko-mecab": ("tokenizer_ko_mecab", "TokenizerKoMecab"),
    "spm": ("tokenizer_spm", "TokenizerSPM", "spm"),
    "flores101": ("tokenizer_spm", "TokenizerSPM", "flores101"),
    "flores200": ("tokenizer_spm", "TokenizerSPM", "flores200"),
    "spBLEU-1K": ("tokenizer_spm", "TokenizerSPM", "spBLEU-1K"),
}

#: The names that error messages offer. (A vendored copy offers only the tokenizers that it has.)
OFFERED = (*TOKENIZERS,)

#: The tokenizers with a SentencePiece model.
SENTENCEPIECE_TOKENIZERS = [name for name, (module, *_) in TOKENIZERS.items() if module == "tokenizer_spm"]

#: `spm:` and the path of a SentencePiece model also name a tokenizer.
MODEL_PREFIX = "spm:"

#: The default tokenizer, and the default tokenizers of three target languages.
DEFAULT = "13a"
DEFAULT_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

#: Three-letter codes of these languages.
_THREE_LETTERS = {"zho": "zh", "cmn": "zh", "jpn": "ja", "kor": "ko"}

#: Names of these languages, and country codes that people confuse with language codes.
_OTHER_NAMES = {"cn": "zh", "chinese": "zh", "mandarin": "zh", "jp": "ja", "japanese": "ja", "kr": "ko",
                "korean": "ko"}


def language_of_code(code: str) -> str:
    """Return `zh`, `ja` or `ko` for a code of these languages (maybe with a script). Return other codes unchanged.

    Example:
        >>> language_of_code("zho_Hans"), language_of_code("jpn"), language_of_code("deu")
        ('zh', 'ja', 'deu')
    """
    language = code.partition("_")[0]
    language = _THREE_LETTERS.get(language, language)
    return language if language in DEFAULT_BY_LANGUAGE else code


def language_meant(name: str) -> str:
    """Return `zh`, `ja` or `ko` if a target language with this name is probably one of these; otherwise ''.

    Example:
        >>> [language_meant(name) for name in ("chinese", "en-jp", "zh-TW", "eng_Latn-kor_Hang", "zh-en")]
        ['zh', 'ja', 'zh', 'ko', '']
    """
    first, _, last = name.rpartition("-")
    # (In `zh-en`, the last part is the target language. In `zh-TW`, it is a region.)
    parts = [last] if last.islower() and len(last) < 4 else [last, first]
    for part in map(str.lower, parts):
        language = _OTHER_NAMES.get(part) or language_of_code(part)
        if language in DEFAULT_BY_LANGUAGE:
            return language
    return ""


@lru_cache(maxsize=64)
def tokenizer_class(name: str) -> Callable[[], BaseTokenizer]:
    """Return the class of a tokenizer, or the class with its arguments.

    Raises `OptionError` if the name is unknown, or is `spm:` without a path.
    """
    if name not in TOKENIZERS and not name.startswith(MODEL_PREFIX):
        file = f", and {MODEL_PREFIX}FILE for a SentencePiece model" if "spm" in OFFERED else ""
        raise OptionError(f"unknown tokenizer {name!r}{nearest(name, OFFERED)}; choose from {', '.join(OFFERED)}{file}",
                          option="tokenize")
    if name == MODEL_PREFIX:
        raise OptionError(f"{name} lacks the path of a SentencePiece model", option="tokenize")
    module, class_name, *arguments = TOKENIZERS.get(name) or (*TOKENIZERS["spm"], name[len(MODEL_PREFIX):])
    found: type[BaseTokenizer] = getattr(import_module("." + module, __package__), class_name)
    return partial(found, *arguments) if arguments else found


def name_of_signature(signature: str) -> str:
    """Return the name of the tokenizer with this signature.

    Raises `OptionError` if there is no such tokenizer, or if the tokenizer needs a file or a function.

    Example:
        >>> name_of_signature("ja-mecab-0.996-IPA")
        'ja-mecab'
    """
    for name, (module, *_) in TOKENIZERS.items():
        if signature == name or (module.endswith("mecab") and signature.startswith(f"{name}-")):
            return name
    raise OptionError(f"no tokenizer has the signature tok:{signature}; choose from {', '.join(OFFERED)}")


def make_tokenizer(choice: str | BaseTokenizer | Callable[[str], object], name: str = "") -> BaseTokenizer:
    """Make a tokenizer from a choice of the user.

    Args:
        choice: the name of a tokenizer, or a function that returns the tokens of a line as a list or a string. A
            tokenizer is returned unchanged, so metrics can share it.
        name: the name of the function in signatures.
    """
    if name:
        _check_tokenizer_name(name, choice)
    if isinstance(choice, str):
        return tokenizer_class(choice)()
    from .tokenizer_base import BaseTokenizer, CustomTokenizer

    if isinstance(choice, BaseTokenizer) and not name:
        return choice
    if callable(choice):
        return CustomTokenizer(choice, name)
    raise TypeError(f"a tokenizer is a name or a callable, not {type(choice).__name__}")


def _check_tokenizer_name(name: str, choice: object) -> None:
    """Raise `OptionError` if `choice` is not a function, or if its `name` can't be in a signature."""
    if isinstance(choice, str) or not callable(choice):
        raise OptionError("tokenize_name is the name of a function in signatures, but tokenize is not a function",
                          option="tokenize_name")
    if not name.isprintable() or name != name.strip() or "|" in name or ":" in name or name in TOKENIZERS:
        raise OptionError(f"{name!r:.40} can't name a tokenizer: the name must not have | or : in it, and "
                          "must differ from the names of purebleu's tokenizers", option="tokenize_name")


if not TYPE_CHECKING:
    def __getattr__(name: str) -> object:
        """Return the base class of all tokenizers, for clients that import `BaseTokenizer` from here."""
        if name != "BaseTokenizer":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .tokenizer_base import BaseTokenizer

        return globals().setdefault(name, BaseTokenizer)
