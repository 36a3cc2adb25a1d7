"""`purebleu testset`: check or write a description of a test set, or print the schema."""

from __future__ import annotations

import os

from ...datasets.archives import MAX_BYTES
from ...datasets.described import DescribedSet, read_description, schema_text
from ...files.download import read_cached, sha256_of
from ...files.opening import column_of
from ...files.writing import write_named, writer_of
from ...runtime.errors import OptionError, PurebleuError, counted
from ...runtime.hints import Any, Sequence
from ..arguments.command import Answer, Command
from ..arguments.groups import INPUTS, NETWORK, InputValues, Option, OutputValues


class TestSetValues(InputValues, OutputValues):
    """The values of the options of `purebleu testset`."""

    words: list[str] = []


def run_testset(values: TestSetValues) -> Answer:
    """Check a description, write a description, or print the schema, as the first word says."""
    verb, *words = values.words or [""]
    if verb == "schema" and not words:
        return Answer(schema_text().rstrip("\n"))
    if verb == "check" and len(words) == 1:
        return _check(words[0], values.langpair)
    if verb == "new" and len(words) > 1 and values.langpair:
        return _write_new(words[0], words[1:], values.langpair)
    raise OptionError("testset takes check FILE, new FILE FIELD=PATH ... -l SRC-TRG, or schema")


def _check(path: str, langpair: str | None) -> Answer:
    """Check a description, fetch the files, and count the segments."""
    test_set = read_description(path)
    lines = [f"{test_set.name}: {test_set.description}"]
    for pair in [langpair] if langpair else test_set.all_pairs():
        [source] = test_set.read_fields(pair, ["src"])
        lines.append(f"{pair}: {counted(len(source), 'segment')}: {', '.join(test_set.fieldnames(pair))}")
    return Answer("\n".join(lines))


def _write_new(path: str, fields: Sequence[str], langpair: str) -> Answer:
    """Write a description of local files, or add a language pair to a description."""
    import json

    folder = os.path.join(os.path.dirname(os.path.abspath(path)), "")
    name = os.path.splitext(os.path.basename(path))[0]
    described: dict[str, Any] = {"name": name, "description": name, "pairs": {}}
    if os.path.exists(path):
        described = json.loads(read_description(path).text)
    members: dict[str, dict[str, str]] = {}
    for given in fields:
        field, _, file = given.partition("=")
        if not (field and file):
            raise OptionError(f"expected FIELD=PATH (such as src=table.csv:en), not {given!r:.60}")
        column = column_of(file)
        if column.path is None:
            raise OptionError(f"{given}: a description needs the name of a file, not standard input")
        absolute = os.path.abspath(column.path)
        if not absolute.startswith(folder):
            raise PurebleuError(f"{given}: {absolute} is outside of the folder of the description ({folder})")
        members[field] = {"path": absolute[len(folder):].replace(os.sep, "/"),
                          "sha256": sha256_of(read_cached(absolute, MAX_BYTES))}
        if column.kind:
            members[field].update(format=column.kind.replace("sgm", "sgml"), column=column.selector)
    described["pairs"][langpair] = {"fields": members}
    text = (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
    test_set = DescribedSet(text, path)  # (raises an error if the description is wrong)
    write_named(path, writer_of(text))
    return Answer(f"{test_set.name}: {', '.join(test_set.langpairs)}")


TESTSET = Command(
    "testset", "testset [options] {check FILE | new FILE FIELD=PATH ... -l SRC-TRG | schema}",
    "check: check the description of a test set in FILE, fetch the files, and count the segments. new: write a "
    "description of local files, or add a language pair to a description. schema: print the JSON Schema of "
    "descriptions. -t FILE keeps a copy of the texts in the cache.",
    run_testset, TestSetValues, (
        Option("words", form="positional", metavar="WORD", help="check, new or schema, then its arguments"),
    ), (INPUTS.only("langpair"), NETWORK), (), (
        ("check mine.json", "is the description right?"),
        ("new mine.json src=t.csv:en ref=t.csv:de -l en-de", "from a spreadsheet"),
    ))
