"""The registry of evaluate's metrics: names, functions, descriptions and citations."""

from __future__ import annotations

from .definitions import (
    compute_bleu,
    compute_cer,
    compute_chrf,
    compute_google_bleu,
    compute_sacrebleu,
    compute_ter,
    compute_wer,
)
from .means import compute_character, compute_rouge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from .definitions import Computed


def _entry(kind_and_key: str, **fields: str) -> str:
    """An entry of BibTeX; values have their braces, or get quotation marks."""
    lines = [f'    {name} = "{value}"' for name, value in fields.items()]
    return f"@{kind_and_key},\n" + ",\n".join(lines) + "\n}\n"


_PAPINENI = _entry(
    "inproceedings{papineni-etal-2002-bleu", title="{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author="Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle="Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics", year="2002",
    pages="311--318", url="https://aclanthology.org/P02-1040")
_LIN_OCH = _entry(
    "inproceedings{lin-och-2004-orange",
    title="{ORANGE}: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation",
    author="Lin, Chin-Yew and Och, Franz Josef",
    booktitle="{COLING} 2004: Proceedings of the 20th International Conference on Computational Linguistics",
    year="2004", pages="501--507", url="https://aclanthology.org/C04-1072")
_POST = _entry(
    "inproceedings{post-2018-call", title="A Call for Clarity in Reporting {BLEU} Scores", author="Post, Matt",
    booktitle="Proceedings of the Third Conference on Machine Translation: Research Papers", year="2018",
    pages="186--191", url="https://aclanthology.org/W18-6319")
_POPOVIC_2015 = _entry(
    "inproceedings{popovic-2015-chrf", title="chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
    author="Popovi{\\'c}, Maja", booktitle="Proceedings of the Tenth Workshop on Statistical Machine Translation",
    year="2015", pages="392--395", url="https://aclanthology.org/W15-3049")
_POPOVIC_2017 = _entry(
    "inproceedings{popovic-2017-chrf", title="chr{F}++: words helping character n-grams", author="Popovi{\\'c}, Maja",
    booktitle="Proceedings of the Second Conference on Machine Translation", year="2017", pages="612--618",
    url="https://aclanthology.org/W17-4770")
_SNOVER = _entry(
    "inproceedings{snover-etal-2006-study", title="A Study of Translation Edit Rate with Targeted Human Annotation",
    author="Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    booktitle="Proceedings of the 7th Conference of the Association for Machine Translation in the Americas",
    year="2006", pages="223--231", url="https://aclanthology.org/2006.amta-papers.25")
_LIN = _entry(
    "inproceedings{lin-2004-rouge", title="{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author="Lin, Chin-Yew", booktitle="Text Summarization Branches Out", year="2004", pages="74--81",
    url="https://aclanthology.org/W04-1013")
_WANG = _entry(
    "inproceedings{wang-etal-2016-character", title="{C}harac{T}er: Translation Edit Rate on Character Level",
    author="Wang, Weiyue and Peter, Jan-Thorsten and Rosendahl, Hendrik and Ney, Hermann",
    booktitle="Proceedings of the First Conference on Machine Translation", year="2016", pages="505--510",
    url="https://aclanthology.org/W16-2342")
_WU = _entry(
    "misc{wu-etal-2016-google",
    title="Google's Neural Machine Translation System: Bridging the Gap between Human and Machine Translation",
    author="Wu, Yonghui and others", year="2016", eprint="1609.08144", archivePrefix="arXiv")
_MORRIS = _entry(
    "inproceedings{morris-etal-2004-wer",
    title="From {WER} and {RIL} to {MER} and {WIL}: Improved Evaluation Measures for Connected Speech Recognition",
    author="Morris, Andrew Cameron and Maier, Viktoria and Green, Phil", booktitle="Interspeech 2004", year="2004",
    pages="2765--2768", doi="10.21437/Interspeech.2004-668")


class Card:
    """One of evaluate's metrics.

    Attributes:
        name: its name in evaluate once it is loaded, which `combine` puts before keys.
        compute: the function that computes it.
        description: a paragraph.
        citation: BibTeX.
    """

    def __init__(self, name: str, compute: Callable[..., Computed], description: str, *citations: str) -> None:
        self.name = name
        self.compute = compute
        self.description = description
        self.citation = "".join(citations)


#: The registry, by the names that `load` takes.
CARDS = {
    "sacrebleu": Card("sacrebleu", compute_sacrebleu, (
        "BLEU as sacreBLEU computes it, so that scores of different papers can be compared: text is given detokenized, "
        "and the tokenizer is part of the metric. The score is from 0 to 100, higher is better."), _POST, _PAPINENI),
    "bleu": Card("bleu", compute_bleu, (
        "BLEU as the NMT tutorial of TensorFlow computes it, from 0 to 1, higher is better. It is not sacreBLEU's: the "
        "shortest reference counts for the length, and where an order of n-grams has no match, the score is 0."),
        _PAPINENI, _LIN_OCH),
    "chrf": Card("chr_f", compute_chrf, (
        "chrF and, with word_order=2, chrF++: the F-score of character n-grams (and word n-grams), as sacreBLEU "
        "computes it. The score is from 0 to 100, higher is better."), _POPOVIC_2015, _POPOVIC_2017, _POST),
    "ter": Card("ter", compute_ter, (
        "Translation Edit Rate: the edits (insertions, deletions, substitutions of words, and shifts of phrases) that "
        "turn a prediction into its reference, in percent of the reference's words, as sacreBLEU computes it. Lower is "
        "better."), _SNOVER, _POST),
    "google_bleu": Card("google_bleu", compute_google_bleu, (
        "GLEU, the \"Google BLEU\": matched n-grams of orders 1 to 4 over those of the prediction or of the reference, "
        "whichever are more, from 0 to 1, higher is better. Meant for single sentences; here, sums of a corpus."), _WU),
    "wer": Card("wer", compute_wer, (
        "Word error rate: the words inserted, deleted and substituted for each word of the references, as jiwer counts "
        "them; the result is a number, 0 where all is right. Lower is better."), _MORRIS),
    "cer": Card("cer", compute_cer, (
        "Character error rate: the characters inserted, deleted and substituted for each character of the references, "
        "as jiwer counts them; the result is a number, 0 where all is right. Lower is better."), _MORRIS),
    "rouge": Card("rouge", compute_rouge, (
        "ROUGE: n-grams and longest common subsequences of words that a prediction shares with its reference, as "
        "rouge_score computes them: F-measures from 0 to 1, higher is better; of several references, the best. Means "
        "are those of predictions, where evaluate has medians of resampled ones."), _LIN),
    "character": Card("character", compute_character, (
        "CharacTER: the edits of characters that turn a prediction into its reference once words are moved, per "
        "character of the prediction, as cer computes them, from 0 to 1. Lower is better; of several references, the "
        "best."), _WANG),
}
