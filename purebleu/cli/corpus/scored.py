"""The types of the data in the scoring of a corpus."""

from __future__ import annotations

from itertools import compress

from ...report.formats import short_names, signed_by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence, TypeVar

    from ...hints import Naming, Row
    from ...metrics import BLEU
    from ...metrics.base import Metric
    from ...metrics.evaluation import Block, System
    from ...metrics.score import Score, Signature
    from ...rows import TextChecksums
    from ...significance.sampling import Sampled, Units
    from .inputs import Inputs
    from .metrics import MetricChoice

    OfSystem = TypeVar("OfSystem")


class SegmentList:
    """The segments that are scored, and the facts that are known of them besides their text.

    Attributes:
        numbers: the numbers of their lines, from 1.
        lines: the number of lines so far, whether they are scored or not.
        columns: for each column of a file or the test set (`id`, `src`, and so on), the value of each segment.
        scores: the scores from outside, for each name and system.
        equal: the indices of segments for which systems have the same output, with the indices of these systems.
        lines_of_files: with `--resegment`, the lines of each system as they were read; else empty.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.lines = 0
        self.columns: dict[str, list[str]] = {}
        self.scores: dict[tuple[str, int], list[str]] = {}
        self.equal: list[tuple[int, list[int]]] = []
        self.lines_of_files: list[list[str]] = []
        self._segments = 0

    def see_outputs(self, systems: Sequence[Sequence[str]]) -> None:
        """Look for the same outputs among those of the systems for the next segments."""
        for index, outputs in enumerate(zip(*systems), self._segments):
            if len(set(outputs)) < len(outputs):
                by_output: dict[str, list[int]] = {}
                for system, output in enumerate(outputs):
                    by_output.setdefault(output, []).append(system)
                self.equal += [(index, equal) for equal in by_output.values() if len(equal) > 1]
        self._segments += len(systems[0])

    def add(self, first: int, kept: Sequence[bool], columns: Mapping[str, Sequence[str]]) -> None:
        """Take in a block whose first line has this number."""
        self.lines += len(kept)
        self.numbers += compress(range(first, first + len(kept)), kept)
        for name, column in columns.items():
            self.columns.setdefault(name, []).extend(compress(column, kept))


class CorpusTexts:
    """The text of a corpus, as it is scored.

    Attributes:
        outputs: the lines of each system.
        references: the streams of references, with `None` if a segment has no such reference.
        listed: the list of these segments.
        warnings: the warnings so far.
    """

    def __init__(self, warnings: list[str]) -> None:
        self.warnings = warnings
        self.outputs: list[list[str]] = []
        self.references: list[list[str | None]] = []
        self.listed = SegmentList()

    def see(self, block: Block) -> None:
        """Take in the next block."""
        outputs, references = block
        self.outputs = self.outputs or [[] for _ in outputs]
        before = len(self.outputs[0])
        for _ in references[len(self.references):]:
            self.references.append([None] * before)
        for lines, further in zip(self.outputs, outputs):
            lines += further
        for stream, column in zip(self.references, references):
            stream += column
        for stream in self.references[len(references):]:
            stream += [None] * len(outputs[0])

    def put_first(self, index: int) -> None:
        """Put the outputs of a system before the others."""
        for lists in (self.outputs, self.listed.lines_of_files):
            if lists:
                lists.insert(0, lists.pop(index))

    def outputs_of(self, systems: int) -> list[list[str] | None]:
        """The lines of each system; `None` for a baseline that comes from rows, which is the first system."""
        return [*[None] * (systems - len(self.outputs)), *self.outputs]


class Scored:
    """Systems with their scores, from text or from stored rows.

    Attributes:
        metrics: in the order of the results.
        systems: one or more.
        inputs: what was read.
        choice: what was computed.
        names: the names of the systems, in their order.
        naming: the origin of these names, as `StoredRows` has it.
        texts: the text of the corpus; `None` if there are only rows, or if it is not needed.
        pair: the name of the language pair, if it is one of several of a manifest.
        units: the units of resampling; `None` if they are single segments without strata.
        listed: the list of segments; `None` if nothing needed it.
        checksums: the checksums of the text; `None` if nothing needed them.
    """

    def __init__(self, metrics: list[Metric[Score]], systems: list[System], inputs: Inputs, choice: MetricChoice,
                 names: Sequence[str], naming: Naming) -> None:
        self.metrics = metrics
        self.systems = systems
        self.inputs = inputs
        self.choice = choice
        self.names = names
        self.naming: Naming = naming
        self.texts: CorpusTexts | None = None
        self.pair = ""
        self.units: Units | None = None
        self.listed: SegmentList | None = None
        self.checksums: TextChecksums | None = None
        self._first = 0

    def shorten_names(self) -> None:
        """Take what all names of files have in common, and folders, out of the names of systems."""
        if self.naming == "files":
            self.names, self.naming = short_names(self.names), "given"

    def put_first(self, name: str) -> None:
        """Put a system before the others, so that they are tested against it.

        `name` is its name in results, or that of its file, with or without folders and ending. Raises `OptionError`
        unless exactly one system has it.
        """
        names = [[shown] for shown in self.names]
        for names_of_system, file in zip(names, self.inputs.files):
            names_of_system.append(file)
        from ...files.scores import index_called

        self._first = index = index_called(name, names)
        self.systems = [self.systems[index], *self.systems[:index], *self.systems[index + 1:]]
        self.names = [self.names[index], *self.names[:index], *self.names[index + 1:]]
        if self.texts is not None:
            self.texts.put_first(index)

    def as_given(self, of_systems: Sequence[OfSystem]) -> list[OfSystem]:
        """Values of the systems, one for each, in the order in which the systems were given."""
        first, *others = of_systems
        return [*others[:self._first], first, *others[self._first:]]

    @property
    def rows(self) -> list[Sequence[list[Row]]]:
        """The rows of each system under each metric."""
        return [system.rows for system in self.systems]

    @property
    def signatures(self) -> list[Signature]:
        """Under each metric, the signature of all systems."""
        return [evaluation.signature() for evaluation in self.systems[0].evaluations]

    def signed(self, results: Sampled) -> dict[str, Signature]:
        """The signatures by the names of scores, with the fields of the resampling of these results."""
        return signed_by_name(results, self.systems[0].scores(), self.signatures)

    @property
    def counting_bleu(self) -> BLEU | None:
        """The BLEU whose tokens are counted; `None` without texts."""
        return None if self.texts is None else self.choice.bleu_among(self.metrics)

    @property
    def names_in_warnings(self) -> Sequence[str]:
        """The names of the systems in warnings; empty for a single one."""
        return self.names if len(self.systems) > 1 else [""]


def check_called(name: str, inputs: Inputs) -> None:
    """Raise `OptionError` if no system has the name in `--against`, as far as that is known before scoring."""
    if name and inputs.files and not inputs.splits_last:
        from ...files.scores import index_called

        index_called(name, [*zip(inputs.short_system_names(len(inputs.files)), inputs.files)])
