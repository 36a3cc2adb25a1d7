"""The functions of sacreBLEU, with its arguments and defaults; beside it, what else only its clients need.

With `transpose_references`, the references of the `corpus_...` functions are one list per hypothesis.
"""

from __future__ import annotations

from ..metrics.bleu import BLEU, BLEUScore
from ..metrics.chrf import CHRF, CHRFScore
from ..metrics.ter import TER, TERScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional, Sequence, Union

    from ..metrics.segments import Segment

    ReferenceStreams = Sequence[Sequence[Optional[Segment]]]
    Tokenizer = Union[str, Callable[[str], object], None]


def corpus_bleu(hypotheses: Sequence[Segment], references: ReferenceStreams, smooth_method: str = "exp",
                smooth_value: float | None = None, force: bool = False, lowercase: bool = False,
                tokenize: Tokenizer = BLEU.TOKENIZER_DEFAULT, use_effective_order: bool = False, *,
                transpose_references: bool = False) -> BLEUScore:
    """BLEU of a corpus; `references` are streams parallel to the hypotheses. See `BLEU` for the options."""
    metric = BLEU(lowercase=lowercase, force=force, tokenize=tokenize, smooth_method=smooth_method,
                  smooth_value=smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references, transpose_references=transpose_references)


def raw_corpus_bleu(hypotheses: Sequence[Segment], references: ReferenceStreams,
                    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"], *,
                    transpose_references: bool = False) -> BLEUScore:
    """BLEU of a corpus that is tokenized already: no tokenizer, `floor` smoothing, effective order."""
    return corpus_bleu(hypotheses, references, smooth_method="floor", smooth_value=smooth_value, force=True,
                       tokenize="none", use_effective_order=True, transpose_references=transpose_references)


def sentence_bleu(hypothesis: Segment, references: Sequence[Segment | None], smooth_method: str = "exp",
                  smooth_value: float | None = None, lowercase: bool = False,
                  tokenize: Tokenizer = BLEU.TOKENIZER_DEFAULT, use_effective_order: bool = True) -> BLEUScore:
    """BLEU of one segment against one or more references. BLEU is a metric for corpora: of use for ranking at most."""
    metric = BLEU(lowercase=lowercase, tokenize=tokenize, smooth_method=smooth_method, smooth_value=smooth_value,
                  effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(hypotheses: Sequence[Segment], references: ReferenceStreams, char_order: int = CHRF.CHAR_ORDER,
                word_order: int = CHRF.WORD_ORDER, beta: int = CHRF.BETA, remove_whitespace: bool = True,
                eps_smoothing: bool = False, *, transpose_references: bool = False) -> CHRFScore:
    """chrF of a corpus; `references` are streams parallel to the hypotheses. See `CHRF` for the options."""
    metric = CHRF(char_order=char_order, word_order=word_order, beta=beta, whitespace=not remove_whitespace,
                  eps_smoothing=eps_smoothing)
    return metric.corpus_score(hypotheses, references, transpose_references=transpose_references)


def sentence_chrf(hypothesis: Segment, references: Sequence[Segment | None], char_order: int = CHRF.CHAR_ORDER,
                  word_order: int = CHRF.WORD_ORDER, beta: int = CHRF.BETA, remove_whitespace: bool = True,
                  eps_smoothing: bool = False) -> CHRFScore:
    """chrF of one segment against one or more references."""
    metric = CHRF(char_order=char_order, word_order=word_order, beta=beta, whitespace=not remove_whitespace,
                  eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(hypotheses: Sequence[Segment], references: ReferenceStreams, normalized: bool = False, no_punct: bool = False,
               asian_support: bool = False, case_sensitive: bool = False, *,
               transpose_references: bool = False) -> TERScore:
    """TER of a corpus; `references` are streams parallel to the hypotheses. See `TER` for the options."""
    metric = TER(normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive)
    return metric.corpus_score(hypotheses, references, transpose_references=transpose_references)


def sentence_ter(hypothesis: Segment, references: Sequence[Segment | None], normalized: bool = False,
                 no_punct: bool = False, asian_support: bool = False, case_sensitive: bool = False) -> TERScore:
    """TER of one segment against one or more references."""
    metric = TER(normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive)
    return metric.sentence_score(hypothesis, references)
