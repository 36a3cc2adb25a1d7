"""Evaluate's metrics: a function for each, from predictions and references to a dict; and their registry.

Names and defaults of options, and keys and types of results, are those of evaluate 0.4.6. A function's docstring is the
description of the metric.
"""

from __future__ import annotations

import math
from functools import reduce
from itertools import chain, islice, zip_longest
from operator import add

from ..blocks import BLOCK_SEGMENTS, slices
from ..engines.exact import fixed_mean
from ..errors import OptionError, PurebleuError
from ..hints import Any, Callable, Hashable, Iterator, NamedTuple, Row, Segment, Sequence
from ..metrics.base import Metric
from ..metrics.bleu import BLEU
from ..metrics.evaluation import References, signature_of, sum_statistics
from ..metrics.score import Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Tuple, Union

    from ..metrics.gleu import GLEU
    from ..metrics.rouge import RougeMetric
    from ..metrics.wer import WER

    #: The predictions, and for each of them one reference or more.
    Predictions = Sequence[str]
    ReferenceLists = Sequence[Sequence[str]]

    #: A function from a text to its tokens.
    TokenFunction = Callable[[str], Sequence[Hashable]]

    #: The values by their keys; and a result: such values, or a single one, with its signature.
    Values = Dict[str, Union[float, List[float]]]
    Computed = Tuple[Union[Values, float], Signature]

    #: The tokens of consecutive hypotheses, and columns of tokens of references; `None` if a hypothesis has no such
    #: reference.
    TokenBlock = Tuple[Sequence[Segment], Sequence[Sequence[Optional[Segment]]]]

    #: A metric that takes tokens, with the tokenizer that makes them.
    MetricOfTokens = Union[BLEU, GLEU]


class NoWordsError(PurebleuError, ZeroDivisionError):
    """There is no ratio of numbers of words without words. (Evaluate raises `ZeroDivisionError` there.)"""


