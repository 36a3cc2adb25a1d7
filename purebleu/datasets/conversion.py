"""From published archives to the fields of test sets."""

from __future__ import annotations

import os

from ..errors import PurebleuError
from .archives import Capped, can_have, read_members
from .formats import FORMATS, column_of_member, read_member
from .storage import file_name, folder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Dict, List, Sequence, Tuple

    from .formats import Column, Fields

    #: The fields to make of each member, by its name, each with a column (-1: all of the member).
    Wanted = Dict[str, List[Tuple[str, Column]]]


class Source:
    """Archives from which the fields of a test set are made. `archives` has addresses and checksums."""

    def __init__(self, name: str, form: str, archives: Sequence[tuple[str, str]]) -> None:
        self._name = name
        self._form = form
        self._archives = archives

    def read(self, members: Sequence[str], known: Sequence[str]) -> Fields:
        """Return the fields of a language pair that consists of these members. Missing archives are fetched.

        `known` has the names of the fields in order, if they are known before the data is read; else it is empty.
        """
        wanted = self._wanted(members, known)
        fields: Fields = {}
        missing = set(wanted)

        def use(member: str, stream: Capped) -> None:
            fields.update(read_member(self._form, member, stream, wanted[member]))
            missing.discard(member)

        for url, checksum in self._archives:
            if not missing:
                break
            if not can_have(self._archive_name(url), missing):
                continue
            read_members(self.archive(url, checksum), self._archive_name(url), missing.copy(), use)
        if missing:
            raise PurebleuError(f"{self._name}: its archives have no {', '.join(sorted(missing))}")
        return {name: fields[name] for name in known} if known else fields

    def needed(self, members: Sequence[str]) -> list[tuple[str, str]]:
        """Return the archives that may have some of these members."""
        wanted = self._wanted(members, [""] * len(members))
        return [(url, checksum) for url, checksum in self._archives if can_have(self._archive_name(url), wanted)]

    def _wanted(self, members: Sequence[str], known: Sequence[str]) -> Wanted:
        wanted: Wanted = {}
        for index, (member, field) in enumerate(zip(members, list(known[:len(members)]) or [""])):
            column, name = column_of_member(self._form, index, member)
            wanted.setdefault(name, []).append((field, column))
        return wanted

    def _archive_name(self, url: str) -> str:
        return f"{file_name(self._name)}.{url.rpartition('/')[2]}"

    def archive(self, url: str, checksum: str) -> str:
        """Return the path of a verified archive in the cache, which is fetched if it is missing or wrong."""
        from ..files.download import MAX_BYTES, check_file, fetch

        def check(file: IO[bytes]) -> None:
            check_file(file, checksum, [url])

        by_sacrebleu = os.path.join(folder_of(self._name), "raw", self._archive_name(url))
        path = by_sacrebleu + FORMATS[self._form].archive_suffix
        for there in (path, by_sacrebleu):
            try:
                if os.path.exists(there) and (not os.path.isfile(there) or os.path.getsize(there) > MAX_BYTES):
                    continue  # (to read a pipe might never end, and to read so large a file would take minutes)
                with open(there, "rb") as file:
                    check(file)
                return there
            except FileNotFoundError:
                continue
            except OSError as error:
                raise PurebleuError(f"{there}: {error.strerror or error}") from error
            except PurebleuError:
                continue  # it is not the right file, so it is fetched again
        try:
            fetch([url], path, check)
        except PurebleuError as error:
            raise PurebleuError(f"{self._name}: {error}") from error
        return path
