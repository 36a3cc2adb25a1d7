"""Alignments of segments in files: in the forms of Tercom 0.10.0 (https://github.com/jhclark/tercom), and as JSON.

They differ from Tercom's in what no program reads: the names of systems are the given ones, there is no date, and words
are escaped as XML asks for.
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
        number: that of its line, from 1.
        identifier: what it is called; `None` where nothing tells.
        alignment: with the best of its references.
        score: of the segment.
    """

    __slots__ = ("alignment", "identifier", "number", "score")

    def __init__(self, number: int, identifier: str | None, alignment: Any, score: float) -> None:
        self.number = number
        self.identifier = identifier
        self.alignment = alignment
        self.score = score

    @property
    def name(self) -> str:
        """Its name in Tercom's forms: a word, and the rank of the output, which is the first."""
        return "_".join(xml_characters(self.identifier or "").split()) or f"{self.number}"


class AlignedSystem:
    """The alignments of a system under a metric, as they are written.

    Attributes:
        name: that of the system.
        references: the names of the files of references.
        metric: the name of the metric.
        signature: of the evaluation.
        case_sensitive: whether words differ by case.
        segments: can be gone through once.
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
        found: TERAlignment = segment.alignment
        yield f"{segment.name}:1 {float(found.num_edits)} {float(found.ref_length)} {_rate_of(found)}"


def _rate_of(alignment: Alignment) -> float:
    """The edits per word, where 1 is 100 %."""
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
        found: TERAlignment = segment.alignment
        counts = list(found.counts().values())
        totals = [total + count for total, count in zip(totals, counts)]
        edits += found.num_edits
        length += found.ref_length
        figures = [f"{float(found.num_edits):6.1f}", f"{_rounded(found.ref_length):>8}",
                   f"{_rounded(segment.score):>8}"]
        yield " | ".join([f"{segment.name + ':1':<19}", *[f"{count:4}" for count in counts], *figures])
    yield _RULE
    score = 100 * edits / length if length else 0.0
    yield " | ".join([f"{'TOTAL':<19}", *[f"{total:<4}" for total in totals], f"{float(edits):<6.1f}",
                      f"{_rounded(length):<8}", f"{_rounded(score):<8}"])


def _rounded(number: float) -> str:
    """The number as Java rounds it to three decimal places: from its shortest decimal form, a 5 upwards."""
    whole, _, digits = repr(float(number)).partition(".")
    if "e" in whole + digits:
        return f"{number:.3f}"
    thousandths = int(whole + digits[:3].ljust(3, "0")) + (digits[3:4] >= "5")
    return f"{thousandths // 1000}.{thousandths % 1000:03}"


def _pra_lines(system: AlignedSystem) -> Iterator[str]:
    for segment in system.segments:
        found: TERAlignment = segment.alignment
        yield f"Sentence ID: {segment.name}:1"
        yield f"Original Ref: {_joined(found.reference)}"
        yield f"Original Hyp: {_joined(found.hypothesis)}"
        yield f"Hyp After Shift: {_joined(found.shifted)}"
        yield f"Alignment: ({''.join([OPERATION_LETTERS[kind] for kind, _, _ in found.operations()])})"
        yield f"NumShifts: {len(found.shifts)}"
        for shift, position in zip(found.shifts, found.reference_positions()):
            last = shift.start + len(shift.words) - 1
            words = ", ".join(map(xml_characters, shift.words))
            yield f"  [{shift.start}, {last}, {position}/{shift.target - 1}] ([{words}])"
        yield f"Score: {_rate_of(found)} ({float(found.num_edits)}/{float(found.ref_length)})"
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
        found: TERAlignment = segment.alignment
        yield f'    <seg segid="{xml_text(segment.name)}">'
        yield (f'      <hyp id="1" refid="" wrd_cnt="{float(found.ref_length)}" '
               f'num_errs="{float(found.num_edits)}">')
        distances = _distances(found)
        passed = 0
        for kind, ours, theirs in found.operations():
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
    """By the positions of words after a shift, how far that has moved them.

    As with Tercom, a position is that right after the shift, whatever shifts follow, and the first of several counts.
    """
    found: dict[int, int] = {}
    for shift in alignment.shifts:
        for position in range(shift.start_after, shift.start_after + len(shift.words)):
            found.setdefault(position, shift.start_after - shift.start)
    return found


def _json_lines(systems: Sequence[AlignedSystem]) -> Iterator[str]:
    yield '{"alignments": ['
    for index, system in enumerate(systems):
        head = {"system": system.name, "metric": system.metric, "signature": system.signature}
        yield f'{_line_of_json(head)[:-1]}, "segments": ['
        waiting = ""
        for segment in system.segments:
            if waiting:
                yield waiting + ","
            waiting = _line_of_json(segment_object(segment))
        yield waiting + ("]}," if index < len(systems) - 1 else "]}")
    yield "]}"


def _line_of_json(value: object) -> str:
    from ..runtime.json_writer import to_json

    text = to_json(value, indent=None, ascii_only=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # for halves of surrogate pairs
        return to_json(value, indent=None)
    return text


def segment_object(segment: AlignedSegment) -> dict[str, object]:
    """A segment as JSON has it; an operation is a kind, the word of the hypothesis, and that of the reference."""
    found: Alignment = segment.alignment
    return {
        "line": segment.number, **({} if segment.identifier is None else {"id": segment.identifier}),
        "score": segment.score, "edits": found.num_edits, "reference_length": found.ref_length,
        "reference": found.reference_index, "hypothesis": found.hypothesis,
        "shifts": [{"start": shift.start, "target": shift.target, "words": shift.words} for shift in found.shifts],
        "operations": [list(operation) for operation in found.operations()],
    }


#: Tercom's forms, by the ends of names of files.
TERCOM_FORMS = {".ter": _ter_lines, ".sum": _sum_lines, ".pra": _pra_lines, ".xml": _xml_lines}

#: The ends of names that files of alignments may have.
ALIGNMENT_ENDINGS = (*TERCOM_FORMS, ".json")


def ending_of(name: str) -> str | None:
    """The one of `ALIGNMENT_ENDINGS` that a name has, if it has one."""
    return next((ending for ending in ALIGNMENT_ENDINGS if name.lower().endswith(ending)), None)


def alignment_lines(systems: Sequence[AlignedSystem], ending: str) -> Iterator[str]:
    """The lines of a file with this one of `ALIGNMENT_ENDINGS`; Tercom's forms are of one system, under TER."""
    if ending in TERCOM_FORMS:
        [system] = systems
        return TERCOM_FORMS[ending](system)
    return _json_lines(systems)
