"""Requests of the local page: score the texts in a request, as `purebleu report` does.

A request becomes a command line of `purebleu report`, in which file names stand for the texts. The command's code
parses the line, reads the texts and formats the results. No file is opened except test sets and models in the cache,
and no file is written.
"""

from __future__ import annotations

from ..metrics import FURTHER_MODULES, MODULES
from ..metrics.score import Score
from ..report.page.document import page_text
from ..runtime.errors import LengthError, OptionError, PurebleuError
from ..runtime.hints import Any, Iterator, Mapping, Sequence
from ..runtime.json_writer import to_json
from ..serve.form import RequestError, RequestText, checked_member, texts_of_request
from ..tokenizers import TOKENIZERS
from .arguments.command import style_of
from .arguments.groups import METRIC_PREFIXES, Group, Option
from .arguments.parser import parse
from .arguments.values import METRIC_NAMES
from .commands.report import REPORT, ReportValues, page_of_report, scored_for_report, testing_of_report, text_of_report
from .corpus.score import Scored
from .corpus.selection import fetching_as
from .output.page import summarized
from .process import collected_warnings, show_nothing

#: The options that a request may have, besides options of metrics. Options that name files are excluded.
_TAKEN = ("metrics", "language-pair", "test-set", "origlang", "subset", "confidence-n", "paired-bs", "paired-ar",
          "samples", "exact", "correction", "against", "power", "no-power", "no-worth", "no-tests", "no-checks",
          "unit", "strata", "seed", "rng", "width", "segments", "audit")

#: Options whose field in the form is empty, because their default would confuse users.
_LEFT_EMPTY = ("segments", "samples")

#: The optional parts of an answer: the page of the report, the results in three formats of `-f`, the file of
#: `--save-rows`, and the scores as JSON.
OUTPUTS = ("report", "json", "tsv", "latex", "rows", "details")

_FORMATS = ("json", "tsv", "latex")


def score_request(request: Any) -> dict[str, Any]:
    """Score the texts of a request, as `purebleu report` does.

    Args:
        request: a dict of plain data. `references` and `systems` are lists of texts, and `source` is a text. A text is
            a string of lines, a list of lines, or a dict with `text` (a string) or `lines` (a list). The dict may also
            have `name` (of the system) and `file` (the file name for the text in the command line). `options` maps
            options of `purebleu report` (long names without dashes) to values. A value is a string, a number or a
            list, or `True` if the option takes no value. `outputs` is a list of names from `OUTPUTS`.

    Returns:
        A dict of plain data. `scores` has a dict for each system and metric, `command` is the equivalent command line,
        and `warnings` is a list of texts. Each name in `outputs` is also a key, whose value is a string. If something
        is wrong, the dict has only `error`: a dict with `message`, `field` and `line`.

    Example:
        >>> answer = score_request({"references": ["a b c d e\\n"], "systems": ["a b c d\\n"]})
        >>> answer["command"], round(answer["scores"][0]["score"], 2)
        ('purebleu report reference.txt -i system.txt', 77.88)
    """
    try:
        return _scored(request)
    except RequestError as error:
        return error.described()
    except PurebleuError as error:
        return _placed(error, request).described()


def _scored(request: Any) -> dict[str, Any]:
    texts, outputs = texts_of_request(request), _outputs_of(request)
    arguments = _arguments(request, texts)
    values = parse(REPORT, arguments)
    values.texts = {text.file: text.text for text in texts}
    values.arguments = ["report", *arguments]
    values.no_color = True
    with collected_warnings(show_nothing) as warned, fetching_as(None, True):
        answer = _page_answer(values, outputs, warned)
    import shlex

    # (The report shows the command line, too, but without the folders of files.)
    return {**answer, "command": " ".join(["purebleu report", *map(shlex.quote, arguments)]), "warnings": warned}


def _page_answer(values: ReportValues, outputs: Sequence[str], warned: list[str]) -> dict[str, Any]:
    scored, human = scored_for_report(values, warned, checksums="rows" in outputs)
    answer: dict[str, Any] = {"scores": list(_scores(scored))}
    if "details" in outputs:
        answer["details"] = to_json(answer["scores"], indent=1, ascii_only=False)
    forms = [form for form in _FORMATS if form in outputs]
    if forms or "report" in outputs:
        summary = summarized(scored, testing_of_report(values, scored))
        for form in forms:
            answer[form] = text_of_report(values, style_of(values, form), scored, summary.results) + "\n"
        if "report" in outputs:
            answer["report"] = page_text(page_of_report(values, scored, summary, human))
    if "rows" in outputs:
        from ..rows import lines_of
        from .corpus.rows import stored_parts

        answer["rows"] = b"".join(lines_of(stored_parts(scored))).decode("ascii")
    return answer


def _scores(scored: Scored) -> Iterator[dict[str, Any]]:
    """Yield the unrounded score of each system under each metric, with the counts that the score is computed from."""
    for name, system in zip(scored.names, scored.systems):
        for score in system.scores():
            yield {"system": name, "metric": score.name, "score": score.score, **_details(score),
                   "signature": score.signature.format()}


def _details(score: Score) -> dict[str, Any]:
    return {key: value for key, value in vars(score).items()
            if not key.startswith("_") and key not in ("score", "mean", "ci") and isinstance(value, (int, float, list))}


# From a request to a command line


