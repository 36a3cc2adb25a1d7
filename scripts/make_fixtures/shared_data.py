"""Real data, of which only numbers are kept."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path

from .oracle import digest_of_rows, make_oracle_metric, oracle, statistics_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Mapping, Sequence

    from .oracle import Options


class SharedCorpus:
    """Files of hypotheses of several systems, and of one or two references to them, as paths below a folder."""

    def __init__(self, systems: list[str], references: list[str]) -> None:
        self.systems = systems
        self.references = references


def shared_corpora(folder: Path) -> list[SharedCorpus]:
    """The corpora in the folder; files belong together that are called the same up to `.hyp` and `.ref`."""
    found: dict[str, SharedCorpus] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        for part in (".hyp.", ".ref."):
            if part in name:
                corpus = found.setdefault(name.partition(part)[0], SharedCorpus([], []))
                (corpus.systems if part == ".hyp." else corpus.references).append(name)
    return [corpus for corpus in found.values() if corpus.systems and corpus.references]


def read_lines(path: Path) -> list[str]:
    """The lines of a file as the command line reads them."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


def shared_data_cases(folder: Path) -> Iterator[dict[str, object]]:
    """For each corpus, number of references, and options: what the rows of each system digest and sum up to.

    `digest` is that of `digest_of_rows`, `sums` are the column sums; `scores` come from them: smoothing method, value,
    score.
    """
    for corpus in shared_corpora(folder):
        systems = {name: read_lines(folder / name) for name in corpus.systems}
        streams = [read_lines(folder / name) for name in corpus.references]
        for count in range(1, len(streams) + 1):
            for options in statistics_options():
                metric = make_oracle_metric({**options, "references": streams[:count]})
                for name, hypotheses in systems.items():
                    rows = metric._extract_corpus_statistics(hypotheses, None)
                    sums = [sum(column) for column in zip(*rows)]
                    yield {"hypotheses": name, "references": corpus.references[:count], "options": options,
                           "segments": len(rows), "digest": digest_of_rows(rows), "sums": sums,
                           "scores": list(_smoothed_scores(metric, sums))}


def _smoothed_scores(metric: Any, sums: Sequence[int]) -> Iterator[list[object]]:
    for method, value in (("exp", None), ("none", None), ("floor", None), ("add-k", 0.5)):
        metric.smooth_method, metric.smooth_value = method, value
        yield [method, value, metric._compute_score_from_stats(list(sums)).score.hex()]


#: Metrics with their options, for fewer segments: the oracle's TER is slow.
MORE_OF_SHARED_DATA: tuple[tuple[str, Options], ...] = (
    ("CHRF", {}), ("CHRF", {"word_order": 2, "lowercase": True}),
    ("TER", {}), ("TER", {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}),
)
SEGMENTS_FOR_MORE = 120


def more_shared_data_cases(folder: Path) -> Iterator[dict[str, object]]:
    """The same of other metrics and the first segments; of the scores, just that of the sums, which are floats too."""
    for corpus in shared_corpora(folder):
        systems = {name: read_lines(folder / name)[:SEGMENTS_FOR_MORE] for name in corpus.systems}
        streams = [read_lines(folder / name)[:SEGMENTS_FOR_MORE] for name in corpus.references]
        for count in sorted({1, len(streams)}):
            for metric_name, options in MORE_OF_SHARED_DATA:
                metric = getattr(oracle(), metric_name)(**options, references=streams[:count])
                for name, hypotheses in systems.items():
                    rows = metric._extract_corpus_statistics(hypotheses, None)
                    yield {"metric": metric_name, "hypotheses": name, "references": corpus.references[:count],
                           "options": options, "segments": len(rows), "digest": digest_of_rows(rows),
                           "score": float(metric._aggregate_and_compute(rows).score).hex()}


def shared_archive_cases(folder: Path) -> Iterator[dict[str, object]]:
    """For the test sets whose archives are in `../archives`: the SHA-256 sum of the text of each field of each pair."""
    there = {hashlib.md5(path.read_bytes()).hexdigest(): path for path in (folder.parent / "archives").iterdir()}
    for name, dataset in oracle().DATASETS.items():
        if all(checksum in there for checksum in dataset.md5):
            with tempfile.TemporaryDirectory() as cache:
                dataset._outdir = cache
                dataset._rawdir = os.path.join(cache, "raw")
                dataset.maybe_download = partial(lay_out_archives, dataset, there)
                for pair in dataset.langpairs:
                    sums = {field: hashlib.sha256(Path(path).read_bytes()).hexdigest()
                            for field, path in zip(dataset.fieldnames(pair), dataset.get_files(pair))}
                    yield {"name": name, "pair": pair, "fields": sums}


def lay_out_archives(dataset: Any, there: Mapping[str, Path]) -> None:
    """Do what the oracle does where it fetches archives, with those that are there by their checksums."""
    os.makedirs(dataset._rawdir, exist_ok=True)
    for url, checksum in zip(dataset.data, dataset.md5):
        path = os.path.join(dataset._rawdir, dataset._get_tarball_filename(url))
        Path(path).write_bytes(there[checksum].read_bytes())
        import_module("sacrebleu.utils").extract_tarball(path, dataset._rawdir)
