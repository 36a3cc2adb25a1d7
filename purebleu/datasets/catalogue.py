"""The catalogue of test sets: reads the records of `data/test_sets.txt`.

A record begins with the name of its test set in brackets. Each line has a key, a colon and a value. Indented lines
continue the value of the previous line. A key may occur several times. The keys are:

- `description`: a line of text;
- `format`: the format of the files, one of the formats of `archives.field_names`;
- `archive`: an address and a checksum (an MD5 sum, `sha256:` and digits, or `git:` and the id of a file in git).
  `at`: the beginning of all addresses of the record;
- `files`: language pairs; then, on indented lines, the members of archives for each of these pairs: first the source,
  then each reference. In the format `tsv`, the number of a column and a colon come before the name of a member;
- `texts`: replaces `files` if every two languages of the test set make a language pair. The first line has the member
  with the text of a language, and members with further translations into the language. Indented lines have the
  languages.
  `shared`: a member with a further field, which is the same for all languages;
- `references`: the fields of the default references, if the test set has further references. `references of`:
  language pairs with other default references, a colon, and the fields of these references;
- `lines`: the number of segments of each pair. `origlang`: the original language of all segments;
- `kept as`: the name under which the cache keeps the archives, if several test sets share them;
- `topic`: a topic, and then the documents with this topic. A topic is `COUNTRY-DOMAIN` (the country of origin, and the
  domain), sometimes followed by the country that the documents are about. `topics as`: another test set with the same
  documents and topics;
- `citation`: the citation that the makers of the test set ask for, in BibTeX;
- `sums`: a language pair; then, on indented lines, its fields, each with the SHA-256 sum of its text in the cache.
  `scripts/dev/generate field_checksums` writes these sums;
- `like`: another test set. A key that the record lacks (except `sums`) has the values of this other test set.

Names of members may have placeholders. `{s}` and `{t}` are the source and the target language, and `{e}` is both
languages, English last. `{l}` is a language of `texts`, and `{h}` is this language with hyphens for underscores. `{n}`
is the last part of the test set's name.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from ..runtime.errors import OptionError, close_names
from ..runtime.hints import Iterator, Mapping
from ..runtime.program import own_file


@lru_cache(maxsize=None)
def catalogue() -> dict[str, str]:
    """Return the text of each record, by the name of its test set, in the order of the catalogue."""
    return dict([record.split("]\n", 1) for record in _pieces()[1:]])


def _pieces() -> list[str]:
    """Split the catalogue into the text before the first record and the records."""
    return own_file("datasets/data/test_sets.txt").decode("utf-8").split("\n[")


def _values_of(text: str) -> dict[str, list[str]]:
    """Return the values of a record by key, each value with its indented lines.

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
        """The values of each key in the record, or else in the record that the key `like` names."""
        values = _values_of(self._text)
        for other in values.get("like", []):
            values = {**Record(other, catalogue()[other])._values, "sums": [], **values}
        return values

    @property
    def description(self) -> str:
        """A line that describes the test set. (The rest of the record is not parsed, so that lists are fast.)"""
        return self._text.partition("description: ")[2].partition("\n")[0]

    def value(self, key: str) -> str:
        """Return the first value of a key, or an empty string if the record lacks the key."""
        return self._values.get(key, [""])[0]

    @cached_property
    def archives(self) -> list[tuple[str, str]]:
        """The address and the checksum of each archive. (Test sets that are part of this package have no archives.)"""
        entries = [entry.split() for entry in self._values.get("archive", [])]
        return [(self.value("at") + address, checksum) for address, checksum in entries]

    @cached_property
    def pairs(self) -> dict[str, list[str]]:
        """For each language pair, the members of archives with its texts, the source first."""
        members_of: dict[str, list[str]] = {}
        for pairs, *members in self._blocks("files"):
            for pair in pairs.split():
                source, _, target = pair.partition("-")
                both = source + target if target == "en" else target + source
                members_of[pair] = [self._filled(member, s=source, t=target, e=both) for member in members]
        return members_of

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """For each language, the members of archives with the language's text or further translations into it.

        The dict is empty if the record has `files` in place of `texts`.
        """
        members_of: dict[str, list[str]] = {}
        for members, *languages in self._blocks("texts"):
            for language in " ".join(languages).split():
                hyphenated = language.replace("_", "-")
                members_of[language] = [self._filled(member, l=language, h=hyphenated) for member in members.split()]
        return dict(sorted(members_of.items()))

    @property
    def shared(self) -> list[str]:
        """The members of archives with further fields, which all pairs of the languages in `texts` share."""
        return [self._filled(member) for member in self._values.get("shared", [])]

    def references(self, langpair: str = "") -> list[str]:
        """Return the fields of a pair's default references, or an empty list if all references are defaults."""
        for entry in self._values.get("references of", []):
            pairs, _, fields = entry.partition(": ")
            if langpair in pairs.split():
                return fields.split()
        return self.value("references").split()

    @cached_property
    def topics(self) -> dict[str, str]:
        """The topic (`COUNTRY-DOMAIN`) of each document in the record."""
        other = self.value("topics as")
        if other:
            return Record(other, catalogue()[other]).topics
        topics: dict[str, str] = {}
        for entry in self._values.get("topic", []):
            topic, *documents = entry.split()
            topics.update(dict.fromkeys(documents, topic))
        return topics

    def checksums(self, langpair: str) -> dict[str, str]:
        """Return the SHA-256 sums of a pair's fields, or an empty dict if the sums are unknown."""
        for pair, *fields in self._blocks("sums"):
            if pair == langpair:
                return dict([field.split() for field in fields])
        return {}

    def _blocks(self, key: str) -> Iterator[list[str]]:
        """Split each value of a key into its lines."""
        return map(str.splitlines, self._values.get(key, []))

    def _filled(self, member: str, **languages: str) -> str:
        return member.format(n=self._name.rpartition("/")[2], **languages)


