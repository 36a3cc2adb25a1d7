"""The tasks: the work, the corpus, and the target for the speed-up. (This module has only data.)"""

from __future__ import annotations

from typing import NamedTuple, Union

Work = Union["CommandLine", "Calling", "Segmenting"]


class Corpus(NamedTuple):
    """Systems and references of a WMT22 language pair. A recipe (a key of `RECIPES`) may change their lines."""

    pair: str
    systems: tuple[str, ...]
    references: tuple[str, ...]
    recipe: str | None = None
    size: int = 0  # the recipe's size, such as a number of segments


class Target(NamedTuple):
    """The smallest ratios (the other side's value divided by purebleu's), and the most extra memory; `None`: any."""

    cpu: float | None = None
    wall: float | None = None
    memory: float | None = None
    extra_mb: float | None = None


NO_TARGET = Target()


class CommandLine(NamedTuple):
    """Work of a whole process: `python -m PACKAGE REFERENCES -i SYSTEMS OPTIONS` (without a corpus, only options).

    `ours` and `theirs` are options that only purebleu or only the other side gets. `algorithm` and `pieces` describe a
    model (see `Segmenting`) that replaces `flores101` in the cache. `form` is a key of `measuring.FORMS`, or empty for
    the checkout's folder.
    """

    options: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    algorithm: str = ""
    pieces: int = 32_000
    form: str = ""


class Calling(NamedTuple):
    """Work of `METRIC(**options)` in a new process, without the time of start-up and imports. `job` selects the method.

    `corpus`: `corpus_score`. `segments`: `sentence_score` of each segment. `batches`: the same scores from
    `corpus_statistics` of `size` segments (sacreBLEU: `sentence_score`). `pairs`: `pairwise` of the hypotheses with
    themselves (sacreBLEU: `sentence_score` in a loop). For other libraries, see `programs.other_work`.
    """

    job: str
    metric: str
    options: tuple[tuple[str, str | int], ...] = ()
    size: int = 0


class Segmenting(NamedTuple):
    """Work in a new process: splitting the references, without the time of start-up and imports.

    `algorithm` is that of a SentencePiece model of `pieces` pieces (`unigram` or `bpe`), which is trained on the data,
    or `ja-mecab` for MeCab's IPA dictionary. purebleu does not use the native library; the other side does. With
    `again`, the second pass over the lines is measured.
    """

    algorithm: str
    pieces: int = 32_000
    again: bool = False


class Task(NamedTuple):
    """A row of the table.

    `smaller` is a second corpus: `extra_mb` limits the difference between purebleu's peak memory for `corpus` and for
    `smaller`. `runs` overrides -n. `compare` is false if the results can't be equal. With `neighbour`, another process
    fills the processors' shared cache during the runs. `rival` is the package on the other side, in the oracle's
    interpreter. ("purebleu" compares two option lists of purebleu.)
    """

    name: str
    work: Work
    corpus: Corpus | None = None
    target: Target = NO_TARGET
    smaller: Corpus | None = None
    runs: int | None = None
    compare: bool = True
    neighbour: bool = False
    rival: str = "sacrebleu"


EN_DE = Corpus("en-de", ("Online-A",), ("A",))
EN_DE_2 = EN_DE._replace(references=("A", "B"))
EN_ZH = Corpus("en-zh", ("Online-A",), ("A",))
EN_JA = Corpus("en-ja", ("Online-A",), ("A",))
EN_RU = Corpus("en-ru", ("Online-W",), ("A",))
ZH_EN = Corpus("zh-en", ("Online-A",), ("A",))
EN_DE_WRONG = EN_DE._replace(recipe="wrong pairs")
ZH_EN_WRONG = ZH_EN._replace(recipe="wrong pairs")
EN_DE_5_SYSTEMS = EN_DE._replace(systems=("JDExploreAcademy", "Online-A", "Online-B", "Online-W", "OpenNMT"))
EN_DE_9_SYSTEMS = EN_DE_5_SYSTEMS._replace(recipe="more systems", size=9)
EN_DE_SAMPLES = EN_DE_5_SYSTEMS._replace(recipe="samples", size=64)
EN_DE_2000 = EN_DE._replace(recipe="distinct", size=2_000)
EN_DE_20000 = EN_DE._replace(recipe="distinct", size=20_000)
EN_DE_100000 = EN_DE._replace(recipe="distinct", size=100_000)

