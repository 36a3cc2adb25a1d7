"""Functions that read the signatures of published scores. A signature has the name and the options of a metric."""

from __future__ import annotations

from ..runtime.errors import OptionError, check_text, warn
from ..runtime.hints import Any, Mapping
from ..version import __version__
from . import metric_class, named_metric
from .score import LEADING_FIELDS, SHORT_KEYS, Signature
from .signature import signature_pairs

#: Names of fields in sacreBLEU 1 (`BLEU+case.mixed+numrefs.1+...`) that have changed, and their names in sacreBLEU 2.
_FIELDS_OF_VERSION_1 = {"numrefs": "nrefs", "numchars": "nc", "n": "nc"}

#: Values in sacreBLEU 1 that have changed, and their values in sacreBLEU 2. (In version 1, `floor` used the value 0.)
_VALUES_OF_VERSION_1 = {"true": "yes", "false": "no", "floor": "floor[0.00]", "add-k": "add-k[1.00]"}

#: The words after `tercom` in TER's signatures of sacreBLEU 1, and the fields and values that they stand for.
_TERCOM_OF_VERSION_1 = {
    "norm": ("norm", "yes"), "nonorm": ("norm", "no"), "punct": ("punct", "yes"), "nopunct": ("punct", "no"),
    "asian": ("asian", "yes"), "noasian": ("asian", "no"), "cased": ("case", "mixed"), "uncased": ("case", "lc"),
}


class ReadSignature:
    """The contents of a signature.

    Attributes:
        name: the name of the score, such as `chrF2++`.
        metric: the name of the metric in the registry, such as `CHRF`.
        fields: the values of fields by their long names.
    """

    def __init__(self, name: str, metric: str, fields: Mapping[str, str]) -> None:
        self.name = name
        self.metric = metric
        self.fields = dict(fields)

    def options(self) -> dict[str, Any]:
        """Return the arguments of the metric for the fields. Raises `OptionError` if a value is impossible."""
        return metric_class(self.metric).options_from_fields(self.name, self.fields)

    def options_with(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the metric for the fields, overridden by the arguments in `given`.

        Warns if the fields have a normal form, because `corpus_score` needs it as an argument.
        """
        fields = dict(self.fields)
        if "tokenize" in given:
            fields.pop("tok", None)  # (It may stand for a user's function or model, which could not be found.)
        if form := fields.get("unicode"):
            warn(f"the signature has unicode:{form}, so give normalize={form!r} to corpus_score")
        return {**metric_class(self.metric).options_from_fields(self.name, fields), **given}


def read_signature(text: str) -> ReadSignature:
    """Read the name of a score and its signature, in the long or the short form.

    Args:
        text: the text that sacreBLEU and purebleu print, such as `BLEU|nrefs:1|case:mixed|eff:no|tok:13a|...`; or a
            signature of sacreBLEU 1, such as `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.2`.

    Raises:
        OptionError: the text is no signature, or has fields that the metric does not have.

    Example:
        >>> read = read_signature("chrF2++|#:1|c:lc|e:yes|nc:6|nw:2|s:no|v:2.4.3")
        >>> read.metric, read.fields["case"], read.fields["space"]
        ('CHRF', 'lc', 'no')
    """
    check_text("a signature", text)
    name, *pairs = text.strip().split("|")
    if not pairs and "+" in text:
        name, *pairs = text.strip().split("+")
        pairs = [changed for pair in pairs for changed in _pairs_of_version_2(pair)]
    metric, _ = named_metric(name)
    if metric is None or not pairs:
        advice = " (put the metric first)" if ":" in name else ""
        raise OptionError(f"{text!r:.80} is not a signature, such as 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a'{advice}")
    usual = metric_class(metric)()
    short_keys = {**SHORT_KEYS, **usual.SHORT_FIELDS}
    long_keys = {short_keys.get(key, key): key for key in [*LEADING_FIELDS, *usual.signature_fields(False), "version"]}
    fields: dict[str, str] = {}
    for pair in pairs:
        key, found, value = pair.partition(":")
        key = long_keys.get(key, key)
        if not (found and value) or key in fields or key not in long_keys.values():
            raise OptionError(f"the signature has the field {pair!r:.40}, which is unknown for {metric} or given twice")
        fields[key] = value
    return ReadSignature(name, metric, fields)


def _pairs_of_version_2(pair: str) -> list[str]:
    """Return a field of a signature of sacreBLEU 1 as fields of sacreBLEU 2.

    >>> _pairs_of_version_2("numrefs.1"), _pairs_of_version_2("tok.tercom-nonorm-punct-noasian-uncased")
    (['nrefs:1'], ['norm:no', 'punct:yes', 'asian:no', 'case:lc'])
    """
    key, dot, value = pair.partition(".")
    tercom, *words = value.split("-")
    if tercom == "tercom" and all(word in _TERCOM_OF_VERSION_1 for word in words):
        return [":".join(_TERCOM_OF_VERSION_1[word]) for word in words]
    return [_FIELDS_OF_VERSION_1.get(key, key) + dot.replace(".", ":") + _VALUES_OF_VERSION_1.get(value, value)]


#: Fields that signatures have only if a user has asked for them by an option.
_ASKED_FOR = ("unit", "strata", "reseg", "unicode", "where", "order")


def warn_of_differences(given: str, signature: Signature, has_groups: bool = False) -> None:
    """Warn of each field in which a score's signature differs from the given signature.

    `has_groups`: whether the strata are groups of segments, so that the given signature may lack `strata`.
    """
    expected = read_signature(given).fields
    actual = signature_pairs(signature.format())
    if expected.get("version") in (__version__.partition(".post")[0], actual["version"]):
        expected.pop("version")  # (Both versions compute the same scores.)
    asked_for = [key for key in _ASKED_FOR if key in actual and not (has_groups and key == "strata")]
    keys = dict.fromkeys([*expected, *asked_for])
    differences = [f"{key}:{actual.get(key, '(none)')} instead of {expected.get(key, '(none)')}" for key in keys
                   if actual.get(key) != expected.get(key)]
    if differences:
        warn(f"the signature of the result differs from the given signature: {', '.join(differences)}")
