"""Test sets: the catalogue, and samples of every format, as fields and by command lines."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import partial
from importlib import import_module
from pathlib import Path

from .files import TARGET, compressed
from .oracle import oracle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

ARCHIVES = TARGET / "datasets"


def catalogue_cases() -> Iterator[dict[str, object]]:
    """Each test set, expanded: addresses with checksums; by pair its files, its references by default, and its fields.

    (Fields are told where that needs no data.)
    """
    for name, dataset in oracle().DATASETS.items():
        pairs = {}
        for pair, files in dataset.langpairs.items():
            is_xml = hasattr(dataset, "_get_langpair_allowed_refs")
            pairs[pair] = {"files": [files["path"]] if isinstance(files, dict) else files,
                           "references": dataset._get_langpair_allowed_refs(pair) if is_xml else None,
                           "fields": None if is_xml else dataset.fieldnames(pair)}
        yield {"name": name, "archives": list(zip(dataset.data, dataset.md5)), "pairs": pairs,
               "tags": import_module("sacrebleu.dataset").SUBSETS.get(name)}


SGML_SOURCE = """<srcset setid="sample" srclang="any">
<doc sysid="ref" docid="one.1" genre="news" origlang="de">
<hl>
<seg id="1">A  headline &amp; its &lt;tags&gt;</seg>
</hl>
<p>
<seg id="2"> Blanks around, a tab\there,\u00a0a no-break space \u3000 and a wide one. </seg>
<seg id="3"></seg>
</p>
</doc>
<doc docid="two" origlang="en">
<seg id="1">"Quoted" > greater, < less.</seg>\r
<seg id="2">The end</seg> \n</doc>
</srcset>
"""
SGML_REFERENCE = "".join([line.replace("The end", "Das Ende").replace("Quoted", "Zitiert")
                          for line in SGML_SOURCE.splitlines(keepends=True)])
IWSLT_SOURCE = """<?xml version="1.0" encoding="UTF-8"?>
<mteval>
<srcset setid="tst" srclang="english">
<doc docid="7" genre="lectures">
<url>http://example.org</url>
<talkid>7</talkid>
<title>A talk</title>
<seg id="1"> What is a talk? </seg>
<seg id="2"> This is. </seg>
</doc>
</srcset>
</mteval>
"""
XML_FILE = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="sample">
  <collection id="general">
    <doc origlang="en" id="doc.1" domain="news">
      <src lang="en"><p><seg id="1">First &amp; foremost</seg><seg id="2">Second</seg></p><p><seg id="10">Tenth</seg>
      <seg id="3">Third,  with   blanks
      and a line feed</seg></p></src>
      <ref lang="de" translator="A"><p><seg id="1">Zuerst</seg><seg id="2">Zweiter</seg><seg id="3">Dritter</seg>
      <seg id="10">Zehnter</seg></p></ref>
      <ref lang="de" translator="B"><p><seg id="1">Erstens</seg><seg id="2"></seg><seg id="3">Drittens</seg></p></ref>
      <hyp system="Online-Z"><p><seg id="1">h1</seg><seg id="2">h2</seg><seg id="3">h3</seg><seg id="10"/></p></hyp>
    </doc>
    <doc origlang="de" id="doc.2" domain="social">
      <src lang="en"><seg id="1">Has a reference</seg><seg id="2">Has none</seg></src>
      <ref lang="de" translator="A"><seg id="1">Hat eine</seg></ref>
      <hyp system="Online-Z"><seg id="1">z1</seg><seg id="2">z2</seg></hyp>
    </doc>
    <doc origlang="de" id="suite" domain="other" testsuite="numbers">
      <src lang="en"><seg id="1">Left out</seg></src><ref lang="de" translator="C"><seg id="1">Weg</seg></ref>
    </doc>
    <doc origlang="cs" id="doc.3" domain="news">
      <src lang="en"><seg id="1">Last \u2028 one</seg></src>
      <ref lang="de" translator="B"><seg id="1">Letzter</seg></ref>
      <ref lang="de" translator="A"><seg id="1">Der letzte</seg></ref>
      <hyp system="Online-Z"><seg id="1">last</seg></hyp>
    </doc>
  </collection>
</dataset>
"""
XML_WITHOUT_TRANSLATOR = """<dataset><doc origlang="liv" id="d"><src lang="liv"><seg id="1">a</seg></src>
<ref lang="en"><seg id="1">b</seg></ref></doc></dataset>
"""
TSV_FILE = "0\tsource one\ttarget one\tmore\n1\t \t\t\n2\t source three\ttarget\u2028three \tmore\r\n"
TEXT_FILE = "one \ntwo\u00a0\n\n  four\r\nfive\x0bfive"

