"""What an evaluation gives: a score, and the signature that says how it came about."""

from __future__ import annotations

from .. import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    SignatureValue = Union[str, int, bool, None]

#: The fields of a signature that come first, whatever the metric, in this order.
_LEADING = ("nrefs", "bs", "ar", "seed", "rng", "test", "lang", "origlang", "subset")

#: Short names of fields that have the same one with every metric. Others are the metric's, or have none.
_SHORT = {
    "nrefs": "#", "bs": "bs", "ar": "ar", "seed": "rs", "test": "t", "lang": "l", "origlang": "o", "subset": "S",
    "case": "c", "eff": "e", "smooth": "s", "space": "s", "order": "n", "version": "v",
}


class Signature:
    """All that a score depends on, as `key:value` pairs in a fixed order.

    `info` maps each key to its value, in the order in which they are printed; a value of `None` is left out, and
    `True` and `False` read `yes` and `no`. The version comes last and names the program: the same string never
    stands for two programs. `short` maps keys to abbreviations of the metric's own.
    """

    def __init__(self, nrefs: str | int, fields: dict[str, SignatureValue], short: dict[str, str]) -> None:
        self._short = {**_SHORT, **short}
        self.info: dict[str, SignatureValue] = dict.fromkeys(_LEADING)
        self.info["nrefs"] = nrefs
        self.info.update(fields)
        self.info["version"] = f"purebleu-{__version__}"

    def format(self, short: bool = False) -> str:
        """The pairs, joined with `|`; with abbreviated keys where `short`."""
        pairs = []
        # sacreBLEU-compat: clients add fields, and the version stays last.
        for key, value in sorted(self.info.items(), key=lambda pair: pair[0] == "version"):
            if value is not None:
                if isinstance(value, bool):
                    value = "yes" if value else "no"
                pairs.append(f"{self._short.get(key, key) if short else key}:{value}")
        return "|".join(pairs)

    def update(self, key: str, value: SignatureValue) -> None:
        """Set one field; a new one goes before the version."""
        version = self.info.pop("version", None)
        self.info[key] = value
        self.info.setdefault("version", version)

    def with_resampling(self, seed: int | None, stream: str | None, **samples: int) -> Signature:
        """A copy that says how resampling went: its seed, its random stream (unless `None`), and numbers of samples:
        `bs`, `ar`."""
        from copy import copy

        signature = copy(self)
        signature.info = {**self.info, **samples, "seed": str(seed).lower(), "rng": stream}
        return signature

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


class Score:
    """A metric's value for a corpus or a segment.

    `name` is what is printed, with the metric's variant; `score` is the value itself, unrounded; `signature` belongs
    to the evaluation that the score came from (`None` where it was computed from bare sums). `mean` and `ci` are those
    of `resampling.intervals.estimate_ci`, where an interval was asked for.
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self.signature: Signature | None = None
        self.mean: float | None = None
        self.ci: float | None = None
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """One line of text, or a JSON object over several lines.

        `width` is the number of decimal places; `score_only` leaves out all but the number, also in JSON;
        `signature` is printed behind the name, and its fields become members of the JSON object.
        """
        number = f"{self.score:.{width}f}"
        # sacreBLEU-compat: a mean of zero is not shown. (fixtures: command_lines)
        interval = f"μ = {self.mean:.{width}f} ± {self.ci:.{width}f}" if self.mean else ""
        if is_json and not score_only:
            return self._as_json(number, interval, signature)
        if interval:
            number += f" ({interval})"
        if score_only:
            return number
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number} {self._verbose}".rstrip()

    def _as_json(self, number: str, interval: str, signature: str) -> str:
        from ..json_writer import to_json

        members: dict[str, object] = {"name": self.name, "score": float(number), "signature": signature}
        if interval:
            mean, ci = interval[len("μ = "):].split(" ± ")
            members.update(confidence_mean=float(mean), confidence_var=float(ci), confidence=interval)
        if self._verbose:
            members["verbose_score"] = self._verbose
        for pair in filter(None, signature.split("|")):
            key, _, members[key] = pair.partition(":")
        return to_json(members, indent=1, ascii_only=False)

    def __repr__(self) -> str:
        return self.format()
