"""Write tests/fixtures/tokens.moses.json.gz and moses.shared_data.json: tokens of Moses' own script.

    python3 scripts/dev/oracles moses --moses MOSESDECODER/scripts --data DIR

The first file has lines of all kinds, in languages with different rules. The script is run with our own lists of
abbreviations, so no text of Moses gets into the file. The second file has checksums of tokens of the German and English
files in DIR, with Moses' abbreviations. The script needs Perl 5.36 (Unicode 14), because some lines have letters that
other versions of Unicode lack.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Iterator, Mapping, Sequence

from dev.oracles.files import golden_cases, write_cases
from purebleu.audit.moses import ABBREVIATIONS, own_prefixes

VERSION = "Moses tokenizer.perl 1.1"


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--moses", type=Path, required=True, metavar="DIR", help="the folder `scripts` of mosesdecoder")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder of real data")
    options = parser.parse_args()
    script = options.moses / "tokenizer" / "tokenizer.perl"
    return (write_cases("tokens.moses.json.gz", list(token_cases(script)), VERSION)
            | write_cases("moses.shared_data.json", list(shared_data_cases(script, options.data)), VERSION))


def tokens(script: Path, lines: Sequence[str], language: str, aggressive: bool) -> list[str]:
    """Return the tokens of each line, joined by spaces. (Tokens have no spaces, and lines have no line feeds.)"""
    command = ["perl", str(script), "-q", "-no-escape", "-l", language, *["-a"] * aggressive]
    done = subprocess.run(command, input="".join([line + "\n" for line in lines]).encode(), check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    *output, end = done.stdout.decode().split("\n")
    if end or len(output) != len(lines):
        raise SystemExit(f"{script} gave {len(output)} lines for {len(lines)}")
    return [" ".join(line.split()) for line in output]


def token_cases(script: Path) -> Iterator[object]:
    """Yield abbreviations for languages without own ones, a head (languages and `-a`), and lines with their tokens."""
    first, head, *golden = golden_cases("tokens.moses.json.gz")
    yield first
    yield head
    lines = [line for line, *_ in golden]
    ways = {way: way.partition(" ") for way in head[1:]}
    with tempfile.TemporaryDirectory() as folder:
        copied = copy_with_prefixes(script, Path(folder), {
            language: own_prefixes(language) or first["prefixes"] for language, _, _ in ways.values()})
        found = {way: tokens(copied, lines, language, aggressive == "-a")
                 for way, (language, _, aggressive) in ways.items()}
    for index, line in enumerate(lines):
        yield [line, *[found[way][index] for way in ways]]


def copy_with_prefixes(script: Path, folder: Path, prefixes: Mapping[str, Mapping[str, bool]]) -> Path:
    """Copy the script into a folder with these prefixes of each language; return its path."""
    copied = folder / "tokenizer" / "tokenizer.perl"
    lists = folder / "share" / "nonbreaking_prefixes"
    copied.parent.mkdir()
    lists.mkdir(parents=True)
    shutil.copy(script, copied)
    for language, values in prefixes.items():
        text = "".join([f"{prefix} #NUMERIC_ONLY#\n" if values[prefix] else f"{prefix}\n" for prefix in values])
        (lists / f"nonbreaking_prefix.{language}").write_text(text, encoding="utf-8")
    return copied


def shared_data_cases(script: Path, data: Path) -> Iterator[object]:
    """Yield the SHA-256 sum of the tokens of each German and English file, with Moses' abbreviations."""
    for language in ABBREVIATIONS:
        for path in sorted(path for path in data.rglob(f"*.{language}") if path.is_file()):
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            for aggressive in (False, True):
                text = "".join([line + "\n" for line in tokens(script, lines, language, aggressive)])
                yield {"file": path.relative_to(data).as_posix(), "language": language, "aggressive": aggressive,
                       "lines": len(lines), "digest": hashlib.sha256(text.encode()).hexdigest()}
