"""Language pairs of test sets that have the same text in many languages: any two languages are a pair."""

from __future__ import annotations

from ..errors import OptionError, close_names
from ..hints import Iterator, Mapping
from .catalogue import two_letter_codes


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
