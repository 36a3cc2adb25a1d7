"""Imports and calls of known clients of sacreBLEU; the fixture `clients` has the results that they get.

Each is a piece of Python, after `TEXT`, that leaves what it found in `result`, fit for JSON. It is executed with the
package under its own name in the place of `sacrebleu`, and under that name after `install_as_sacrebleu`.
"""

from __future__ import annotations

#: Names that all clients have: hypotheses, two streams of references, and a way to show n-grams in the order of their
#: keys.
TEXT = """
HYPS = ["The  parcel came on May 3, at 5:30 p.m.", "No one (at all) had asked for it.", "Ann's dog didn't bark .", "a"]
REFS = ["The parcel arrived on 3 May at 5:30 p.m.", "Nobody at all had asked for it.", "Ann's dog didn't bark.", "b c"]
MORE = ["It came on May 3.", "No one at all asked.", "The dog of Ann did not bark.", "a b"]
CHINESE = ["\u4f60\u597d, world 3.5.", "\u6211 \u4eec\u3002\u201cB\u201d"]

def counts(ngrams):
    return sorted([[key if isinstance(key, str) else list(key), count] for key, count in ngrams.items()], key=str)
"""

CALLS = {
    "SimulEval": """
import sacrebleu
from sacrebleu.metrics.bleu import BLEU
result = [sacrebleu.metrics.METRICS["BLEU"].TOKENIZER_DEFAULT, sorted(sacrebleu.metrics.METRICS["BLEU"].TOKENIZERS),
          sacrebleu.metrics.METRICS["BLEU"] is BLEU, list(sacrebleu.metrics.METRICS.keys()),
          [name in sacrebleu.metrics.METRICS for name in ("TER", "ter")], list(sacrebleu.metrics.METRICS)]
result += [BLEU(tokenize=name).corpus_score(HYPS, [REFS]).score for name in ("13a", "intl", "zh", "char", "none")]
""",
    "MATEO": """
import contextlib, io, pickle
from argparse import Namespace
from sacrebleu import BLEU, CHRF, TER, __version__
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import _TOKENIZERS
from sacrebleu.significance import PairedTest, Result, _compute_p_value, estimate_ci
from sacrebleu.utils import print_results_table
try:
    from numpy import array
except ImportError:
    array = list
numbers = [0.1, -0.2, 0.3, 0.05, 0.05, 7.0]
results = {"System": ["Baseline: a", "b"],
           "BLEU": [Result(score=40.0, mean=40.125, ci=1.2), Result(score=41.0, p_value=0.0399, mean=41.1, ci=1.3)],
           "TER": [Result(score=0.1, p_value=None), Result(score=0.2, p_value=0.5)], "m": ["x", "y"]}
arguments = Namespace(format="json", short=False, paired_bs=True, paired_ar=False, paired_bs_n=1000, width=1)
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    print_results_table(dict(results), {"BLEU": "nrefs:1"}, arguments)
metrics = {"BLEU": BLEU(), "CHRF": CHRF(word_order=2), "TER": TER()}
test = PairedTest(named_systems=[("a", HYPS), ("b", MORE)], metrics=metrics, n_samples=3, references=[REFS],
                  test_type="bs")
signatures, table = test()
kept = pickle.loads(pickle.dumps(vars(BLEU().corpus_score(hypotheses=HYPS, references=[REFS]))))
result = [__version__, sorted(_TOKENIZERS.keys()), BLEU.TOKENIZER_DEFAULT in _TOKENIZERS, issubclass(BLEU, Metric),
          _compute_p_value(array(numbers), 0.05), _compute_p_value(array([]), 0.05), list(estimate_ci(array(numbers))),
          printed.getvalue(), [signatures[name].format(False).split("|bs:")[0] for name in signatures],
          {name: column if name == "System" else [one.score for one in column] for name, column in table.items()},
          kept["score"]]
""",
    "mbrs, BLEU": """
from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER
from sacrebleu.metrics.helpers import extract_all_word_ngrams
result = [MAX_NGRAM_ORDER, dict(BLEU.SMOOTH_DEFAULTS)]
for options in ({}, {"lowercase": True, "tokenize": "intl", "max_ngram_order": 2}, {"tokenize": "char"}):
    scorer = BLEU(effective_order=True, force=False, smooth_method="exp", smooth_value=None, trg_lang="", **options)
    cached = scorer._cache_references([REFS])
    for one in cached:
        for key in one["ref_ngrams"]:
            one["ref_ngrams"][key] /= 2
    sums = cached[0]["ref_ngrams"]
    sums += cached[1]["ref_ngrams"]
    again = scorer._cache_references([REFS, MORE[:3] + [None]])
    lines = [scorer._preprocess_segment(line + " ") for line in HYPS]
    ngrams = [extract_all_word_ngrams(line, 1, scorer.max_ngram_order) for line in lines]
    result += [lines, [[counts(found), length] for found, length in ngrams], counts(sums),
               [[counts(one["ref_ngrams"]), one["ref_lens"]] for one in cached + again]]
result += [str(extract_all_word_ngrams("a b a", 1, 4)), str(extract_all_word_ngrams("", 1, 4)),
           str(extract_all_word_ngrams("a b a", 2, 2))]
""",
    "mbrs, chrF": """
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
result = [[counts(one) for one in extract_all_char_ngrams(line, 3, blanks)]
          for line in ("", "a b\\u3000a", "  ") for blanks in (False, True)]
for options in ({}, {"word_order": 2}, {"lowercase": True, "whitespace": True, "char_order": 3},
                {"eps_smoothing": True}):
    scorer = CHRF(**options)
    cached = scorer._cache_references([[line] for line in REFS])[0]["ref_ngrams"]
    expected = cached[0]
    for other in cached[1:]:
        for mine, theirs in zip(expected, other):
            for key in theirs:
                theirs[key] *= 0.25
            mine += theirs
    for line in map(scorer._preprocess_segment, HYPS + [" (Hi) \\"a. . ..x "]):
        ngrams = extract_all_char_ngrams(line, scorer.char_order, scorer.whitespace)
        words = scorer._remove_punctuation(line)
        ngrams.extend(extract_word_ngrams(words, n) for n in range(1, scorer.word_order + 1))
        statistics = []
        for mine, theirs in zip(ngrams, expected):
            statistics.extend(scorer._get_match_statistics(mine, theirs))
        result += [line, words, statistics, scorer._compute_f_score(statistics)]
    result.append(scorer._get_match_statistics(extract_word_ngrams(["a"], 1), extract_word_ngrams([], 1)))
    result.append([[list(map(counts, one)) for one in segment["ref_ngrams"]]
                   for segment in scorer._cache_references([REFS, MORE[:3] + [None]])])
""",
    "mbrs, TER": """
import pickle
from sacrebleu.metrics.ter import TER
result = []
for options in ({}, {"normalized": True}, {"no_punct": True, "case_sensitive": True}, {"asian_support": True}):
    scorer = pickle.loads(pickle.dumps(TER(**options)))
    result += [scorer.sentence_score(HYPS[0], [REFS[0]]).score, scorer.corpus_score(HYPS, [REFS, MORE]).score,
               [scorer._preprocess_segment(line + " ") for line in HYPS + CHINESE],
               [one["ref_words"] for one in scorer._cache_references([["Ann's, X. ", "", "B"], ["a", "c", None]])]]
""",
    "SubER": """
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
tercom = TercomTokenizer(normalized=True, no_punct=False, case_sensitive=True)
result = [[tokenizer(line) for tokenizer in (Tokenizer13a(), TokenizerZh(), tercom)] for line in HYPS + CHINESE]
result += [metric.corpus_score(hypotheses=HYPS, references=[REFS]).score
           for metric in (BLEU(trg_lang=""), TER(asian_support=False, normalized=False), CHRF())]
result += [BLEU(trg_lang="zh").corpus_score(hypotheses=CHINESE, references=[CHINESE[::-1]]).score]
""",
    "stopes": """
import sacrebleu
from sacrebleu import BLEU, CHRF
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
metric = sacrebleu.metrics.bleu.BLEU(lowercase=True, tokenize="none")
score = metric.corpus_score(HYPS, [REFS])
signature = metric.get_signature()
signature.info["whisper_normalize"] = True
result = [TokenizerZh()(CHINESE[0]).split(), str(score), "whisper_normalize:yes" in signature.format(),
          CHRF(word_order=2).sentence_score(HYPS[0], [REFS[0]]).score]
""",
    "sacreBLEU's tests of tokenizers": """
from sacrebleu.tokenizers import BaseTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_spm import Flores101Tokenizer, Flores200Tokenizer, TokenizerSPM, spBLEU1KTokenizer
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
import sacrebleu.tokenizers.tokenizer_base as base
tokenizers = [Tokenizer13a(), TokenizerChar(), TokenizerV14International(), NoneTokenizer(), TokenizerRegexp(),
              TokenizerZh()]
for options in ({}, {"normalized": True}, {"no_punct": True}, {"case_sensitive": True}, {"asian_support": True},
                {"normalized": True, "asian_support": True}, {"normalized": True, "no_punct": True}):
    tokenizers.append(TercomTokenizer(**options))
lines = HYPS + CHINESE + ["", "One TWO.", "x ; Y ) z : w.", "say (it) so.", "Kim's bike.", "7.8", "3-x x-3 -4."]
lines += ["ABC \\u03a3.", "\\u304b\\u308a\\u306e\\u5f13\\u3068\\u77e2", " a,5 5,a &quot;&amp;lt; <skipped>x "]
lines += ["1.\\t.2\\u00a0,,3"]
result = [base.BaseTokenizer is BaseTokenizer, [issubclass(kind, TokenizerSPM) for kind in (
    Flores101Tokenizer, Flores200Tokenizer, spBLEU1KTokenizer)]]
result += [[tokenizer.signature(), isinstance(tokenizer, BaseTokenizer), [tokenizer(line) for line in lines]]
           for tokenizer in tokenizers]
""",
    "HF evaluate": """
import sacrebleu as scb
from sacrebleu import CHRF, TER
score = scb.corpus_bleu(HYPS, [REFS, MORE], smooth_method="exp", smooth_value=None, force=False, lowercase=False,
                        use_effective_order=False, tokenize="13a")
chrf = CHRF(CHRF.CHAR_ORDER, CHRF.WORD_ORDER, CHRF.BETA, True, False, True).corpus_score(HYPS, [REFS, MORE])
ter = TER(normalized=True, no_punct=True, asian_support=False, case_sensitive=False).corpus_score(HYPS, [REFS, MORE])
import sacrebleu
result = [scb.__version__, score.score, score.counts, score.totals, score.precisions, score.bp, score.sys_len,
          score.ref_len, chrf.score, chrf.char_order, chrf.word_order, chrf.beta, ter.score, ter.num_edits,
          ter.ref_length, [sacrebleu.metrics.bleu._get_tokenizer(name)()(HYPS[0]) for name in ("13a", "intl")]]
""",
    "Sockeye": """
from functools import partial
import sacrebleu
floor = sacrebleu.BLEU.SMOOTH_DEFAULTS["floor"]
result = [floor, sacrebleu.raw_corpus_bleu(HYPS, [REFS], smooth_value=floor).score / 100.0,
          sacrebleu.raw_corpus_bleu([HYPS[0]], [[REFS[0]]], .01).totals, sacrebleu.corpus_chrf(HYPS, [REFS]).score,
          sacrebleu.corpus_chrf(HYPS, [REFS], char_order=6, beta=3, remove_whitespace=False).score,
          sacrebleu.metrics.TER().corpus_score(HYPS, [REFS]).score,
          partial(sacrebleu.sentence_bleu, smooth_method="add-k")(HYPS[0], [REFS[0]]).score,
          sacrebleu.sentence_chrf(HYPS[0], [REFS[0]]).score,
          sacrebleu.metrics.BLEU.compute_bleu([3, 2, 1, 0], [9, 8, 7, 6], 9, 10, smooth_method="floor",
                                              smooth_value=0.01).score]
""",
    "compare-mt": """
import sacrebleu
bleu = sacrebleu.BLEU()
rows = bleu._extract_corpus_statistics(HYPS, [REFS])
sums = [sum(column) for column in zip(*rows)]
order = bleu.max_ngram_order
result = [[list(map(int, row)) for row in rows], bleu.compute_bleu(
    correct=sums[2:2 + order], total=sums[2 + order:], sys_len=sums[0], ref_len=sums[1], smooth_method="exp",
    smooth_value=0, effective_order=True).score, bleu._aggregate_and_compute(rows).score,
    bleu._compute_score_from_stats(sums).score]
""",
    "JoeyNMT": """
import inspect
from sacrebleu.metrics import BLEU, CHRF
options = ("tokenize", "lowercase", "smooth_method", "smooth_value", "max_ngram_order", "effective_order", "force")
scorer = BLEU(tokenize="13a", lowercase=True)
score = scorer.corpus_score(hypotheses=HYPS, references=[REFS]).score
result = [[name in inspect.getfullargspec(BLEU).args for name in options],
          [name in inspect.getfullargspec(CHRF).args for name in ("char_order", "word_order", "beta", "whitespace")],
          score, str(scorer.get_signature()).split("|version")[0]]
""",
    "OpenNMT-py, lm-evaluation-harness, MT-Telescope, lighteval": """
import sacrebleu
from sacrebleu import corpus_bleu, corpus_ter
from sacrebleu.metrics.bleu import _get_tokenizer
score = sacrebleu.corpus_bleu(tuple(HYPS), tuple(zip(*[[ref] for ref in REFS])), smooth_method="exp", smooth_value=0.0,
                              force=False, lowercase=False, tokenize="intl", use_effective_order=False)
result = [corpus_bleu(HYPS, [REFS]).score, corpus_ter(HYPS, [REFS]).num_edits, score.score, score.precisions, score.bp,
          sacrebleu.corpus_chrf(HYPS, [REFS]).score, sacrebleu.sentence_bleu(HYPS[0], [REFS[0]]).score,
          _get_tokenizer("zh")()(CHINESE[0]), sacrebleu.CHRF(word_order=2).corpus_score(HYPS, [REFS]).score,
          sacrebleu.TER(asian_support=True).corpus_score(hypotheses=HYPS, references=[REFS]).score]
""",
    "fairseq": """
import inspect
import sacrebleu as sb
from sacrebleu.metrics import BLEU
score = sb.corpus_bleu(HYPS, [REFS], tokenize="none")
again = BLEU.compute_bleu(correct=score.counts, total=score.totals, sys_len=score.sys_len, ref_len=score.ref_len,
                          smooth_method="exp")
result = [int(sb.__version__[0]), sorted(sb.BLEU.TOKENIZERS), sb.BLEU(tokenize="intl").tokenizer(HYPS[0]),
          "smooth_method" in inspect.getfullargspec(BLEU.compute_bleu)[0], score.format(), round(again.score, 2),
          [score.sys_len, score.ref_len] + score.counts + score.totals, sb.corpus_chrf(HYPS, [REFS]).format()]
""",
    "COMET, and others that read test sets": """
import sacrebleu
from sacrebleu.dataset import DATASETS
from sacrebleu.metrics.bleu import BLEUScore
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.utils import (SACREBLEU_DIR, download_test_set, get_available_testsets,
                             get_available_testsets_for_langpair, get_langpairs_for_testset, get_reference_files,
                             get_source_file, smart_open)
result = [sorted([name for name in get_available_testsets() if name.startswith("iwslt")])[:3],
          sorted(get_langpairs_for_testset("wmt14/full"))[:2],
          "wmt18" in get_available_testsets_for_langpair("en-de"), sorted(DATASETS["wmt18"].langpairs)[:2],
          sacrebleu.DATASETS is DATASETS, isinstance(sacrebleu.SACREBLEU_DIR, str), isinstance(SACREBLEU_DIR, str)]
""",
}
