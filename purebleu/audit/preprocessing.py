"""Computes BLEU of the same outputs under many choices of preprocessing.

A choice of preprocessing is a preparation of lines (such as Moses' tokenizer), followed by a tokenizer of BLEU.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from itertools import chain, combinations

from ..files.lines import read_lines
from ..files.opening import KEYS
from ..metrics.bleu import BLEU, BLEUScore
from ..metrics.evaluation import Evaluation, Part, score_block
from ..metrics.score import Signature
from ..runtime.blocks import divided_blocks
from ..runtime.errors import LeftOutError, OptionError, PurebleuError
from ..runtime.hints import NamedTuple, Sequence
from ..runtime.progress import observer
from ..runtime.workers import number_of_workers, spread
from ..tokenizers import DEFAULT, DEFAULT_BY_LANGUAGE, make_tokenizer
from .moses import MosesWords, own_prefixes, read_prefixes, short_checksum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, List

    from ..metrics.evaluation import Block
    from ..tokenizers import BaseTokenizer

    #: A score for each system.
    ScoresOfSystems = List[float]


#: The token that replaces unknown words. A word is known if it occurs at least `MIN_COUNT` times.
UNKNOWN_WORD = "<unk>"
MIN_COUNT = 2

#: The largest number of digits of a count. (Python does not convert texts with thousands of digits to integers.)
_MAX_DIGITS_OF_COUNTS = 18

#: The cases of text, by their names in signatures: unchanged, and in lower case.
CASES = ("mixed", "lc")


class MosesSettings(NamedTuple):
    """The settings of Moses' tokenizer, and the file that decides which words are known.

    Attributes:
        language: the code of the target language, such as `de`; empty if it is not known.
        prefixes: the path of a file of non-breaking prefixes, in Moses' format; `None`: the built-in prefixes of the
            language, if it has any.
        counts: the path of a file of word counts, as `read_counts` takes it; `None`: the counts of the references.
    """

    language: str
    prefixes: str | None = None
    counts: str | None = None


class Preprocessing(NamedTuple):
    """A choice of preprocessing. Each choice is a row of the audit.

    Attributes:
        name: the name of the choice in tables.
        tokenizer: the tokenizer of BLEU, for prepared lines. All `CASES` share the tokenizer and its cache.
        words: the tokenizer that prepares lines; `None`: lines stay unchanged.
        known: the known words. All other words become `UNKNOWN_WORD`. `None`: all words are known.
    """

    name: str
    tokenizer: BaseTokenizer
    words: MosesWords | None = None
    known: frozenset[str] | None = None

    def metrics(self, force: bool = True) -> list[BLEU]:
        """Make the BLEU metric of each of `CASES`, for prepared lines. `force` is the argument of `BLEU`."""
        return [BLEU(tokenize=self.tokenizer, lowercase=case == "lc", force=force) for case in CASES]

    def signed(self, signature: Signature) -> Signature:
        """Add the preparation of lines to the signature of a score, and return the signature."""
        if self.words is not None:
            name = self.words.signature()
            if self.known is not None:
                known = "\n".join(sorted(self.known))
                name += f"-unk-{short_checksum(known)}"
            signature.update("tok", name)
        return signature


def prepared(choices: Iterable[Preprocessing], lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the prepared lines of each choice. Lines are split only once for all choices with the same `words`."""
    split: dict[MosesWords, list[list[str]]] = {}
    for choice in choices:
        if choice.words is None:
            yield lines
            continue
        if choice.words not in split:
            split[choice.words] = choice.words.tokenize_lines(lines)
        lines_of_choice: list[str] = []
        for words in split[choice.words]:
            if choice.known is not None:
                words = [word if word in choice.known else UNKNOWN_WORD for word in words]
            lines_of_choice.append(" ".join(words))
        yield lines_of_choice


def choices_for(settings: MosesSettings, references: Iterable[Sequence[str]]) -> tuple[list[Preprocessing], list[str]]:
    """Return the choices of preprocessing to compare for a target language.

    Args:
        settings: the language, and the files of prefixes and counts.
        references: streams of references. The words of the references are counted if there is no file of counts.

    Returns:
        The choices, and a line for each tokenizer that can't be used, with its name and the reason.

    Raises:
        PurebleuError: a file can't be read.
    """
    language, prefixes, counts = settings
    table = None if prefixes is None else read_prefixes(prefixes)
    basic, split = [MosesWords(language, aggressive, table) for aggressive in (False, True)]
    count_of_words = _counted(basic, references) if counts is None else read_counts(counts)
    known = frozenset([word for word, count in count_of_words.items() if count >= MIN_COUNT])
    moses = _described(language, prefixes)
    counts_name = "references" if counts is None else _file_name(counts)
    none = make_tokenizer("none")
    choices = [
        Preprocessing("none", none),
        Preprocessing(f"basic ({moses})", none, basic),
        Preprocessing(f"split ({moses})", none, split),
        Preprocessing(f"unk ({counts_name})", none, basic, known),
    ]
    left_out: list[str] = []
    for name in _tokenizers_for(language):
        try:
            choices.append(Preprocessing(name, make_tokenizer(name)))
        except PurebleuError as error:
            left_out.append(f"{name}: {error}")
    return choices, left_out


