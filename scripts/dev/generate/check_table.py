"""Write the manual's table of checks: how often they find faults in outputs of WMT22, and in outputs with added faults.

    python3 scripts/dev/generate check_table --data FOLDER

FOLDER has files such as `generaltest2022.PAIR.src.LANGUAGE`, `.hyp.SYSTEM.` and `.ref.NAME.`. The added faults are
typical of language models, and are drawn from a seed. Their phrases were written independently of the checks' patterns.
"""

from __future__ import annotations

import json
import random
import re
import sys
import unicodedata
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path
from typing import Callable, Iterator, NamedTuple, Optional, Sequence

from purebleu.checks.findings import checked_systems
from purebleu.checks.texts import Against

PAGE = Path(__file__).resolve().parents[3] / "purebleu" / "manual" / "checks.md"
BEGIN, END = "<!-- check table -->\n", "<!-- end -->\n"
PAIRS = ("en-de", "zh-en", "en-zh", "en-ja")
CHECKS = ("chatter", "refusal", "reasoning", "markup", "placeholders", "numbers", "addresses", "language", "unicode",
          "truncated")

#: The number of faults of each check in each pair.
FAULTS_OF_PAIR = 300

#: For some checks, phrases that models say around the translation (`{}`) or in its place, by language. For others,
#: parts of a text with their faulty forms. For `markup`, markup around the text.
FAULTY = json.loads(Path(__file__).with_name("faults.json").read_text(encoding="utf-8"))


class Segment(NamedTuple):
    """An output, its source and its references."""

    output: str
    source: str
    references: list[str]


Fault = Callable[[random.Random, Segment, str], Optional[Segment]]


def phrase(phrases: dict[str, list[str]], rng: random.Random, segment: Segment, language: str) -> Segment:
    """Put a phrase around the translation, or in its place."""
    said = rng.choice(phrases[language] if rng.random() < 0.7 else phrases["en"])
    return segment._replace(output=said.replace("{}", segment.output))


def _in_all(segment: Segment, part: str, changed: str) -> Segment:
    """Put a part into the middle of source and references, and its changed form into the middle of the output."""
    def put(text: str, part: str) -> str:
        middle = text.find(" ", len(text) // 2)
        return f"{text} {part}" if middle < 0 else f"{text[:middle]} {part}{text[middle:]}"

    return Segment(put(segment.output, changed), put(segment.source, part),
                   [put(reference, part) for reference in segment.references])


def changed_part(parts: Sequence[tuple[str, list[str]]], rng: random.Random, segment: Segment, _: str) -> Segment:
    """Add a part that a translation has to keep, with a changed form in the output."""
    part, changes = rng.choice(parts)
    return _in_all(segment, part, rng.choice(changes))


def markup(rng: random.Random, segment: Segment, language: str) -> Segment | None:
    """Add markup to the output alone, or to all texts, and then remove one end or both ends in the output."""
    around = rng.choice(FAULTY["markup"]).format("x")
    kind = rng.randrange(4)
    if kind == 0:
        return segment._replace(output=f"```\n{segment.output}\n```")
    if kind == 1:
        return segment._replace(output=rng.choice(FAULTY["markup"]).format(segment.output))
    return _in_all(segment, around, "x" if kind == 2 else around[:around.index("x") + 1])


def numbers(rng: random.Random, segment: Segment, language: str) -> Segment | None:
    """Change or add a digit of a number in the output, or remove its decimal point, or a whole number above 12."""
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
    """Cut a long output to its first 20 to 70 %, and sometimes add dots or a word in brackets."""
    output, is_spaced = segment.output, language in ("en", "de")
    if len(output) < (40 if is_spaced else 20):
        return None
    cut = output[:int(len(output) * rng.uniform(0.2, 0.7))]
    cut = cut.rsplit(" ", 1)[0] if is_spaced else cut
    return segment._replace(output=cut.rstrip(" ,，、") + rng.choice(("", "", "", "...", "…", " [continues]")))


FAULTS: dict[str, Fault] = {
    **{name: partial(phrase, FAULTY[name]) for name in ("chatter", "refusal", "reasoning")},
    **{name: partial(changed_part, FAULTY[name]) for name in ("placeholders", "addresses")},
    "markup": markup, "numbers": numbers, "unicode": unicode, "truncated": truncated,
}


def corpora(data: Path) -> Iterator[tuple[str, list[str], list[list[str]], dict[str, list[str]], dict[str, list[str]]]]:
    """Yield language pairs with their sources, references, outputs by system, and references by name."""
    def read(kind: str) -> dict[str, list[str]]:
        return {path.name.split(".")[3]: path.read_text(encoding="utf-8").split("\n")[:-1]
                for path in sorted(data.glob(f"generaltest2022.{pair}.{kind}.*"))}

    for pair in PAIRS:
        references = read("ref")
        [source] = read("src").values()
        yield pair, source, list(references.values()), read("hyp"), references


def found_lines(check: str, outputs: list[str], source: list[str], references: list[list[str]]) -> set[int]:
    """Return the indices of the lines in which a check finds a fault."""
    checked = checked_systems(["A"], Against(source, references, [outputs]), checks=[check])
    return {line - 1 for finding in checked.findings for line in finding.lines}


def with_faults(check: str, pair: str, source: list[str], references: list[list[str]], systems: dict[str, list[str]],
                found: dict[str, set[int]]) -> Iterator[bool]:
    """Add faults to the outputs of all systems of a pair. Yield, for each fault, whether the check finds it.

    `found` has, for each system, the lines in which the check finds faults before faults are added.
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
            yield index in found_now


def table(data: Path) -> str:
    """Return the table in Markdown. A cell has the worst of the language pairs (for people, the mean)."""
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
            results = list(with_faults(check, pair, source, references, systems, found))
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


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        sys.exit(f"{PAGE} lacks {BEGIN.strip()} or {END.strip()}")
    PAGE.write_text(f"{before}{BEGIN}\n{table(args.data)}\n{END}{after}", encoding="utf-8")
    return 0
