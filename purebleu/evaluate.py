"""Metrics with the interface of Hugging Face's evaluate: `load(name).compute(predictions=..., references=...)`.

Options and their defaults, and the keys and types of results, are those of evaluate 0.4.6. Each metric has a function
`compute_...`, whose docstring is the description of the metric.

>>> import purebleu.evaluate
>>> ter = purebleu.evaluate.load("ter")
>>> ter.compute(predictions=["does this match??"], references=[["does this match", "does this match!"]])
{'score': 33.33333333333333, 'num_edits': 1, 'ref_length': 3.0}
"""

from __future__ import annotations

import math
from collections import Counter
from functools import reduce
from itertools import chain, islice, zip_longest
from operator import add

from .engines.exact import fixed_mean
from .metrics.base import Metric
from .metrics.bleu import BLEU
from .metrics.evaluation import References, signature_of, sum_statistics
from .metrics.score import Score, Signature
from .metrics.segments import listed
from .runtime.blocks import BLOCK_SEGMENTS, slices
from .runtime.errors import LengthError, OptionError, PurebleuError, check_text
from .runtime.hints import Any, Callable, Hashable, Iterable, Iterator, Mapping, Row, Segment, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Tuple, Union

    from .metrics.gleu import GLEU
    from .metrics.rouge import RougeMetric
    from .metrics.wer import WER

    #: The predictions, and for each prediction one reference or more.
    Predictions = Sequence[str]
    ReferenceLists = Sequence[Sequence[str]]

    #: A function from a text to its tokens.
    TokenFunction = Callable[[str], Sequence[Hashable]]

    #: The values of a result by their keys; and the result of `compute_...`: values or a number, and a signature.
    Values = Dict[str, Union[float, List[float]]]
    Computed = Tuple[Union[Values, float], Signature]

__all__ = ["CombinedEvaluations", "EvaluationModule", "combine", "load"]

#: A prefix that a metric's name may have. (evaluate's own metrics are in this namespace of the Hugging Face Hub.)
_HUB_PREFIX = "evaluate-metric/"


def load(path: str, config_name: str | None = None, module_type: str | None = None, process_id: int = 0,
         num_process: int = 1, **others: object) -> EvaluationModule:
    """Make a metric with evaluate's interface. Nothing is downloaded, and no other package is needed.

    Args:
        path: the metric's name: `sacrebleu`, `bleu`, `chrf`, `ter`, `google_bleu`, `wer`, `cer`, `rouge` or
            `character`.
        config_name: has no effect, because each metric has only one configuration.
        module_type: `metric` or `None`.
        process_id: 0, because there is only one process.
        num_process: 1, because predictions are kept in the memory of one process.
        others: further arguments of evaluate's `load`, which have no effect because they are about files.

    Raises:
        OptionError: the name is unknown, the type is not `metric`, or there is more than one process.

    Example:
        >>> bleu = load("bleu")
        >>> bleu.compute(predictions=["hello there general"], references=[["hello there general"]], max_order=2)["bleu"]
        1.0
        >>> print(bleu.signature)  # doctest: +ELLIPSIS
        nrefs:1|case:mixed|tok:13a|smooth:none|reflen:shortest|order:2|oracle:evaluate-0.4.6|version:purebleu-...
    """
    check_text("path", path)
    name = path[len(_HUB_PREFIX):] if path.startswith(_HUB_PREFIX) else path
    if name not in COMPUTED:
        raise OptionError(f"no metric with evaluate's interface is called {path!r}; choose from {', '.join(COMPUTED)}")
    if module_type not in (None, "metric"):
        raise OptionError(f"{path!r} is a metric, not a {module_type}")
    if (process_id, num_process) != (0, 1):
        raise OptionError("num_process must be 1: to score predictions of several processes, add up the rows that a "
                          "metric's corpus_statistics returns")
    return EvaluationModule((_LOADED_NAMES.get(name, name), COMPUTED[name]))


