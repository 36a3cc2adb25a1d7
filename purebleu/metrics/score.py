"""Scores, and the signatures that say how scores were computed."""

from __future__ import annotations

from ..runtime.hints import Any, Callable, SignatureValue
from ..version import FULL_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Generic, TypeVar

#: Two scores may be equal if their relative difference is at most this number. (Scores have 14 correct digits or more.)
ROUNDING = 1e-12

#: The fields that signatures of any metric may have, such as `nrefs`, the number of references. They come in this
#: order, before the fields of the metric.
LEADING_FIELDS = ("nrefs", "bs", "ar", "sar", "seed", "rng", "unit", "strata", "reseg", "seg", "unicode", "fix",
                  "equal", "where", "group", "mean", "test", "lang", "origlang", "subset")

#: The short names of fields. (`SHORT_FIELDS` of a metric has more.)
SHORT_KEYS = {
    "nrefs": "#", "bs": "bs", "ar": "ar", "sar": "sar", "seed": "rs", "unit": "u", "reseg": "rg", "unicode": "uc",
    "fix": "fx", "test": "t", "lang": "l", "origlang": "o", "subset": "S", "case": "c", "eff": "e", "smooth": "s",
    "space": "s", "order": "n", "version": "v",
}


def value_text(value: SignatureValue) -> str | None:
    """Return the value of a field as text; `None` if signatures lack the field.

    >>> value_text(True), value_text(4), value_text(None)
    ('yes', '4', None)
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None else str(value)


class Signature:
    """All options that a score depends on, as `key:value` pairs in a fixed order.

    Two signatures are equal if they have the same fields. The last field, the version, has the name of the program, so
    signatures of different programs differ.

    Attributes:
        info: the values of fields by their keys, in the order of printing. A field with `None` is not printed. `True`
            and `False` are printed as `yes` and `no`.

    Example:
        >>> from purebleu import BLEU
        >>> BLEU(effective_order=True).sentence_score("a b", ["a c"]).signature  # doctest: +ELLIPSIS
        nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:purebleu-...
    """

    # (`fields` are the fields of the metric, and `short` has their short names.)
    def __init__(self, nrefs: str | int | None, fields: dict[str, SignatureValue], short: dict[str, str]) -> None:
        self._short = short
        self.info: dict[str, SignatureValue] = dict.fromkeys(LEADING_FIELDS)
        self.info["nrefs"] = nrefs
        self.info.update(fields)
        self.info["version"] = f"purebleu-{FULL_VERSION}"

    def format(self, short: bool = False) -> str:
        """Return the fields as text, joined with `|`. If `short` is true, their names are abbreviated."""
        pairs: list[str] = []
        short_keys = {**SHORT_KEYS, **self._short} if short else {}
        # sacreBLEU-compat: the version comes last, even if another program has added fields.
        for key, value in sorted(self.info.items(), key=lambda pair: pair[0] == "version"):
            text = value_text(value)
            if text is not None:
                # (Other programs may add fields without a value, such as `fp32`.)
                pairs.append(f"{short_keys.get(key, key)}:{text}" if text else key)
        return "|".join(pairs)

    def update(self, key: str, value: SignatureValue) -> None:
        """Set a field. A new field comes before the version."""
        version = self.info.pop("version", None)
        self.info[key] = value
        self.info.setdefault("version", version)

    def with_resampling(self, seed: int | None, stream: str | None, **fields: int | str) -> Signature:
        """Return a copy with fields for the resampling.

        Args:
            seed: the seed of the random stream; `None` if the seed was chosen at random.
            stream: the name of the random stream; `None` to leave the field out.
            fields: the number of resamples (`bs`) or of trials (`ar` or `sar`; `exact` if all possible trials are
                made), and optionally `unit` and `strata`.
        """
        from copy import copy

        signature = copy(self)
        is_sampled = any(isinstance(value, int) for value in fields.values())
        drawn = {"seed": str(seed).lower(), "rng": stream} if is_sampled else {}
        signature.info = {**self.info, **fields, **drawn}
        return signature

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and self.format() == other.format()

    def __hash__(self) -> int:
        return hash(self.format())

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


class Score:
    """The score of a corpus or a segment under a metric. Two scores are equal if their attributes are equal.

    Attributes:
        name: the printed name, with the metric's variant, such as `chrF2++`.
        score: the number, unrounded.
        signature: the signature of the score; `None` for a result of `Metric.score`.
        mean: the mean of the scores of bootstrap resamples, or `None`.
        ci: half the width of the 95 % confidence interval, or `None`.

    Example:
        >>> from purebleu import BLEU
        >>> score = BLEU().corpus_score(["The cat sat."], [["The cat sat down."]])
        >>> float(score) == score.score, f"{score:.1f}"
        (True, '49.8')
    """

    #: (It is `None` only in results of `Metric.score`, so its type lacks `None`, and users need no check.)
    signature: Signature = None  # type: ignore[assignment]

    #: Whether a lower score is better.
    lower_is_better = False

    #: The lowest and the highest possible score, apart from rounding; `None`: no limit.
    range: tuple[int | None, int | None] = (0, 100)

    #: Whether another program computed the score.
    IS_FROM_OUTSIDE = False

    #: Further columns of tables: for each column, its heading and the attribute of the score.
    BESIDE: tuple[tuple[str, str], ...] = ()

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self.mean: float | None = None
        self.ci: float | None = None
        self._verbose = ""

    def places(self, width: int) -> int:
        """Return the number of decimal places of the score in a table that has `width` decimal places by default."""
        return width

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as one line of text, or as a JSON object over several lines.

        Args:
            width: the number of decimal places.
            score_only: return only the number (even with `is_json`).
            signature: a signature to print after the name. In JSON, its fields are members, too.
            is_json: whether the result is JSON.

        Example:
            >>> Score("BLEU", 36.512).format(width=1, signature="nrefs:1")
            'BLEU|nrefs:1 = 36.5'
        """
        if score_only:
            return self.numbers(width)
        if is_json:
            return self._as_json(width, signature)
        return f"{self.head(signature)} = {self.body(width)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the score with its interval, direction, range and signature, as a dict for JSON."""
        return {"name": self.name, "score": self.score, "mean": self.mean, "ci": self.ci, **self.scale(),
                "signature": str(self.signature) if self.signature else None}

    def scale(self) -> dict[str, object]:
        """Return whether lower is better, and the range of scores, as a dict for JSON."""
        return {"lower_is_better": self.lower_is_better, "range": list(self.range)}

    def head(self, signature: str = "") -> str:
        """Return the text before the equals sign: the name, and the signature (if any)."""
        return f"{self.name}|{signature}" if signature else self.name

    def body(self, width: int, emphasize: Callable[[str], str] = str) -> str:
        """Return the text after the equals sign: `numbers`, and further details (if any)."""
        return f"{self.numbers(width, emphasize)} {self._verbose}".rstrip()

    def numbers(self, width: int, emphasize: Callable[[str], str] = str) -> str:
        """Return the score and its confidence interval (if any). `emphasize` may colour the interval."""
        interval = self._interval(width)
        return f"{self.score:.{width}f}" + (" " + emphasize(f"({interval})") if interval else "")

    def _interval(self, width: int) -> str:
        # sacreBLEU-compat: a mean of zero is not shown. (fixtures: command_lines)
        return f"μ = {self.mean:.{width}f} ± {self.ci:.{width}f}" if self.mean else ""

    def _as_json(self, width: int, signature: str) -> str:
        from ..runtime.json_writer import to_json

        members: dict[str, object] = {"name": self.name, "score": round(float(self.score), width),
                                      "signature": signature}
        if self.mean and self.ci is not None:
            members.update(confidence_mean=round(self.mean, width), confidence_var=round(self.ci, width),
                           confidence=self._interval(width))
        if self._verbose:
            members["verbose_score"] = self._verbose
        for pair in filter(None, signature.split("|")):
            key, _, value = pair.partition(":")
            members.setdefault(key, value)
        return to_json(members, indent=1, ascii_only=False)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the 95 % confidence interval; `None` if nothing was resampled."""
        return None if self.mean is None or self.ci is None else (self.mean - self.ci, self.mean + self.ci)

    def __float__(self) -> float:
        return float(self.score)

    def __format__(self, specification: str) -> str:
        """Return the score in a format such as `.1f`. Without a format, return it as text."""
        return format(self.score, specification) if specification else str(self)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((self.name, self.score))

    def __repr__(self) -> str:
        return self.format()

    def _repr_html_(self) -> str:
        """Return HTML that shows the score in a notebook, with the signature below the score."""
        from html import escape

        signature = f"<br><small><code>{escape(str(self.signature))}</code></small>" if self.signature else ""
        return f"<b>{escape(self.name)} = {escape(self.numbers(2))}</b> {escape(self._verbose)}{signature}"


if TYPE_CHECKING:
    #: A type variable for `Score` and its subclasses.
    OwnScore = TypeVar("OwnScore", bound=Score, covariant=True)

    class OfScore(Generic[OwnScore]):
        """The base class that makes classes generic in the type of scores, such as `Metric[BLEUScore]`."""
else:
    OwnScore = Score

    class OfScore:
        """Stands in for `typing.Generic` at run time, because importing `typing` takes long."""

        def __class_getitem__(cls, score: object) -> type:
            return cls