class LanguagePairs(Mapping):  # type: ignore[type-arg]
    """The language pairs of a test set in which any two languages are a pair. Each pair has members of archives.

    The keys are pairs of the test set's own codes, such as `eng-fra_CA`. Shorter codes, such as `en-fr_CA`, are also
    accepted if each can mean only one language. Iteration yields all pairs in the test set's own codes.

    Attributes:
        test_set: the name of the test set.
        languages: the test set's own codes.
    """

    def __init__(self, test_set: str, texts: dict[str, list[str]], shared: list[str], min_references: int) -> None:
        """`texts` and `shared` are as in `Record`. Only languages with `min_references` translations can be targets."""
        self.test_set = test_set
        self.languages = list(texts)
        self._texts = texts
        self._shared = shared
        self._targets = [code for code, members in texts.items() if len(members) >= min_references]
        #: Two-letter codes of languages, by their three-letter codes.
        self._two_letters = dict([code.split("=") for code in _pieces()[0].split() if "=" in code])

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
            langpair: a language pair, such as `eng-deu` or `en-de`.

        Raises:
            OptionError: there is no such pair, or a code may mean several languages. The message names similar codes.
        """
        codes = langpair.split("-")
        problem = f"{self.test_set} has no language pair {langpair!r}"
        if len(codes) != 2:
            longest = max(self.languages, key=len)
            raise OptionError(f"{problem}: a language pair has the form SRC-TRG, with codes such as {longest}")
        source, target = map(self._language, codes)
        if source == target:
            raise OptionError(f"{problem}: source and target are the same")
        if target not in self._targets:
            raise OptionError(f"{problem}: the target must be {' or '.join(self._targets)}")
        return f"{source}-{target}"

    def short_codes(self) -> dict[str, str]:
        """Return a dict from the test set's own codes to two-letter codes, without ambiguous two-letter codes."""
        short = {code: self._two_letters.get(code.partition("_")[0], "") for code in self.languages}
        return {code: name for code, name in short.items() if name and self._meant_by(name) == [code]}

    def _language(self, name: str) -> str:
        """Return the test set's own code of a language; raises `OptionError` if none or several languages are meant."""
        meant = self._meant_by(name)
        if len(meant) > 1:
            raise OptionError(f"{name!r} can mean several languages of {self.test_set}: {', '.join(meant)}")
        if not meant:
            near = close_names(name, self.languages, 5) or [code for code in self.languages if code[:2] == name[:2]]
            advice = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise OptionError(f"{self.test_set} has no language {name!r}{advice} "
                              f"(see purebleu --list -t {self.test_set})")
        return meant[0]

    def _meant_by(self, name: str) -> list[str]:
        """Return the test set's own codes of the languages that a name can mean."""
        if name in self._texts:
            return [name]
        base, _, rest = name.partition("_")
        meant: list[str] = []
        for code in self.languages:
            language, _, script = code.partition("_")
            if base in (language, self._two_letters.get(language)) and rest in ("", script):
                meant.append(code)
        return [code for code in meant if "_" not in code] or meant  # (`fr` means `fra`, and not `fra_CA`)
