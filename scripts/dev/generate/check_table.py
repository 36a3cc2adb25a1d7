"""Write the manual's table of checks: what they find in outputs of WMT22, and in outputs into which faults are put.

    python3 scripts/dev/generate check_table --data FOLDER [--show PAIR CHECK]

FOLDER has `generaltest2022.PAIR.src.LANGUAGE`, `.hyp.SYSTEM.` and `.ref.NAME.` files. Faults are those of language
models, drawn from a seed; their phrases were written apart from the patterns of the checks. `--show` prints what a
check finds in the outputs as they are, for people to judge, and the faults that it misses.
"""

from __future__ import annotations

import random
import re
import sys
import unicodedata
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path
from typing import Callable, Dict, Iterator, NamedTuple, Optional, Sequence

from purebleu.checks.findings import checked_systems
from purebleu.checks.texts import Against

PAGE = Path(__file__).resolve().parents[3] / "purebleu" / "manual" / "checks.md"
BEGIN, END = "<!-- check table -->\n", "<!-- end -->\n"
PAIRS = ("en-de", "zh-en", "en-zh", "en-ja")
CHECKS = ("chatter", "refusal", "reasoning", "markup", "placeholders", "numbers", "addresses", "language", "unicode",
          "truncated")

#: The number of faults of each check in each pair.
FAULTS_OF_PAIR = 300

#: Around `{}`, the translation.
CHATTER = {
    "en": ("Sure, here's the English translation: {}", "Here you go:\n\n{}", "**Translation:** {}", "English: {}",
           "The translated sentence is: {}", "{}\n\nLet me know if you need any adjustments!",
           "{} (Translator's note: the subject is implied.)", "{}\n\nNote: I kept the original names.",
           "{}\n\nAlternative: {}", "{}\n\n**Explanation:** The idiom has no direct equivalent.", "Assistant: {}",
           "{}\n\nI hope this helps!", "Option 1: {}\nOption 2: {}",
           "Certainly! Below is the translation you asked for:\n{}"),
    "de": ("Hier ist die deutsche Übersetzung: {}", "Gerne! Die Übersetzung lautet: {}", "Übersetzung: {}",
           "Deutsch: {}", "{}\n\nIch hoffe, das hilft Ihnen weiter!", "{} (Anmerkung: Die Anrede ist förmlich.)",
           "{}\n\nHinweis: Eigennamen wurden nicht übersetzt.", "{}\n\nAlternativ: {}", "Antwort: {}",
           "Natürlich, hier die Übersetzung ins Deutsche:\n\n{}",
           "{}\n\nLassen Sie mich wissen, falls Sie weitere Übersetzungen brauchen.",
           "{}\n\nErklärung: Das Verb steht am Ende.", "Variante 1: {}\nVariante 2: {}"),
    "zh": ("翻译如下：{}", "好的，以下是中文翻译：\n{}", "译文：{}", "中文翻译：{}", "{}\n\n（注：专有名词保留英文。）",
           "{}\n\n希望这个翻译对您有帮助！", "{}\n\n或者：{}", "{}\n\n解释：这里的习语采用意译。", "回答：{}",
           "当然！这句话的中文翻译是：{}", "{}\n\n如果您有其他问题，请随时告诉我。", "{}\n\n备注：人名按惯例音译。"),
    "ja": ("以下が日本語訳です：\n{}", "翻訳：{}", "日本語訳：{}", "{}\n\n（注：固有名詞は原文のままです。）",
           "{}\n\nまたは：{}", "{}\n\n補足：敬語を使っています。", "回答：{}",
           "{}\n\n他にご質問があればお知らせください。",
           "もちろんです。翻訳は次のとおりです：{}", "{}\n\n説明：慣用句は意訳しました。"),
}
REFUSALS = {
    "en": ("I'm sorry, but I can't assist with that request.", "I cannot translate this content.",
           "As an AI language model, I don't have access to the original document.",
           "I apologize, but I am not able to provide a translation of this text.",
           "I'm sorry, I can't help with that.", "Unfortunately, I am unable to process this text.",
           "It seems there is no text to translate. Please provide the text.",
           "I'm unable to translate this because it contains harmful content."),
    "de": ("Es tut mir leid, aber dabei kann ich nicht helfen.",
           "Als KI-Modell kann ich diese Anfrage nicht bearbeiten.",
           "Leider kann ich diesen Inhalt nicht übersetzen.",
           "Ich kann diesen Text leider nicht übersetzen.",
           "Entschuldigung, aber ich kann diese Anfrage nicht erfüllen."),
    "zh": ("很抱歉，我无法协助您完成这个请求。", "对不起，我不能翻译这段内容。", "作为AI语言模型，我无法提供该翻译。",
           "抱歉，我无法提供这方面的帮助。", "我无法翻译这段文字，因为它包含敏感内容。"),
    "ja": ("申し訳ございませんが、この内容は翻訳できません。", "すみませんが、そのご要望にはお応えできません。",
           "AIとして、そのような内容を翻訳することはできません。", "申し訳ありませんが、お手伝いできません。"),
}
REASONING = {
    "en": ("<think>The sentence is short.</think>\n{}", "<think>\nOkay, the user sent a sentence.\n</think>\n\n{}",
           "Let's break down the sentence step by step.\n\n{}", "Okay, let me translate this.\n\n{}",
           "First, I need to understand the sentence.\n\n{}", "The user wants a translation of a news headline.\n\n{}",
           "We need to translate this carefully.\n\n{}", "<reasoning>It is a question.</reasoning> {}",
           "Let me analyze the grammar first.\n\n{}", "Thinking: the tone is formal.\n\n{}", "Hmm, no tags?</think>{}"),
    "de": ("Der Nutzer möchte, dass ich das übersetze.\n\n{}", "Zuerst muss ich den Satz verstehen.\n\n{}",
           "Lass uns den Satz Schritt für Schritt analysieren.\n\n{}"),
    "zh": ("首先，我需要理解这句话的意思。\n\n{}", "用户想让我翻译这句话。\n\n{}", "让我来分析一下这个句子。\n\n{}"),
    "ja": ("まず、この文を理解する必要があります。\n\n{}", "ユーザーはこの文の翻訳を求めています。\n\n{}",
           "思考：丁寧な文体です。\n\n{}"),
}

