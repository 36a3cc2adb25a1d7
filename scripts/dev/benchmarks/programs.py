"""Programs for separate processes: `programs.py NAME ARGUMENT ...` calls the function NAME."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, Callable


def launch() -> None:
    """Run the command in `sys.argv[1:]`. Then print a NUL, wait status, CPU seconds, wall seconds and `ru_maxrss`.

    On Linux, a child's peak memory includes the memory of its parent at the start. So the parent is a bare interpreter,
    which needs less memory than any program that is measured. The child is not forked, because the time to copy the
    parent would count as the child's.
    """
    import os
    import time
    start = time.perf_counter()
    try:
        child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    status, usage = os.wait4(child, 0)[1:]
    wall = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime  # includes workers that the child has waited for
    os.write(1, f"\0{status} {cpu!r} {wall!r} {usage.ru_maxrss}".encode())


def call() -> None:
    """Do a job with a library in this process. Print its CPU and wall seconds and a digest of its result, as JSON.

    `sys.argv[1:]`: the package, the job (see `tasks.Calling`), the name of the metric, its options as JSON, the size of
    a batch, the hypotheses, the references. A tiny corpus is scored first, so the time of imports does not count.
    """
    import hashlib
    import json
    package, job, name, options, size, *paths = sys.argv[1:]
    hypotheses, *references = [read_lines(path) for path in paths]
    work = partial(own_work if package in ("purebleu", "sacrebleu") else other_work, package, job, name,
                   json.loads(options), int(size))
    tiny = ["A line, 1.", "And - a second!"]
    work(tiny, [tiny] * len(references))()
    result, seconds = timed(work(hypotheses, references))
    digest = hashlib.sha256(repr(figures(result)).encode()).hexdigest()
    print(json.dumps({**seconds, "figures": digest}))


def figures(result: Any) -> object:
    """Return a result for comparison. If it is a score, return its attributes in hexadecimal notation."""
    found = {}
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "num_edits", "ref_length",
                 "char_order", "word_order", "beta"):
        if hasattr(result, name):
            value = getattr(result, name)
            values = value if isinstance(value, (list, tuple)) else [value]
            found[name] = [float(number).hex() for number in values]
    return found or result


def own_work(package: str, job: str, name: str, options: dict[str, Any], size: int, hypotheses: list[str],
             references: list[list[str]]) -> Callable[[], Any]:
    """Return a function that does a job with purebleu or sacreBLEU. (sacreBLEU has no `pairwise`.)"""
    import importlib
    metric = getattr(importlib.import_module(package + ".metrics"), name)(**options)
    if job == "corpus":
        return lambda: metric.corpus_score(hypotheses, references)
    first, *_ = references
    if job == "batches" and package == "purebleu":
        batches = [slice(start, start + size) for start in range(0, len(hypotheses), size)]
        return lambda: [metric.value(row) for batch in batches
                        for row in metric.corpus_statistics(hypotheses[batch], [first[batch]])]
    if job in ("segments", "batches"):
        return lambda: [metric.sentence_score(hypothesis, [reference]).score
                        for hypothesis, reference in zip(hypotheses, first)]
    if package == "purebleu":
        return lambda: metric.pairwise(hypotheses, hypotheses)
    return lambda: [[metric.sentence_score(hypothesis, [reference]).score for reference in hypotheses]
                    for hypothesis in hypotheses]


def other_work(package: str, job: str, name: str, _: dict[str, Any], __: int, hypotheses: list[str],
               streams: list[list[str]]) -> Callable[[], Any]:
    """Return a function that does a job with another library, with a single reference."""
    import importlib
    references, = streams
    library = importlib.import_module(package)
    if package == "fastchrf":
        return lambda: library.pairwise_chrf([hypotheses], [hypotheses])
    if package == "bleuscore":
        return lambda: library.compute([[line] for line in references], hypotheses)
    if package == "jiwer":
        process = library.process_words if name == "WER" else library.process_characters
        return lambda: process(references, hypotheses)
    if package == "rapidfuzz":
        distance = importlib.import_module("rapidfuzz.distance").Levenshtein.distance
        return lambda: sum(distance(reference.split(), hypothesis.split())
                           for hypothesis, reference in zip(hypotheses, references))
    if package == "nltk":
        function = getattr(importlib.import_module(f"nltk.translate.{name.lower()}_score"), f"corpus_{name.lower()}")
        return lambda: function([[line.split()] for line in references], [line.split() for line in hypotheses])
    if package == "rouge_score":
        kind = {"ROUGE1": "rouge1", "ROUGEL": "rougeL"}[name]
        scorer = importlib.import_module("rouge_score.rouge_scorer").RougeScorer([kind])
        return lambda: [scorer.score(reference, hypothesis) for hypothesis, reference in zip(hypotheses, references)]
    return lambda: [library.calculate_cer(hypothesis.split(), reference.split())
                    for hypothesis, reference in zip(hypotheses, references)]


def train() -> None:
    """Train a SentencePiece model.

    `sys.argv[1:]`: the algorithm, the maximum number of pieces, the path of the model without `.model`, the texts.
    """
    import sentencepiece  # type: ignore[import-not-found]
    algorithm, pieces, prefix, *paths = sys.argv[1:]
    sentencepiece.SentencePieceTrainer.train(input=",".join(paths), model_prefix=prefix, model_type=algorithm,
                                             vocab_size=int(pieces), hard_vocab_limit=False, minloglevel=2)


def segment() -> None:
    """Split the lines of a file in this process. Print the CPU and wall seconds and a digest of the pieces, as JSON.

    `sys.argv[1:]`: the package, the algorithm, `again` or '', the path of a model or '', the file.
    """
    import hashlib
    import json
    package, algorithm, again, model, path = sys.argv[1:]
    lines = read_lines(path)
    split = splitter(package, algorithm, model)
    if again:
        list(map(split, lines))
    found, seconds = timed(lambda: list(map(split, lines)))
    digest = hashlib.sha256(b"\n".join(map(b" ".join, found))).hexdigest()
    print(json.dumps({**seconds, "figures": digest}))


def splitter(package: str, algorithm: str, model: str) -> Callable[[str], list[bytes]]:
    """Return a function that splits a line into words or pieces, with purebleu (without MeCab) or a native library."""
    import importlib
    if package == "purebleu":
        sys.modules["MeCab"] = None  # type: ignore[assignment]
        make = importlib.import_module(package + ".tokenizers").make_tokenizer
        tokenizer = make(f"spm:{model}" if model else algorithm)
        return lambda line: tokenizer.tokenize_lines([line])[0]
    if model:
        processor = importlib.import_module("sentencepiece").SentencePieceProcessor(model_file=model)
        return lambda line: " ".join(processor.EncodeAsPieces(line)).encode().split()
    dictionary = importlib.import_module("ipadic")
    tagger = importlib.import_module("MeCab").Tagger(dictionary.MECAB_ARGS + " -Owakati")
    return lambda line: " ".join(tagger.parse(line.strip()).split()).encode().split()


def fill_the_cache() -> None:
    """Copy more memory than a processor's shared cache holds, again and again until the process is killed."""
    source, target = bytes(1 << 26), bytearray(1 << 26)
    while True:
        target[:] = source


def read_lines(path: str) -> list[str]:
    """Return the lines of a file, without trailing white space."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Call a function. Return its result, and the CPU and wall seconds that it took."""
    import time
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


if __name__ == "__main__":
    # (Remove this folder from the path, so that its modules do not hide modules with the same names.)
    sys.path[0] = "" if sys.path[0].endswith("benchmarks") else sys.path[0]
    del sys.argv[0]
    globals()[sys.argv[0]]()