def compute_sacrebleu(predictions: Predictions, references: ReferenceLists, smooth_method: str = "exp",
                      smooth_value: float | None = None, force: bool = False, lowercase: bool = False,
                      tokenize: str | None = None, use_effective_order: bool = False) -> Computed:
    """Compute BLEU as sacreBLEU does, so that scores of different papers can be compared.

    Text is given detokenized, and the tokenizer is part of the metric. The score is from 0 to 100, higher is better.
    """
    metric = BLEU(lowercase=lowercase, force=force, tokenize=tokenize or BLEU.TOKENIZER_DEFAULT,
                  smooth_method=smooth_method, smooth_value=smooth_value, effective_order=use_effective_order)
    return _attributes(metric, predictions, references,
                       ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"))


def compute_chrf(predictions: Predictions, references: ReferenceLists, char_order: int = 6, word_order: int = 0,
                 beta: int = 2, lowercase: bool = False, whitespace: bool = False,
                 eps_smoothing: bool = False) -> Computed:
    """Compute chrF and, with word_order=2, chrF++ as sacreBLEU does: the F-score of n-grams of characters (and words).

    The score is from 0 to 100, higher is better.
    """
    from ..metrics.chrf import CHRF

    metric = CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    return _attributes(metric, predictions, references, ("score", "char_order", "word_order", "beta"))


def compute_ter(predictions: Predictions, references: ReferenceLists, normalized: bool = False,
                ignore_punct: bool = False, support_zh_ja_chars: bool = False,
                case_sensitive: bool = False) -> Computed:
    """Compute the Translation Edit Rate as sacreBLEU does, in percent of the reference's words. Lower is better.

    It counts the edits (insertions, deletions and substitutions of words, shifts of phrases) that turn a prediction
    into its reference.
    """
    from ..metrics.ter import TER

    metric = TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    return _attributes(metric, predictions, references, ("score", "num_edits", "ref_length"))


def _attributes(metric: Metric[Score], predictions: Predictions, references: ReferenceLists,
                names: Sequence[str]) -> Computed:
    """Return attributes of a score of sacreBLEU's. All predictions must have the same number of references."""
    counts = set(map(len, references))
    if len(counts) > 1:
        raise PurebleuError("this metric takes the same number of references for each prediction, but there are "
                            f"{min(counts)} to {max(counts)}")
    score = metric.corpus_score(predictions, list(zip(*references)))
    return {name: getattr(score, name) for name in names}, score.signature


def compute_bleu(predictions: Predictions, references: ReferenceLists, tokenizer: TokenFunction | None = None,
                 max_order: int = 4, smooth: bool = False) -> Computed:
    """Compute BLEU as TensorFlow's NMT tutorial does, from 0 to 1, higher is better. It is not sacreBLEU's BLEU.

    The shortest reference counts for the length, and if an order of n-grams has no match, the score is 0.
    """
    metric = BLEU(tokenize=tokenizer, max_ngram_order=max_order)
    rows: list[Row] = []
    shortest = 0
    for hypotheses, columns in _tokenized(metric, predictions, references, tokenizer):
        references_of_block = References(metric, columns)
        rows += metric.block_statistics(hypotheses, references_of_block)
        shortest += sum([min(map(len, segment)) for segment in references_of_block.by_segment()])
    length, _, *counts = map(int, sum_statistics(rows))
    precisions = [_precision(matched, total, smooth)
                  for matched, total in zip(counts[:metric.max_ngram_order], counts[metric.max_ngram_order:])]
    if not length or not shortest:
        raise NoWordsError(f"there is no length ratio without words: the predictions have {length} words, "
                           f"the shortest references {shortest}")
    counts_of_references = set(map(len, references))
    ratio = length / shortest
    penalty = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
    return {
        "bleu": _geometric_mean(precisions) * penalty, "precisions": precisions, "brevity_penalty": penalty,
        "length_ratio": ratio, "translation_length": length, "reference_length": shortest,
    }, Signature(counts_of_references.pop() if len(counts_of_references) == 1 else "var", {
        "case": "mixed", "tok": metric.tokenizer_signature, "smooth": "add-1" if smooth else "none",
        "reflen": "shortest", "order": None if max_order == 4 else max_order, "oracle": "evaluate-0.4.6",
    }, {})


def _precision(matched: int, total: int, smooth: bool) -> float:
    if smooth:
        return (matched + 1.0) / (total + 1.0)
    return matched / total if total else 0.0


def _geometric_mean(precisions: Sequence[float]) -> float:
    if not min(precisions) > 0:
        return 0.0
    sum_of_logs = 0.0
    for precision in precisions:
        # Added one by one, because `sum` rounds differently since Python 3.12.
        sum_of_logs += 1.0 / len(precisions) * math.log(precision)
    return math.exp(sum_of_logs)


def compute_google_bleu(predictions: Predictions, references: ReferenceLists, tokenizer: TokenFunction | None = None,
                        min_len: int = 1, max_len: int = 4) -> Computed:
    """Compute GLEU, the "Google BLEU", from 0 to 1, higher is better.

    It divides the matched n-grams of orders 1 to 4 by those of the prediction or of the reference, whichever are more.
    It is meant for single sentences; here, sums over a corpus are divided.
    """
    from ..metrics.gleu import GLEU

    metric = GLEU(tokenize=tokenizer, min_order=min_len, max_order=max_len)
    rows: list[Row] = []
    for hypotheses, columns in _tokenized(metric, predictions, references, tokenizer):
        rows += metric.block_statistics(hypotheses, References(metric, columns))
    score = metric.score(sum_statistics(rows))
    ratio = score.matches / score.ngrams if score.ngrams else 0.0
    return {"google_bleu": ratio}, signature_of(metric, set(map(len, references)))


def compute_wer(predictions: Predictions, references: ReferenceLists, concatenate_texts: bool = False) -> Computed:
    """Compute the word error rate as jiwer does: 0 if all is right, 1 for 100 %. Lower is better.

    It counts the words inserted, deleted and substituted for each word of the references.
    """
    from ..metrics.wer import WER

    return _error_rate_of_corpus(WER(), predictions, references, concatenate_texts)


def compute_cer(predictions: Predictions, references: ReferenceLists, concatenate_texts: bool = False) -> Computed:
    """Compute the character error rate as jiwer does: 0 if all is right, 1 for 100 %. Lower is better.

    It counts the characters inserted, deleted and substituted for each character of the references.
    """
    from ..metrics.wer import CER

    return _error_rate_of_corpus(CER(), predictions, references, concatenate_texts)


def _error_rate_of_corpus(metric: WER, predictions: Predictions, references: ReferenceLists,
                          concatenate_texts: bool) -> Computed:
    """Return the rate of the sums, and its signature.

    With `concatenate_texts`, jiwer divides, and not evaluate: if there are no words, it returns the number of
    insertions.
    """
    score = metric.corpus_score(predictions, list(zip_longest(*references)))
    counts = score.hits, score.substitutions, score.deletions, score.insertions
    if sum(counts[:3]):
        return metric.rate(counts), score.signature
    if not concatenate_texts:
        raise NoWordsError("there is no error rate if the references have no words: concatenate_texts=True gives "
                           f"the number of insertions, {score.insertions}")
    return score.insertions, score.signature


def _tokenized(metric: MetricOfTokens, predictions: Predictions, references: ReferenceLists,
               tokenizer: TokenFunction | None) -> Iterator[TokenBlock]:
    """Yield the tokens of the corpus, block by block."""
    def split(lines: Sequence[str]) -> Sequence[Sequence[Hashable]]:
        if tokenizer is None:
            return [list(tokens) for tokens in metric.tokenizer.tokenize_lines(lines)]  # (a string would be a line)
        # (If the tokenizer returns a string, evaluate compares its characters; the metric would split it.)
        return [list(tokenizer(line)) for line in lines]

    for indices in slices(len(predictions), BLOCK_SEGMENTS):
        tokens = iter(split(list(chain.from_iterable(references[indices]))))
        lists = [list(islice(tokens, len(texts))) for texts in references[indices]]
        yield split(predictions[indices]), list(zip_longest(*lists))


# Means of segments: ROUGE and CharacTER

#: The types of ROUGE that evaluate computes by default.
_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

#: The digits that follow "rouge" in the names of orders of n-grams.
_ORDERS = "0123456789"


def compute_rouge(predictions: Predictions, references: ReferenceLists, rouge_types: Sequence[str] | None = None,
                  use_aggregator: bool = True, use_stemmer: bool = False,
                  tokenizer: TokenFunction | None = None) -> Computed:
    """Compute ROUGE as rouge_score does: F-measures from 0 to 1, higher is better; of several references, the best.

    It compares n-grams and longest common subsequences of words. The result is the mean over predictions; in evaluate,
    it is the median of resampled means.
    """
    values: Values = {}
    metrics = [_rouge(kind, use_stemmer, tokenizer) for kind in rouge_types or _ROUGE_TYPES]
    for kind, metric in zip(rouge_types or _ROUGE_TYPES, metrics):
        rows = metric.corpus_statistics(predictions, references, transpose_references=True)
        scores = [int(row[2]) for row in rows]
        if use_aggregator:
            values[kind] = fixed_mean(sum(scores), len(scores), metric.BITS)
        else:
            values[kind] = [_number(metric, score, prediction, texts[0])
                            for score, prediction, texts in zip(scores, predictions, references)]
    return values, metrics[0].get_signature()


def _number(metric: RougeMetric, score: int, prediction: str, first_reference: str) -> float:
    """Return the F-measure of a prediction in the type of rouge_score. (ROUGE-L without words is an integer there.)

    If several references have the same F-measure, the first one counts.
    """
    from ..metrics.rouge import ROUGEL, ROUGELSUM

    if score or not isinstance(metric, (ROUGEL, ROUGELSUM)):
        return fixed_mean(score, 1, metric.BITS)
    _, *totals = metric.counts(*metric.preprocess_lines([prediction, first_reference]))
    return 0.0 if all(totals) else 0


def _rouge(kind: str, use_stemmer: bool, tokenizer: TokenFunction | None) -> RougeMetric:
    """Return the metric for one of evaluate's types of ROUGE."""
    from ..metrics.rouge import ROUGE1, ROUGEL, ROUGELSUM

    name, order = kind[:5], kind[5:]
    options: dict[str, Any] = {"stemmer": use_stemmer} if tokenizer is None else {"tokenize": _as_lists(tokenizer)}
    if name == "rouge" and order in ("L", "Lsum"):
        return {"L": ROUGEL, "Lsum": ROUGELSUM}[order](**options)
    if name != "rouge" or len(order) != 1 or order not in _ORDERS[1:]:
        raise OptionError(f"unknown type {kind!r}; choose from rouge1 to rouge9, rougeL and rougeLsum")
    metric = ROUGE1(**options)
    metric.ORDER = int(order)
    return metric


def _as_lists(tokenizer: TokenFunction) -> Callable[[str], list[Hashable]]:
    """Return the tokenizer with lists as its results. (If the result is a string, evaluate compares its characters.)"""
    def tokens(text: str) -> list[Hashable]:
        return list(tokenizer(text))

    tokens.__name__ = getattr(tokenizer, "__name__", "")
    return tokens


def compute_character(predictions: Predictions, references: ReferenceLists, aggregate: str = "mean",
                      return_all_scores: bool = False) -> Computed:
    """Compute CharacTER as cer does, from 0 to 1. Lower is better; of several references, the best counts.

    It counts the edits of characters, after moves of words, per character of the prediction. The result is the mean,
    sum or median over predictions and, on request, the score of each.
    """
    from ..metrics.character import CharacTER

    if aggregate not in ("mean", "sum", "median"):
        raise OptionError(f"'aggregate' is {aggregate!r}, but it can only be mean, sum or median")
    metric = CharacTER()
    for index, texts in enumerate(references):
        if not all(map(metric.prepared, texts)):
            raise NoWordsError(f"references[{index}] has no words, so there is no score per word")
    rows = metric.corpus_statistics(predictions, references, transpose_references=True)
    scores = [fixed_mean(row[0], 1, metric.BITS) for row in rows]
    if aggregate == "mean":
        score = fixed_mean(sum([row[0] for row in rows]), len(rows), metric.BITS)
    elif aggregate == "sum":
        score = reduce(add, scores)  # rounded with each addition, which `sum` does before Python 3.12 only
    else:
        from statistics import median

        score = median(scores)
    values: Values = {"cer_score": score}
    if return_all_scores:
        values["cer_scores"] = scores
    return values, metric.get_signature()


_PAPINENI = ("Papineni, Roukos, Ward and Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. "
             "ACL 2002. https://aclanthology.org/P02-1040")
_LIN_OCH = ("Lin and Och: ORANGE: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation. "
            "COLING 2004. https://aclanthology.org/C04-1072")
_POST = "Post: A Call for Clarity in Reporting BLEU Scores. WMT 2018. https://aclanthology.org/W18-6319"
_CHRF = ("Popović: chrF: character n-gram F-score for automatic MT evaluation. WMT 2015. "
         "https://aclanthology.org/W15-3049")
_CHRF_PP = "Popović: chrF++: words helping character n-grams. WMT 2017. https://aclanthology.org/W17-4770"
_SNOVER = ("Snover, Dorr, Schwartz, Micciulla and Makhoul: A Study of Translation Edit Rate with Targeted Human "
           "Annotation. AMTA 2006. https://aclanthology.org/2006.amta-papers.25")
_LIN = "Lin: ROUGE: A Package for Automatic Evaluation of Summaries. ACL 2004. https://aclanthology.org/W04-1013"
_WANG = ("Wang, Peter, Rosendahl and Ney: CharacTER: Translation Edit Rate on Character Level. WMT 2016. "
         "https://aclanthology.org/W16-2342")
_WU = ("Wu et al.: Google's Neural Machine Translation System: Bridging the Gap between Human and Machine "
       "Translation. 2016. https://arxiv.org/abs/1609.08144")
_MORRIS = ("Morris, Maier and Green: From WER and RIL to MER and WIL: Improved Evaluation Measures for Connected "
           "Speech Recognition. Interspeech 2004. https://doi.org/10.21437/Interspeech.2004-668")


class Card(NamedTuple):
    """One of evaluate's metrics.

    Attributes:
        name: the name of the loaded metric in evaluate. `combine` puts it before keys.
        compute: the function that computes it.
        papers: the papers, with the addresses of their BibTeX.
    """

    name: str
    compute: Callable[..., Computed]
    papers: tuple[str, ...]


#: The registry, by the names that `load` takes.
CARDS = {
    "sacrebleu": Card("sacrebleu", compute_sacrebleu, (_POST, _PAPINENI)),
    "bleu": Card("bleu", compute_bleu, (_PAPINENI, _LIN_OCH)),
    "chrf": Card("chr_f", compute_chrf, (_CHRF, _CHRF_PP, _POST)),
    "ter": Card("ter", compute_ter, (_SNOVER, _POST)),
    "google_bleu": Card("google_bleu", compute_google_bleu, (_WU,)),
    "wer": Card("wer", compute_wer, (_MORRIS,)),
    "cer": Card("cer", compute_cer, (_MORRIS,)),
    "rouge": Card("rouge", compute_rouge, (_LIN,)),
    "character": Card("character", compute_character, (_WANG,)),
}
