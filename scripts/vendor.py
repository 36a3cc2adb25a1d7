#!/usr/bin/env python3
"""Copy purebleu into another repository: the whole package, a part of it, or one file.

    python3 scripts/vendor.py FOLDER --name bleu                       # FOLDER/bleu, a package
    python3 scripts/vendor.py FOLDER --without datasets serve          # all parts except these two
    python3 scripts/vendor.py FOLDER --only bleu chrf --tokenizers 13a zh intl    # these, and warnings
    python3 scripts/vendor.py FOLDER --only bleu --with cli significance          # BLEU, and these parts
    python3 scripts/vendor.py FOLDER --only bleu --without warnings               # BLEU, without purebleu's warnings
    python3 scripts/vendor.py --single-file FOLDER/bleu.py --only bleu --tokenizers 13a --plain
    python3 scripts/vendor.py FOLDER --name sacrebleu --only bleu chrf --api 1    # with the names of sacreBLEU 1.x
    python3 scripts/vendor.py --check FOLDER/bleu                      # is it unchanged, and current?
    python3 scripts/vendor.py --update FOLDER/bleu                     # replace it by a new copy

A copy lists its version, revision and options, and the SHA-256 sum of each file: in `VENDORED.txt`, or in the first
lines of a single file. If a program needs a part that was left out, an error of one line names this part. A copy is
replaced only if nobody has changed it.

With `--plain`, a copy lacks the faster code for many segments. It computes the same numbers.

Exit codes: 0 done, or unchanged and current; 1 changed, not current, or in the way; 2 wrong usage.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import gc
import hashlib
import keyword
import os
import re
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from textwrap import fill
from typing import Iterable, Iterator, Mapping, NamedTuple, Sequence

if __name__ == "__main__":
    sys.dont_write_bytecode = True  # (`--check` writes nothing, so the modules below write no bytecode.)

from vendoring.archives import folder_members, literal, read_version
from vendoring.copy_parts import (
    ALWAYS,
    EXTRAS,
    FEATURES,
    METRICS,
    NEEDS_OF_FEATURES,
    OPTIONS,
    PLAIN,
    Choice,
    Parts,
    chosen_parts,
    classes,
    public_names,
    simplified,
)
from vendoring.module_graph import ModuleGraph, parsed
from vendoring.single_file import NEVER, SingleFileError, docstring_of, single_file, table
from vendoring.slimming import slimmed

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "purebleu"

#: If a folder has one of these files, it is the root folder of a project.
PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", ".git")

#: The file with the manifest of a copy. (In a single file, the manifest is a comment at the top.)
MANIFEST = "VENDORED.txt"

LICENCE = "LICENSE"

#: This file keeps git from changing line ends in a copy, as it does on Windows.
ATTRIBUTES = ".gitattributes"
KEEP_LINES = b"# The files of this copy are held to their checksums.\n* -text\n"

#: Names that are keywords only in some places. (`keyword.softkwlist` exists only since Python 3.9.)
SOFT_KEYWORDS = ("_", "case", "match", "type")

#: The kinds of changes of a file.
LINE_ENDS, CONTENT = "ends of lines", "content"

#: The attribute of a `Choice` for each option.
FIELDS = {"--only": "metrics", "--tokenizers": "tokenizers", "--without": "without", "--with": "extras", "--api": "api"}

#: The old versions of sacreBLEU whose names a copy may have.
APIS = ("1",)

#: Patterns of the values in a manifest. (They are checked, because anybody can write a manifest.)
FORMS = {
    "version": r"[0-9][0-9A-Za-z.+]*",
    "revision": r"(unknown|[0-9a-f]{7,64})( with local changes)?",
    "tree": r"[0-9a-f]{64}",
    "checksum": r"[0-9a-f]{64}",
    "name": r"\.gitattributes|[0-9A-Za-z_][0-9A-Za-z_.-]*(/[0-9A-Za-z_][0-9A-Za-z_.-]*)*",
}

#: The folder in which Python keeps bytecode. Its files are not checked.
CACHE = "__pycache__"

#: File extensions of modules that Python prefers to a `.py` file of the same name.
BINARY_MODULES = (".so", ".pyd", ".dll", ".fwork", ".pyc")

#: A file with more bytes than `MAX_SIZE` can't be from a copy. If a file has grown to more than `MAX_GROWTH` times its
#: size, its changes are not listed.
MAX_SIZE = 2**24
MAX_GROWTH = 2

#: The line of the package with the tokenizers that error messages offer.
OFFERED = "OFFERED = (*TOKENIZERS,)\n"

#: The lines of the package with the public names that a copy lacks.
LEFT_OUT = (b"Public names that this copy lacks: none. (`scripts/vendor.py` lists them in copies.)\n"
            b"_LEFT_OUT: frozenset[str] = frozenset()\n")

INTRODUCTION = """\
This is a copy of purebleu (https://github.com/purebleu/purebleu), made by its scripts/vendor.py. To see whether it was
changed and whether it is current, run `python3 scripts/vendor.py --check COPY` in a clone of purebleu, COPY being the
path of this copy. `--update COPY` replaces it by a new copy. (tree: the SHA-256 sum of the sources of the copy.)
"""

#: The text after the docstring of a module.
FUTURE = "\n\nfrom __future__ import annotations\n"

#: The text after the checksum of a single file.
OF_FILE = "(the SHA-256 sum of the lines below)"

#: The end of `__init__.py` in a copy that lacks modules.
IMPORT_HOOK = '''

# Parts that this copy lacks

import sys  # noqa: E402

#: The missing parts, each with its modules.
_MODULES_LEFT_OUT = {{
{modules}}}


class _LeftOut:
    """Raises an error if a module that this copy lacks is imported. It comes last on `sys.meta_path`."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        for part, modules in _MODULES_LEFT_OUT.items():
            if f"{{name}}.".startswith(tuple([f"{{__name__}}.{{module}}." for module in modules.split()])):
                from .runtime.errors import LeftOutError

                raise LeftOutError(f"this copy of purebleu was made without {{part}}")


sys.meta_path.append(_LeftOut)  # type: ignore[arg-type]
'''


#: The end of `__init__.py` in a copy with the names of sacreBLEU 1.x.
OLD_FACE = '''

# The names of sacreBLEU 1.x (--api 1)

from .compat.v1 import *  # noqa: E402, F403
from .compat.v1 import __all__ as _OLD_NAMES  # noqa: E402

__all__ += [name for name in _OLD_NAMES if name not in __all__]
'''


class VendorError(Exception):
    """An error that says in one line why a copy can't be made or read."""


class Origin(NamedTuple):
    """The source of a copy: a checkout, its commit and its version.

    Attributes:
        version: the version of the package.
        revision: the revision of the clone; `unknown` if the checkout is not a clone.
        tree: the SHA-256 sum over the names and contents of all files of the package.
    """

    version: str
    revision: str
    tree: str


class Copy(NamedTuple):
    """A copy: one that is described in a manifest, or one that this script makes.

    Attributes:
        origin: the source of the copy.
        choice: the parts that the user chose.
        sums: the SHA-256 sum of each file, by its path inside the copy. A single file has the path "".
    """

    origin: Origin
    choice: Choice
    sums: Mapping[str, str]


class OnDisk(NamedTuple):
    """A copy as it is on disk.

    Attributes:
        copy: what its manifest says.
        manifest: the text of its manifest.
        files: the contents of its files by their paths in the copy; `None` for an entry that is not a file, such as a
            link, and for a module that Python prefers to a single file.
        has_bytecode: whether there is a folder `__pycache__` in the copy, or beside a single file.
    """

    copy: Copy
    manifest: str
    files: Mapping[str, bytes | None]
    has_bytecode: bool


# Content of a copy


@lru_cache(maxsize=None)
def package_here() -> Mapping[str, bytes]:
    """Return the files of the package in this checkout, by their paths in the package. They are read only once."""
    return {path[len(PACKAGE) + 1:]: content for path, content in folder_members(ROOT, PACKAGE)}


def origin() -> Origin:
    """Return the source of copies that are made now: this checkout."""
    digest = hashlib.sha256()
    for path, content in package_here().items():
        digest.update(f"{PACKAGE}/{path} {sha256(content)}\n".encode())
    version = read_version(with_line_feeds(package_here()["version.py"]).decode())
    return Origin(version, _revision(), digest.hexdigest())


def _revision() -> str:
    """Return the revision of this clone, and say if the package has changes that are not committed."""
    found = _git("rev-parse", "--show-prefix", "HEAD")
    if found is None or not found.startswith(b"\n"):
        return "unknown"  # no git, no clone, or a folder in another project's clone
    changed = _git("status", "--porcelain", "--", PACKAGE)
    return found.decode().strip() + (" with local changes" if changed else "")


def _git(*arguments: str) -> bytes | None:
    """Run a git command that writes nothing in this clone. Return its output; `None` if git is missing or fails."""
    # (A git hook sets variables `GIT_...` for its own repository, so they are removed.)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(["git", "--no-optional-locks", "-C", str(ROOT), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def package_files(choice: Choice) -> dict[str, bytes]:
    """Return the files of a copy that is a package, without the manifest, by their paths in the copy."""
    graph = simplified(ModuleGraph.of_files(package_here()), choice)
    parts = chosen_parts(graph, choice)
    sources: Mapping[str, bytes] = package_here()
    if choice.metrics:
        graph, parts = slimmed(graph, parts, documented_names())
        sources = {**sources, **{graph.path_of(name): graph.sources[name].encode() for name in parts.kept}}
    modules = {graph.path_of(name) for name in parts.kept}
    kept = {path: content for path, content in sources.items()
            if path in modules or (not path.endswith(".py") and _belongs_to(path, parts))}
    left_out = _names_left_out(graph, parts)
    if choice.metrics:
        there = sorted({*public_names(graph)} - {*left_out})
        code = graph.sources[""][graph.sources[""].index(FUTURE):]
        kept["__init__.py"] = (docstring_of(graph, there) + code).encode()
    kept["__init__.py"] = _without_names(kept["__init__.py"], left_out)
    kept["tokenizers/__init__.py"] = _with_tokenizers(graph.sources["tokenizers"], parts).encode()
    kept["__init__.py"] += _import_hook(parts).encode()
    if choice.api:
        kept["__init__.py"] += OLD_FACE.encode()
    kept[LICENCE] = (ROOT / LICENCE).read_bytes()
    kept[ATTRIBUTES] = KEEP_LINES
    return dict(sorted(kept.items()))


@lru_cache(maxsize=None)
def documented_names() -> str:
    """Return the names of attributes and functions in the manual, with spaces between them."""
    manual = "".join([content.decode() for path, content in package_here().items() if path.endswith(".md")])
    return " ".join(re.findall(r"\.\w+|\w+\(", manual))


def _with_tokenizers(source: str, parts: Parts) -> str:
    """Return the registry of tokenizers for a copy. Its error messages offer only the tokenizers of the copy."""
    there = [name for name, (module, *_) in literal(source, "TOKENIZERS").items()
             if f"tokenizers.{module}" not in parts.missing]
    return source.replace(OFFERED, f"OFFERED = {tuple(there)}\n".replace("'", '"'))


def _names_left_out(graph: ModuleGraph, parts: Parts) -> list[str]:
    """Return the public names that a copy lacks. This includes functions that only raise an error about this."""
    public = public_names(graph)
    modules = {**public, **classes(graph)}
    refusing = [] if not parts.choice.metrics else [
        function.name for function in parsed(graph.sources["compat"]).body
        if isinstance(function, ast.FunctionDef) and isinstance(function.body[-1], ast.ImportFrom)]
    return sorted({*refusing, *[name for name, module in modules.items()
                                if name in public and module in parts.missing]})


def _without_names(source: bytes, names: Sequence[str]) -> bytes:
    """Return the source of `__init__.py` for a copy that lacks names, so `import *` does not import these."""
    if not names:
        return source
    if source.count(LEFT_OUT) != 1:
        raise VendorError(f"{PACKAGE}/__init__.py does not say once what is left out")
    listed = "".join([f'    "{name}",\n' for name in names])
    return source.replace(LEFT_OUT, f"Public names that this copy was made without.\n_LEFT_OUT: frozenset[str] = "
                                    f"frozenset([\n{listed}])\n".encode())


def _belongs_to(path: str, parts: Parts) -> bool:
    """Whether the copy has the package that contains a data file."""
    folder = path.rpartition("/")[0].replace("/", ".")
    return not {folder, folder.partition(".")[0]} & parts.missing.keys()


def _import_hook(parts: Parts) -> str:
    """Return the code that answers imports of missing modules; '' if the copy lacks none."""
    highest: dict[str, list[str]] = {}
    for name, part in sorted(parts.missing.items()):
        if name.rpartition(".")[0] not in parts.missing:
            highest.setdefault(part, []).append(name)
    return IMPORT_HOOK.format(modules=table(highest)) if highest else ""


# The manifest


def manifest(copy: Copy) -> str:
    """Return the manifest of a copy: an introduction, facts and checksums, separated by empty lines."""
    facts = {"version": copy.origin.version, "revision": copy.origin.revision, "tree": copy.origin.tree,
             "licence": "Apache-2.0 (https://www.apache.org/licenses/LICENSE-2.0)", "options": str(copy.choice)}
    lines = [f"{key}: {value}".rstrip() for key, value in facts.items()]
    sums = [f"{file_sum} {path or OF_FILE}" for path, file_sum in copy.sums.items()]
    return "\n".join([INTRODUCTION, *lines, "", *sums, ""])


def read_manifest(text: str, path: Path, as_file: bool) -> Copy:
    """Return the copy that a manifest describes. Raise `VendorError` if this script has not written the manifest."""
    try:
        _, facts_of, sums_of = text.rstrip().split("\n\n")
        facts = {key: value.strip() for key, _, value in [line.partition(":") for line in facts_of.splitlines()]}
        sums = {"" if name == OF_FILE else name: file_sum
                for file_sum, _, name in [line.partition(" ") for line in sums_of.splitlines()]}
        copy = Copy(Origin(facts["version"], facts["revision"], facts["tree"]), Choice.of_options(facts["options"]),
                    sums)
    except (KeyError, ValueError):
        raise VendorError(f"{path} lacks the lines that vendor.py writes into copies") from None
    values = [*copy.origin._asdict().items(), *[("checksum", file_sum) for file_sum in sums.values()]]
    if not as_file:
        values += [("name", name) for name in sums]
    elif [*sums] != [""]:
        raise VendorError(f"{path} is a single file, but lists the checksums of {len(sums)} files")
    for what, value in values:
        if not re.fullmatch(FORMS[what], value):
            raise VendorError(f"{path}: vendor.py has not written the {what} {value!r:.80}")
    for option, known in zip(OPTIONS, (METRICS, _tokenizers(), FEATURES, [*FEATURES, *EXTRAS], APIS)):
        for name in getattr(copy.choice, FIELDS[option]):
            if name not in known:
                raise VendorError(f"{path}: this clone has no part {name!r:.80} ({option})")
    return copy


# Copies on disk


def made(choice: Choice, as_file: bool, revision: str = "") -> tuple[Copy, dict[str, bytes]]:
    """Return a copy from this checkout, and the contents of its files. They name `revision` (by default, this one)."""
    here = origin()
    gc.disable()  # Python would spend half of the time on looking for garbage in syntax trees.
    try:
        files = {"": file_of(choice)} if as_file else package_files(choice)
    finally:
        gc.enable()
    versioned = "" if as_file else "version.py"
    files[versioned] = with_revision(files[versioned], revision or here.revision)
    return Copy(here, choice, {path: sha256(content) for path, content in files.items()}), files


def file_of(choice: Choice) -> bytes:
    """Return a copy as a single file."""
    graph = simplified(ModuleGraph.of_files(package_here()), choice)
    parts = chosen_parts(graph, choice._replace(without=sorted({*choice.without, *NEVER, *EXTRAS})))
    if choice.metrics:
        graph, parts = slimmed(graph, parts, documented_names())
    graph = ModuleGraph({**graph.sources, "tokenizers": _with_tokenizers(graph.sources["tokenizers"], parts)})
    return single_file(graph, parts, documented_names()).encode()


def with_revision(source: bytes, revision: str) -> bytes:
    """Return `source` with the version of a revision (`2.6.0+g0bb5bf9`) in place of a `+dev` version (`2.6.0+dev`)."""
    commit, _, changes = revision.partition(" ")
    if commit == "unknown":
        return source
    local = f"g{commit[:7]}{'.changed' if changes else ''}"
    return re.sub(rb'^(FULL_VERSION = "[0-9a-z.]+\+)dev(?=")', rb"\g<1>" + local.encode(), source, flags=re.MULTILINE)


def write(path: Path, copy: Copy, files: Mapping[str, bytes], as_file: bool) -> None:
    """Write a copy. It replaces an earlier copy at this path. If an error occurs, the earlier copy is unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".vendor-", dir=path.parent) as folder:
        fresh = Path(folder, path.name)
        if as_file:
            fresh.write_bytes(_as_comment(manifest(copy)).encode() + files[""])
            os.replace(fresh, path)
            return
        for name, content in {**files, MANIFEST: manifest(copy).encode()}.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(content)
        before = Path(folder, "before")
        if path.exists():
            _move_away(path, before)
        try:
            os.replace(fresh, path)
        except OSError:
            if before.exists():
                os.replace(before, path)
            raise


def _move_away(path: Path, target: Path) -> None:
    """Rename a folder, even if it is the working folder of this process."""
    if Path.cwd().resolve() in (path, *path.glob("**/")):
        os.chdir(path.parent)
    try:
        os.replace(path, target)
    except PermissionError as error:
        raise VendorError(f"{path} can't be replaced ({error.strerror}): is it the working folder of a shell, or "
                          "open in a program?") from error


def _as_comment(text: str) -> str:
    return "".join([f"# {line}".rstrip() + "\n" for line in text.splitlines()])


def read(path: Path) -> OnDisk:
    """Read a copy and its manifest from disk. Raise `VendorError` if the path is not a copy."""
    if path.is_dir():
        if (path / MANIFEST).is_symlink() or not (path / MANIFEST).is_file():
            raise VendorError(f"{path} has no {MANIFEST}, so it is no copy made by vendor.py")
        files, has_bytecode = _files_of_folder(path)
        manifest_text = with_line_feeds(files.pop(MANIFEST) or b"").decode("utf-8", "replace")
        return OnDisk(read_manifest(manifest_text, path / MANIFEST, False), manifest_text, files, has_bytecode)
    lines = _content(path).decode("utf-8", "surrogateescape").splitlines(keepends=True)
    end = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    head = [line.rstrip("\r\n") for line in lines[:end]]
    copy = read_manifest("\n".join([line[2:] for line in head]), path, True)
    module = "".join(lines[end:]).encode("utf-8", "surrogateescape")
    return OnDisk(copy, "".join([f"{line}\n" for line in head]), {"": module, **_modules_beside(path)},
                  (path.parent / CACHE).is_dir())


def _files_of_folder(path: Path) -> tuple[dict[str, bytes | None], bool]:
    """Return the files of a folder, as `OnDisk` has them, and whether the folder has bytecode.

    Files whose names begin with a dot or end with `~` are left out, because no module has such a name.
    """
    files: dict[str, bytes | None] = {}
    has_bytecode = False
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for entry in os.scandir(path / folder):
            name = folder + entry.name
            if name != ATTRIBUTES and (entry.name.startswith(".") or entry.name.endswith("~")):
                continue
            if not entry.is_dir(follow_symlinks=False):
                files[name] = _content(path / name) if entry.is_file(follow_symlinks=False) else None
            elif entry.name == CACHE:
                has_bytecode = True
            else:
                waiting.append(f"{name}/")
    return files, has_bytecode


def _modules_beside(path: Path) -> dict[str, None]:
    """Return the packages and binary modules beside a single file that Python prefers to this file."""
    found: dict[str, None] = {}
    for other in path.parent.iterdir():
        is_package = other.name == path.stem and other.is_dir() and any(other.glob("__init__.*"))
        if is_package or (other.name.startswith(f"{path.stem}.") and other.name.endswith(BINARY_MODULES)):
            found[other.name] = None
    return found


def _content(path: Path) -> bytes:
    """Return the content of a file. Raise `VendorError` if it can't be a file of a copy."""
    if path.exists() and not path.is_file():
        raise VendorError(f"{path} is not a file")
    with open(path, "rb") as file:
        content = file.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise VendorError(f"{path} is larger than any file of a copy")
    return content


def _place(path: Path) -> Path:
    """Return the path of a copy with links to folders resolved. Raise `VendorError` for a link to a single file."""
    if path.is_symlink() and path.is_file():
        raise VendorError(f"{path} is a link: give the path of the file that the link leads to")
    return path.resolve()


def with_line_feeds(content: bytes) -> bytes:
    """Return a text with line feeds as its line ends, as in this repository."""
    return content.replace(b"\r\n", b"\n")


def changes(copy: Copy, files: Mapping[str, bytes | None]) -> dict[str, str]:
    """Return the files of a copy that were changed, and for each the kind of change: `LINE_ENDS` or `CONTENT`."""
    found: dict[str, str] = {}
    for name in sorted({**copy.sums, **files}):
        content = files.get(name)
        if name not in copy.sums or content is None:
            found[name] = CONTENT
        elif copy.sums[name] != sha256(content):
            is_same_text = copy.sums[name] == sha256(with_line_feeds(content))
            found[name] = LINE_ENDS if is_same_text else CONTENT
    return found


def shown_changes(path: Path, copy: Copy, files: Mapping[str, bytes | None]) -> Iterator[str]:
    """Yield lines that show how files were changed. A file is shown if this clone has its original version."""
    folder = path.parent if "" in copy.sums else path
    for name, kind in changes(copy, files).items():
        if kind == LINE_ENDS:
            continue
        label = (folder / name if name else path).as_posix()
        content = files.get(name)
        if name not in copy.sums:
            yield f"{label}: is not from this script"
        elif name not in files:
            yield f"{label}: is missing"
        elif content is None:
            yield f"{label}: is a link, or not a file"
        else:
            original = _original(copy, name)
            if original is None:
                yield f"{label}: was changed (this clone does not have the original)"
            elif len(content) > MAX_GROWTH * len(original):
                yield f"{label}: was changed, and has {len(content)} bytes, in place of {len(original)}"
            else:
                before, after = [text.decode("utf-8", "replace").splitlines() for text in (original, content)]
                yield from difflib.unified_diff(before, after, f"{label} (as copied)", label, lineterm="")


@lru_cache(maxsize=1)
def _files_made(options: str, as_file: bool, revision: str) -> Mapping[str, bytes]:
    return made(Choice.of_options(options), as_file, revision)[1]


def _original(copy: Copy, name: str) -> bytes | None:
    """Return a file as it was copied; `None` if this clone does not have this version of the file."""
    content = _files_made(str(copy.choice), "" in copy.sums, copy.origin.revision).get(name)
    if content is None or sha256(content) != copy.sums.get(name):
        content = _git("cat-file", "blob", "--end-of-options",
                       f"{copy.origin.revision.partition(' ')[0]}:{PACKAGE}/{name}")
        content = content and with_revision(content, copy.origin.revision)
    if content is None or sha256(content) != copy.sums.get(name):
        return None
    return content


# Arguments


def vendor(path: Path, choice: Choice, as_file: bool) -> int:
    """Make a copy at a path that does not exist yet."""
    if os.path.lexists(path):
        raise VendorError(f"{path} exists already (--update replaces a copy)")
    if (path.parent / MANIFEST).is_file():
        raise VendorError(f"{path.parent} is itself a copy: give the folder that contains it, or replace it with "
                          "--update")
    copy, files = made(choice, as_file)
    write(path, copy, files, as_file)
    size = sum(map(len, files.values())) // 1000
    if as_file:
        tell([f"{path}: purebleu {copy.origin.version}, {size} kB"])
    else:
        tell([f"{path}: purebleu {copy.origin.version}, {len(files)} files, {size} kB",
              *packaging_lines(path.resolve(), files).splitlines()])
    return 0


def packaging_lines(path: Path, files: Iterable[str]) -> str:
    """Return lines for pyproject.toml, with which setuptools puts all files of a copy into the project's wheel.

    (hatchling, flit and poetry put all files of a package's folder into the wheel.)
    """
    root = next((folder for folder in path.parents if any((folder / name).exists() for name in PROJECT_FILES)),
                path.parent)
    parts = path.relative_to(root).parts
    package = ".".join(parts[1:] if parts[0] == "src" and len(parts) > 1 else parts)
    patterns = sorted({_pattern(name) for name in (MANIFEST, *files) if not name.endswith((".py", ATTRIBUTES))})
    lines = fill(", ".join([f'"{pattern}"' for pattern in patterns]), 110, initial_indent="    ",
                 subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return (f"setuptools puts only .py files into a wheel. For the other files, add these lines to pyproject.toml:\n"
            f"[tool.setuptools.package-data]\n\"{package}\" = [\n{lines},\n]")


def _pattern(name: str) -> str:
    """Return a pattern for a file and all files in its folder with the same extension."""
    folder, slash, file = name.rpartition("/")
    if folder.endswith("sample"):
        return f"{folder}/*"
    return f"{folder}/*.{file.rpartition('.')[2]}" if slash else file


def check(path: Path) -> int:
    """Print whether a copy is unchanged and current."""
    found = read(path)
    copy = found.copy
    changed = changes(copy, found.files)
    current, _ = made(copy.choice, "" in copy.sums, copy.origin.revision)
    others = [name for name in {**copy.sums, **current.sums} if copy.sums.get(name) != current.sums.get(name)]
    if not others and found.manifest != _manifest_here(copy, current):
        others.append(MANIFEST)
    verdicts = [*_verdicts(path, changed),
                f"not current: {len(others)} of its files differ here (it is of revision {copy.origin.revision}, "
                f"here is {current.origin.revision})" if others else "current"]
    if found.has_bytecode:
        verdicts.append(f"the bytecode in {CACHE} is not checked: delete it if the copy comes from somebody else")
    tell([f"{path}: {verdict}" for verdict in verdicts])
    return 1 if set(changed.values()) - {LINE_ENDS} or others else 0


def _manifest_here(copy: Copy, current: Copy) -> str:
    """Return the manifest that this clone writes for a copy of the same revision."""
    text = manifest(copy._replace(origin=copy.origin._replace(version=current.origin.version)))
    return _as_comment(text) if "" in copy.sums else text


def tell(lines: Iterable[str]) -> None:
    """Print lines. A broken pipe is no error, because the exit code says the same."""
    try:
        for line in lines:
            print(printable(line))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """Escape a line for output, because the names of files can have line feeds and control characters."""
    return "".join([character if character.isprintable() or character == "\t" else ascii(character)[1:-1]
                    for character in text])


def _verdicts(path: Path, changed: Mapping[str, str]) -> Iterator[str]:
    """Yield messages about the changes of a copy's files."""
    names: dict[str, list[str]] = {}
    for name, kind in changed.items():
        names.setdefault(kind, []).append(name or path.name)
    if CONTENT in names:
        yield f"changed: {', '.join(names[CONTENT])}"
    if LINE_ENDS in names:
        yield f"unchanged, but for the ends of lines in {len(names[LINE_ENDS])} files, which git may have changed"
    if not names:
        yield "unchanged"


def update(path: Path) -> int:
    """Replace a copy, unless somebody has changed it."""
    copy, _, files, _ = read(path)
    if set(changes(copy, files).values()) - {LINE_ENDS}:
        tell(shown_changes(path, copy, files))
        raise VendorError(f"{path} was changed after it was made: undo the changes above, or delete the copy and "
                          "make a new one")
    as_file = "" in copy.sums
    current, fresh = made(copy.choice, as_file)
    write(path, current, fresh, as_file)
    tell([f"{path}: purebleu {current.origin.version}, revision {current.origin.revision}"])
    return 0


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the parts of a copy."""
    parser.add_argument("--only", nargs="+", choices=METRICS, default=[], metavar="METRIC",
                        help=f"only these metrics (of {', '.join(METRICS)}), and no other part but "
                             f"{', '.join(ALWAYS)}; BLEU is always there")
    parser.add_argument("--tokenizers", nargs="+", choices=_tokenizers(), default=[], metavar="NAME",
                        help=f"only these tokenizers (of {', '.join(_tokenizers())})")
    parser.add_argument("--without", nargs="+", choices=FEATURES, default=[], metavar="PART",
                        help=f"leave out these parts (of {', '.join(FEATURES)}; with --only: of {', '.join(ALWAYS)})")
    parser.add_argument("--with", nargs="+", choices=[*FEATURES, *EXTRAS], default=[], dest="extras", metavar="PART",
                        help="with --only: add parts that --without could leave out; without --only: add "
                             f"{', '.join(EXTRAS)}")
    parser.add_argument("--api", nargs=1, choices=APIS, default=[], metavar="1",
                        help="the package has the names, keywords and shapes of sacreBLEU 1.x")
    parser.add_argument(PLAIN, action="store_true", help="leave out faster code for many segments")


def choice_from(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Choice:
    """Return the parts that the options choose."""
    if args.only and set(args.without) - set(ALWAYS):
        parser.error(f"with --only, --without can leave out only {', '.join(ALWAYS)}: the copy has other parts only if "
                     "--with names them")
    already = sorted(set(args.extras) & set(ALWAYS if args.only else FEATURES))
    if already:
        parser.error(f"the copy already has {', '.join(already)}")
    needing = [part for part in args.extras if set(NEEDS_OF_FEATURES.get(part, ())) & set(args.without)]
    if needing:
        parser.error(f"{needing[0]} needs a part that --without leaves out")
    if args.api and "v1" in args.without:
        parser.error("--api 1 needs the part v1, which --without leaves out")
    return Choice(args.only, args.tokenizers, args.without, args.extras, args.api, args.plain)


def _tokenizers() -> list[str]:
    return list(literal((ROOT / PACKAGE / "tokenizers" / "__init__.py").read_text(encoding="utf-8"), "TOKENIZERS"))


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="%(prog)s {FOLDER | --single-file FILE | --check COPY | --update COPY} "
                                           "[options]")
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="the folder that the copy goes into")
    parser.add_argument("--name", help=f"the name of the package (default: {PACKAGE})")
    add_choice(parser)
    parser.add_argument("--single-file", type=Path, metavar="FILE", help="write one module instead of a package")
    parser.add_argument("--check", type=Path, metavar="COPY", help="check whether a copy is unchanged and current")
    parser.add_argument("--update", type=Path, metavar="COPY", help="replace a copy by a new copy from this clone")
    return parser


def is_importable(name: str) -> bool:
    """Whether a package with this name can be imported everywhere."""
    return (name.isidentifier() and not keyword.iskeyword(name) and name not in SOFT_KEYWORDS
            and not (name.startswith("__") and name.endswith("__")))


def main(argv: Sequence[str] | None = None) -> int:
    """Make, check or update a copy, as the options say. Return the exit code."""
    parser = argument_parser()
    args = parser.parse_args(argv)
    asked = [value for value in (args.folder, args.single_file, args.check, args.update) if value is not None]
    choice = choice_from(parser, args)
    if len(asked) != 1:
        parser.error("give one of FOLDER, --single-file, --check and --update")
    if (args.check or args.update) and (str(choice) or args.name):
        parser.error("--check and --update use the options that the copy was made with, and take no other options")
    if args.single_file and args.name:
        parser.error("--name is the name of a package: the name of a single file is in the path after --single-file")
    package = args.name or PACKAGE
    path = args.single_file or Path(args.folder or "", package)
    name = args.single_file.stem if args.single_file else package
    if not is_importable(name) or (args.single_file and path.suffix != ".py"):
        parser.error(f"{path.name} can't be imported under this name")
    if args.single_file and set(args.extras) & {*EXTRAS, *NEVER}:
        parser.error(f"a single file can't hold {', '.join(sorted(set(args.extras) & {*EXTRAS, *NEVER}))}")
    if args.single_file and args.api:
        parser.error("--api 1 makes only packages, because some names would have two meanings in a single file")
    try:
        if args.check:
            return check(_place(args.check))
        return update(_place(args.update)) if args.update else vendor(path, choice, bool(args.single_file))
    except (VendorError, SingleFileError, OSError) as error:
        print(f"vendor.py: error: {printable(str(error))}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    raise SystemExit(main())
