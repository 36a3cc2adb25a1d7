"""One p-value, one corrected p-value and one star for each test, in every output of a run."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Sequence, Tuple

import pytest

from ..helpers import first_by_default, refusal, told, write_systems

#: By pair, metric and system: p and the corrected p, as printed, and whether there is a star.
Verdicts = Dict[Tuple[str, str, str], Tuple[str, str, bool]]

PAIRS = ("en-de", "en-fr")

METRICS = {"bleu": "BLEU", "ter": "TER"}

#: One system equals the first one, one differs clearly, and one under TER, but only without a correction.
SYSTEMS = {"A": 0.85, "same": 0.85, "B": 0.81, "C": 0.5}

SAMPLES = ("--samples", "400", "-cin", "20")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("verdicts")
    rows = ["name\tpair\treferences\thypothesis"]
    for pair in PAIRS:
        write_systems(folder, {f"ref.{pair}": 1.0, **{f"{name}.{pair}": share for name, share in SYSTEMS.items()}}, 60)
        (folder / f"same.{pair}").write_bytes((folder / f"A.{pair}").read_bytes())
        rows += [f"{name}\t{pair}\tref.{pair}\t{name}.{pair}" for name in SYSTEMS]
    (folder / "all.tsv").write_text("\n".join(rows) + "\n")
    return folder


def runs_with(names: Sequence[str]) -> list[str]:
    return ["ref.en-de", "-i", *[f"{name}.en-de" for name in names], "--names", *names]


def from_json(text: str, names: Sequence[str]) -> Verdicts:
    """The verdicts in JSON: the star by the rule, from the p-values and the scores themselves."""
    content = json.loads(text)
    cells: dict[tuple[str, str, str], Mapping[str, float]] = {}
    for system in content["systems"]:
        for pair, scores in system.get("pairs", {"": system}).items():
            cells.update({(pair, metric, system["system"]): scores[metric]
                          for metric in scores if metric in METRICS.values()})
    verdicts: Verdicts = {}
    for (pair, metric, name), cell in cells.items():
        if cell["p_value"] is not None:
            differs = score_of(cell) != score_of(cells[pair, metric, names[0]])
            is_starred = (cell["p_holm"] or cell["p_value"]) <= 0.05 and differs
            verdicts[pair, metric, name] = f"{cell['p_value']:.4f}", shown(cell["p_holm"]), is_starred
    return verdicts


def score_of(cell: Mapping[str, float]) -> float:
    return cell["score"] if "score" in cell else cell["mean"]  # (the mean of runs)


def shown(p_value: float | None) -> str:
    return "" if p_value is None else f"{p_value:.4f}"


def from_csv(text: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    return {(line.get("pair", ""), line["metric"], line["system"]):
            (f"{float(line['p_value']):.4f}", shown(float(line["p_holm"]) if line["p_holm"] else None))
            for line in csv.DictReader(io.StringIO(text)) if line["p_value"]}


def from_table(rows: Sequence[Sequence[str]]) -> Verdicts:
    """The verdicts in the cells of a table."""
    heads, *systems = rows
    verdicts: Verdicts = {}
    for cells in systems:
        for head, cell in zip(heads[1:], cells[1:]):
            metric, _, pair = head.partition(" (")[0].partition(" ")
            if matched := re.search(r"\(p = ([\d.]+)(?:, Holm ([\d.]+))?\)(\*?)", cell):
                verdicts[pair, metric, cells[0]] = (matched.group(1), matched.group(2) or "", bool(matched.group(3)))
    return verdicts


def markdown_rows(text: str) -> list[list[str]]:
    """The first table."""
    lines = text[text.index("|"):].split("\n\n")[0].replace("\\*", "*").split("\n")
    return [line.strip("| ").split(" | ") for line in lines if "---" not in line]


def text_rows(text: str) -> list[list[str]]:
    """The first table, whose cells may have several lines."""
    rows: list[list[str]] = [[]]
    for line in text[:text.index("╛")].split("\n"):
        if line.startswith("│"):
            cells = [cell.strip() for cell in line.strip("│").split("│")]
            rows[-1] = [" ".join([*before, cell]).strip() for before, cell in
                        zip([[before] for before in rows[-1]] or [[] for _ in cells], cells)]
        else:
            rows.append([])
    return [row for row in rows if row]


def from_page(page: str, pairs: Sequence[str]) -> Iterator[tuple[str, Verdicts]]:
    """The verdicts in the tables of scores of a report."""
    for number, pair in enumerate(pairs, 1):
        prefix = f"p{number}-" if len(pairs) > 1 else ""
        section = page[page.index(f'<section id="{prefix}scores"'):]
        rows = re.findall(r"<tr>(.*?)</tr>", section[:section.index("</table>")], re.S)
        heads, *systems = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]
        names = [re.sub(r"<[^>]*>", "", head).split("against")[0].strip("↓↑ ") for head in heads]
        verdicts: Verdicts = {}
        for cells in systems:
            metric, p_value = "", ""
            for name, cell in zip(names, map(unescape, cells)):
                if name in METRICS.values():
                    metric = name
                if name == "p" and "–" not in cell:
                    p_value = cell
                    verdicts[pair, metric, cells[0]] = p_value.strip("≤\xa0*"), "", p_value.endswith("*")
                if name == "p (Holm)" and "–" not in cell:
                    verdicts[pair, metric, cells[0]] = p_value.strip("≤\xa0*"), cell.strip("≤\xa0*"), cell.endswith("*")
        yield pair, verdicts


def checked_verdicts(folder: Path, command: Sequence[str], names: Sequence[str]) -> Verdicts:
    """The verdicts as tables have them, which are those of JSON, the same in every format."""
    outputs = {form: told(folder, *command, "-f", form)[0]
               for form in ("json-signed", "csv", "text", "markdown", "paper")}
    expected = from_json(outputs["json-signed"], names)
    assert from_csv(outputs["csv"]) == {key: verdict[:2] for key, verdict in expected.items()}
    # (Tables have no second p of a single test.)
    tabled = {key: (p, holm if len(expected) > 1 else "", star) for key, (p, holm, star) in expected.items()}
    assert from_table(markdown_rows(outputs["markdown"])) == tabled
    assert from_table(text_rows(outputs["text"])) == tabled
    # (Invisible marks only align the others.)
    table = outputs["paper"].split(r"\bottomrule")[0].replace(r"\phantom{$^\dagger$}", "")
    assert " & Rank" in table or table.count(r"$^\dagger$") == stars_in(tabled)
    return tabled


def stars_in(verdicts: Verdicts) -> int:
    return sum(is_starred for _, _, is_starred in verdicts.values())


CORRECTIONS = [("--correction", "none"), ("--against", "A"), ()]

#: Names of systems, metrics, and whether there is a report.
WHOLE = [*product((["A", "C"], list(SYSTEMS)), (["bleu"], list(METRICS)), (False, True))]
CORNERS = [WHOLE[0], WHOLE[-1]]


@pytest.mark.parametrize("correction", first_by_default(1, [(correction,) for correction in CORRECTIONS]), ids=" ".join)
@pytest.mark.parametrize(("is_manifest", "combinations"), [
    pytest.param(False, CORNERS, id="one pair"), pytest.param(True, WHOLE[4::6], id="manifest", marks=pytest.mark.full),
    pytest.param(False, WHOLE, id="all of one pair", marks=pytest.mark.heavy),
    pytest.param(True, WHOLE, id="all of a manifest", marks=pytest.mark.heavy)])
def test_every_output_has_the_same_verdicts(folder: Path, is_manifest: bool, combinations: Sequence[Any],
                                            correction: Sequence[str]) -> None:
    if is_manifest and "--against" in correction:
        assert "--against does not go with --manifest" in refusal(folder, "test", "--manifest", "all.tsv", *correction)
        return
    starred = 0
    for names, metrics, has_report in combinations:
        if is_manifest and len(names) < 3:
            continue
        inputs = ["--manifest", "all.tsv"] if is_manifest else runs_with(names)
        start = ["report", "--no-checks", "-o", "page.html"] if has_report else ["test"]
        command = [*start, *inputs, *correction, *SAMPLES, "-m", *metrics]
        pairs = PAIRS if is_manifest else ("",)
        tabled = checked_verdicts(folder, command, names)
        assert len(tabled) == (len(names) - 1) * len(metrics) * len(pairs)
        starred += stars_in(tabled)
        if has_report:
            page = (folder / "page.html").read_text(encoding="utf-8")
            if is_manifest:
                p_name = "p" if "none" in correction else "p (Holm)"
                assert f"a significant difference from the first system of a pair ({p_name} ≤ 0.05)" in page
            for pair, verdicts in from_page(page, pairs):
                assert verdicts == {key: verdict for key, verdict in tabled.items() if key[0] == pair}
    assert starred, "a difference is significant"


@pytest.mark.parametrize("correction", CORRECTIONS[:2], ids=" ".join)
def test_every_output_of_runs_has_the_same_verdicts(folder: Path, correction: Sequence[str]) -> None:
    runs = ["--runs", "A=[AB].en-de", "C=C.en-de", "same=[AB].en-f[r]"]
    command = ["test", "ref.en-de", *runs, "-m", *METRICS, *SAMPLES[:2], "-q", *correction]
    verdicts = checked_verdicts(folder, command, ["A", "C", "same"])
    assert len(verdicts) == 4 and stars_in(verdicts)


def test_equal_outputs_have_no_star_and_no_significance(folder: Path) -> None:
    for form in ("text", "markdown", "latex", "html"):
        printed, _ = told(folder, "test", *runs_with(["A", "same"]), *SAMPLES, *CORRECTIONS[0], "-f", form)
        assert "(p = 1.0000)" in printed and "(p = 1.0000)*" not in printed and "(p = 1.0000)\\*" not in printed
