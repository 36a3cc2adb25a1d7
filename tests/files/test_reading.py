"""Reading, as properties: any text comes back from a file line by line, and any segments from the formats of sets."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import sys
import tempfile
import warnings
from html import escape
from itertools import product
from pathlib import Path
from typing import Any, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.datasets import archives, wmt_xml
from purebleu.files import lines as textio
from purebleu.files.opening import smart_open
from purebleu.files.writing import Spool
from purebleu.rows import is_file_of_rows
from purebleu.runtime.errors import LengthError, PurebleuError, PurebleuWarning
from purebleu.unicode.properties import WHITESPACE, clean

from ..helpers import needs_pipes, sent_through

#: Characters that end a line in other programs, and white space.
SEPARATORS = ["\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\xa0", "\u3000", "\t"]
texts = st.lists(st.one_of(st.sampled_from(["\n", "a", "é", "中", "😀", " ", "\ufeff", "\x00", *SEPARATORS]),
                           st.text(max_size=3)), max_size=30).map("".join)

#: A segment of a test set, on one line.
segments = texts.map(lambda text: text.replace("\n", " "))


def lines_of(text: str) -> list[str]:
    """The lines of a text, plainly: what is between line feeds, without white space at its end."""
    lines = text.split("\n")
    return [line.rstrip(WHITESPACE) for line in (lines if lines[-1] else lines[:-1])]


def read_all(stream: object, sizes: Sequence[int]) -> list[str]:
    """The lines of a stream, read in pieces of these sizes, again and again."""
    lines: list[str] = []
    for number in range(1000):
        most = sizes[number % len(sizes)]
        part = stream.read(most)  # type: ignore[attr-defined]
        assert len(part) <= most
        if not part:
            break
        lines += part
    return lines


@given(text=texts, sizes=st.lists(st.integers(1, 9), min_size=1, max_size=3),
       encoding=st.sampled_from(["utf-8", "utf-16-le"]))
def test_any_text_is_read_line_by_line(text: str, sizes: list[int], encoding: str) -> None:
    content = text.encode(encoding)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for written in (content, gzip.compress(content)):
            path = Path(folder, "text")
            path.write_bytes(written)
            stream = textio.LineStream(str(path), encoding)
            assert (read_all(stream, sizes), stream.count) == (lines_of(text), len(lines_of(text)))
            stream.close()


@given(text=texts.filter(lines_of), longer=st.integers(0, 2), block=st.integers(1, 6))
def test_blocks_are_parallel_and_whole(text: str, longer: int, block: int) -> None:
    lines = lines_of(text)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(), pytest.MonkeyPatch.context() as patched:
        warnings.simplefilter("ignore")
        patched.setattr(textio, "BLOCK_SEGMENTS", block)
        patched.setattr(textio, "_LINES_AT_FIRST", 1)
        Path(folder, "one").write_bytes(text.encode())
        Path(folder, "two").write_bytes("".join([f"{number}\n" for number in range(len(lines) + longer)]).encode())
        streams = [textio.LineStream(str(Path(folder, name))) for name in ("one", "two", "one")]
        if longer:
            with pytest.raises(LengthError, match=f"{len(lines)} in .*one, {len(lines) + longer} in "):
                list(textio.aligned_blocks(streams))
            return
        blocks = list(textio.aligned_blocks(streams))
        one, two, again = [[line for part in column for line in part] for column in zip(*blocks)]
        assert one == again == lines
        assert two == list(map(str, range(len(lines))))


# The formats of test sets

@given(several=st.lists(segments, min_size=1, max_size=5))
def test_segments_in_sgml_read_back(several: list[str]) -> None:
    several = [text.replace("seg", "") for text in several]
    lines = [f'<seg id="{number}"> {text} </seg>\n' for number, text in enumerate(several, 1)]
    fields = archives.sgml_fields(['<srcset setid="x" srclang="any">\n',
                                   '<doc docid="d" genre="news" origlang="en">\n', *lines, "</doc>\n"])
    assert (fields["text"], fields["docid"]) == (list(map(clean, several)), ["d"] * len(several))


@given(rows=st.lists(st.tuples(segments, segments), min_size=1, max_size=5))
def test_segments_in_columns_read_back(rows: list[tuple[str, str]]) -> None:
    rows = [(one.replace("\t", " "), two.replace("\t", " ")) for one, two in rows]
    lines = [f"{one}\t{two}\n" for one, two in rows]
    assert [archives.tsv_column(lines, column) for column in (0, 1)] == list(map(list, zip(*rows)))


in_xml = st.text(st.one_of(st.characters(blacklist_categories=("Cs", "Cc", "Cn")), st.sampled_from("<>&'\"] ")),
                 max_size=12)


@given(documents=st.lists(st.lists(st.tuples(in_xml, in_xml, in_xml), min_size=1, max_size=4), min_size=1, max_size=3))
def test_segments_in_xml_read_back(documents: list[list[tuple[str, str, str]]]) -> None:
    parts = ["<dataset>"]
    for number, document in enumerate(documents):
        parts.append(f'<doc id="{number}" origlang="en">')
        for place, tag in enumerate(('src lang="en"', 'ref lang="de" translator="A"', 'ref lang="de" translator="B"')):
            parts.append(f"<{tag}><p>")
            parts += [f'<seg id="{line}">{escape(texts[place])}</seg>' for line, texts in enumerate(document, 1)]
            parts.append(f"</p></{tag[:3]}>")
        parts.append("</doc>")
    fields = wmt_xml.xml_fields(io.BytesIO("\n".join([*parts, "</dataset>"]).encode()))
    kept = [texts for document in documents for texts in document if texts[1] or texts[2]]
    for place, name in enumerate(("src", "ref:A", "ref:B")):
        assert fields[name] == [clean(texts[place]) for texts in kept]


# Items that are kept to be read again

class NoRoom(io.FileIO):
    """A temporary file on a disk that has room for this many bytes."""

    ROOM = 5000

    def __init__(self, buffering: int) -> None:
        descriptor, path = tempfile.mkstemp()
        super().__init__(descriptor, "r+")
        os.unlink(path)

    def write(self, content: Any) -> int:
        room = self.ROOM - self.tell()
        if room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(content[:room])


def no_folder(buffering: int) -> None:
    raise FileNotFoundError("no usable temporary folder")


def test_a_spool_gives_what_it_took_wherever_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    makers: list[Any] = [tempfile.TemporaryFile, no_folder]
    if os.name == "posix":  # elsewhere, an open file can't be removed
        makers.append(NoRoom)
    for made, count in product(makers, (0, 1, 16, 17, 60)):
        monkeypatch.setattr(tempfile, "TemporaryFile", made)
        items = [[str(number), "é" * 100 * number, None] for number in range(count)]
        spool = Spool(iter(items))
        assert (len(spool), list(spool), list(spool)) == (count, items, items), made


# Compressed files, and other encodings, by their first bytes

COMPRESS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress}
LINES = [f"Línea {number}: äöü, 東京." for number in range(3000)]
TEXT = "".join([f"{line}\n" for line in LINES])


@pytest.mark.parametrize("form", list(COMPRESS))
def test_compressed_files_are_read_whatever_they_are_called(tmp_path: Path, form: str) -> None:
    whole = COMPRESS[form](TEXT.encode())
    for name in ("plain", "odd.txt"):
        (tmp_path / name).write_bytes(whole)
        assert textio.read_lines(str(tmp_path / name)) == LINES
    for content in (whole[:len(whole) // 2], whole[:100] + bytes(100) + whole[200:]):
        (tmp_path / "damaged").write_bytes(content)
        with pytest.raises(PurebleuError, match="damaged: "):
            textio.read_lines(str(tmp_path / "damaged"))


def test_zstandard_is_read_if_python_has_it_and_else_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain"
    if sys.version_info >= (3, 14):
        import compression.zstd as zstd  # type: ignore[import-not-found, unused-ignore]

        path.write_bytes(zstd.compress(TEXT.encode()))
        assert textio.read_lines(str(path)) == LINES
    else:
        path.write_bytes(b"\x28\xb5\x2f\xfd and more")
        with pytest.raises(PurebleuError, match=r"plain is compressed with Zstandard, which needs Python 3\.14"):
            textio.read_lines(str(path))


def test_a_block_ends_once_it_has_so_many_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    for characters, sizes in ((9, [1] * 5), (10, [1] * 5), (11, [2, 2, 1]), (20, [2, 2, 1])):
        for name, value in (("_LINES_AT_FIRST", 1), ("_LINES_AT_ONCE", 1), ("BLOCK_CHARACTERS", characters)):
            monkeypatch.setattr(textio, name, value)
        streams = [textio.HeldLines(name, ["words"] * 5) for name in ("out", "ref")]
        assert [len(block[0]) for block in textio.aligned_blocks(streams)] == sizes, characters


@pytest.mark.parametrize(("encoding", "mark"), [
    ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-32-le", b"\xff\xfe\0\0"),
    ("utf-32-be", b"\0\0\xfe\xff")])
def test_byte_order_marks_tell_the_encoding(tmp_path: Path, encoding: str, mark: bytes) -> None:
    content = mark + TEXT.encode(encoding)
    for written in (content, gzip.compress(content)):
        (tmp_path / "text").write_bytes(written)
        with pytest.warns(PurebleuWarning, match=f"byte-order mark of {encoding[:6].upper()}"):
            assert textio.read_lines(str(tmp_path / "text")) == LINES


def test_errors_name_the_encoding_that_a_byte_order_mark_chose(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\xff\xfea\0\n")  # a byte is missing at the end
    with pytest.raises(PurebleuError, match="text: line 1: not valid utf-16 "), \
            pytest.warns(PurebleuWarning, match="byte-order mark of UTF-16"):
        textio.read_lines(str(tmp_path / "text"))


def _complaints_of(path: Path, encoding: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        smart_open(path, encoding=encoding).close()
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "gb18030", "utf-16-le"])
def test_utf_8_that_is_read_as_something_else_is_reported(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "text"
    for content in (TEXT.encode(), b"a" * 8191 + "é".encode(), gzip.compress(TEXT.encode()),
                    b"a\n" * 9000 + "é".encode()):
        path.write_bytes(content)
        [complaint] = _complaints_of(path, encoding)
        assert complaint.startswith(f"{path} is valid UTF-8, but is read as {encoding}: ")
        assert "-e" in complaint and "--reference-encoding" in complaint
    for content in (b"", b"ASCII alone\n", "Süß\n".encode("latin-1"), "é".encode()[:1] + b"\n"):
        path.write_bytes(content)
        assert _complaints_of(path, encoding) == []
    path.write_bytes(TEXT.encode())
    for encoding_of_utf_8 in ("utf-8", "UTF_8", "U8", "utf-8-sig"):
        assert _complaints_of(path, encoding_of_utf_8) == []


def test_a_search_for_stored_rows_warns_of_no_encoding(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(TEXT.encode())
    assert not is_file_of_rows(str(tmp_path / "text"))  # (a warning would fail the test)


def test_repetition_as_in_real_files_is_read(tmp_path: Path) -> None:
    prompt = " ".join([hashlib.sha256(b"%d" % number).hexdigest() for number in range(150)])  # 9 kB
    lines = [f"{prompt} {number}" for number in range(1500)]
    for texts in (lines, [""] * 300_000):
        packed = gzip.compress("".join([f"{line}\n" for line in texts]).encode())
        assert len(packed) * 100 < len(texts) + sum(map(len, texts))
        (tmp_path / "log").write_bytes(packed)
        assert textio.read_lines(str(tmp_path / "log")) == texts


@needs_pipes
def test_a_compressed_pipe_is_read_but_expands_no_further_than_a_file(tmp_path: Path) -> None:
    with sent_through(tmp_path / "pipe", lzma.compress(TEXT.encode())):
        assert textio.read_lines(str(tmp_path / "pipe")) == LINES
    too_much = pytest.raises(PurebleuError, match="bomb expands to more than 300 times its size")
    with sent_through(tmp_path / "bomb", gzip.compress(bytes(9 << 20))), too_much:
        textio.read_lines(str(tmp_path / "bomb"))


def test_text_that_begins_as_compressed_files_do_is_text(tmp_path: Path) -> None:
    for start in ("B", "BZ", "(", "\x1f", "BZh"[:2]):
        (tmp_path / "text").write_text(f"{start}\nmore\n", encoding="utf-8")
        assert textio.read_lines(str(tmp_path / "text")) == [start.rstrip(WHITESPACE), "more"]