def usual_choice(choices: Sequence[Preprocessing], language: str) -> int:
    """Return the index of BLEU's default tokenizer for a language, or (if it is missing) the index of `DEFAULT`."""
    names = [choice.name for choice in choices]
    usual = DEFAULT_BY_LANGUAGE.get(language, DEFAULT)
    return names.index(usual if usual in names else DEFAULT)


def read_counts(path: str) -> Counter[str]:
    """Read the counts of words in a file. Each line has a word, a tab and the count of the word.

    Raises:
        PurebleuError: the file can't be read, or a line does not have a word, a tab and a count.
    """
    counts: Counter[str] = Counter()
    for number, line in enumerate(read_lines(path, role=KEYS), 1):
        word, tab, count = line.rpartition("\t")
        if not (tab and word and count.isascii() and count.isdigit() and len(count) <= _MAX_DIGITS_OF_COUNTS):
            raise PurebleuError(f"{path}, line {number}: {line!r:.60} must be a word, a tab and a count")
        counts[word] += int(count)
    return counts


def _counted(words: MosesWords, streams: Iterable[Sequence[str]]) -> Counter[str]:
    """Return the count of each word in streams of references."""
    counts: Counter[str] = Counter()
    for stream in streams:
        for tokens in words.tokenize_lines(stream):
            counts.update(tokens)
    return counts


def _described(language: str, prefixes: str | None) -> str:
    """Return the language and the source of its non-breaking prefixes, for the names of choices."""
    name = language or "no language"
    if prefixes is not None:
        return f"{name}, {_file_name(prefixes)}"
    return name if own_prefixes(language) else f"{name}, no prefixes"


def _file_name(path: str) -> str:
    return os.path.basename(path) or path


def _tokenizers_for(language: str) -> Iterator[str]:
    """Yield the tokenizers of BLEU for a language, without tokenizers whose model is missing from the cache."""
    yield from (DEFAULT, "intl")
    if language in DEFAULT_BY_LANGUAGE:
        yield from (DEFAULT_BY_LANGUAGE[language], "char")
    try:
        from ..engines.sentencepiece.published import MODELS, model_is_at_hand
    except LeftOutError:
        return
    for name in MODELS:
        if model_is_at_hand(name):
            yield name


class AuditRow(NamedTuple):
    """The scores of systems under one choice of preprocessing.

    Attributes:
        name: the name of the choice.
        scores: for each of `CASES`, the score of each system.
        signatures: for each of `CASES`, the signature of the scores; empty in rows of smoothing methods.
    """

    name: str
    scores: Sequence[ScoresOfSystems]
    signatures: Sequence[str] = ()


class TurnedPair(NamedTuple):
    """Two systems whose order under some choice of preprocessing differs from their order under the default choice.

    Attributes:
        better: the index of the system with the higher score under the default choice.
        worse: the index of the system with the lower score under the default choice.
        rows: for each of `CASES`, the indices of the rows in which `worse` has the higher score.
    """

    better: int
    worse: int
    rows: Sequence[list[int]]


class Audit(NamedTuple):
    """The scores of systems under several choices of preprocessing.

    Attributes:
        rows: a row for each choice.
        usual: the index of the row with BLEU's default tokenizer for the language.
        smoothing: a row for each smoothing method, under BLEU's default tokenizer for the language.
        left_out: the choices that were left out because their tokenizer is missing, each with the reason.
    """

    rows: Sequence[AuditRow]
    usual: int
    smoothing: Sequence[AuditRow]
    left_out: Sequence[str]

    def ranges(self) -> list[ScoresOfSystems]:
        """Return, for each of `CASES`, the difference between the highest and the lowest score of each system."""
        ranges: list[ScoresOfSystems] = []
        for case in range(len(CASES)):
            by_system = zip(*[row.scores[case] for row in self.rows])
            ranges.append([max(scores) - min(scores) for scores in by_system])
        return ranges

    def widest(self) -> tuple[int, float, float]:
        """Return the system with the largest difference between two scores, and its lowest and highest score.

        The scores are those of all rows and of all `CASES`.
        """
        by_system = list(zip(*chain.from_iterable([row.scores for row in self.rows])))
        return max([(system, min(scores), max(scores)) for system, scores in enumerate(by_system)],
                   key=lambda extremes: extremes[2] - extremes[1])

    def turned_pairs(self) -> list[TurnedPair]:
        """Return the pairs of systems whose order in some row differs from their order under the default choice.

        Systems with equal scores have no order, so their order never differs.
        """
        usual = self.rows[self.usual].scores[0]
        turned: list[TurnedPair] = []
        for better, worse in combinations(range(len(usual)), 2):
            if usual[better] == usual[worse]:
                continue
            if usual[better] < usual[worse]:
                better, worse = worse, better
            rows: list[list[int]] = [[] for _ in CASES]
            for index, row in enumerate(self.rows):
                for case, scores in enumerate(row.scores):
                    if scores[worse] > scores[better]:
                        rows[case].append(index)
            if any(rows):
                turned.append(TurnedPair(better, worse, rows))
        return turned


