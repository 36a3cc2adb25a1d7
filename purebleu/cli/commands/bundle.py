"""`purebleu bundle`: test sets and models in a file, for machines without a network."""

from __future__ import annotations

import os

from ...files.writing import standard_stream
from ...runtime.hints import Sequence
from ..arguments.command import Answer, Command
from ..arguments.groups import BLEU_OPTIONS, INPUTS, NETWORK, TEST_SETS, InputValues, Option, OutputValues
from ..arguments.values import check_needs, check_takes
from ..corpus.selection import names_in_values, select


class BundleValues(InputValues, OutputValues):
    """The values of the options of `purebleu bundle`."""

    words: list[str] = []
    with_program: bool = False
    bleu_tokenize: str = ""

    @property
    def named_data(self) -> tuple[Sequence[str], str | None, str | None]:
        return [*self.words[1:], *self.test_set], self.bleu_tokenize, self.langpair


def run_bundle(values: BundleValues) -> Answer:
    """Write test sets and models to a file, and return the SHA-256 sum of the file."""
    from ...datasets.bundle import write_bundle

    path, names = file_and_names(values)
    selection = select(names, values.langpair, models_too=True)
    checksum = write_bundle(path, list(selection.pairs()), selection.models, values.with_program)
    if os.path.exists(path) and standard_stream(path) == 1:
        return Answer(messages=[f"the SHA-256 sum of the bundle is {checksum}"])
    return Answer(f"{checksum}  {path}")


def file_and_names(values: BundleValues) -> tuple[str, list[str]]:
    """Return the file to write, and the test sets and models to store. Raise `OptionError` if a name is missing."""
    path, *names = values.words or [""]
    names = [*names_in_values([*names, *values.test_set]), *_model_of(values.bleu_tokenize)]
    check_needs(path and names, "bundle", "the file to write, then one or more test sets or models")
    return path, names


def _model_of(tokenizer: str) -> list[str]:
    """Return the model of a tokenizer (none if `tokenizer` is empty). Raise `OptionError` if it is not published."""
    from ...engines.sentencepiece.published import MODELS

    check_takes(not tokenizer or tokenizer in MODELS, "--tokenize", f"published models ({', '.join(MODELS)}), not "
                f"{tokenizer}: copy the files of other tokenizers yourself", "bleu_tokenize")
    return [tokenizer] if tokenizer else []


BUNDLE = Command(
    "bundle", "bundle [options] FILE NAME ...",
    "Write test sets (the pair of -l, or all pairs) and models to a file, for machines without a network.",
    run_bundle, BundleValues, (
        Option("words", form="positional", metavar="FILE NAME",
               help="the file to write, then the test sets and models to put into it"),
        Option("--with-program", form="switch", help="also put purebleu into the bundle",
               more="'python3 FILE' then runs purebleu with the bundle's test sets and models"),
    ), (TEST_SETS.only("test_set"), INPUTS.only("langpair"), BLEU_OPTIONS.only("bleu_tokenize"), NETWORK), (), (
        ("eval.pb -t wmt18 -l en-de -tok flores200 --with-program", "a test set, a model and the program"),
        ("eval.pb wmt22 wmt23 -l en-de", "two test sets"),
    ))