#: A placeholder, and what becomes of it.
PLACEHOLDERS = (
    ("{count}", ("{Anzahl}", "", "{count}{count}", "{ count }", "count")), ("%s", ("", "%d", "% s")),
    ("%(name)s", ("%(Name)s", "", "%(name)")), ("${user}", ("$ {user}", "{user}", "")),
    ("{{item}}", ("{item}", "{{Artikel}}", "")), ("%1$d", ("%2$d", "")), ('<x id="1"/>', ("", '<x id="2"/>')),
    ("{n, plural,", ("{n, Plural,", "")), ("#NAME#", ("#NOMBRE#", "# NAME #", "")), ("__TITLE__", ("TITLE", "")),
)
ADDRESSES = (
    ("https://example.org/a/b?c=1", ("https://example.org/a/b?c=2", "https://example.de/a/b?c=1", "",
                                     "https: //example.org/a/b?c=1")),
    ("help@example.com", ("hilfe@example.com", "", "help @ example.com")),
    ("www.example.net", ("www.beispiel.net", "")),
    ("@example_user", ("", "@beispiel_user")), ("report_final.pdf", ("bericht_final.pdf", "")),
)
MARKUP = ("<b>{}</b>", '<a href="x">{}</a>', "**{}**", "`{}`", "<i>{}</i>", "~~{}~~")


class Segment(NamedTuple):
    """An output, its source and its references."""

    output: str
    source: str
    references: list[str]


Fault = Callable[[random.Random, Segment, str], Optional[Segment]]

#: By the index of a line, what a check has found in it.
Findings = Dict[int, object]


def phrase(phrases: dict[str, tuple[str, ...]], rng: random.Random, segment: Segment, language: str) -> Segment:
    """What a model says around the translation, or in its place."""
    said = rng.choice(phrases[language] if rng.random() < 0.7 else phrases["en"])
    return segment._replace(output=said.replace("{}", segment.output))


