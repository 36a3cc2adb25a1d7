"""The catalogue of test sets: reads the records of `data/test_sets.txt`.

A record begins with the name of its test set in brackets. A line has a key and a value, which goes on in the indented
lines below it; a key may come several times. The keys:

- `description`: a line of text;
- `format`: that of its files, as `formats.field_names` has it;
- `archive`: an address and a checksum: an MD5 sum, or `sha256:` or `git:` (the id of the file in git) and its digits.
  `at`: the beginning of all addresses of the record;
- `files`: language pairs, and below them the members of archives for each of these pairs: first the source, then the
  references, a line for each. With `tsv`, the number of a column and a colon come before the name of a member;
- `texts`: for sets in which any two languages are a pair: the members with the text of a language, and with further
  translations; below them, the languages. `shared`: such a member with a further field of each segment;
- `references`: the fields of the references that count, if there are several. `references of`: language pairs with
  other references, a colon, and their fields;
- `lines`: the number of segments of each pair, and `origlang`: the language that all of them were written in, if both
  are known beforehand;
- `kept as`: the name under which the cache keeps its archives, if test sets have some in common;
- `topic`: the origin and the topic of documents, `COUNTRY-DOMAIN`, sometimes followed by the country that they are
  about; then the documents. `topics as`: the test set that has the same documents;
- `citation`: the citation that its makers want, in BibTeX;
- `sums`: a language pair, and below it the fields, each with the SHA-256 sum of its text as the cache keeps it. These
  are written by `scripts/dev/generate field_checksums`;
- `like`: another test set. Its values count for each key (but `sums`) that the record does not have.

In members, `{s}` and `{t}` are the languages of a pair `s-t`, and `{e}` is both of them, English last; `{l}` is a
language, and `{h}` is the same with hyphens for underscores; `{n}` is the last part of the test set's name.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from ..errors import OptionError, close_names
from ..hints import Iterator, Mapping
from ..runtime.program import own_file


@lru_cache(maxsize=None)
def catalogue() -> dict[str, str]:
    """Return the text of each record, by the name of its test set, in the order of the catalogue."""
    return dict([record.split("]\n", 1) for record in _pieces()[1:]])


def _pieces() -> list[str]:
    """Return what comes before the records, and each of these."""
    return own_file("datasets/data/test_sets.txt").decode("utf-8").split("\n[")


def two_letter_codes() -> dict[str, str]:
    """Return the two-letter codes of languages by their three-letter codes."""
    return dict([code.split("=") for code in _pieces()[0].split() if "=" in code])


def _values_of(text: str) -> dict[str, list[str]]:
    """Return the values of a record by key, with the lines below each.

    >>> _values_of("format: tsv\\nsums: de-en\\n  src 12\\nsums: en-de")
    {'format': ['tsv'], 'sums': ['de-en\\nsrc 12', 'en-de']}
    """
    values: dict[str, list[str]] = {}
    for entry in text.strip().replace("\n  ", "\0").split("\n"):
        key, _, value = entry.partition(":")
        values.setdefault(key, []).append(value.replace("\0", "\n").lstrip(" "))
    return values


class Record:
    """A record of the catalogue. `text` is its text, without the name."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """The values of each key: those in the record, or else those of the test set that its key `like` names."""
        values = _values_of(self._text)
        for other in values.get("like", []):
            values = {**Record(other, catalogue()[other])._values, "sums": [], **values}
        return values

    @property
    def description(self) -> str:
        """A line of text. (Lists need it of all test sets, so the rest of the record is not parsed.)"""
        return self._text.partition("description: ")[2].partition("\n")[0]

    def value(self, key: str) -> str:
        """Return the value of a key that comes only once; empty if it is missing."""
        return self._values.get(key, [""])[0]

    @cached_property
    def archives(self) -> list[tuple[str, str]]:
        """The address and the checksum of each archive; none if the test set is part of this package."""
        entries = [entry.split() for entry in self._values.get("archive", [])]
        return [(self.value("at") + address, checksum) for address, checksum in entries]

    @cached_property
    def pairs(self) -> dict[str, list[str]]:
        """The members of archives that each language pair consists of, source first."""
        found: dict[str, list[str]] = {}
        for pairs, *members in self._blocks("files"):
            for pair in pairs.split():
                source, _, target = pair.partition("-")
                both = source + target if target == "en" else target + source
                found[pair] = [self._filled(member, s=source, t=target, e=both) for member in members]
        return found

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """For each language, the members with its text and its further translations. Empty if pairs are listed."""
        found: dict[str, list[str]] = {}
        for members, *languages in self._blocks("texts"):
            for language in " ".join(languages).split():
                hyphenated = language.replace("_", "-")
                found[language] = [self._filled(member, l=language, h=hyphenated) for member in members.split()]
        return dict(sorted(found.items()))

    @property
    def shared(self) -> list[str]:
        """The members with further fields of each segment. All pairs of `texts` share them."""
        return [self._filled(member) for member in self._values.get("shared", [])]

    def references(self, langpair: str = "") -> list[str]:
        """Return the fields of the references of a pair that count; none if all do."""
        for entry in self._values.get("references of", []):
            pairs, _, fields = entry.partition(": ")
            if langpair in pairs.split():
                return fields.split()
        return self.value("references").split()

    @cached_property
    def topics(self) -> dict[str, str]:
        """The origin and the topic of each document that has them."""
        other = self.value("topics as")
        if other:
            return Record(other, catalogue()[other]).topics
        found: dict[str, str] = {}
        for entry in self._values.get("topic", []):
            topic, *documents = entry.split()
            found.update(dict.fromkeys(documents, topic))
        return found

    def checksums(self, langpair: str) -> dict[str, str]:
        """Return the SHA-256 sums of the fields of a pair, if they are known."""
        for pair, *fields in self._blocks("sums"):
            if pair == langpair:
                return dict([field.split() for field in fields])
        return {}

    def _blocks(self, key: str) -> Iterator[list[str]]:
        """Return the lines of each value of a key."""
        return map(str.splitlines, self._values.get(key, []))

    def _filled(self, member: str, **languages: str) -> str:
        return member.format(n=self._name.rpartition("/")[2], **languages)


class LanguagePairs(Mapping):  # type: ignore[type-arg]
    """The language pairs of a test set that has a text in each of many languages: any two of them.

    The keys are pairs of the test set's own codes, such as `eng-fra_CA`. Shorter codes, such as `en-fr_CA`, are also
    accepted if each can mean only one language. Iteration yields all pairs in own codes.

    Attributes:
        test_set: its name.
        languages: its own codes.
    """

    def __init__(self, test_set: str, texts: dict[str, list[str]], shared: list[str], min_references: int) -> None:
        """`texts` and `shared` are as in the catalogue; targets have at least this number of translations."""
        self.test_set = test_set
        self.languages = list(texts)
        self._texts = texts
        self._shared = shared
        self._targets = [code for code, members in texts.items() if len(members) >= min_references]
        self._two_letters = two_letter_codes()

    def __getitem__(self, langpair: str) -> list[str]:
        try:
            source, target = self.own_name(langpair).split("-")
        except OptionError as error:
            raise KeyError(langpair) from error
        return [self._texts[source][0], *self._texts[target], *self._shared]

    def __iter__(self) -> Iterator[str]:
        for source in self.languages:
            for target in self._targets:
                if source != target:
                    yield f"{source}-{target}"

    def __len__(self) -> int:
        return (len(self.languages) - 1) * len(self._targets)

    def own_name(self, langpair: str) -> str:
        """Return the pair in the test set's own codes.

        Args:
            langpair: such as `eng-deu` or `en-de`.

        Raises:
            OptionError: there is no such pair, or it could be several; the message names similar codes.
        """
        codes = langpair.split("-")
        problem = f"{self.test_set} has no language pair {langpair!r}"
        if len(codes) != 2:
            longest = max(self.languages, key=len)
            raise OptionError(f"{problem}: its pairs are of the form SRC-TRG, with codes such as {longest}")
        source, target = map(self._language, codes)
        if source == target:
            raise OptionError(f"{problem}: source and target are the same")
        if target not in self._targets:
            raise OptionError(f"{problem}: the target has to be {' or '.join(self._targets)}")
        return f"{source}-{target}"

    def short_codes(self) -> dict[str, str]:
        """Return the two-letter code of each language, by its own code; but none that can mean several languages."""
        short = {code: self._two_letters.get(code.partition("_")[0], "") for code in self.languages}
        return {code: name for code, name in short.items() if name and self._meant_by(name) == [code]}

    def _language(self, name: str) -> str:
        """Return the own code of a language."""
        meant = self._meant_by(name)
        if len(meant) > 1:
            raise OptionError(f"{name!r} can mean several languages of {self.test_set}: {', '.join(meant)}")
        if not meant:
            near = close_names(name, self.languages, 5) or [code for code in self.languages if code[:2] == name[:2]]
            advice = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise OptionError(f"{self.test_set} has no language {name!r}{advice} (see --list -t {self.test_set})")
        return meant[0]

    def _meant_by(self, name: str) -> list[str]:
        """Return the own codes of the languages that a name can mean."""
        if name in self._texts:
            return [name]
        base, _, rest = name.partition("_")
        found: list[str] = []
        for code in self.languages:
            language, _, script = code.partition("_")
            if base in (language, self._two_letters.get(language)) and rest in ("", script):
                found.append(code)
        return [code for code in found if "_" not in code] or found  # (fr is fra, and not fra_CA)
