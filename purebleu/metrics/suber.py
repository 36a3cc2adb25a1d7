"""SubER (Wilken et al., 2022): edits that turn subtitles into those of the reference, per word and break of the latter.

    SubER = 100 * edits / words and breaks of the references

The edits are those of TER, but words are aligned only if their subtitles overlap in time, and breaks (ends of lines and
of blocks) only with breaks. A segment is the text of a subtitle file, or a part of it. It is split at times at which no
side shows a subtitle, and its parts are aligned one by one.
"""

from __future__ import annotations

from itertools import starmap

from ..engines.edits.ter import Rules, count_edits, edits_and_shifts
from ..errors import OptionError, check_text
from ..files.subtitles import BREAKS, SubtitleBlock, independent_parts, subtitle_blocks
from ..hints import Any, Callable, Mapping, NamedTuple, Row, Segment, Sequence, Streams
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

    #: The times of a word's block, and whether it is a break.
    Place = Tuple[int, int, bool]

    #: The words of a part of the hypothesis, and of the reference.
    PartPair = Tuple[List["TimedWord"], List["TimedWord"]]

#: Half the width of the beam, which is wider than Tercom's.
_BEAM = 100

#: The marks that are removed from words: the punctuation of ASCII, and the ellipsis.
_WITHOUT_MARKS = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…"))


class TimedWord(str):
    """A word or a break; `place` says when it is shown."""

    __slots__ = ("place",)

    place: Place


def _may_align(place: Place, other: Place) -> bool:
    """Whether words at two places may be aligned."""
    start, end, is_break = place
    other_start, other_end, other_is_break = other
    return is_break == other_is_break and start < other_end and other_start < end


RULES = Rules(_BEAM, _may_align)


class TimedBlock(NamedTuple):
    """The words and breaks of a block, with its times."""

    start: int
    end: int
    words: list[TimedWord]


class _WordsField(TokenizerField):
    """The field of the tokenizer. The usual one is no value of the option."""

    def options(self, metric: Any, fields: Mapping[str, str]) -> dict[str, Any]:
        return {} if fields.get(self.key, metric.USUAL) == metric.USUAL else super().options(metric, fields)


class SubERScore(TERScore):
    """A SubER score; the attributes of `TERScore`, of words and breaks."""

    NAME = "SubER"


class SubERCasedScore(SubERScore):
    """A score of SubER-cased; the attributes of `TERScore`, of words and breaks."""

    NAME = "SubER-cased"


class SubER(TER):
    """Subtitle edit rate (Wilken et al., 2022). Lower is better. A segment is the text of a subtitle file.

    Words are compared in lower case and without punctuation (unless they have nothing else). Rows are those of `TER`,
    of words and breaks.

    Args:
        tokenize: `zh`, `ja-mecab` or `ko-mecab`: the tokenizer of words; `none` for other languages; `None`: the usual
            one for `trg_lang`.
        trg_lang: the code of the target language, such as `ja`, if it selects the tokenizer.
        references: streams that are prepared once, for scoring many systems against them.
        kinds: whether rows and scores have the kinds of edits.

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

    #: The tokenizer if the language needs none of its own.
    USUAL = "none"

    def __init__(self, tokenize: str | None = None, trg_lang: str = "", references: Streams | None = None,
                 kinds: bool = False) -> None:
        check_text("trg_lang", trg_lang)
        self.trg_lang = trg_lang
        name = tokenize or DEFAULT_BY_LANGUAGE.get(trg_lang, "none")
        if name not in ("none", *DEFAULT_BY_LANGUAGE.values()):
            raise OptionError(f"subtitles are split by {', '.join(DEFAULT_BY_LANGUAGE.values())} or none, not by "
                              f"{name!r:.40}", option="tokenize")
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
        """The word as it is compared: in lower case, and without punctuation (unless it has nothing else)."""
        word = lower_case(word)
        if not self.splits:
            return word.translate(_WITHOUT_MARKS) or word
        from ..unicode.properties import has_property
        from ..unicode.tables import PUNCTUATION

        return "".join([character for character in word if not has_property(PUNCTUATION, character)]) or word

    def _learn(self, words: Sequence[str]) -> None:
        """Take in the tokens of words, once each."""
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
        """The rows of segments, given a function that counts the edits of pairs."""
        if self.kinds:
            return self.rows_with_kinds(hypotheses, references)
        parts = [[_part_pairs(hypothesis, reference) for reference in segment]
                 for hypothesis, segment in zip(hypotheses, references)]
        edits = iter(edits_of_pairs([pair for segment in parts for pairs in segment for pair in pairs], RULES))
        rows: list[Row] = []
        for segment, blocks in zip(parts, references):
            totals = [sum([next(edits) for _ in pairs]) for pairs in segment]
            rows.append(self.row_of(totals, list(map(_words_of_blocks, blocks))))
        return rows

    def alignments_of(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[TERAlignment]:
        pairs = list(starmap(_part_pairs, pairs_of_segments(hypotheses, references)))
        flat = [pair for parts in pairs for pair in parts]
        faster = self._faster("traces")
        traces = iter(faster(flat, RULES) if faster else [edits_and_shifts(*pair, RULES) for pair in flat])
        by_reference = iter([[(*pair, *next(traces)) for pair in parts] for parts in pairs])
        found: list[TERAlignment] = []
        for segment in references:
            lengths = [len(_words_of_blocks(reference)) for reference in segment if reference is not None]
            ways = [(next(by_reference), index) for index, reference in enumerate(segment) if reference is not None]
            parts, index = min(ways, key=lambda way: sum([edits for _, _, edits, _ in way[0]]))
            found.append(SubERAlignment([TERAlignment([*hypothesis], [*reference], index, shifts, edits,
                                                      len(reference), RULES)
                                         for hypothesis, reference, edits, shifts in parts], index,
                                        sum(lengths) / len(lengths)))
        return found

    def advice_without_spaces(self, language: str) -> str:
        return "" if self.splits else f"-l or -tok {DEFAULT_BY_LANGUAGE.get(language, 'zh')}"


class SubERCased(SubER):
    """SubER with case and punctuation. Tercom's tokenizer, or the tokenizer of the language, splits words.

    Arguments and rows are those of `SubER`.

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
    """The words of blocks, one after the other."""
    return [word for block in blocks for word in block.words]


def _part_pairs(hypothesis: Sequence[TimedBlock], reference: Sequence[TimedBlock]) -> list[PartPair]:
    """The words of each of the independent parts of a pair."""
    return [(_words_of_blocks(one), _words_of_blocks(other))
            for one, other in independent_parts([hypothesis, reference])]


def _edits_of_pairs(pairs: Sequence[PartPair], rules: Rules) -> list[int]:
    return [count_edits(*pair, rules) for pair in pairs]


class SubERAlignment(TERAlignment):
    """The edits of the parts of a segment, one part after the other; the attributes of `TERAlignment`."""

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
