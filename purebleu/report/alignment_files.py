"""Alignments of segments in files: in the forms of Tercom 0.10.0 (https://github.com/jhclark/tercom), and as JSON.

The files differ from Tercom's only where no program reads them: systems have their given names, there is no date, and
words are escaped as XML requires.
"""

from __future__ import annotations

from ..metrics.alignments import DELETED, INSERTED, MATCHED, SUBSTITUTED
from .markup import xml_characters, xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence

    from ..metrics.alignments import Alignment
    from ..metrics.ter_alignment import TERAlignment

#: The names of operations in Tercom's forms.
OPERATION_LETTERS = {MATCHED: " ", SUBSTITUTED: "S", INSERTED: "I", DELETED: "D"}

_RULE = "-" * 85
_HEADS = ("Ins", "Del", "Sub", "Shft", "WdSh", "NumEr", "NumWd", "TER")


class AlignedSegment:
    """A segment with its alignment.

    Attributes:
        number: the number of its line, from 1.
        identifier: its id; `None` where it has none.
        alignment: the alignment with the best of its references.
        score: the score of the segment.
    """

    __slots__ = ("alignment", "identifier", "number", "score")

    def __init__(self, number: int, identifier: str | None, alignment: Any, score: float) -> None:
        self.number = number
        self.identifier = identifier
        self.alignment = alignment
        self.score = score

    @property
    def name(self) -> str:
        """The name of the segment in Tercom's forms: a single word."""
        return "_".join(xml_characters(self.identifier or "").split()) or f"{self.number}"


class AlignedSystem:
    """The alignments of a system under a metric, to be written to a file.

    Attributes:
        name: the name of the system.
        references: the names of the files of references.
        metric: the name of the metric.
        signature: the signature of the evaluation.
        case_sensitive: whether words differ by case.
        segments: the segments, as an iterable that can be read once.
    """

    def __init__(self, name: str, references: Sequence[str], metric: str, signature: str, case_sensitive: bool,
                 segments: Iterable[AlignedSegment]) -> None:
        self.name = name
        self.references = references
        self.metric = metric
        self.signature = signature
        self.case_sensitive = case_sensitive
        self.segments = segments


def _ter_lines(system: AlignedSystem) -> Iterator[str]:
    yield from _file_names(system)
    for segment in system.segments:
        alignment: TERAlignment = segment.alignment
        yield f"{segment.name}:1 {float(alignment.num_edits)} {float(alignment.ref_length)} {_edit_rate(alignment)}"


def _edit_rate(alignment: Alignment) -> float:
    """The number of edits per word of the reference: 1 is 100 %."""
    if not alignment.ref_length:
        return float(alignment.num_edits > 0)
    return alignment.num_edits / alignment.ref_length


def _file_names(system: AlignedSystem) -> list[str]:
    return [f"Hypothesis File: {xml_characters(system.name)}",
            f"Reference File: {xml_characters(' '.join(system.references))}"]


def _sum_lines(system: AlignedSystem) -> Iterator[str]:
    yield from _file_names(system)
    yield f"Ave-Reference File: {xml_characters(' '.join(system.references))}"
    yield " | ".join([f"{'Sent Id':<19}", *[f"{head:<{width}}" for head, width in
                                            zip(_HEADS, (4, 4, 4, 4, 4, 6, 8, 8))]])
    yield _RULE
    totals = [0] * 5
    edits, length = 0, 0.0
    for segment in system.segments:
        alignment: TERAlignment = segment.alignment
        counts = list(alignment.counts().values())
        totals = [total + count for total, count in zip(totals, counts)]
        edits += alignment.num_edits
        length += alignment.ref_length
        figures = [f"{float(alignment.num_edits):6.1f}", f"{_rounded(alignment.ref_length):>8}",
                   f"{_rounded(segment.score):>8}"]
        yield " | ".join([f"{segment.name + ':1':<19}", *[f"{count:4}" for count in counts], *figures])
    yield _RULE
    score = 100 * edits / length if length else 0.0
    yield " | ".join([f"{'TOTAL':<19}", *[f"{total:<4}" for total in totals], f"{float(edits):<6.1f}",
                      f"{_rounded(length):<8}", f"{_rounded(score):<8}"])


def _rounded(number: float) -> str:
    """The number as Java rounds it to three decimal places: from its shortest decimal form, with halves upwards."""
    whole, _, digits = repr(float(number)).partition(".")
    if "e" in whole + digits:
        return f"{number:.3f}"
    thousandths = int(whole + digits[:3].ljust(3, "0")) + (digits[3:4] >= "5")
    return f"{thousandths // 1000}.{thousandths % 1000:03}"


