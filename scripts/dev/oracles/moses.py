"""Compare the tokens of `MosesWords` (this checkout) with those of Moses' own script, which Perl runs.

    python3 scripts/dev/oracles moses --moses MOSESDECODER/scripts --data DIR [--lines N] [--languages de en]
    python3 scripts/dev/oracles moses --moses MOSESDECODER/scripts --data DIR --write

For every language that Moses has abbreviations for, and some more: the lines of the files below DIR whose names end in
it (other languages' where there are none), and N generated ones, with Moses' abbreviations; German and English files
once more with purebleu's own. `--write` makes the fixtures `tokens.moses` and `moses.shared_data` instead.

Prints a line for each language, without and with `-a`: how many lines there are, how many differ, and the first few of
those. Exit codes: 0 none, 1 some.

The script needs a Perl of Unicode 14 (5.36): others know other letters, which some generated lines have.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

from dev.oracles.cases.generated_lines import (
    random_lines,
    random_moses_lines,
    short_lines,
    special_lines,
)
from dev.oracles.files import TARGET, write_fixture
from purebleu.files.prefixes import read_prefixes
from purebleu.tokenizers.abbreviations import ABBREVIATIONS
from purebleu.tokenizers.moses import MosesWords, own_prefixes

CHECKOUT = Path(__file__).resolve().parents[3]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

#: Languages with rules or texts, but without a file of Moses' own: it takes English's.
WITHOUT_PREFIXES = ("ja", "ko", "so")

#: Real lines of other languages for one that has no files.
LINES_OF_OTHERS = 2000

#: Languages of the fixture: those that differ in their rules, and those with tables of our own.
FIXTURE_LANGUAGES = ("en", "de", "fr", "fi", "ca", "so", "tdt")

#: Prefixes for those of them that have no table of our own.
FIXTURE_PREFIXES = ("Mr", "Dr", "St", "A", "M", "\u0438", "x\u0301", "EU", "l'e", "1", "42", "bzw")
FIXTURE_PREFIXES_BEFORE_NUMBERS = ("No", "Art", "pp", "II", "Nr", "\u4e2d")

#: The number of differing lines that are shown.
SHOWN = 3


class Moses:
    """The script of a folder `scripts`, with prefixes that may be others than its own."""

    def __init__(self, script: Path, perl: str = "perl") -> None:
        self.script = script
        self.perl = perl

    def tokens(self, lines: Sequence[str], language: str, aggressive: bool) -> list[list[str]]:
        """The tokens of each of the lines, which must have no line feeds."""
        command = [self.perl, str(self.script), "-q", "-no-escape", "-l", language, *["-a"] * aggressive]
        done = subprocess.run(command, input="".join([line + "\n" for line in lines]).encode(), check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        *output, end = done.stdout.decode().split("\n")
        if end or len(output) != len(lines):
            raise SystemExit(f"{self.script} gave {len(output)} lines for {len(lines)}")
        return [line.split() for line in output]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moses", type=Path, required=True, metavar="DIR", help="the folder `scripts` of mosesdecoder")
    parser.add_argument("--data", type=Path, default=CHECKOUT.parent / "shared" / "data", metavar="DIR")
    parser.add_argument("--lines", type=int, default=5000, metavar="N")
    parser.add_argument("--languages", nargs="+", default=[], metavar="CODE")
    parser.add_argument("--perl", default="perl")
    parser.add_argument("--write", action="store_true", help="write the fixtures")
    options = parser.parse_args()
    moses = Moses(options.moses / "tokenizer" / "tokenizer.perl", options.perl)
    if options.write:
        return write(moses, options.data)
    files = {path.suffix[1:]: path for path in (options.moses / "share" / "nonbreaking_prefixes").glob("*prefix.*")}
    generated = generated_lines(options.lines)
    different = 0
    for language in options.languages or sorted({*files, *WITHOUT_PREFIXES}):
        prefixes = read_prefixes(str(files.get(language, files["en"])))
        real = [line for path in data_files(options.data, language) for line in lines_of(path)]
        others = [] if real else lines_of_others(options.data)
        parts: list[tuple[str, list[str], dict[str, bool] | None]] = [
            ("generated", generated, prefixes), ("real", real or others, prefixes)]
        if language in ABBREVIATIONS:
            parts.append(("real, own abbreviations", real, None))
        for aggressive in (False, True):
            for name, lines, chosen in parts:
                title = f"{language}{' -a' if aggressive else ''}, {name}"
                different += compare(title, lines, moses.tokens(lines, language, aggressive),
                                     MosesWords(language, aggressive, chosen).tokenize_lines(lines))
    return 1 if different else 0


def compare(name: str, lines: Sequence[str], theirs: Sequence[list[str]], ours: Sequence[list[str]]) -> int:
    """Print how many lines differ, and return it."""
    different = [(line, expected, found) for line, expected, found in zip(lines, theirs, ours) if expected != found]
    print(f"{name}: {len(lines)} lines, {len(different)} differ", flush=True)
    for line, expected, found in different[:SHOWN]:
        print(f"  {line!r}\n    expected {expected}\n    found    {found}")
    return len(different)


def data_files(data: Path, language: str) -> list[Path]:
    return sorted(path for path in data.rglob(f"*.{language}") if path.is_file())


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def lines_of_others(data: Path) -> list[str]:
    lines = [line for path in sorted(data.rglob("*")) if path.is_file() for line in lines_of(path)]
    return random.Random(1).sample(lines, LINES_OF_OTHERS)


def generated_lines(count: int) -> list[str]:
    """Lines of every kind, as a file can hold them; `count` of them are random."""
    lines = [*special_lines(), *short_lines("a1'.", 5), *short_lines("a1,", 6), *short_lines("a:'-.B ", 4)]
    lines += random_lines(3, count // 2) + random_moses_lines(4, count - count // 2)
    lines += ["<seg>It's.</seg>", "<doc>", "</doc>", '<p id="1">']
    lines += [f"a{chr(code)}.{chr(code)}" for code in characters()]
    return [as_input(line) for line in lines]


def characters() -> Iterator[int]:
    """Every eleventh code point of those planes that have characters, but the surrogates."""
    return (code for code in range(0, 0x32000, 11) if not 0xD800 <= code < 0xE000)


def as_input(line: str) -> str:
    """The line as Perl can read it: without line feeds, with question marks for lone surrogates."""
    return "".join(["?" if "\ud800" <= character <= "\udfff" else character for character in line.replace("\n", " ")])


# Fixtures

def write(moses: Moses, data: Path) -> int:
    """Write the fixtures, which have no text of Moses' own: it is run with prefixes of ours there."""
    for name, cases in (("tokens.moses.json.gz", list(token_cases(moses))),
                        ("moses.shared_data.json", list(shared_data_cases(moses, data)))):
        count = write_fixture(TARGET / name, cases, "Moses tokenizer.perl 1.1")
        print(f"{name}: {count} cases, {(TARGET / name).stat().st_size:,} bytes")
    return 0


