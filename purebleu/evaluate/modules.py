"""Objects with the methods of evaluate's metrics, which compute results from predictions and references."""

from __future__ import annotations

from collections import Counter

from ..errors import LengthError, OptionError, PurebleuError, check_text
from ..hints import Any, Iterable, Mapping, Sequence
from ..metrics.score import Signature
from ..metrics.segments import listed
from .definitions import CARDS, Card

#: The optional prefix of names. (Evaluate's own metrics are in this namespace of the Hub.)
_HUB_PREFIX = "evaluate-metric/"


def load(path: str, config_name: str | None = None, module_type: str | None = None, process_id: int = 0,
         num_process: int = 1, **others: object) -> EvaluationModule:
    """Make a metric in the shape of evaluate's: nothing is downloaded, and no other package is needed.

    Args:
        path: the metric's name: `sacrebleu`, `bleu`, `chrf`, `ter`, `google_bleu`, `wer`, `cer`, `rouge` or
            `character`.
        config_name: no metric here has more than one configuration.
        module_type: `metric`, if anything.
        process_id: 0, for there is one process.
        num_process: 1: predictions are kept in the memory of one process.
        others: further arguments of evaluate, about its files, which have no effect.

    Raises:
        OptionError: an unknown name, another type, or more than one process.

    Example:
        >>> bleu = load("bleu")
        >>> bleu.compute(predictions=["hello there general"], references=[["hello there general"]], max_order=2)["bleu"]
        1.0
        >>> print(bleu.signature)  # doctest: +ELLIPSIS
        nrefs:1|case:mixed|tok:13a|smooth:none|reflen:shortest|order:2|oracle:evaluate-0.4.6|version:purebleu-...
    """
    check_text("path", path)
    name = path[len(_HUB_PREFIX):] if path.startswith(_HUB_PREFIX) else path
    if name not in CARDS:
        raise OptionError(f"no metric with evaluate's interface is called {path!r}; choose from {', '.join(CARDS)}")
    if module_type not in (None, "metric"):
        raise OptionError(f"{path!r} is a metric, not a {module_type}")
    if (process_id, num_process) != (0, 1):
        raise OptionError("predictions are kept in the memory of one process: for several processes, add up the rows "
                          "that a metric's corpus_statistics returns")
    return EvaluationModule(CARDS[name])


class EvaluationModule:
    """A metric that takes in predictions and references, and computes a dict.

    Attributes:
        name: its name in evaluate (`chr_f` for `chrf`).
        description: a paragraph on it.
        citation: the papers, a line each, with the addresses of their BibTeX.
        features: the types of its input, in words.
        module_type: `metric`.
        signature: the signature of the latest result; `None` before the first one.
    """

    features = "predictions: a list of strings; references: for each prediction a list of strings, or one string"
    module_type = "metric"

    def __init__(self, card: Card) -> None:
        self.name = card.name
        self.description = " ".join((card.compute.__doc__ or "").split())
        self.citation = "\n".join(card.papers)
        self.signature: Signature | None = None
        self._compute = card.compute
        self._predictions: list[str] = []
        self._references: list[Sequence[str]] = []

    def add(self, *, prediction: str, reference: str | Sequence[str]) -> None:
        """Add one prediction with its references.

        Args:
            prediction: a text.
            reference: a list of texts, or one text.

        Raises:
            PurebleuError: one of them has another type.
        """
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Iterable[str], references: Iterable[str | Sequence[str]]) -> None:
        """Add predictions with their references.

        Args:
            predictions: texts.
            references: for each prediction, a list of texts or one text.

        Raises:
            LengthError: the numbers of predictions and references differ.
            PurebleuError: something among them is no text.
        """
        texts = _checked_texts("predictions", _as_list("predictions", predictions))
        lists = _checked_reference_lists(_as_list("references", references))
        if len(texts) != len(lists):
            raise LengthError(f"the numbers of predictions ({len(texts)}) and references ({len(lists)}) differ")
        self._predictions += texts
        self._references += lists

    def compute(self, *, predictions: Iterable[str] | None = None,
                references: Iterable[str | Sequence[str]] | None = None, **options: object) -> Any:
        """Compute the metric over all predictions that were added since the last time.

        Args:
            predictions: further predictions, as for `add_batch`.
            references: their references.
            options: the options of the metric, as in evaluate.

        Returns:
            The values by their keys: floats, integers, and lists of them; a bare float of `wer` and `cer`.

        Raises:
            PurebleuError: there is nothing to compute, the input is wrong, or an option is out of range.
            TypeError: the metric does not have an option.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=[] if predictions is None else predictions,
                           references=[] if references is None else references)
        if not self._predictions:
            raise PurebleuError("there are no predictions: give them to this call, or to add or add_batch before it")
        taken, self._predictions = self._predictions, []
        lists, self._references = self._references, []
        values, self.signature = self._compute(taken, lists, **options)
        return values

    def __len__(self) -> int:
        return len(self._predictions)

    def __repr__(self) -> str:
        return f"<EvaluationModule {self.name!r}, {len(self)} predictions>"


class CombinedEvaluations:
    """Several metrics that take in the same predictions and references. `combine` makes it.

    Attributes:
        evaluation_modules: the metrics.
        evaluation_module_names: their names.
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

        Args and errors are those of `EvaluationModule.compute`. Each metric gets all options.

        Returns:
            The values by their keys. Keys that several metrics have (with `force_prefix`, all keys) begin with the name
            of the metric, and with a number if several metrics have this name. A bare float has the name as its key.
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
    """Return several metrics as one.

    Args:
        evaluations: names for `load`, or its results; in a dict, by other names.
        force_prefix: whether all keys of results begin with the name of the metric, and not only those that several
            metrics have.

    Example:
        >>> both = combine(["google_bleu", "bleu"])
        >>> sorted(both.compute(predictions=["a b c d"], references=["a b c d"]))[:3]
        ['bleu', 'brevity_penalty', 'google_bleu']
    """
    return CombinedEvaluations(evaluations, force_prefix)


def _as_list(name: str, values: Iterable[Any]) -> list[Any]:
    """Return values as a list; raises `PurebleuError` for a string."""
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
