"""purebleu's `rouge` for Hugging Face's evaluate: `evaluate.load("path/to/evaluate_metrics/rouge")`."""

import datasets
import evaluate

from purebleu.evaluate import load

TEXT = datasets.Value("string", id="sequence")
REFERENCES = (datasets.Sequence(TEXT, id="references"), TEXT)


class Rouge(evaluate.Metric):
    def _info(self):
        ours = load("rouge")
        features = [datasets.Features({"predictions": TEXT, "references": kind}) for kind in REFERENCES]
        return evaluate.MetricInfo(ours.description, ours.citation, features, inputs_description=ours.features)

    def _compute(self, predictions, references, **options):
        return load("rouge").compute(predictions=predictions, references=references, **options)
