"""Write the files of other programs that `tests/files/test_forms.py` reads. The other programs write them.

    PYTHON scripts/dev/oracles forms --wmt FOLDER --moses FOLDER

PYTHON is an interpreter that has pandas and lxml. `soffice` (LibreOffice) and `perl` have to be on the path. The
folders are checkouts of wmt-conference/wmt-format-tools and of moses-smt/mosesdecoder. These programs are only run.
They write our text in their formats into `tests/fixtures/forms`. `text.json` has the text that a reader has to find.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from html import escape
from pathlib import Path

import pandas  # type: ignore[import-untyped]

from dev.oracles.files import TARGET as FIXTURES

TARGET = FIXTURES / "forms"

#: The text of the files, as columns of a table. Each segment has an id, a source, two references, and an output.
COLUMNS = json.loads((TARGET / "text.json").read_text(encoding="utf-8"))
SEGMENTS = [(name, source, references, output) for name, source, *references, output in zip(*COLUMNS.values())]

#: Options of LibreOffice for CSV: the codes of separator and quote, UTF-8, and cells as they are shown.
COMMAS, SEMICOLONS = "44,34,76,1,,0,false,true,false", "59,34,76,1,,0,false,true,false"


def write_spreadsheets(folder: Path) -> None:
    """Write CSV with LibreOffice, from a spreadsheet of text. Some cells have several lines."""
    table = [tuple(COLUMNS), *zip(*COLUMNS.values())]
    rows = "".join([f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in table])
    attributes = " ".join([f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
                           for name in ("office", "table", "text")])
    sheet = folder / "spreadsheet.fods"
    sheet.write_text('<?xml version="1.0" encoding="UTF-8"?>'
                     f'<office:document {attributes} office:mimetype="application/vnd.oasis.opendocument.spreadsheet" '
                     f'office:version="1.2"><office:body><office:spreadsheet><table:table table:name="t">{rows}'
                     "</table:table></office:spreadsheet></office:body></office:document>", encoding="utf-8")
    for name, options in (("spreadsheet.csv", COMMAS), ("spreadsheet-semicolons.csv", SEMICOLONS)):
        subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to",
                        f"csv:Text - txt - csv (StarCalc):{options}", "--outdir", str(folder), str(sheet)], check=True,
                       stdout=subprocess.DEVNULL)
        (folder / "spreadsheet.csv").replace(TARGET / name)


def _cell(text: str) -> str:
    paragraphs = "".join([f"<text:p>{escape(line, quote=False)}</text:p>" for line in text.split("\n")])
    return f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'


def write_pandas() -> None:
    """Write JSON Lines (plain and compressed) and CSV with pandas."""
    frame = pandas.DataFrame(SEGMENTS, columns=["id", "src", "references", "output"])
    frame.to_json(TARGET / "pandas.jsonl", orient="records", lines=True)
    frame.to_json(TARGET / "pandas.jsonl.gz", orient="records", lines=True, compression={"method": "gzip", "mtime": 0})
    pandas.DataFrame(COLUMNS).to_csv(TARGET / "pandas.csv")


def write_wmt(tools: Path, folder: Path) -> None:
    """Write WMT's XML with wmt-wrap, from sources with two references, and from sources without references."""
    with_references, sources, output = folder / "references.xml", folder / "sources.xml", folder / "output.txt"
    with_references.write_text(_dataset(with_references=True), encoding="utf-8")
    sources.write_text(_dataset(with_references=False), encoding="utf-8")
    output.write_text("".join([text.replace("\n", " ") + "\n" for *_, text in SEGMENTS]), encoding="utf-8")
    for name, source in (("wmt.xml", with_references), ("submission.xml", sources)):
        (TARGET / name).write_bytes(subprocess.run(
            [sys.executable, "-m", "wmtformat.wrap", "-s", str(source), "-t", str(output), "-n", "KETTLE", "-l", "en"],
            cwd=tools, check=True, stdout=subprocess.PIPE).stdout)


def _dataset(with_references: bool) -> str:
    parts = ["<?xml version='1.0' encoding='utf-8'?>", '<dataset id="sample">']
    for document in ("kitchen", "garden"):
        segments = [segment for segment in SEGMENTS if segment[0].startswith(document)]
        columns = [('src lang="de"', [source for _, source, *_ in segments])]
        if with_references:
            columns += [(f'ref lang="en" translator="{name}"', [references[index] for _, _, references, _ in segments])
                        for index, name in enumerate("AB")]
        parts.append(f'<doc id="{document}" origlang="de">')
        for tag, texts in columns:
            parts += [f"<{tag}><p>", *[f'<seg id="{number}">{escape(text, quote=False)}</seg>'
                                       for number, text in enumerate(texts, 1)], f"</p></{tag[:3]}>"]
        parts.append("</doc>")
    return "\n".join([*parts, "</dataset>", ""])


def write_sgm(moses: Path, folder: Path) -> None:
    """Write SGML, WMT's format until 2020, with wrap-xml.perl."""
    frame = folder / "source.sgm"
    lines = ['<srcset setid="sample" srclang="any">', '<doc docid="kitchen" genre="news" origlang="de">',
             *[f'<seg id="{number}">{segment[1]}</seg>' for number, segment in enumerate(SEGMENTS[:2], 1)],
             "</doc>", "</srcset>", ""]
    frame.write_text("\n".join(lines), encoding="utf-8")
    output = "".join([segment[3] + "\n" for segment in SEGMENTS[:2]]).encode()
    (TARGET / "output.sgm").write_bytes(subprocess.run(
        ["perl", str(moses / "scripts/ems/support/wrap-xml.perl"), "en", str(frame), "KETTLE"], input=output,
        check=True, stdout=subprocess.PIPE).stdout)


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--wmt", type=Path, required=True, metavar="FOLDER", help="wmt-conference/wmt-format-tools")
    parser.add_argument("--moses", type=Path, required=True, metavar="FOLDER", help="moses-smt/mosesdecoder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_spreadsheets(folder)
        write_pandas()
        write_wmt(args.wmt, folder)
        write_sgm(args.moses, folder)
    return 0