class EvaluationModule:
    """A metric that collects predictions and references, and computes a dict from them.

    Attributes:
        name: the name of the loaded metric in evaluate (`chr_f` for `chrf`).
        description: a paragraph about the metric.
        citation: the papers, each on one line with the address of a page that has its BibTeX.
        features: the types of predictions and references, in words.
        module_type: `metric`.
        signature: the signature of the latest result; `None` before the first result.
    """

    features = "predictions: a list of strings; references: for each prediction, a list of strings or one string"
    module_type = "metric"

    def __init__(self, card: tuple[str, Callable[..., Any]]) -> None:
        """Make the metric from `card`: the name in evaluate, and the function that computes the metric."""
        self.name, compute = card
        description, _, papers = (compute.__doc__ or "").partition("Papers:")
        self.description = " ".join(description.split())
        self.citation = "\n".join([" ".join(paper.split()) for paper in papers.split("\n\n")])
        self.signature: Signature | None = None
        self._compute = compute
        self._predictions: list[str] = []
        self._references: list[Sequence[str]] = []

    def add(self, *, prediction: str, reference: str | Sequence[str]) -> None:
        """Add one prediction with its references.

        Args:
            prediction: a text.
            reference: a list of texts, or one text.

        Raises:
            PurebleuError: the prediction is not a text, or the reference is neither a text nor a list of texts.
        """
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Iterable[str], references: Iterable[str | Sequence[str]]) -> None:
        """Add predictions with their references.

        Args:
            predictions: texts.
            references: for each prediction, a list of texts or one text.

        Raises:
            LengthError: the numbers of predictions and references differ.
            PurebleuError: a prediction or a reference is not a string.
        """
        texts = _checked_texts("predictions", _as_list("predictions", predictions))
        lists = _checked_reference_lists(_as_list("references", references))
        if len(texts) != len(lists):
            raise LengthError(f"the numbers of predictions ({len(texts)}) and references ({len(lists)}) differ")
        self._predictions += texts
        self._references += lists

    def compute(self, *, predictions: Iterable[str] | None = None,
                references: Iterable[str | Sequence[str]] | None = None, **options: object) -> Any:
        """Compute the metric over all predictions that were added since the last call.

        Args:
            predictions: further predictions, as for `add_batch`.
            references: the references of these predictions, as for `add_batch`.
            options: the options of the metric, as in evaluate.

        Returns:
            The values by their keys. A value is a number or a list of numbers. `wer` and `cer` return a bare number.

        Raises:
            PurebleuError: there are no predictions, the input is wrong, or an option is out of range.
            TypeError: the metric does not have one of the options.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=[] if predictions is None else predictions,
                           references=[] if references is None else references)
        if not self._predictions:
            raise PurebleuError("there are no predictions: pass predictions to compute, or call add or add_batch first")
        taken, self._predictions = self._predictions, []
        lists, self._references = self._references, []
        values, self.signature = self._compute(taken, lists, **options)
        return values

    def __len__(self) -> int:
        return len(self._predictions)

    def __repr__(self) -> str:
        return f"<EvaluationModule {self.name!r}, {len(self)} predictions>"


class CombinedEvaluations:
    """Several metrics that collect the same predictions and references. `combine` makes such an object.

    Attributes:
        evaluation_modules: the metrics.
        evaluation_module_names: the names of these metrics.
    """

    def __init__(self, modules: Mapping[str, str | EvaluationModule] | Sequence[str | EvaluationModule],
                 force_prefix: bool = False) -> None:
        given = list(modules.values()) if isinstance(modules, Mapping) else listed(modules, "evaluations")
        self.evaluation_modules = [load(module) if isinstance(module, str) else module for module in given]
        self.evaluation_module_names = (list(modules) if isinstance(modules, Mapping) else
                                        [module.name for module in self.evaluation_modules])
        self.force_prefix = force_prefix

    def add(self, prediction: str, reference: str | Sequence[str]) -> None:
        """Call `EvaluationModule.add` of each metric."""
        for module in self.evaluation_modules:
            module.add(prediction=prediction, reference=reference)

    def add_batch(self, predictions: Iterable[str], references: Iterable[str | Sequence[str]]) -> None:
        """Call `EvaluationModule.add_batch` of each metric."""
        texts, lists = _as_list("predictions", predictions), _as_list("references", references)
        for module in self.evaluation_modules:
            module.add_batch(predictions=texts, references=lists)

    def compute(self, predictions: Iterable[str] | None = None, references: Iterable[str | Sequence[str]] | None = None,
                **options: object) -> dict[str, Any]:
        """Compute the results of all metrics, in one dict.

        The arguments and errors are those of `EvaluationModule.compute`. Each metric gets all options.

        Returns:
            The values by their keys. If several metrics have the same key, the name of the metric is put before the
            key. (With `force_prefix`, this is done for every key.) If several metrics have the same name, a number
            follows the name. A bare number has the name of its metric as its key.
        """
        texts = None if predictions is None else _as_list("predictions", predictions)
        lists = None if references is None else _as_list("references", references)
        results: list[dict[str, Any]] = []
        for module, name in zip(self.evaluation_modules, self.evaluation_module_names):
            result = module.compute(predictions=texts, references=lists, **options)
            results.append({name: result} if isinstance(result, float) else result)
        keys = Counter([key for result in results for key in result])
        names = Counter(self.evaluation_module_names)
        earlier: Counter[str] = Counter()
        merged: dict[str, Any] = {}
        for name, result in zip(self.evaluation_module_names, results):
            prefix = f"{name}_{earlier[name]}_" if names[name] > 1 else f"{name}_"
            earlier[name] += 1
            merged.update({prefix + key if self.force_prefix or keys[key] > 1 else key: value
                           for key, value in result.items()})
        return merged


def combine(evaluations: Mapping[str, str | EvaluationModule] | Sequence[str | EvaluationModule],
            force_prefix: bool = False) -> CombinedEvaluations:
    """Combine several metrics that score the same predictions and references.

    Args:
        evaluations: metrics, or names for `load`; in a dict, the keys are the names of the metrics in results.
        force_prefix: whether each key of the result begins with the name of the metric. By default, only keys that
            several metrics share begin with the name.

    Example:
        >>> both = combine(["google_bleu", "bleu"])
        >>> sorted(both.compute(predictions=["a b c d"], references=["a b c d"]))[:3]
        ['bleu', 'brevity_penalty', 'google_bleu']
    """
    return CombinedEvaluations(evaluations, force_prefix)


def _as_list(name: str, values: Iterable[Any]) -> list[Any]:
    """Return the values as a list. Raise `PurebleuError` if `values` is a string or not iterable."""
    try:
        return listed(values, name)
    except TypeError:
        raise PurebleuError(f"{name} must be a list, with one element for each prediction, not "
                            f"{values!r:.40}") from None


def _checked_texts(name: str, texts: list[Any]) -> list[str]:
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise PurebleuError(f"{name}[{index}] is {text!r:.40}, not a string")
    return texts


def _checked_reference_lists(references: list[Any]) -> list[Sequence[str]]:
    """Return a list of references for each prediction."""
    if references and isinstance(references[0], str):
        return [[text] for text in _checked_texts("references", references)]
    lists: list[Sequence[str]] = []
    for index, texts in enumerate(references):
        checked = _checked_texts(f"references[{index}]", _as_list(f"references[{index}]", texts))
        if not checked:
            raise PurebleuError(f"references[{index}] is empty: each prediction needs a reference")
        lists.append(checked)
    return lists


# The metrics


class NoWordsError(PurebleuError, ZeroDivisionError):
    """A ratio that can't be computed, because a text has no words. (evaluate raises `ZeroDivisionError`.)"""


