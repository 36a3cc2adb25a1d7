"""What the command line does with test sets: listing, printing and fetching them, and choosing segments of them."""

from __future__ import annotations

from itertools import compress

from ..datasets import DATASETS, get_available_testsets, get_available_testsets_for_langpair, get_test_set
from ..errors import OptionError
from ..metrics.evaluation import sum_statistics
from ..report import part_results
from ..textio import JoinedStream

#: What `--detail` says of test sets that don't tell where their segments come from (as sacreBLEU does).
_NO_PARTS = "No subset information found. Consider using --origlang argument."

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Callable, Iterator, Sequence

    from ..datasets import TestSet
    from ..metrics.base import Metric, Row


def chosen_test_sets(options: Namespace) -> list[TestSet]:
    """The test sets that are asked for, by name, one or several with commas between."""
    chosen = [get_test_set(name) for name in options.test_set.split(",") if options.test_set]
    for one in chosen:
        if options.langpair:
            one.check_pair(options.langpair)
    return chosen


def pairs_of(test_set: TestSet, options: Namespace) -> list[str]:
    """The language pair that is asked for, or else all that a test set has."""
    return [options.langpair] if options.langpair else list(test_set.langpairs)


def listing(options: Namespace) -> str:
    """All test sets, or those of a language pair, with what they are; or the fields of the pairs of one."""
    if options.test_set:
        return "\n".join([f"{pair}: {', '.join(one.fieldnames(pair))}"
                          for one in chosen_test_sets(options) for pair in pairs_of(one, options)])
    names = get_available_testsets_for_langpair(options.langpair) if options.langpair else get_available_testsets()
    of_pair = f" for {options.langpair}" if options.langpair else ""
    return "\n".join([f"The available test sets{of_pair} are:",
                      *[f"{name:<30}: {DATASETS[name].description}" for name in sorted(names)]])


def citations(options: Namespace) -> str:
    """How to cite the test sets that are asked for."""
    entries = []
    for one in chosen_test_sets(options):
        if one.citation is None:
            raise OptionError(f"the catalogue has no citation for {one.name}")
        entries.append(one.citation)
    return "\n".join(entries)


def download(options: Namespace) -> None:
    """Fetch test sets (all of their language pairs, or the one that is asked for) and models."""
    from ..models import get_model

    for model in _without_models(options, options.download.split(",")):
        get_model(model)
    for one in chosen_test_sets(options):
        for pair in pairs_of(one, options):
            one.get_files(pair)


def write_bundle(options: Namespace) -> None:
    """Write test sets and models to a file, for a machine without a network."""
    from ..datasets.bundle import write_bundle

    path, *names = options.bundle
    models = _without_models(options, names)
    write_bundle(path, [(one, pair) for one in chosen_test_sets(options) for pair in pairs_of(one, options)], models)


def read_bundle(options: Namespace) -> str:
    """Put what such a file has into the cache; returns what that is."""
    from ..datasets.bundle import read_bundle

    return "\n".join(read_bundle(options.unbundle))


def _without_models(options: Namespace, names: Sequence[str]) -> list[str]:
    """Choose the test sets of these names; returns those names that are models' instead."""
    from ..models import MODELS

    options.test_set = ",".join([name for name in names if name not in MODELS])
    return [name for name in names if name in MODELS]


def echo(options: Namespace) -> str | None:
    """Fields of test sets, side by side, a segment a line; nothing where no segment is left."""
    lines: list[str] = []
    for one in chosen_test_sets(options):
        columns = one.read_fields(options.langpair, options.echo)
        keep = kept_segments([one], options)
        lines += ["\t".join(row) for place, row in enumerate(zip(*columns)) if keep is None or keep[place]]
    return "\n".join(lines) if lines else None


def reference_streams(options: Namespace) -> list[JoinedStream]:
    """The references of the test sets that are asked for, those of one set after those of another."""
    files = [one.get_reference_files(options.langpair) for one in chosen_test_sets(options)]
    if len(set(map(len, files))) > 1:
        raise OptionError(f"the test sets have different numbers of references: {', '.join(map(str, map(len, files)))}")
    if not files[0]:
        raise OptionError(f"{options.test_set} has no references for {options.langpair}")
    names = [f"the references of {options.test_set} {options.langpair}"]
    if len(files[0]) > 1:
        names = [f"reference {number} of {options.test_set} {options.langpair}" for number, _ in enumerate(files[0], 1)]
    return list(map(JoinedStream, zip(*files), names))


def kept_segments(test_sets: list[TestSet], options: Namespace) -> list[bool] | None:
    """For each segment of the test sets, whether `--origlang` and `--subset` let it count; `None` where all do."""
    if not options.origlang and not options.subset:
        return None
    return [keep for one in test_sets
            for keep in one.select(options.langpair, options.origlang or None, options.subset or None)]


def parts(options: Namespace, metrics: Sequence[Metric], rows: Sequence[Sequence[Row]]) -> str:
    """The scores of parts of the test sets, by original language and subset, from the rows under each metric."""
    results = []
    by_name = {name: (metric, of_metric) for name, metric, of_metric in zip(options.metrics, metrics, rows)}
    for label, kept in parts_of_test_sets(options):
        # sacreBLEU-compat: here, the metrics are in the order given. (fixtures: test_set_commands)
        for metric, of_metric in map(by_name.__getitem__, options.metrics_as_given):
            score = metric.score(sum_statistics(list(compress(of_metric, kept))))
            results.append((label, sum(kept), score))
    return part_results(results, options.width, options.color) if results else _NO_PARTS


def parts_of_test_sets(options: Namespace) -> Iterator[tuple[str, list[bool]]]:
    """What a part is called, and for each segment whether it belongs to it; parts without segments are left out."""
    chosen, pair = chosen_test_sets(options), options.langpair
    languages = [options.origlang]
    if not options.origlang:
        languages = sorted({name for one in chosen for name in one.origlangs(pair)})
    subsets = [options.subset] if options.subset else sorted({name for one in chosen for name in one.subsets(pair)})
    for language in languages:
        for subset in [None, *subsets]:
            kept = [keep for one in chosen for keep in one.select(pair, language, subset)]
            kind, tag = "domain", subset or "ALL"
            if tag.startswith("country:"):
                kind, _, tag = tag.partition(":")
            if any(kept):
                yield f"origlang={language} {kind}={tag}", kept


#: What is done with test sets, by the option that asks for it; the text to print, if any, is returned.
COMMANDS: dict[str, Callable[[Namespace], str | None]] = {
    "download": download,
    "bundle": write_bundle,
    "unbundle": read_bundle,
    "list": listing,
    "citation": citations,
    "echo": echo,
}
