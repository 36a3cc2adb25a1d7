"""The registry of evaluate's metrics: names, functions, descriptions and citations."""

from __future__ import annotations

from .definitions import (
    compute_bleu,
    compute_cer,
    compute_character,
    compute_chrf,
    compute_google_bleu,
    compute_rouge,
    compute_sacrebleu,
    compute_ter,
    compute_wer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from .definitions import Computed


_PAPINENI = ("Papineni, Roukos, Ward and Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. "
             "ACL 2002. https://aclanthology.org/P02-1040")
_LIN_OCH = ("Lin and Och: ORANGE: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation. "
            "COLING 2004. https://aclanthology.org/C04-1072")
_POST = "Post: A Call for Clarity in Reporting BLEU Scores. WMT 2018. https://aclanthology.org/W18-6319"
_CHRF = ("Popović: chrF: character n-gram F-score for automatic MT evaluation. WMT 2015. "
         "https://aclanthology.org/W15-3049")
_CHRF_PP = "Popović: chrF++: words helping character n-grams. WMT 2017. https://aclanthology.org/W17-4770"
_SNOVER = ("Snover, Dorr, Schwartz, Micciulla and Makhoul: A Study of Translation Edit Rate with Targeted Human "
           "Annotation. AMTA 2006. https://aclanthology.org/2006.amta-papers.25")
_LIN = "Lin: ROUGE: A Package for Automatic Evaluation of Summaries. ACL 2004. https://aclanthology.org/W04-1013"
_WANG = ("Wang, Peter, Rosendahl and Ney: CharacTER: Translation Edit Rate on Character Level. WMT 2016. "
         "https://aclanthology.org/W16-2342")
_WU = ("Wu et al.: Google's Neural Machine Translation System: Bridging the Gap between Human and Machine "
       "Translation. 2016. https://arxiv.org/abs/1609.08144")
_MORRIS = ("Morris, Maier and Green: From WER and RIL to MER and WIL: Improved Evaluation Measures for Connected "
           "Speech Recognition. Interspeech 2004. https://doi.org/10.21437/Interspeech.2004-668")


class Card:
    """One of evaluate's metrics.

    Attributes:
        name: the name of the loaded metric in evaluate. `combine` puts it before keys.
        compute: the function that computes it.
        description: a paragraph.
        citation: the papers, one on each line, with the addresses of their BibTeX.
    """

    def __init__(self, name: str, compute: Callable[..., Computed], description: str, *papers: str) -> None:
        self.name = name
        self.compute = compute
        self.description = description
        self.citation = "\n".join(papers)


#: The registry, by the names that `load` takes.
CARDS = {
    "sacrebleu": Card("sacrebleu", compute_sacrebleu, (
        "BLEU as sacreBLEU computes it, so that scores of different papers can be compared: text is given detokenized, "
        "and the tokenizer is part of the metric. The score is from 0 to 100, higher is better."), _POST, _PAPINENI),
    "bleu": Card("bleu", compute_bleu, (
        "BLEU as the NMT tutorial of TensorFlow computes it, from 0 to 1, higher is better. It is not sacreBLEU's: the "
        "shortest reference counts for the length, and if an order of n-grams has no match, the score is 0."),
        _PAPINENI, _LIN_OCH),
    "chrf": Card("chr_f", compute_chrf, (
        "chrF and, with word_order=2, chrF++: the F-score of character n-grams (and word n-grams), as sacreBLEU "
        "computes it. The score is from 0 to 100, higher is better."), _CHRF, _CHRF_PP, _POST),
    "ter": Card("ter", compute_ter, (
        "Translation Edit Rate: the edits (insertions, deletions, substitutions of words, and shifts of phrases) that "
        "turn a prediction into its reference, in percent of the reference's words, as sacreBLEU computes it. Lower is "
        "better."), _SNOVER, _POST),
    "google_bleu": Card("google_bleu", compute_google_bleu, (
        "GLEU, the \"Google BLEU\": matched n-grams of orders 1 to 4 over those of the prediction or of the reference, "
        "whichever are more, from 0 to 1, higher is better. Meant for single sentences; here, sums of a corpus."), _WU),
    "wer": Card("wer", compute_wer, (
        "Word error rate: the words inserted, deleted and substituted for each word of the references, as jiwer counts "
        "them; the result is a number, 0 if all is right. Lower is better."), _MORRIS),
    "cer": Card("cer", compute_cer, (
        "Character error rate: the characters inserted, deleted and substituted for each character of the references, "
        "as jiwer counts them; the result is a number, 0 if all is right. Lower is better."), _MORRIS),
    "rouge": Card("rouge", compute_rouge, (
        "ROUGE: n-grams and longest common subsequences of words that a prediction shares with its reference, as "
        "rouge_score computes them: F-measures from 0 to 1, higher is better; of several references, the best. Means "
        "are those of predictions, where evaluate has medians of resampled ones."), _LIN),
    "character": Card("character", compute_character, (
        "CharacTER: the edits of characters that turn a prediction into its reference once words are moved, per "
        "character of the prediction, as cer computes them, from 0 to 1. Lower is better; of several references, the "
        "best."), _WANG),
}
