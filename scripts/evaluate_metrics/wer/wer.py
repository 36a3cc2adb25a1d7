"""purebleu's `wer` for Hugging Face's evaluate: `evaluate.load("path/to/evaluate_metrics/wer")`."""

import datasets
import evaluate

from purebleu.evaluate import load

TEXT = datasets.Value("string", id="sequence")
REFERENCES = (datasets.Sequence(TEXT, id="references"), TEXT)


class Wer(evaluate.Metric):
    def _info(self):
        ours = load("wer")
        features = [datasets.Features({"predictions": TEXT, "references": kind}) for kind in REFERENCES]
        return evaluate.MetricInfo(ours.description, ours.citation, features, inputs_description=ours.features)

    def _compute(self, predictions, references, **options):
        return load("wer").compute(predictions=predictions, references=references, **options)