def _outputs_of(request: Mapping[str, Any]) -> list[str]:
    what = f"outputs must be a list of {', '.join(OUTPUTS)}"
    outputs: list[str] = checked_member(request.get("outputs") or [], list, "outputs", what)
    if not all(output in OUTPUTS for output in outputs):
        raise RequestError(what, "outputs")
    return outputs


def _arguments(request: Mapping[str, Any], texts: Sequence[RequestText]) -> list[str]:
    """Return the arguments of the command line that a request stands for."""
    arguments = [text.file for text in texts if text.field.startswith("references")]
    systems = [text for text in texts if text.field.startswith("systems")]
    arguments += ["-i", *[text.file for text in systems]]
    if any(text.name for text in systems):
        arguments += _option_with("names", [text.name or text.file for text in systems])
    if texts[-1].field == "source":
        arguments += ["--source", texts[-1].file]
    given = request.get("options")
    options = checked_member({} if given is None else given, dict, "options", "options must be an object")
    taken = {_long_name(option): option for _, option in taken_options()}
    for name, value in options.items():
        if name not in taken:
            raise RequestError(f"a request has no option {name!r}", "options")
        arguments += _option(name, taken[name], value)
    return arguments


def _option(name: str, option: Option, value: Any) -> list[str]:
    """Return an option and its value as arguments; empty if the option is not set."""
    field = f"options.{name}"
    if option.form == "switch":
        if not isinstance(value, bool):
            raise RequestError(f"{name} must be true or false", field)
        return [f"--{name}"] if value else []
    values: list[Any] = checked_member(value, list, field, "") if isinstance(value, list) else [value]
    if len(values) > 1 and option.form != "several":
        raise RequestError(f"{name} takes only one value", field)
    values = [one for one in values if one is not None]
    if any(isinstance(one, bool) or not isinstance(one, (str, int, float)) for one in values):
        raise RequestError(f"{name} must be text or a number", field)
    words = [str(one) for one in values if one != ""]
    for word in words:
        if word.startswith("spm:"):
            raise RequestError("a model in a file (spm:FILE) works only on the command line", field)
        if name == "test-set" and any(one.endswith(".json") for one in word.split(",")):
            raise RequestError("a test set that a file describes works only on the command line", field)
        if not word.isprintable():
            raise RequestError(f"{name} has a character that can't be printed", field)
    return _option_with(name, words) if words else []


def _option_with(name: str, words: Sequence[str]) -> list[str]:
    """Return an option with its values as arguments. (`=` joins values that begin with a dash.)"""
    if any(word.startswith("-") for word in words):
        return [f"--{name}={word}" for word in words]
    return [f"--{name}", *words]


def taken_options() -> Iterator[tuple[Group, Option]]:
    """Yield the options of the command line that a request may have, each with its group."""
    for group in REPORT.all_groups:
        for option in group.options:
            if option.form != "positional" and option.metavar != "FILE" and (
                    option.destination.startswith(METRIC_PREFIXES) or _long_name(option) in _TAKEN):
                yield group, option


def _long_name(option: Option) -> str:
    return option.names[0].lstrip("-")


def form_fields() -> list[dict[str, Any]]:
    """Return descriptions of the options that a request may have, for a form of HTML.

    Returns:
        For each option, a dict with `name`, `group`, `title` (of the group), `help`, `kind` (`flag`, `choice`, `list`
        or `text`), `choices`, `titles` (for choices that the form shows under other names) and `default` (a string).
    """
    fields: list[dict[str, Any]] = []
    titles = {name.lower(): name for name in (*MODULES, *FURTHER_MODULES)}
    titles.update(chrf="chrF", character="CharacTER", rouge1="ROUGE-1", rouge2="ROUGE-2", rougel="ROUGE-L",
                  rougelsum="ROUGE-Lsum")
    for group, option in taken_options():
        name = _long_name(option)
        choices = list(option.choices)
        if name == "metrics":
            choices = list(METRIC_NAMES)
        elif name == "tokenize":
            choices = [tokenizer for tokenizer in TOKENIZERS if tokenizer != "spm"]
        kind = "flag" if option.form == "switch" else "list" if name == "metrics" else "choice" if choices else "text"
        usual = "" if name in _LEFT_EMPTY or kind == "flag" else getattr(ReportValues, option.destination, "")
        default = str(usual) if isinstance(usual, (str, int)) else ""
        if kind == "choice" and default not in choices:
            default = ""  # (an environment variable may set another default)
        fields.append({"name": name, "group": group.name, "title": group.title, "kind": kind, "choices": choices,
                       "titles": titles if name == "metrics" else {},
                       "default": default,
                       "help": f"{option.help}; {option.more}" if option.more else option.help})
    return fields


# From an error to the field of the request


def _placed(error: PurebleuError, request: Mapping[str, Any]) -> RequestError:
    """Convert an error of the command line to a `RequestError` with the field and the line that caused it."""
    message = str(error).replace(" (see purebleu report --help)", "")
    for text in texts_of_request(request):
        if error.file == text.file:
            return RequestError(message, text.field, error.line)
    destination = error.option if isinstance(error, OptionError) else None
    if destination == "references":
        return RequestError("give either a test set, or one or more references", "references")
    if destination == "input" or isinstance(error, LengthError):
        return RequestError(message, "systems", error.line)
    options: Mapping[str, Any] = request.get("options") or {}
    named = [_long_name(option) for _, option in taken_options() if option.destination == destination]
    named = [name for name in named if name in options] or named
    field = f"options.{named[0]}" if named else ""
    return RequestError(message.partition("argument ")[2] or message, field, error.line)