#: Archives of every kind, with what is in them.
SAMPLE_ARCHIVES: dict[str, dict[str, str]] = {
    "wmt.tgz": {"sgm/news-ende-src.en.sgm": SGML_SOURCE, "./sgm/news-ende-ref.de.sgm": SGML_REFERENCE},
    "iwslt.tgz": {"en-de/tst.en-de.en.xml": IWSLT_SOURCE, "de-en/tst.de-en.de.xml": IWSLT_SOURCE.upper().lower()},
    "xml.tar.gz": {"xml/test.en-de.all.xml": XML_FILE, "xml/test.liv-en.all.xml": XML_WITHOUT_TRANSLATOR},
    "table.tar.gz": {"T/test.en-fr.tsv": TSV_FILE},
    "text.zip": {"text/set-ende.en": TEXT_FILE, "text/set-ende.de": TEXT_FILE.upper()},
    "more.txt.gz": {"": TEXT_FILE},
    "paraphrased.ref": {"": "A reference \n  B\n\nD\nE"},
}

#: The oracle's class, and the record for purebleu's catalogue: format, archives, files by pair.
SAMPLE_SETS: dict[str, tuple[str, str, list[str], dict[str, list[str]]]] = {
    "sample/wmt": ("fake_sgml.FakeSGMLDataset", "sgml", ["wmt.tgz"],
                   {"en-de": ["sgm/news-ende-src.en.sgm", "sgm/news-ende-ref.de.sgm"]}),
    "sample/tworefs": ("fake_sgml.FakeSGMLDataset", "sgml", ["wmt.tgz"], {
        "en-de": ["sgm/news-ende-src.en.sgm", "sgm/news-ende-ref.de.sgm", "sgm/news-ende-src.en.sgm"]}),
    "wmt08/sample": ("fake_sgml.FakeSGMLDataset", "sgml", ["wmt.tgz"],
                     {"en-de": ["sgm/news-ende-src.en.sgm", "sgm/news-ende-ref.de.sgm"]}),
    "sample/iwslt": ("iwslt_xml.IWSLTXMLDataset", "sgml", ["iwslt.tgz"],
                     {"en-de": ["en-de/tst.en-de.en.xml", "de-en/tst.de-en.de.xml"]}),
    "sample/xml": ("wmt_xml.WMTXMLDataset", "xml", ["xml.tar.gz"],
                   {"en-de": ["xml/test.en-de.all.xml"], "liv-en": ["xml/test.liv-en.all.xml"]}),
    "sample/tsv": ("tsv.TSVDataset", "tsv", ["table.tar.gz"],
                   {"en-fr": ["1:T/test.en-fr.tsv", "2:T/test.en-fr.tsv"]}),
    "sample/tsv2": ("tsv.TSVDataset", "tsv", ["table.tar.gz"], {"en-fr": ["T/test.en-fr.tsv", "T/test.en-fr.tsv"]}),
    "sample/text": ("plain_text.PlainTextDataset", "text", ["text.zip", "more.txt.gz"], {
        "en-de": ["text/set-ende.en", "text/set-ende.de"], "en-en": ["text/set-ende.en", "sample_text.more.txt.gz"]}),
    "sample/google": ("fake_sgml.WMTAdditionDataset", "sgml", ["wmt.tgz", "paraphrased.ref"],
                      {"en-de": ["sgm/news-ende-src.en.sgm", "sample_google.paraphrased.ref"]}),
}


def write_sample_archives() -> None:
    """Write `SAMPLE_ARCHIVES`, the same bytes every time."""
    ARCHIVES.mkdir(exist_ok=True)
    for name, members in SAMPLE_ARCHIVES.items():
        encoded = {member: text.encode("utf-8") for member, text in members.items()}
        buffer = io.BytesIO()
        if name.endswith(".zip"):
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                for member, data in encoded.items():
                    archive.writestr(zipfile.ZipInfo(member), data)
            content = buffer.getvalue()
        elif "" in encoded:
            content = compressed(encoded[""]) if name.endswith(".gz") else encoded[""]
        else:
            with tarfile.open(fileobj=buffer, mode="w") as tar:
                for member, data in encoded.items():
                    information = tarfile.TarInfo(member)
                    information.size = len(data)
                    tar.addfile(information, io.BytesIO(data))
            content = compressed(buffer.getvalue())
        (ARCHIVES / name).write_bytes(content)


def addresses_and_sums(archives: Sequence[str]) -> tuple[list[str], list[str]]:
    """The addresses of sample archives, and their MD5 sums."""
    paths = [ARCHIVES / archive for archive in archives]
    return [path.as_uri() for path in paths], [hashlib.md5(path.read_bytes()).hexdigest() for path in paths]