def compute_sacrebleu(predictions: Predictions, references: ReferenceLists, smooth_method: str = "exp",
                      smooth_value: float | None = None, force: bool = False, lowercase: bool = False,
                      tokenize: str | None = None, use_effective_order: bool = False) -> Computed:
    """Compute BLEU as sacreBLEU does, so that scores of different papers can be compared.

    The texts must be detokenized, because the metric has its own tokenizer. Scores are from 0 to 100, and higher scores
    are better.

    Papers:
        Post: A Call for Clarity in Reporting BLEU Scores. WMT 2018. https://aclanthology.org/W18-6319

        Papineni, Roukos, Ward and Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. ACL 2002.
        https://aclanthology.org/P02-1040
    """
    metric = BLEU(lowercase=lowercase, force=force, tokenize=tokenize or BLEU.TOKENIZER_DEFAULT,
                  smooth_method=smooth_method, smooth_value=smooth_value, effective_order=use_effective_order)
    return _attributes(metric, predictions, references,
                       ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"))


def compute_chrf(predictions: Predictions, references: ReferenceLists, char_order: int = 6, word_order: int = 0,
                 beta: int = 2, lowercase: bool = False, whitespace: bool = False,
                 eps_smoothing: bool = False) -> Computed:
    """Compute chrF as sacreBLEU does: the F-score of n-grams of characters.

    With word_order=2, it is chrF++, which also compares n-grams of words. Scores are from 0 to 100, and higher scores
    are better.

    Papers:
        Popović: chrF: character n-gram F-score for automatic MT evaluation. WMT 2015.
        https://aclanthology.org/W15-3049

        Popović: chrF++: words helping character n-grams. WMT 2017. https://aclanthology.org/W17-4770

        Post: A Call for Clarity in Reporting BLEU Scores. WMT 2018. https://aclanthology.org/W18-6319
    """
    from .metrics.chrf import CHRF

    metric = CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    return _attributes(metric, predictions, references, ("score", "char_order", "word_order", "beta"))


def compute_ter(predictions: Predictions, references: ReferenceLists, normalized: bool = False,
                ignore_punct: bool = False, support_zh_ja_chars: bool = False,
                case_sensitive: bool = False) -> Computed:
    """Compute the Translation Edit Rate (TER) as sacreBLEU does, in percent of the reference's words.

    TER counts the edits that turn a prediction into its reference: insertions, deletions and substitutions of words,
    and shifts of phrases. Lower scores are better.

    Papers:
        Snover, Dorr, Schwartz, Micciulla and Makhoul: A Study of Translation Edit Rate with Targeted Human Annotation.
        AMTA 2006. https://aclanthology.org/2006.amta-papers.25

        Post: A Call for Clarity in Reporting BLEU Scores. WMT 2018. https://aclanthology.org/W18-6319
    """
    from .metrics.ter import TER

    metric = TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    return _attributes(metric, predictions, references, ("score", "num_edits", "ref_length"))


def _attributes(metric: Metric[Score], predictions: Predictions, references: ReferenceLists,
                names: Sequence[str]) -> Computed:
    """Return the named attributes of the corpus score, and the signature of the score.

    All predictions must have the same number of references.
    """
    counts = set(map(len, references))
    if len(counts) > 1:
        raise PurebleuError("this metric needs the same number of references for each prediction, but predictions "
                            f"have {min(counts)} to {max(counts)} references")
    score = metric.corpus_score(predictions, list(zip(*references)))
    return {name: getattr(score, name) for name in names}, score.signature


def compute_bleu(predictions: Predictions, references: ReferenceLists, tokenizer: TokenFunction | None = None,
                 max_order: int = 4, smooth: bool = False) -> Computed:
    """Compute BLEU as TensorFlow's NMT tutorial does. It differs from sacreBLEU's BLEU.

    The reference length is the length of the shortest reference. If an order of n-grams has no match, the score is 0.
    Scores are from 0 to 1, and higher scores are better.

    Papers:
        Papineni, Roukos, Ward and Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. ACL 2002.
        https://aclanthology.org/P02-1040

        Lin and Och: ORANGE: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation. COLING 2004.
        https://aclanthology.org/C04-1072
    """
    metric = BLEU(tokenize=_as_lists(tokenizer), max_ngram_order=max_order)
    rows: list[Row] = []
    shortest = 0
    for hypotheses, columns in _tokenized(metric, predictions, references):
        references_of_block = References(metric, columns)
        rows += metric.block_statistics(hypotheses, references_of_block)
        shortest += sum([min(map(len, segment)) for segment in references_of_block.by_segment()])
    length, _, *counts = map(int, sum_statistics(rows))
    precisions = [_precision(matched, total, smooth)
                  for matched, total in zip(counts[:metric.max_ngram_order], counts[metric.max_ngram_order:])]
    if not length or not shortest:
        raise NoWordsError(f"the length ratio can't be computed without words: the predictions have {length} words, "
                           f"and the shortest references have {shortest}")
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
        # (Since Python 3.12, `sum` rounds in another way. So the numbers are added one by one.)
        sum_of_logs += 1.0 / len(precisions) * math.log(precision)
    return math.exp(sum_of_logs)


def compute_google_bleu(predictions: Predictions, references: ReferenceLists, tokenizer: TokenFunction | None = None,
                        min_len: int = 1, max_len: int = 4) -> Computed:
    """Compute GLEU, also called "Google BLEU".

    It counts n-grams of orders 1 to 4: those of the prediction, those of the reference, and the matches. The number of
    matches is divided by the larger of the first two numbers. GLEU was defined for single sentences. Over a corpus,
    numerators and denominators are added up first. Scores are from 0 to 1, and higher scores are better.

    Papers:
        Wu et al.: Google's Neural Machine Translation System: Bridging the Gap between Human and Machine Translation.
        2016. https://arxiv.org/abs/1609.08144
    """
    from .metrics.gleu import GLEU

    metric = GLEU(tokenize=_as_lists(tokenizer), min_order=min_len, max_order=max_len)
    rows: list[Row] = []
    for hypotheses, columns in _tokenized(metric, predictions, references):
        rows += metric.block_statistics(hypotheses, References(metric, columns))
    score = metric.score(sum_statistics(rows))
    ratio = score.matches / score.ngrams if score.ngrams else 0.0
    return {"google_bleu": ratio}, signature_of(metric, set(map(len, references)))


def compute_wer(predictions: Predictions, references: ReferenceLists, concatenate_texts: bool = False) -> Computed:
    """Compute the word error rate (WER) as jiwer does.

    The number of inserted, deleted and substituted words is divided by the number of words of the references. 0 means
    no errors, and 1 means 100 %. Lower rates are better.

    Papers:
        Morris, Maier and Green: From WER and RIL to MER and WIL: Improved Evaluation Measures for Connected Speech
        Recognition. Interspeech 2004. https://doi.org/10.21437/Interspeech.2004-668
    """
    from .metrics.wer import WER

    return _error_rate_of_corpus(WER(), predictions, references, concatenate_texts)


def compute_cer(predictions: Predictions, references: ReferenceLists, concatenate_texts: bool = False) -> Computed:
    """Compute the character error rate (CER) as jiwer does.

    The number of inserted, deleted and substituted characters is divided by the number of characters of the references.
    0 means no errors, and 1 means 100 %. Lower rates are better.

    Papers:
        Morris, Maier and Green: From WER and RIL to MER and WIL: Improved Evaluation Measures for Connected Speech
        Recognition. Interspeech 2004. https://doi.org/10.21437/Interspeech.2004-668
    """
    from .metrics.wer import CER

    return _error_rate_of_corpus(CER(), predictions, references, concatenate_texts)


def _error_rate_of_corpus(metric: WER, predictions: Predictions, references: ReferenceLists,
                          concatenate_texts: bool) -> Computed:
    """Return the error rate of a corpus, and its signature.

    If the references have no words, evaluate divides by zero. But with `concatenate_texts`, it calls jiwer, which
    returns the number of insertions.
    """
    score = metric.corpus_score(predictions, list(zip_longest(*references)))
    counts = score.hits, score.substitutions, score.deletions, score.insertions
    if sum(counts[:3]):
        return metric.rate(counts), score.signature
    if not concatenate_texts:
        raise NoWordsError("the references have no words, so the error rate can't be computed: with "
                           f"concatenate_texts=True, the result is the number of insertions ({score.insertions})")
    return score.insertions, score.signature


def _tokenized(metric: BLEU | GLEU, predictions: Predictions,
               references: ReferenceLists) -> Iterator[tuple[Sequence[Segment], Sequence[Sequence[Any]]]]:
    """Yield the tokens of the hypotheses and of each stream of references, in blocks of segments."""
    split = metric.tokenizer.tokenize_lines
    for indices in slices(len(predictions), BLOCK_SEGMENTS):
        tokens = iter(split(list(chain.from_iterable(references[indices]))))
        lists = [list(islice(tokens, len(texts))) for texts in references[indices]]
        yield list(split(predictions[indices])), list(zip_longest(*lists))


# ROUGE and CharacTER: means of the scores of segments

#: The types of ROUGE that evaluate computes by default.
_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

#: Decimal digits. The name of a type of ROUGE may end in a digit other than 0.
_ORDERS = "0123456789"


def compute_rouge(predictions: Predictions, references: ReferenceLists, rouge_types: Sequence[str] | None = None,
                  use_aggregator: bool = True, use_stemmer: bool = False,
                  tokenizer: TokenFunction | None = None) -> Computed:
    """Compute ROUGE as rouge_score does: F-measures of n-grams and of longest common subsequences of words.

    If a prediction has several references, the best F-measure counts. The result is the mean over all predictions.
    (evaluate returns the median of resampled means.) Scores are from 0 to 1, and higher scores are better.

    Papers:
        Lin: ROUGE: A Package for Automatic Evaluation of Summaries. ACL 2004. https://aclanthology.org/W04-1013
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
    """Return the F-measure of a prediction.

    As in rouge_score, ROUGE-L is the integer 0 if the prediction or the first reference has no words.
    """
    from .metrics.rouge import ROUGEL, ROUGELSUM

    if score or not isinstance(metric, (ROUGEL, ROUGELSUM)):
        return fixed_mean(score, 1, metric.BITS)
    _, *totals = metric.counts(*metric.preprocess_lines([prediction, first_reference]))
    return 0.0 if all(totals) else 0


def _rouge(kind: str, use_stemmer: bool, tokenizer: TokenFunction | None) -> RougeMetric:
    """Return the metric for one of evaluate's types of ROUGE."""
    from .metrics.rouge import ROUGE1, ROUGEL, ROUGELSUM

    name, order = kind[:5], kind[5:]
    options: dict[str, Any] = {"stemmer": use_stemmer} if tokenizer is None else {"tokenize": _as_lists(tokenizer)}
    if name == "rouge" and order in ("L", "Lsum"):
        return {"L": ROUGEL, "Lsum": ROUGELSUM}[order](**options)
    if name != "rouge" or len(order) != 1 or order not in _ORDERS[1:]:
        raise OptionError(f"unknown type of ROUGE {kind!r}; choose from rouge1 to rouge9, rougeL and rougeLsum")
    metric = ROUGE1(**options)
    metric.ORDER = int(order)
    return metric


def _as_lists(tokenizer: TokenFunction | None) -> Callable[[str], list[Hashable]] | None:
    """Return a tokenizer that returns lists. (If tokens are a string, evaluate compares its characters.)"""
    if tokenizer is None:
        return None

    def tokens(text: str) -> list[Hashable]:
        return list(tokenizer(text))

    tokens.__name__ = getattr(tokenizer, "__name__", "")
    return tokens


def compute_character(predictions: Predictions, references: ReferenceLists, aggregate: str = "mean",
                      return_all_scores: bool = False) -> Computed:
    """Compute CharacTER as the package cer does: edits of characters, after moves of words.

    The number of edits is divided by the number of characters of the prediction. If a prediction has several
    references, the best score counts. The result is the mean, sum or median of the scores of all predictions. With
    return_all_scores=True, the result also has the score of each prediction. Scores of predictions are from 0 to 1, and
    lower scores are better.

    Papers:
        Wang, Peter, Rosendahl and Ney: CharacTER: Translation Edit Rate on Character Level. WMT 2016.
        https://aclanthology.org/W16-2342
    """
    from .metrics.character import CharacTER

    if aggregate not in ("mean", "sum", "median"):
        raise OptionError(f"'aggregate' must be mean, sum or median, not {aggregate!r}")
    metric = CharacTER()
    for index, texts in enumerate(references):
        if not all(map(metric.prepared, texts)):
            raise NoWordsError(f"a reference in references[{index}] has no words, so CharacTER can't be computed")
    rows = metric.corpus_statistics(predictions, references, transpose_references=True)
    scores = [fixed_mean(row[0], 1, metric.BITS) for row in rows]
    if aggregate == "mean":
        score = fixed_mean(sum([row[0] for row in rows]), len(rows), metric.BITS)
    elif aggregate == "sum":
        score = reduce(add, scores)  # (since Python 3.12, `sum` rounds in another way)
    else:
        from statistics import median

        score = median(scores)
    values: Values = {"cer_score": score}
    if return_all_scores:
        values["cer_scores"] = scores
    return values, metric.get_signature()


#: The metrics, by the names that `load` takes.
COMPUTED: dict[str, Callable[..., Computed]] = {
    "sacrebleu": compute_sacrebleu, "bleu": compute_bleu, "chrf": compute_chrf, "ter": compute_ter,
    "google_bleu": compute_google_bleu, "wer": compute_wer, "cer": compute_cer, "rouge": compute_rouge,
    "character": compute_character,
}

#: The names of loaded metrics whose name for `load` is different. (`combine` puts the names of metrics before keys.)
_LOADED_NAMES = {"chrf": "chr_f"}
