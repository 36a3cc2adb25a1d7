"""SubER (Wilken et al., 2022): TER of subtitles, in which breaks count as words.

    SubER = 100 * edits / words and breaks of the references

Two words are aligned only if their subtitles overlap in time. Breaks (the ends of lines and of blocks) are aligned only
with breaks. A segment is the text of a subtitle file, or of a part of the file. Each segment is split into parts at the
times when neither the hypothesis nor the reference shows a subtitle. The parts are aligned one by one.
"""

from __future__ import annotations

from itertools import chain, islice, starmap

from ..engines.edits.ter import Rules, count_edits, edits_and_shifts
from ..files.subtitles import BREAKS, SubtitleBlock, independent_parts, subtitle_blocks
from ..runtime.errors import OptionError, check_text
from ..runtime.hints import Any, Callable, Mapping, NamedTuple, Row, Segment, Sequence, Streams
from ..tokenizers import DEFAULT_BY_LANGUAGE, make_tokenizer
from ..tokenizers.tokenizer_ter import TercomTokenizer
from ..unicode.casing import lower_case
from .alignment import TERShift
from .evaluation import pairs_of_segments
from .signature import FixedField, FlagField, TokenizerField
from .ter import TER, TERAlignment, TERScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    from .alignment import Operation

    #: The start and the end of a word's block, and whether the word is a break.
    Place = Tuple[int, int, bool]

    #: The words of the hypothesis and of the reference in one part.
    PartPair = Tuple[List["TimedWord"], List["TimedWord"]]

#: Half the width of the beam in searches for edits. (Tercom's beam is narrower.)
_BEAM = 100

#: The marks that are removed from words: ASCII punctuation and the ellipsis.
_WITHOUT_MARKS = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…"))


class TimedWord(str):
    """A word or a break, with the times of its block in `place`."""

    __slots__ = ("place",)

    place: Place


def _may_align(place: Place, other: Place) -> bool:
    """Return whether words at two places may be aligned."""
    start, end, is_break = place
    other_start, other_end, other_is_break = other
    return is_break == other_is_break and start < other_end and other_start < end


RULES = Rules(_BEAM, _may_align)


class TimedBlock(NamedTuple):
    """A block of subtitles: its times, and its words and breaks."""

    start: int
    end: int
    words: list[TimedWord]


class _WordsField(TokenizerField):
    """The field of the tokenizer. Its value is `USUAL` if the option is not set."""

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        return {} if fields.get(self.key, metric.USUAL) == metric.USUAL else super().options(metric, fields)


class SubERScore(TERScore):
    """A SubER score. The attributes are those of `TERScore`, but breaks count as words."""

    NAME = "SubER"


class SubERCasedScore(SubERScore):
    """A SubER-cased score. The attributes are those of `TERScore`, but breaks count as words."""

    NAME = "SubER-cased"