def smoothed_rows(scores: Sequence[Sequence[BLEUScore]]) -> list[AuditRow]:
    """Return a row for each smoothing method, with the default parameter of the method.

    Args:
        scores: for each of `CASES`, the score of each system. The smoothing method of the scores must not be `add-k`.
    """
    rows: list[AuditRow] = []
    for method, value in BLEU.SMOOTH_DEFAULTS.items():
        name = method if value is None else f"{method}[{value:.2f}]"
        rows.append(AuditRow(name, [[_smoothed(score, method) for score in case_scores] for case_scores in scores]))
    return rows


def _smoothed(score: BLEUScore, method: str) -> float:
    """Return the score that the counts of a score have with another smoothing method."""
    return BLEU.compute_bleu(score.counts, score.totals, score.sys_len, score.ref_len, smooth_method=method,
                             max_ngram_order=len(score.counts)).score


# Scoring


def audit_of(blocks: Sequence[Block], settings: MosesSettings, fields: dict[str, str], *, jobs: int = 1,
             short: bool = False, warned_as: Sequence[str] | None = ()) -> Audit:
    """Score a corpus under all choices of preprocessing.

    Args:
        blocks: the corpus, in one or more blocks of segments.
        settings: the language of the corpus, and the files of prefixes and counts.
        fields: further fields of signatures.
        jobs: the number of processes.
        short: whether signatures are in their short form.
        warned_as: the names of the systems in warnings; `None`: no warnings are issued.
    """
    streams = [stream for _, references in blocks for stream in references]
    if len({len(references) for _, references in blocks}) > 1 or any(None in stream for stream in streams):
        raise OptionError("an audit needs the same number of references for each segment")
    choices, left_out = choices_for(settings, streams)
    usual = usual_choice(choices, settings.language)
    metrics = [choice.metrics(warned_as is None or index != usual) for index, choice in enumerate(choices)]
    lines = sum([len(systems) * len(systems[0]) for systems, _ in blocks])
    observer().begin("scoring", lines * len(choices) * len(CASES))
    evaluations = _evaluations(jobs, fields, blocks, choices, metrics)
    for name, evaluation in zip(warned_as or (), evaluations[usual][0]):
        evaluation.warn_of_doubts(name)
    scores = [list(map(_scores_of_systems, choice_evaluations)) for choice_evaluations in evaluations]
    rows = [_row(choice, choice_scores, short) for choice, choice_scores in zip(choices, scores)]
    return Audit(rows, usual, smoothed_rows(scores[usual]), left_out)


def _evaluations(jobs: int, fields: dict[str, str], blocks: Sequence[Block], choices: Sequence[Preprocessing],
                 metrics: Sequence[Sequence[BLEU]]) -> list[list[list[Evaluation[BLEUScore]]]]:
    """Return the evaluation of each system, for each choice and each metric of the choice."""
    workers = number_of_workers(jobs)
    systems_of_block, _ = blocks[0]
    evaluations: list[list[list[Evaluation[BLEUScore]]]] = []
    for choice_metrics in metrics:
        evaluations.append([[Evaluation(metric, fields) for _ in systems_of_block] for metric in choice_metrics])
    score = partial(_score_prepared, choices, metrics)
    for parts_of_choices in spread(score, divided_blocks(blocks, workers), workers, own_process=True):
        for choice_evaluations, systems in zip(evaluations, parts_of_choices):
            for metric_evaluations, parts in zip(choice_evaluations, zip(*systems)):
                for evaluation, part in zip(metric_evaluations, parts):
                    evaluation.add(part)
    return evaluations


def _score_prepared(choices: Sequence[Preprocessing], metrics: Sequence[Sequence[BLEU]],
                    block: Block) -> list[list[list[Part]]]:
    """Score a block of segments. Return the `Part` of each choice, system and metric of the choice."""
    systems, references = block
    columns = zip(*[prepared(choices, lines) for lines in [*systems, *references]])
    return [score_block(choice_metrics, False, (list(column[:len(systems)]), list(column[len(systems):])))
            for choice_metrics, column in zip(metrics, columns)]


def _scores_of_systems(evaluations: Sequence[Evaluation[BLEUScore]]) -> list[BLEUScore]:
    return [evaluation.score() for evaluation in evaluations]


def _row(choice: Preprocessing, scores: Sequence[Sequence[BLEUScore]], short: bool) -> AuditRow:
    values = [[score.score for score in case_scores] for case_scores in scores]
    signatures = [choice.signed(case_scores[0].signature).format(short) for case_scores in scores]
    return AuditRow(choice.name, values, signatures)