def _in_all(segment: Segment, part: str, changed: str) -> Segment:
    """A part in source and references, and what became of it in the output: in the middle of each."""
    def put(text: str, part: str) -> str:
        middle = text.find(" ", len(text) // 2)
        return f"{text} {part}" if middle < 0 else f"{text[:middle]} {part}{text[middle:]}"

    return Segment(put(segment.output, changed), put(segment.source, part),
                   [put(reference, part) for reference in segment.references])


def changed_part(parts: Sequence[tuple[str, tuple[str, ...]]], rng: random.Random, segment: Segment,
                 _: str) -> Segment:
    """Something that a translation keeps as it is, and what became of it."""
    part, changes = rng.choice(parts)
    return _in_all(segment, part, rng.choice(changes))


def markup(rng: random.Random, segment: Segment, language: str) -> Segment | None:
    """Markup that is added, that is lost, or of which one end is lost."""
    around = rng.choice(MARKUP).format("x")
    kind = rng.randrange(4)
    if kind == 0:
        return segment._replace(output=f"```\n{segment.output}\n```")
    if kind == 1:
        return segment._replace(output=rng.choice(MARKUP).format(segment.output))
    return _in_all(segment, around, "x" if kind == 2 else around[:around.index("x") + 1])


def numbers(rng: random.Random, segment: Segment, language: str) -> Segment | None:
    """A digit that is changed, added or lost, a point that is lost, or a number (above 12) that is lost."""
    figures = [figure for figure in re.findall(r"(?<![\d.,])\d+(?:[.,]\d+)?(?![\d.,]*\d)", segment.output)
               if re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d.,]*\d)", segment.source)]
    if not figures:
        return None
    figure = rng.choice(figures)
    digits = [position for position, character in enumerate(figure) if character.isdigit()]
    position = rng.choice(digits)
    kind = rng.randrange(4)
    if kind == 0 and figure.isdigit() and int(figure) > 12:
        changed = ""
    elif kind == 1:
        changed = f"{figure[:position]}{(int(figure[position]) + rng.randrange(1, 10)) % 10}{figure[position + 1:]}"
    elif kind == 2 and not figure.isdigit():
        changed = re.sub(r"[.,]", "", figure)
    else:
        changed = figure + str(rng.randrange(1, 10))
    return None if changed == figure else segment._replace(output=segment.output.replace(figure, changed))


def unicode(rng: random.Random, segment: Segment, language: str) -> Segment | None:
    position = rng.randrange(len(segment.output))
    kind = rng.choice("\u200b\u202e\ufffd\ue000\u2060\xad\ufeff\x07D")
    changed = segment.output[:position] + kind + segment.output[position:]
    if kind == "D":
        changed = unicodedata.normalize("NFD", segment.output)
    return None if changed == segment.output else segment._replace(output=changed)


def truncated(rng: random.Random, segment: Segment, language: str) -> Segment | None:
    """The first 20 to 70 % of a long line, sometimes with dots or a word in brackets."""
    output, is_spaced = segment.output, language in ("en", "de")
    if len(output) < (40 if is_spaced else 20):
        return None
    cut = output[:int(len(output) * rng.uniform(0.2, 0.7))]
    cut = cut.rsplit(" ", 1)[0] if is_spaced else cut
    return segment._replace(output=cut.rstrip(" ,，、") + rng.choice(("", "", "", "...", "…", " [continues]")))


FAULTS: dict[str, Fault] = {
    "chatter": partial(phrase, CHATTER), "refusal": partial(phrase, REFUSALS), "reasoning": partial(phrase, REASONING),
    "placeholders": partial(changed_part, PLACEHOLDERS), "addresses": partial(changed_part, ADDRESSES),
    "markup": markup, "numbers": numbers, "unicode": unicode, "truncated": truncated,
}


def corpora(data: Path) -> Iterator[tuple[str, list[str], list[list[str]], dict[str, list[str]], dict[str, list[str]]]]:
    """Pairs with their sources, references, outputs by system, and references by name."""
    def read(kind: str) -> dict[str, list[str]]:
        return {path.name.split(".")[3]: path.read_text(encoding="utf-8").split("\n")[:-1]
                for path in sorted(data.glob(f"generaltest2022.{pair}.{kind}.*"))}

    for pair in PAIRS:
        references = read("ref")
        [source] = read("src").values()
        yield pair, source, list(references.values()), read("hyp"), references


def found_lines(check: str, outputs: list[str], source: list[str], references: list[list[str]]) -> Findings:
    """The indices of the lines that a check finds, with the parts that it found."""
    checked = checked_systems(["A"], Against(source, references, [outputs]), checks=[check])
    return {line - 1: finding.spans[index] if finding.spans else finding.values[index]
            for finding in checked.findings for index, line in enumerate(finding.lines)}


