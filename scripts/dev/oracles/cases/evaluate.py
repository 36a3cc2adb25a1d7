"""Random input for metrics with the interface of Hugging Face's evaluate, from a seed."""

from __future__ import annotations

import random
from typing import Any, Dict, Sequence

from dev.oracles.cases.generated_lines import random_segments

#: The arguments of `compute`.
Arguments = Dict[str, Any]

#: Options, each with values to choose from.
Choices = Dict[str, Sequence[Any]]


def at_spaces(text: str) -> list[str]:
    """Return the words between spaces. (`str.split` may depend on the interpreter's version of Unicode.)"""
    return text.split(" ")


#: Tokenizers by their names in cases. (JSON has no functions.)
TOKENIZER_FUNCTIONS = {"at spaces": at_spaces, "list": list}

#: The options of each metric, and their values. (`None` stands for the default.)
METRIC_OPTIONS: dict[str, Choices] = {
    "sacrebleu": {
        "smooth_method": (None, "exp", "floor", "add-k", "none"), "smooth_value": (None, None, 0.5, 2),
        "lowercase": (None, True), "tokenize": (None, "13a", "zh", "intl", "char", "none"),
        "use_effective_order": (None, True), "force": (True,),
    },
    "bleu": {
        "tokenizer": (None, None, "at spaces", "list"), "max_order": (None, None, 1, 2, 3, 5), "smooth": (None, True),
    },
    "chrf": {
        "char_order": (None, None, 3), "word_order": (None, 1, 2), "beta": (None, 1, 3), "lowercase": (None, True),
        "whitespace": (None, True), "eps_smoothing": (None, True),
    },
    "ter": {
        "normalized": (None, True), "ignore_punct": (None, True), "support_zh_ja_chars": (None, True),
        "case_sensitive": (None, True),
    },
    "google_bleu": {
        "tokenizer": (None, None, "at spaces", "list"), "min_len": (None, None, 1, 2), "max_len": (None, None, 2, 6),
    },
    "wer": {"concatenate_texts": (None, True)},
    "cer": {"concatenate_texts": (None, True)},
    # (evaluate's own aggregate is the median of unseeded resamples.)
    "rouge": {
        "rouge_types": (None, ["rouge1"], ["rougeLsum", "rouge3"], ["rouge2", "rougeL"]), "use_aggregator": (False,),
        "use_stemmer": (None, True), "tokenizer": (None, None, "at spaces", "list"),
    },
    "character": {"aggregate": (None, "mean", "sum", "median"), "return_all_scores": (None, True)},
}

#: Metrics that take only one reference in evaluate.
SINGLE_REFERENCE = ("wer", "cer")


def random_input(metric: str, seed: int) -> tuple[list[str], list[Any]]:
    """Return predictions, and for each a list of references. A single reference may be a bare string."""
    rng = random.Random(f"input of {metric} {seed}")
    streams = rng.choice((1, 1, 2, 3))
    segments = random_segments(rng.randrange(10 ** 9), rng.randint(1, 6), streams, missing=rng.random() < 0.3)
    predictions = [_without_surrogates(segment.hypothesis) for segment in segments]
    references: list[Any] = [[_without_surrogates(text) for text in segment.references if text is not None]
                             for segment in segments]
    if all(len(texts) == 1 for texts in references) and rng.random() < 0.5:
        return predictions, [text for text, in references]
    if metric in SINGLE_REFERENCE:
        return predictions, [texts[0] for texts in references]
    return predictions, references


def arguments_of(metric: str, seed: int) -> Arguments:
    """Return the arguments of `compute` for a case, with random options of the metric."""
    predictions, references = random_input(metric, seed)
    rng = random.Random(f"options of {metric} {seed}")
    chosen = {name: rng.choice(values) for name, values in METRIC_OPTIONS[metric].items()}
    options = {name: value for name, value in chosen.items() if value is not None}
    if "tokenizer" in options:
        options["tokenizer"] = TOKENIZER_FUNCTIONS[options["tokenizer"]]
    return {"predictions": predictions, "references": references, **options}


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates by question marks, because evaluate can't store lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
