"""The functions of sacreBLEU's module `compat`, with the same arguments and defaults."""

from __future__ import annotations

from .. import metrics
from ..runtime.hints import Iterable, Segment, Streams, Tokenizer
from ..metrics.bleu import BLEU, BLEUScore

__all__ = ["corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu", "sentence_bleu", "sentence_chrf",
           "sentence_ter"]


def corpus_bleu(hypotheses: Iterable[Segment], references: Streams, smooth_method: str = "exp",
                smooth_value: float | None = None, force: bool = False, lowercase: bool = False,
                tokenize: Tokenizer = BLEU.TOKENIZER_DEFAULT, use_effective_order: bool = False, *,
                transpose_references: bool = False) -> BLEUScore:
    """Compute BLEU of a corpus: `corpus_score` of `BLEU`, with `effective_order=use_effective_order`.

    Example:
        >>> corpus_bleu(["The cat sat on the mat."], [["The cat sat on a mat."]]).precisions
        [85.71428571428571, 66.66666666666667, 40.0, 25.0]
    """
    metric = BLEU(lowercase=lowercase, force=force, tokenize=tokenize, smooth_method=smooth_method,
                  smooth_value=smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references, transpose_references=transpose_references)


def raw_corpus_bleu(hypotheses: Iterable[Segment], references: Streams,
                    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"], *,
                    transpose_references: bool = False) -> BLEUScore:
    """Compute BLEU of a tokenized corpus, with `floor` smoothing and effective order.

    Example:
        >>> raw_corpus_bleu(["the cat sat ."], [["the cat sat !"]])
        BLEU = 39.76 75.0/66.7/50.0/10.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)
    """
    return corpus_bleu(hypotheses, references, smooth_method="floor", smooth_value=smooth_value, force=True,
                       tokenize="none", use_effective_order=True, transpose_references=transpose_references)


def sentence_bleu(hypothesis: Segment, references: Iterable[Segment | None], smooth_method: str = "exp",
                  smooth_value: float | None = None, lowercase: bool = False,
                  tokenize: Tokenizer = BLEU.TOKENIZER_DEFAULT, use_effective_order: bool = True) -> BLEUScore:
    """Compute BLEU of one segment: `sentence_score` of `BLEU`. (BLEU was defined for corpora.)

    Example:
        >>> sentence_bleu("The cat sat", ["The cat sat on a mat."])
        BLEU = 26.36 100.0/100.0/100.0/0.0 (BP = 0.264 ratio = 0.429 hyp_len = 3 ref_len = 7)
    """
    metric = BLEU(lowercase=lowercase, tokenize=tokenize, smooth_method=smooth_method, smooth_value=smooth_value,
                  effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(hypotheses: Iterable[Segment], references: Streams, char_order: int = 6,
                word_order: int = 0, beta: int = 2, remove_whitespace: bool = True,
                eps_smoothing: bool = False, *, transpose_references: bool = False) -> metrics.CHRFScore:
    """Compute chrF of a corpus: `corpus_score` of `CHRF`, with `whitespace=not remove_whitespace`.

    Example:
        >>> corpus_chrf(["The cat sat on the mat."], [["The cat sat on a mat."]])
        chrF2 = 71.42
    """
    from ..metrics.chrf import CHRF

    metric = CHRF(char_order=char_order, word_order=word_order, beta=beta, whitespace=not remove_whitespace,
                  eps_smoothing=eps_smoothing)
    return metric.corpus_score(hypotheses, references, transpose_references=transpose_references)


def sentence_chrf(hypothesis: Segment, references: Iterable[Segment | None], char_order: int = 6,
                  word_order: int = 0, beta: int = 2, remove_whitespace: bool = True,
                  eps_smoothing: bool = False) -> metrics.CHRFScore:
    """Compute chrF of one segment: `sentence_score` of `CHRF`, with `whitespace=not remove_whitespace`.

    Example:
        >>> sentence_chrf("The cat sat.", ["The cat sits."])
        chrF2 = 55.22
    """
    from ..metrics.chrf import CHRF

    metric = CHRF(char_order=char_order, word_order=word_order, beta=beta, whitespace=not remove_whitespace,
                  eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(hypotheses: Iterable[Segment], references: Streams, normalized: bool = False,
               no_punct: bool = False, asian_support: bool = False, case_sensitive: bool = False, *,
               transpose_references: bool = False) -> metrics.TERScore:
    """Compute TER of a corpus: `corpus_score` of `TER`.

    Example:
        >>> corpus_ter(["the cat sat on a mat"], [["the cat sat on the mat"]])
        TER = 16.67
    """
    from ..metrics.ter import TER

    metric = TER(normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive)
    return metric.corpus_score(hypotheses, references, transpose_references=transpose_references)


def sentence_ter(hypothesis: Segment, references: Iterable[Segment | None], normalized: bool = False,
                 no_punct: bool = False, asian_support: bool = False, case_sensitive: bool = False) -> metrics.TERScore:
    """Compute TER of one segment: `sentence_score` of `TER`.

    Example:
        >>> sentence_ter("d a b c", ["a b c d"]).num_edits
        1
    """
    from ..metrics.ter import TER

    metric = TER(normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive)
    return metric.sentence_score(hypothesis, references)