def _pra_lines(system: AlignedSystem) -> Iterator[str]:
    for segment in system.segments:
        alignment: TERAlignment = segment.alignment
        yield f"Sentence ID: {segment.name}:1"
        yield f"Original Ref: {_joined(alignment.reference)}"
        yield f"Original Hyp: {_joined(alignment.hypothesis)}"
        yield f"Hyp After Shift: {_joined(alignment.shifted)}"
        yield f"Alignment: ({''.join([OPERATION_LETTERS[kind] for kind, _, _ in alignment.operations()])})"
        yield f"NumShifts: {len(alignment.shifts)}"
        for shift, position in zip(alignment.shifts, alignment.reference_positions()):
            last = shift.start + len(shift.words) - 1
            words = ", ".join(map(xml_characters, shift.words))
            yield f"  [{shift.start}, {last}, {position}/{shift.target - 1}] ([{words}])"
        yield f"Score: {_edit_rate(alignment)} ({float(alignment.num_edits)}/{float(alignment.ref_length)})"
        yield ""


def _joined(words: Sequence[str]) -> str:
    return " ".join(map(xml_characters, words))


def _xml_lines(system: AlignedSystem) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (f'<system title="{xml_text(system.name)}" hyp_fname="{xml_text(system.name)}" '
           f'ref_fname="{xml_text(" ".join(system.references))}" creation_date="" '
           f'case_sense="{int(system.case_sensitive)}">')
    yield '<tstset setid="" srclang="" trglang="">'
    yield '  <doc docid="">'
    for segment in system.segments:
        alignment: TERAlignment = segment.alignment
        yield f'    <seg segid="{xml_text(segment.name)}">'
        yield (f'      <hyp id="1" refid="" wrd_cnt="{float(alignment.ref_length)}" '
               f'num_errs="{float(alignment.num_edits)}">')
        distances = _distances(alignment)
        passed = 0
        for kind, ours, theirs in alignment.operations():
            letter = OPERATION_LETTERS[kind].replace(" ", "C")
            distance = distances.get(passed, 0) if kind == MATCHED else 0
            yield f'        "{xml_text(theirs or "")}","{xml_text(ours or "")}",{letter},{distance}'
            passed += ours is not None
        yield "      </hyp>"
        yield "    </seg>"
    yield "  </doc>"
    yield "</tstset>"
    yield "</system>"


def _distances(alignment: Alignment) -> dict[int, int]:
    """The distance by which a shift has moved each word, by the word's position after that shift.

    As in Tercom, later shifts do not change these positions; where two shifts have the same one, the first one counts.
    """
    distances: dict[int, int] = {}
    for shift in alignment.shifts:
        for position in range(shift.start_after, shift.start_after + len(shift.words)):
            distances.setdefault(position, shift.start_after - shift.start)
    return distances


def _json_lines(systems: Sequence[AlignedSystem]) -> Iterator[str]:
    yield '{"alignments": ['
    for index, system in enumerate(systems):
        head = {"system": system.name, "metric": system.metric, "signature": system.signature}
        yield f'{_alignment_json(head)[:-1]}, "segments": ['
        waiting = ""
        for segment in system.segments:
            if waiting:
                yield waiting + ","
            waiting = _alignment_json(segment_object(segment))
        yield waiting + ("]}," if index < len(systems) - 1 else "]}")
    yield "]}"


def _alignment_json(value: object) -> str:
    from ..runtime.json_writer import to_json

    text = to_json(value, indent=None, ascii_only=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # for halves of surrogate pairs
        return to_json(value, indent=None)
    return text


def segment_object(segment: AlignedSegment) -> dict[str, object]:
    """A segment as an object of JSON; an operation is a list: its kind, the hypothesis word, the reference word."""
    alignment: Alignment = segment.alignment
    return {
        "line": segment.number, **({} if segment.identifier is None else {"id": segment.identifier}),
        "score": segment.score, "edits": alignment.num_edits, "reference_length": alignment.ref_length,
        "reference": alignment.reference_index, "hypothesis": alignment.hypothesis,
        "shifts": [{"start": shift.start, "target": shift.target, "words": shift.words} for shift in alignment.shifts],
        "operations": [list(operation) for operation in alignment.operations()],
    }


#: The writers of Tercom's forms, by the ends of file names.
TERCOM_FORMS = {".ter": _ter_lines, ".sum": _sum_lines, ".pra": _pra_lines, ".xml": _xml_lines}

#: The ends that the name of a file of alignments may have.
ALIGNMENT_ENDINGS = (*TERCOM_FORMS, ".json")


def ending_of(name: str) -> str | None:
    """The end of a file name, one of `ALIGNMENT_ENDINGS`; `None` where it has another one."""
    return next((ending for ending in ALIGNMENT_ENDINGS if name.lower().endswith(ending)), None)


def alignment_lines(systems: Sequence[AlignedSystem], ending: str) -> Iterator[str]:
    """The lines of a file whose name has this ending; in Tercom's forms, `systems` is a single one, under TER."""
    if ending in TERCOM_FORMS:
        [system] = systems
        return TERCOM_FORMS[ending](system)
    return _json_lines(systems)