def test_set_cases() -> Iterator[dict[str, object]]:
    """`SAMPLE_SETS` as records of purebleu's catalogue, and the text that the oracle makes of each field.

    Writes the archives into `tests/fixtures/datasets`.
    """
    write_sample_archives()
    for name, (class_name, form, archives, pairs) in SAMPLE_SETS.items():
        addresses, sums = addresses_and_sums(archives)
        module, _, class_name = class_name.rpartition(".")
        dataset = getattr(import_module(f"sacrebleu.dataset.{module}"), class_name)(
            name, data=addresses, md5=sums, langpairs=pairs, refs=["B", "A"])
        with tempfile.TemporaryDirectory() as cache:
            dataset._outdir = cache
            dataset._rawdir = os.path.join(cache, "raw")
            texts = {pair: dict(zip(dataset.fieldnames(pair), [Path(path).read_text("utf-8").split("\n")[:-1]
                                                               for path in dataset.get_files(pair)])) for pair in pairs}
            references = {pair: [Path(path).name.partition(f"{pair}.")[2] for path in dataset.get_reference_files(pair)]
                          for pair in pairs}
        yield {"name": name, "format": form, "archives": list(zip(archives, sums)), "pairs": pairs, "fields": texts,
               "references": references}


#: Runs the oracle's command line with one more test set, which is described as JSON.
_ORACLE_WITH_SAMPLE = """
import importlib, json, sys
name, class_name, data, md5, langpairs = json.loads(sys.argv[1])
module, _, class_name = class_name.rpartition(".")
make = getattr(importlib.import_module("sacrebleu.dataset." + module), class_name)
importlib.import_module("sacrebleu.dataset").DATASETS[name] = make(name, data=data, md5=md5, langpairs=langpairs,
                                                                   refs=["B", "A"], description="")
sys.argv[1:2] = []
importlib.import_module("sacrebleu.sacrebleu").main()
"""

#: Command lines for `SAMPLE_SETS`, and what is in standard input: the references, or some of their words.
TEST_SET_LINES = """
sample/wmt -l en-de
sample/wmt -l en-de -m bleu chrf ter -f text
sample/wmt -l en-de --detail
sample/wmt -l en-de -d -m bleu chrf -f text -w 3
sample/wmt -l en-de -ol de -m chrf
sample/wmt -l en-de -ol non-de -m chrf -f text
sample/wmt -l en-de -ol fr
sample/wmt -l en-de --echo src
sample/wmt -l en-de --echo docid ref origlang
sample/wmt -l en-de --echo all
sample/wmt -l en-de --echo src -ol de
sample/wmt -l en-de --echo none
sample/wmt -l en-de --list
sample/tworefs -l en-de -m chrf -f text
sample/tworefs -l en-de --echo ref
sample/iwslt -l en-de -f text -m chrf
sample/iwslt -l en-de --echo all
sample/xml -l en-de -m chrf bleu -f text
sample/xml -l en-de --detail -m chrf
sample/xml -l en-de --detail -m chrf bleu -sh
sample/xml -l en-de --subset news -m chrf
sample/xml -l en-de --subset so -ol de -m chrf -f text
sample/xml -l en-de --echo src --subset s
sample/xml -l en-de --echo domain docid src
sample/tsv -l en-fr -m chrf
sample/tsv -l en-fr --list
sample/text -l en-de -m ter
sample/google -l en-de -m chrf --echo ref
"""


def run_with_sample(described: str, cache: str, *arguments: str,
                    stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run the oracle's command line with a sample, and with this folder for its cache."""
    return subprocess.run([sys.executable, "-c", _ORACLE_WITH_SAMPLE, described, *arguments], input=stdin.encode(),
                          env={**os.environ, "SACREBLEU": cache, "NO_COLOR": "1"}, capture_output=True, check=False)


def test_set_command_cases() -> Iterator[dict[str, object]]:
    """Command lines for the samples: what follows `-t`, standard input, standard output and exit code."""
    write_sample_archives()
    for line in TEST_SET_LINES.strip().splitlines():
        name, *arguments = shlex.split(line)
        class_name, _, archives, pairs = SAMPLE_SETS[name]
        described = json.dumps([name, class_name, *addresses_and_sums(archives), pairs])
        with tempfile.TemporaryDirectory() as cache:
            run = partial(run_with_sample, described, cache, "-t", name)
            references = run(*arguments[:2], "--echo", "ref").stdout.decode("utf-8")
            stdin = "".join([" ".join(line.split()[index % 3 == 0:]) + "\n"
                             for index, line in enumerate(references.split("\n")[:-1])])
            done = run(*arguments, stdin=stdin)
        yield {"line": line, "arguments": ["-t", name, *arguments], "stdin": stdin,
               "stdout": done.stdout.decode("utf-8"), "exit_code": done.returncode}