TASKS = (
    # BLEU
    *[task for name, tokenizer, corpus, whole, in_process in (
        ("13a", "13a", EN_DE, Target(cpu=7.5, memory=3), Target(cpu=9)),
        ("intl", "intl", EN_DE, Target(cpu=6, memory=3), Target(cpu=7)),
        ("zh, en-zh", "zh", EN_ZH, Target(cpu=8, memory=3), Target(cpu=10)),
        ("13a, 2 references", "13a", EN_DE_2, Target(cpu=8, memory=3), Target(cpu=9)),
        ("char", "char", EN_DE, NO_TARGET, NO_TARGET))
      for task in (Task(f"BLEU {name}, whole process", CommandLine(("-tok", tokenizer)), corpus, whole),
                   Task(f"BLEU {name}, in process", Calling("corpus", "BLEU", (("tokenize", tokenizer),)), corpus,
                        in_process))],
    Task("BLEU 13a, 100,000 distinct segments, whole process", CommandLine(("-tok", "13a", "-w", "12")), EN_DE_100000,
         Target(cpu=10, extra_mb=40), smaller=EN_DE_2000, runs=3),
    # chrF
    *[task for name, options, arguments, corpus, whole, in_process in (
        ("chrF", ("-m", "chrf"), (), EN_DE, 9, 11),
        ("chrF++", ("-m", "chrf", "-cw", "2"), (("word_order", 2),), EN_DE, 7.5, 9),
        ("chrF, 2 references", ("-m", "chrf"), (), EN_DE_2, 8, 9))
      for task in (Task(f"{name}, whole process", CommandLine(options), corpus, Target(cpu=whole)),
                   Task(f"{name}, in process", Calling("corpus", "CHRF", arguments), corpus, Target(cpu=in_process)))],
    # While another process fills the shared cache
    Task("BLEU 13a beside a busy process, whole process", CommandLine(("-tok", "13a")), EN_DE, neighbour=True),
    Task("chrF beside a busy process, whole process", CommandLine(("-m", "chrf")), EN_DE, neighbour=True),
    # Other scripts
    Task("BLEU 13a, en-ru, whole process", CommandLine(("-tok", "13a")), EN_RU, Target(cpu=7)),
    Task("BLEU char, en-ja, whole process", CommandLine(("-tok", "char")), EN_JA, Target(cpu=7)),
    Task("chrF, en-ru, whole process", CommandLine(("-m", "chrf")), EN_RU, Target(cpu=8)),
    Task("chrF, en-zh, whole process", CommandLine(("-m", "chrf")), EN_ZH, Target(cpu=8)),
    Task("chrF, en-ja, whole process", CommandLine(("-m", "chrf")), EN_JA, Target(cpu=8)),
    Task("chrF, 100,000 distinct segments, whole process", CommandLine(("-m", "chrf", "-w", "12")), EN_DE_100000,
         Target(cpu=14, extra_mb=40), smaller=EN_DE_2000, runs=1),
    # TER
    Task("TER, whole process", CommandLine(("-m", "ter")), EN_DE, Target(cpu=18)),
    Task("TER, in process", Calling("corpus", "TER"), EN_DE, Target(cpu=25)),
    Task("TER, zh-en, whole process", CommandLine(("-m", "ter")), ZH_EN, Target(cpu=50), runs=3),
    Task("TER, zh-en, in process", Calling("corpus", "TER"), ZH_EN, Target(cpu=60), runs=3),
    Task("TER, wrong pairs, in process", Calling("corpus", "TER"), EN_DE_WRONG, Target(cpu=20)),
    Task("TER, zh-en, wrong pairs, in process", Calling("corpus", "TER"), ZH_EN_WRONG, Target(cpu=20), runs=3),
    *[Task(f"TER, joined to {words} words, in process", Calling("corpus", "TER"),
           EN_DE._replace(recipe="joined", size=words), target, runs=runs)
      for words, target, runs in (
          (25, NO_TARGET, 3), (50, NO_TARGET, 3), (100, Target(cpu=60), 3), (200, Target(cpu=60), 1))],
    Task("BLEU, chrF and TER, whole process", CommandLine(("-m", "bleu", "chrf", "ter")), EN_DE),
    # Several systems and resampling. (Without --rng numpy, the random stream differs from sacreBLEU's.)
    Task("-ci BLEU, whole process", CommandLine(("-ci",)), EN_DE, Target(cpu=4), compare=False),
    Task("-ci BLEU and chrF, whole process", CommandLine(("-ci", "-m", "bleu", "chrf")), EN_DE, Target(cpu=4),
         compare=False),
    Task("-ci BLEU and chrF, --rng numpy, whole process",
         CommandLine(("-ci", "-m", "bleu", "chrf"), ours=("--rng", "numpy")), EN_DE, Target(cpu=1)),
    Task("--paired-bs BLEU and chrF, 5 systems, whole process",
         CommandLine(("--paired-bs", "-m", "bleu", "chrf", "-f", "text")), EN_DE_5_SYSTEMS, Target(cpu=6), runs=3,
         compare=False),
    Task("--paired-bs BLEU and chrF, 5 systems, --rng numpy, whole process",
         CommandLine(("--paired-bs", "-m", "bleu", "chrf", "-f", "text"), ours=("--rng", "numpy")), EN_DE_5_SYSTEMS,
         Target(cpu=1), runs=3, compare=False),
    Task("--paired-ar BLEU and chrF, 5 systems, whole process",
         CommandLine(("--paired-ar", "-m", "bleu", "chrf")), EN_DE_5_SYSTEMS, Target(cpu=8), runs=3, compare=False),
    Task("--paired-ar BLEU, chrF and TER, 5 systems, whole process",
         CommandLine(("--paired-ar", "-m", "bleu", "chrf", "ter")), EN_DE_5_SYSTEMS, Target(cpu=10), runs=3,
         compare=False),
    Task("--paired-ar BLEU, chrF and TER, 5 systems, --rng numpy, whole process",
         CommandLine(("--paired-ar", "-m", "bleu", "chrf", "ter"), ours=("--rng", "numpy")), EN_DE_5_SYSTEMS,
         Target(cpu=1), runs=3),
    Task("table of 9 systems, BLEU and chrF, whole process", CommandLine(("-m", "bleu", "chrf")), EN_DE_9_SYSTEMS,
         Target(cpu=6), runs=3),
    Task("BLEU 13a, 100,000 distinct segments, -j 2 against -j 1, whole process",
         CommandLine(("-w", "12"), ours=("-j", "2"), theirs=("-j", "1")), EN_DE_100000, Target(wall=1.7),
         rival="purebleu", runs=5),
    # Japanese and spBLEU
    Task("BLEU ja-mecab with mecab-python3, en-ja, whole process", CommandLine(("-tok", "ja-mecab")), EN_JA,
         Target(cpu=1)),
    Task("words of ja-mecab without mecab-python3, en-ja, in process", Segmenting("ja-mecab"), EN_JA),
    Task("pieces of a BPE model, in process", Segmenting("bpe"), EN_DE),
    Task("pieces of a BPE model, words seen before, in process", Segmenting("bpe", again=True), EN_DE,
         Target(cpu=1 / 3)),
    Task("pieces of a unigram model, in process", Segmenting("unigram"), EN_DE),
    Task("pieces of a unigram model, words seen before, in process", Segmenting("unigram", again=True), EN_DE,
         Target(cpu=1 / 3)),
    *[Task(f"spBLEU, {algorithm}, {pieces:,} pieces{corpus_note}, whole process",
           CommandLine(("-tok", "flores101"), algorithm=algorithm, pieces=pieces), corpus, Target(cpu=target),
           runs=runs)
      for algorithm, pieces, corpus_note, corpus, target, runs in (
          ("bpe", 32_000, "", EN_DE, 1.5, None),
          ("bpe", 256_000, "", EN_DE, 1, None),
          ("unigram", 32_000, "", EN_DE, 1.5, None),
          ("bpe", 32_000, ", en-ja", EN_JA, 0.6, None),
          ("bpe", 256_000, ", en-ja", EN_JA, 0.5, None),
          ("unigram", 32_000, ", en-ja", EN_JA, 0.85, None),
          ("bpe", 256_000, ", 20,000 distinct segments", EN_DE_20000, 2.5, 3),
          ("unigram", 32_000, ", 20,000 distinct segments", EN_DE_20000, 2, 3))],
    Task("spBLEU, bpe, 256,000 pieces, 100,000 distinct segments, -j 2, whole process",
         CommandLine(("-tok", "flores101", "-w", "12"), ours=("-j", "2"), algorithm="bpe", pieces=256_000),
         EN_DE_100000, runs=1),
    # One segment at a time; all pairs of samples of a segment, as for minimum Bayes risk decoding
    Task("BLEU, one segment at a time", Calling("segments", "BLEU", (("effective_order", 1),)), EN_DE, Target(cpu=2)),
    Task("chrF, one segment at a time", Calling("segments", "CHRF"), EN_DE, Target(cpu=1.3)),
    Task("chrF++, one segment at a time", Calling("segments", "CHRF", (("word_order", 2),)), EN_DE, Target(cpu=1.15)),
    Task("TER, one segment at a time", Calling("segments", "TER"), EN_DE, Target(cpu=10), runs=3),
    *[Task(f"{name} in batches of {size:,}, against one at a time", Calling("batches", metric, options, size), EN_DE,
           runs=3)
      for name, metric, options in (("BLEU", "BLEU", (("effective_order", 1),)), ("chrF", "CHRF", ()),
                                    ("TER", "TER", ()))
      for size in (1, 10, 100, 1000)],
    Task("all pairs of 64 samples, BLEU", Calling("pairs", "BLEU", (("effective_order", 1),)), EN_DE_SAMPLES,
         Target(cpu=15)),
    Task("all pairs of 64 samples, chrF", Calling("pairs", "CHRF"), EN_DE_SAMPLES),
    Task("all pairs of 64 samples, TER", Calling("pairs", "TER"), EN_DE_SAMPLES, Target(cpu=20), runs=3),
    *[Task(f"all pairs of {size:,} samples, chrF, against fastchrf", Calling("pairs", "CHRF"),
           EN_DE_SAMPLES._replace(size=size), Target(cpu=target), compare=False, rival="fastchrf", runs=runs)
      for size, target, runs in ((64, 1.8, None), (256, 5, None), (1024, 7, 3))],
    # Other libraries, some of them native
    *[Task(name, Calling("corpus", metric, options), EN_DE, target, compare=False, rival=rival, runs=runs)
      for name, metric, options, rival, target, runs in (
          ("BLEU 13a against bleuscore", "BLEU", (), "bleuscore", NO_TARGET, None),
          ("BLEU of given words against nltk", "BLEU", (("tokenize", "none"),), "nltk", NO_TARGET, None),
          ("GLEU of given words against nltk", "GLEU", (("tokenize", "none"),), "nltk", NO_TARGET, None),
          ("WER against jiwer", "WER", (), "jiwer", NO_TARGET, None),
          ("CER against jiwer", "CER", (), "jiwer", NO_TARGET, None),
          ("WER against rapidfuzz, which computes the distances alone", "WER", (), "rapidfuzz", NO_TARGET, None),
          ("ROUGE-1 against rouge_score", "ROUGE1", (), "rouge_score", Target(cpu=3), None),
          ("ROUGE-L against rouge_score", "ROUGEL", (), "rouge_score", Target(cpu=3), None),
          ("CharacTER against cer", "CharacTER", (), "cer", Target(cpu=3), 3))],
    # Other forms of purebleu, compared with its folder with bytecode
    *[Task(f"BLEU 13a, {name}", CommandLine(form=form), EN_DE, Target(cpu=target), rival="purebleu")
      for name, form, target in (
          ("without bytecode against with it", "without bytecode", 50 / 60),
          ("compiled zipapp against the folder", "compiled zipapp", 50 / 58),
          ("slim copy against the folder", "slim copy", 0.97),
          ("single file against the folder", "single file", 0.97))],
    Task("--version, whole process", CommandLine(("--version",)), target=Target(cpu=4), compare=False),
)
