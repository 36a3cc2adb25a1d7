"""What the command line does with test sets: listing, printing and fetching them, and choosing segments of them."""

from __future__ import annotations

from ..datasets import DATASETS, get_available_testsets, get_available_testsets_for_langpair, get_test_set
from ..datasets.download import Source, source_from_environment
from ..errors import OptionError
from ..textio import JoinedStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from ..datasets import TestSet


def chosen_test_sets(options: Namespace) -> list[TestSet]:
    """The test sets that are asked for, by name, one or several with commas between."""
    chosen = [get_test_set(name) for name in options.test_set.split(",")]
    for one in chosen:
        one.fetched_from = fetched_from(options)
        if options.langpair and options.langpair not in one.langpairs:
            raise OptionError(f"{one.name} has no language pair {options.langpair!r}; there are "
                              f"{', '.join(one.langpairs)}")
    return chosen


def fetched_from(options: Namespace) -> Source:
    """Where archives come from, as the options say, or else the environment."""
    return Source(options.mirror, options.offline) if options.mirror or options.offline else source_from_environment()


def listing(options: Namespace) -> str:
    """All test sets, or those of a language pair, with what they are; or the fields of the pairs of one."""
    if options.test_set:
        lines = []
        for one in chosen_test_sets(options):
            for pair in [options.langpair] if options.langpair else one.langpairs:
                lines.append(f"{pair}: {', '.join(one.fieldnames(pair))}")
        return "\n".join(lines)
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
    """Fetch a test set: all of its language pairs, or the one that is asked for."""
    options.test_set = options.download
    for one in chosen_test_sets(options):
        for pair in [options.langpair] if options.langpair else one.langpairs:
            one.get_files(pair)


def echo(options: Namespace) -> str:
    """Fields of test sets, side by side, a segment a line."""
    lines: list[str] = []
    for one in chosen_test_sets(options):
        columns = one.read_fields(options.langpair, options.echo)
        keep = kept_segments([one], options)
        lines += ["\t".join(row) for place, row in enumerate(zip(*columns)) if keep is None or keep[place]]
    return "\n".join(lines)


def reference_streams(options: Namespace) -> list[JoinedStream]:
    """The references of the test sets that are asked for, those of one set after those of another."""
    files = [one.get_reference_files(options.langpair) for one in chosen_test_sets(options)]
    if len(set(map(len, files))) > 1:
        raise OptionError(f"the test sets have different numbers of references: {', '.join(map(str, map(len, files)))}")
    if not files[0]:
        raise OptionError(f"{options.test_set} has no references for {options.langpair}")
    return [JoinedStream(paths) for paths in zip(*files)]


def kept_segments(test_sets: list[TestSet], options: Namespace) -> list[bool] | None:
    """For each segment of the test sets, whether `--origlang` and `--subset` let it count; `None` where all do."""
    if not options.origlang and not options.subset:
        return None
    return [keep for one in test_sets
            for keep in one.select(options.langpair, options.origlang or None, options.subset or None)]