class SubER(TER):
    """Subtitle edit rate (Wilken et al., 2022). Lower is better. A segment is the text of a subtitle file.

    Words are compared in lower case and without punctuation. (Words with only punctuation stay unchanged.) Rows are
    those of `TER`, but breaks count as words.

    Args:
        tokenize: the tokenizer of words: `zh`, `ja-mecab` or `ko-mecab`, or `none` for other languages; `None` for the
            usual tokenizer of `trg_lang`.
        trg_lang: the code of the target language, such as `ja`, which selects the usual tokenizer.
        references: streams of references, which are preprocessed only once, even for many systems.
        kinds: whether rows and scores have the number of each kind of edit.

    Example:
        >>> block = "1\\n00:00:01,000 --> 00:00:02,000\\n"
        >>> SubER().corpus_score([block + "a subtitle. This is"], [[block + "This is a subtitle."]])
        SubER = 20.00
    """

    SLOW_LENGTH = None
    OPTIONS_OF_BLEU = ("tokenize",)
    OPTIONS_OF_TER = ("kinds",)
    CASE = "lc"
    SCORE = SubERScore
    SIGNATURE_FIELDS = (FixedField("case", attribute="CASE"), _WordsField(),
                        FlagField("kinds", "kinds", leaves_out_default=True))

    #: The name of the tokenizer in signatures, for languages without a tokenizer of their own.
    USUAL = "none"

    def __init__(self, tokenize: str | None = None, trg_lang: str = "", references: Streams | None = None,
                 kinds: bool = False) -> None:
        check_text("trg_lang", trg_lang)
        self.trg_lang = trg_lang
        name = tokenize or DEFAULT_BY_LANGUAGE.get(trg_lang, "none")
        if name not in ("none", *DEFAULT_BY_LANGUAGE.values()):
            raise OptionError(f"the tokenizer of subtitles must be {', '.join(DEFAULT_BY_LANGUAGE.values())} or none, "
                              f"not {name!r:.40}", option="tokenize")
        self.splits = name != "none"
        self._known: dict[str, list[str]] = {}
        self.kinds = kinds
        self.words = make_tokenizer(name) if self.splits else TercomTokenizer(normalized=True, case_sensitive=True)
        self.tokenizer_signature = self.words.signature() if self.splits else self.USUAL
        super(TER, self).__init__(references)

    # Step 1: from the text of subtitles to blocks of words

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Any]:
        found: list[list[TimedBlock]] = []
        for segment in segments:
            blocks = list(subtitle_blocks(str(segment).split("\n")))
            self._learn([word for block in blocks for line in block.lines for word in line.split()])
            found.append([self._timed(block) for block in blocks])
        return found

    preprocess_references = preprocess_lines

    def _normalized(self, word: str) -> str:
        """Return the word in lower case and without punctuation. (A word with only punctuation stays unchanged.)"""
        word = lower_case(word)
        if not self.splits:
            return word.translate(_WITHOUT_MARKS) or word
        from ..unicode.properties import has_property
        from ..unicode.tables import PUNCTUATION

        return "".join([character for character in word if not has_property(PUNCTUATION, character)]) or word

    def _learn(self, words: Sequence[str]) -> None:
        """Add the tokens of new words to `_known`."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        normalized = list(map(self._normalized, new))
        if not self.splits and self.USUAL == "none":
            self._known.update([(word, [token]) for word, token in zip(new, normalized)])
        elif new:
            for word, tokens in zip(new, self.words.tokenize_lines(normalized)):
                self._known[word] = [token.decode("utf-8", "surrogatepass") for token in tokens]

    def _timed(self, block: SubtitleBlock) -> TimedBlock:
        words: list[TimedWord] = []
        for text, end in block.words():
            tokens = self._known[text]
            for token in [*tokens, end] if end and tokens else tokens:
                word = TimedWord(token)
                word.place = block.start, block.end, token in BREAKS
                words.append(word)
        return TimedBlock(block.start, block.end, words)

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        [row] = self.rows_by([hypothesis], [references], _edits_of_pairs)
        return row

    def rows_by(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]],
                edits_of_pairs: Callable[[Sequence[PartPair], Rules], list[int]]) -> list[Row]:
        """Return the rows of segments. `edits_of_pairs` counts the edits of each pair of parts."""
        if self.kinds:
            return self.rows_with_kinds(hypotheses, references)
        parts = list(starmap(_part_pairs, pairs_of_segments(hypotheses, references)))
        edits = iter(edits_of_pairs(list(chain.from_iterable(parts)), RULES))
        totals = iter([sum(islice(edits, len(pairs))) for pairs in parts])
        rows: list[Row] = []
        for segment in references:
            rows.append(self.row_of(list(islice(totals, len(segment))), list(map(_words_of_blocks, segment))))
        return rows

    def alignments_of(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[TERAlignment]:
        parts = list(starmap(_part_pairs, pairs_of_segments(hypotheses, references)))
        flat = list(chain.from_iterable(parts))
        faster = self._faster("traces")
        traces = iter(faster(flat, RULES) if faster else [edits_and_shifts(*pair, RULES) for pair in flat])
        traced_parts = iter([list(zip(pairs, islice(traces, len(pairs)))) for pairs in parts])
        found: list[TERAlignment] = []
        for segment in references:
            present = [index for index, reference in enumerate(segment) if reference is not None]
            candidates = zip(present, islice(traced_parts, len(present)))
            best, traced = min(candidates, key=lambda candidate: sum([edits for _, (edits, _) in candidate[1]]))
            alignments = [TERAlignment([*hypothesis], [*reference], best, shifts, edits, len(reference), RULES)
                          for (hypothesis, reference), (edits, shifts) in traced]
            lengths = [len(_words_of_blocks(segment[index])) for index in present]
            found.append(SubERAlignment(alignments, best, sum(lengths) / len(lengths)))
        return found

    def advice_without_spaces(self, language: str) -> str:
        if not language:
            return "--resegment -m chrf"
        return "" if self.splits else f"-l or -tok {DEFAULT_BY_LANGUAGE[language]}"


class SubERCased(SubER):
    """SubER with case and punctuation. Tercom's tokenizer, or the tokenizer of the language, splits words.

    For arguments and rows, see `SubER`.

    Example:
        >>> block = "1\\n00:00:01,000 --> 00:00:02,000\\n"
        >>> SubERCased().corpus_score([block + "this is a subtitle"], [[block + "This is a subtitle."]])
        SubER-cased = 33.33
    """

    CASE = "mixed"
    SCORE = SubERCasedScore
    USUAL = "tercom"

    def _normalized(self, word: str) -> str:
        return word


def _words_of_blocks(blocks: Sequence[TimedBlock]) -> list[TimedWord]:
    """Return the words of all blocks as one list."""
    return [word for block in blocks for word in block.words]


def _part_pairs(hypothesis: Sequence[TimedBlock], reference: Sequence[TimedBlock]) -> list[PartPair]:
    """Return the words of the hypothesis and of the reference, for each of their independent parts."""
    return [(_words_of_blocks(one), _words_of_blocks(other))
            for one, other in independent_parts([hypothesis, reference])]


def _edits_of_pairs(pairs: Sequence[PartPair], rules: Rules) -> list[int]:
    return [count_edits(*pair, rules) for pair in pairs]


class SubERAlignment(TERAlignment):
    """The edits of a segment, one part after the other. The attributes are those of `TERAlignment`."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Sequence[TERAlignment], reference_index: int, ref_length: float) -> None:
        super().__init__([], [], reference_index, (), sum([part.num_edits for part in parts]), ref_length)
        self._parts = parts
        self.shifted = []
        for part in parts:
            offset = len(self.hypothesis)
            self.shifts += [TERShift(shift.start + offset, shift.target + offset, shift.words) for shift in part.shifts]
            self.hypothesis += part.hypothesis
            self.shifted += part.shifted
            self.reference += part.reference

    def operations(self) -> list[Operation]:
        return [operation for part in self._parts for operation in part.operations()]