def with_faults(check: str, pair: str, source: list[str], references: list[list[str]], systems: dict[str, list[str]],
                found: dict[str, Findings]) -> Iterator[tuple[str, str, bool]]:
    """The faulty output, its source, and whether the check finds it, for faults in all systems of a pair.

    `found` has the lines of each system that the check finds without these faults.
    """
    target, count = pair[3:], FAULTS_OF_PAIR // len(systems)
    for system, outputs in systems.items():
        rng = random.Random(f"{check} {pair} {system}")
        lines, sources, streams = list(outputs), list(source), [list(stream) for stream in references]
        faulty: list[int] = []
        for index in rng.sample(range(len(outputs)), len(outputs)):
            segment = Segment(outputs[index], source[index], [stream[index] for stream in references])
            changed: Segment | None = None
            if check == "language":
                other = rng.choice(source)
                if len(other) >= (40 if pair[:2] == "en" else 15):
                    changed = segment._replace(output=other)
            elif len(segment.output) > 10:
                changed = FAULTS[check](rng, segment, target)
            if changed is not None and index not in found[system]:
                lines[index], sources[index] = changed.output, changed.source
                for stream, reference in zip(streams, changed.references):
                    stream[index] = reference
                faulty.append(index)
                if len(faulty) == count:
                    break
        found_now = found_lines(check, lines, sources, streams)
        for index in faulty:
            yield lines[index], sources[index], index in found_now


def table(data: Path) -> str:
    """The rows of the table in Markdown, with the worst pair of outputs."""
    alarms: dict[str, list[float]] = {check: [] for check in (*CHECKS, "any of these")}
    hits: dict[str, list[float]] = {check: [] for check in CHECKS}
    people: Counter[str] = Counter()
    lines_of_people = 0
    for pair, source, references, systems, named in corpora(data):
        any_check: set[tuple[str, int]] = set()
        lines = sum(map(len, systems.values()))
        for check in CHECKS:
            found = {name: found_lines(check, outputs, source, references) for name, outputs in systems.items()}
            for name, findings in found.items():
                any_check.update(product([name], findings))
            alarms[check].append(100 * sum(map(len, found.values())) / lines)
            results = [hit for _, _, hit in with_faults(check, pair, source, references, systems, found)]
            hits[check].append(100 * sum(results) / len(results))
        alarms["any of these"].append(100 * len(any_check) / lines)
        if len(named) > 1:
            for name, outputs in named.items():
                others = [stream for other, stream in named.items() if other != name]
                everything = [found_lines(check, outputs, source, others) for check in CHECKS]
                people.update({check: len(found) for check, found in zip(CHECKS, everything)})
                people["any of these"] += len({index for found in everything for index in found})
                lines_of_people += len(outputs)
    rows = ["| check | outputs | people | found |", "| --- | ---: | ---: | ---: |"]
    for check, shares in alarms.items():
        most = f"{max(shares):.2f}"
        share = f"{100 * people[check] / lines_of_people:.2f}"
        name = f"`{check}`" if check in CHECKS else check
        fewest = f"{min(hits[check]):.0f}" if check in CHECKS else ""
        rows.append(f"| {name} | {most} | {share} | {fewest} |")
    return "\n".join(rows) + "\n"


def show(data: Path, wanted: str, check: str) -> None:
    """Print what a check finds in the outputs of a pair as they are, and the faults that it misses."""
    for pair, source, references, systems, _ in corpora(data):
        if pair != wanted:
            continue
        found = {name: found_lines(check, outputs, source, references) for name, outputs in systems.items()}
        for name, findings in found.items():
            for index, parts in findings.items():
                print(f"{name} {index + 1} {parts}\n  {systems[name][index]}\n  {source[index]}")
                print(*[f"  {stream[index]}" for stream in references], sep="\n")
        for output, text, hit in with_faults(check, pair, source, references, systems, found):
            if not hit:
                print(f"missed: {output!r}\n  {text}")


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", nargs=2, metavar=("PAIR", "CHECK"))
    args = parser.parse_args()
    if args.show:
        show(args.data, *args.show)
        return 0
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        sys.exit(f"{PAGE} lacks {BEGIN.strip()} or {END.strip()}")
    PAGE.write_text(f"{before}{BEGIN}\n{table(args.data)}\n{END}{after}", encoding="utf-8")
    return 0