def token_cases(moses: Moses) -> Iterator[object]:
    """`{prefixes}`, for the languages without own abbreviations; then `[line, {language and " -a": tokens}]`.

    The tokens are joined by blanks, which is nothing that tokens can hold.
    """
    prefixes = {**dict.fromkeys(FIXTURE_PREFIXES, False), **dict.fromkeys(FIXTURE_PREFIXES_BEFORE_NUMBERS, True)}
    yield {"prefixes": prefixes}
    lines = list(dict.fromkeys(map(as_input, fixture_lines())))
    with tempfile.TemporaryDirectory() as folder:
        copied = copy_with_prefixes(moses, Path(folder), {
            language: own_prefixes(language) or prefixes for language in FIXTURE_LANGUAGES})
        ways = {language + " -a" * aggressive: copied.tokens(lines, language, aggressive)
                for language in FIXTURE_LANGUAGES for aggressive in (False, True)}
    for index, line in enumerate(lines):
        yield [line, {way: " ".join(tokens[index]) for way, tokens in ways.items()}]


def fixture_lines() -> Iterator[str]:
    yield from random_moses_lines(5, 1200)
    yield from random_lines(6, 400)
    yield from short_lines("a1',", 3)
    yield from short_lines("a.'", 4)
    for prefix in ("Mr", "No", "x.y", "Nr", "bzw", "usw", "z.B", "vgl", "S", "Oct", "Okt", "3", "XIV"):
        for following in ("Foo", "foo", "5", "\u0665", "'", "\u24d0", "...", ""):
            yield f"{prefix}. {following}"


def copy_with_prefixes(moses: Moses, folder: Path, prefixes: Mapping[str, Mapping[str, bool]]) -> Moses:
    """The script in a folder of its own, where these are the prefixes of each language."""
    script = folder / "tokenizer" / "tokenizer.perl"
    lists = folder / "share" / "nonbreaking_prefixes"
    script.parent.mkdir()
    lists.mkdir(parents=True)
    shutil.copy(moses.script, script)
    for language, values in prefixes.items():
        text = "".join([f"{prefix} #NUMERIC_ONLY#\n" if values[prefix] else f"{prefix}\n" for prefix in values])
        (lists / f"nonbreaking_prefix.{language}").write_text(text, encoding="utf-8")
    return Moses(script, moses.perl)


def shared_data_cases(moses: Moses, data: Path) -> Iterator[object]:
    """For each German and English file: SHA-256 of its lines of tokens with Moses' abbreviations, blanks between."""
    for language in ABBREVIATIONS:
        for path in data_files(data, language):
            lines = lines_of(path)
            for aggressive in (False, True):
                tokens = moses.tokens(lines, language, aggressive)
                text = "".join([" ".join(line) + "\n" for line in tokens])
                yield {"file": path.relative_to(data).as_posix(), "language": language, "aggressive": aggressive,
                       "lines": len(lines), "digest": hashlib.sha256(text.encode()).hexdigest()}


if __name__ == "__main__":
    raise SystemExit(main())
