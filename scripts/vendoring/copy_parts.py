"""Parts of a vendored copy: which modules it has, and which modules are left out."""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping, NamedTuple, Sequence

from vendoring.archives import literal
from vendoring.module_graph import ModuleGraph
from vendoring.pruning import without_calls

#: The options of `vendor.py` that choose the parts of a copy, in the order of the fields of `Choice`.
OPTIONS = ("--only", "--tokenizers", "--without", "--with", "--api")
PLAIN = "--plain"

#: The parts of a copy besides metrics and tokenizers: values of `--without`, and of `--with` (after `--only`). Each
#: part has the modules through which the rest of the package uses it, and all modules in these. If a part is left
#: out, modules that only this part imports are left out, too.
FEATURES: Mapping[str, Sequence[str]] = {
    "datasets": ("datasets", "dataset", "cli.output.testsets", "cli.commands.bundle", "cli.commands.unbundle",
                 "cli.commands.testset"),
    "mecab": ("tokenizers.tokenizer_ja_mecab", "tokenizers.tokenizer_ko_mecab"),
    "sentencepiece": ("engines.sentencepiece", "tokenizers.tokenizer_spm"),
    "significance": ("significance", "engines.resampling"),
    "agreement": ("meta_evaluation", "report.agreement"),
    "audit": ("audit", "report.audit"),
    # (The names of checks stay, because options list them.)
    "checks": ("checks.findings", "checks.phrases", "report.checks", "cli.commands.check"),
    "rows": ("rows", "cli.corpus.rows"),
    "page": ("analysis", "report.views", "report.page"),
    "mbr": ("decoding", "metrics.pairs", "engines.ngrams.pairs"),
    "serve": ("serve", "cli.page_job"),
    "evaluate": ("evaluate",),
    "harness": ("harness",),
    "accumulator": ("metrics.making", "metrics.reading"),
    "external": ("metrics.external",),
    "warnings": ("metrics.warnings",),
    "clients": ("metrics.helpers",),
    "resegment": ("resegmentation",),
    "alias": ("compat.alias",),
    "ids": ("compat.r_sacrebleu",),
    "v1": ("compat.v1",),
    "report": ("report.comparison", "report.paper", "report.tables"),
    "cli": ("cli", "report", "__main__"),
}

#: The features that a copy with `--only` has, unless `--without` names them. (So every copy warns by default.)
ALWAYS = ("warnings",)

#: The features that tokenizers need. If `--tokenizers` names a tokenizer, the copy has its feature.
FEATURES_OF_TOKENIZERS = {"ja-mecab": "mecab", "ko-mecab": "mecab", "spm": "sentencepiece",
                          "flores101": "sentencepiece", "flores200": "sentencepiece", "spBLEU-1K": "sentencepiece"}

#: For each feature, other features that it needs. The copy then has these, too.
NEEDS_OF_FEATURES: Mapping[str, Sequence[str]] = {
    "cli": ("accumulator", "warnings"),
    "report": ("accumulator", "cli", "warnings"),
    "harness": ("accumulator", "cli", "report", "significance", "warnings"),
    "alias": ("clients",),
    "v1": ("clients",),
}

#: The functions that a copy does not call if it lacks a part or a metric.
CALLS: Mapping[str, Sequence[str]] = {
    "warnings": ("_warn_of_slow", "_warn_of_texts", "_warn_of_doubt", "warn_of_transposed", "warn_of_language"),
    "clients": ("cuts_streams",),
    "cli": ("observer",),
    "nist": ("lacks_weights", "take_weights", "_check_weights"),
    "rouge": ("_warn_of_other_letters",),
    "significance": ("_add_interval",),
}

#: Names in modules and classes that are only there for clients of sacreBLEU.
FOR_CLIENTS = ("BaseTokenizer", "MAX_NGRAM_ORDER", "PairedTest", "Result", "_TOKENIZERS", "_aggregate_and_compute",
               "_cache_references", "_compute_f_score", "_compute_p_value", "_compute_score_from_stats",
               "_extract_corpus_statistics", "_get_match_statistics", "_get_tokenizer", "_preprocess_segment",
               "_remove_punctuation", "estimate_ci", "extract_all_word_ngrams")

#: The tokenizers that warnings advise. If a copy lacks one of them, its warnings have other advice (see `_ADVICE`).
ADVISED = ("char", "flores200", "zh")
_ADVICE = "tokenizers"

#: Text that is replaced in a copy that lacks a part (or is plain): the text in the package, and its replacement.
SIMPLER: Mapping[str, Mapping[str, str]] = {
    "cli": {
        # `dir`
        ", metaclass=MetricType": "",
        "    def __dir__(self) -> list[str]:\n        return sorted({*dir(type(self)), *vars(self)})\n\n": "",
        # JSON. (Only the command line avoids the module `json`.)
        "        from ..runtime.json_writer import to_json\n\n        members":
            "        import json\n\n        members",
        "to_json(members, indent=1, ascii_only=False)": "json.dumps(members, indent=1, ensure_ascii=False)",
        # options of the command line in messages
        "-sl, or effective_order=True in Python, leaves": "effective_order=True leaves",
        "(--force, or force=True in Python, silences this warning)": "(force=True silences this warning)",
        '--normalize nfc, or normalize=\\"nfc\\" in Python, makes': 'normalize=\\"nfc\\" makes',
        ": --srt-unit block (or --resegment, or -m suber) reads only the text": ": score only the text",
        " (-l en-{meant})": "",
        " (-l en-ja)": "",
        " (-l en-{language}), ": ", ",
        "-tok {usual}flores200 or char (tokenize= in Python)": "the tokenizer {usual}flores200 or char",
        "--ter-normalized --ter-asian-support (normalized=True, asian_support=True in Python)":
            "normalized=True, asian_support=True",
        "--rouge-tokenize {UNICODE_TOKENIZER} (tokenize= in Python)": "tokenize={UNICODE_TOKENIZER!r}",
        "--rouge-tokenize unicode (tokenize= in Python)": "tokenize='unicode'",
        '"-m chrf"': '"chrF"',
        '"-m cer"': '"CER"',
        "take -tok char or -m chrf": "take the tokenizer char, or chrF",
    },
    _ADVICE: {
        "the tokenizer zh, or flores200 (spBLEU)":
            "tokenize=FUNCTION, a function that returns the characters of a line",
        "the tokenizer flores200 (spBLEU), the tokenizer char, or the metric chrF":
            "tokenize=FUNCTION, a function that returns the words of a line",
        """\
    usual = f"{DEFAULT_BY_LANGUAGE[language]}, " if language else ""
    return f"the tokenizer {usual}flores200 or char"
""": """\
    return "tokenize=FUNCTION, a function that returns the words of a line"
""",
    },
    "manual": {
        " (purebleu help choose)": "",
    },
    "accumulator": {
        # signatures are not read
        "A field converts an option of a metric to the text in a signature, and back.":
            "A field converts an option of a metric to the text in a signature.",
    },
    "datasets": {
        """\
    short_year = name.lower().replace("wmt20", "wmt", 1)  # (Test sets are called `wmt22`, for example, not `wmt2022`.)
    matches = [short_year] if short_year in names else matches
""": "",
    },
    "nist": {
        """\
 NIST
        needs all references of the corpus in its constructor.
""": "\n",
        " If the metric lacks weights, the corpus's references give them.": "",
        " (A `NIST` without weights is replaced by a copy with weights before `add`.)": "",
        """\
        # (If the metric lacks weights, each segment's weights come from its own references.)
        block_statistics = self._rows_in_blocks if self.lacks_weights() else self.block_statistics
""": "",
        "rows = block_statistics(stream[indices]": "rows = self.block_statistics(stream[indices]",
    },
    "external": {
        # metrics without signatures
        "if signature and metric.IS_SIGNED:": "if signature:",
        ", with its signature (unless the metric `IS_SIGNED` is false)": ", with its signature",
        " (For `SegmentScores`, the user chooses the name.)": "",
    },
    "rouge": {
        # the warning of letters other than A to Z
        """\
        elif 2 * len(start.encode("ascii", "ignore")) < len(start):
            self._not_ascii.append(number)
""": "",
        "        self._not_ascii: list[int] = []\n": "",
    },
    "sentencepiece": {
        """\
        tokenizers = [getattr(metric, "tokenizer_signature", "") for metric in self._metrics]
        if tokenizers and all(tokenizer in SENTENCEPIECE_TOKENIZERS for tokenizer in tokenizers):
            return  # (Models of SentencePiece normalize text.)
""": "",
    },
    "significance": {
        """ ("score", "value"), ("score", "exact_ratio"),
                       ("value", "exact_ratio"))
""": """ ("score", "value"))
""",
        "resampling = _seed_and_stream(rng) if n_bootstrap > 1 else None":
            "if n_bootstrap > 1:\n            _seed_and_stream(rng)",
        "rows = self._add_corpus(evaluation, segments, all_references, keeps_rows=n_bootstrap > 1)":
            "self._add_corpus(evaluation, segments, all_references, keeps_rows=False)",
        """\
            n_bootstrap: the number of bootstrap resamples for `mean` and `ci` of the score; 1 for no resampling.
            rng: the random number generator: `mt19937` (as in Python), `numpy` (as in sacreBLEU), or `environment`
                (the value of `PUREBLEU_RNG`, by default `mt19937`). The seed is the environment variable
                `PUREBLEU_SEED` or `SACREBLEU_SEED`, by default 12345.
""": """\
            n_bootstrap: 1, because this copy can't resample.
            rng: has no effect without resampling.
""",
    },
    "clients": {
        # the error of a program that calls a private method of sacreBLEU
        """\
    # Methods of sacreBLEU that programs call

    def _preprocess_segment(self, sent: str) -> str:
        \"\"\"Preprocess a line as sacreBLEU's metric does, with spaces between tokens.\"\"\"
        raise NotImplementedError
""": """\
    def __getattr__(self, name: str) -> Any:
        of_sacrebleu = ("_aggregate_and_compute _cache_references _compute_f_score _compute_score_from_stats "
                        "_extract_corpus_statistics _get_match_statistics _preprocess_segment _remove_punctuation")
        hint = " (vendor.py --with clients adds it)" if name in of_sacrebleu.split() else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
""",
    },
    "mbr": {
        ", for example for minimum Bayes risk decoding\n        (see `mbr`).": ".",
    },
    PLAIN: {
        """\
    if len(references) == 1 and max(len(hypothesis), len(references[0])) <= MAX_LISTED_SYMBOLS:
        matches = _matches_in_lists(hypothesis, references[0], orders)
    else:
        matches = _matches_in_counts(hypothesis, references, orders)
""": "    matches = _matches_in_counts(hypothesis, references, orders)\n",
        ", unless `faster` has a function for the metric's\nclass": "",
        ", or a faster function": "",
        "\n`separation` finds the same tokens in many lines at once.": "",
        # lower case: a plain copy uses that of Python
        "lower_case_of_lines(lines)": "[line.lower() for line in lines]",
        **{f"lower_case({name})": f"{name}.lower()" for name in ("line", "segment", "sent", "token", "word")},
    },
}

#: The modules with faster code of metrics and tokenizers. Without them, the plain definitions run.
FASTER = ("metrics.faster", "tokenizers.separation")

#: Further values of `--with`. Even a whole copy lacks these parts, unless `--with` names them.
EXTRAS: Mapping[str, Sequence[str]] = {"manual": ("manual",), "subtitles": ("files.subtitles",)}

#: Modules that only these features need. If all of these features are left out, so are the modules.
SHARED: Mapping[Sequence[str], Sequence[str]] = {
    ("datasets", "sentencepiece"): ("files.download",),
    ("cli", "datasets", "rows", "external", "audit", "mecab", "sentencepiece", "agreement"): ("files",),
}

#: The modules of metrics, by values of `--only`. `wer` has WER, CER, MER and WIL; `orders` has BLEU-1 to BLEU-3. (BLEU
#: is always there, because sacreBLEU's functions and the options need it.)
METRICS: Mapping[str, Sequence[str]] = {
    "bleu": (),
    "orders": ("metrics.orders",),
    "chrf": ("metrics.chrf", "metrics.faster.chrf"),
    "ter": ("metrics.ter", "metrics.faster.edits", "tokenizers.tokenizer_ter"),
    "wer": ("metrics.wer", "metrics.faster.edits"),
    "gleu": ("metrics.gleu", "metrics.faster.ngrams"),
    "nist": ("metrics.nist",),
    "rouge": ("metrics.rouge", "metrics.faster.ngrams"),
    "ribes": ("metrics.ribes", "metrics.faster.means"),
    "character": ("metrics.character", "metrics.faster.means"),
    "eed": ("metrics.eed",),
}


class Choice(NamedTuple):
    """The parts that the options of `vendor.py` choose.

    Attributes:
        metrics: keys of `METRICS`. The copy has only these, with the features of `ALWAYS` and `extras`. Empty for the
            whole package.
        tokenizers: names in the registry. Empty for all tokenizers.
        without: keys of `FEATURES` (of `ALWAYS` if there are `metrics`).
        extras: keys of `EXTRAS` (and of `FEATURES` if there are `metrics`).
        api: `1` if the copy has the names of sacreBLEU 1.x.
        plain: whether to leave out the faster code.
    """

    metrics: Sequence[str] = ()
    tokenizers: Sequence[str] = ()
    without: Sequence[str] = ()
    extras: Sequence[str] = ()
    api: Sequence[str] = ()
    plain: bool = False

    def __str__(self) -> str:
        """Return the options of `vendor.py` for this choice."""
        named = zip(OPTIONS, (self.metrics, self.tokenizers, self.without, self.extras, self.api))
        words = [" ".join([option, *names]) for option, names in named if names]
        return " ".join([*words, PLAIN] if self.plain else words)

    @property
    def left_out(self) -> list[str]:
        """Return the features that the copy lacks."""
        if self.metrics:
            of_tokenizers = [FEATURES_OF_TOKENIZERS.get(name, "") for name in self.tokenizers]
            wanted = {*({*ALWAYS} - {*self.without}), *self.extras, *of_tokenizers, "v1" if self.api else ""}
            for feature in list(wanted):
                wanted.update(NEEDS_OF_FEATURES.get(feature, ()))
            return [feature for feature in FEATURES if feature not in wanted]
        return [feature for feature in FEATURES
                if {feature, *NEEDS_OF_FEATURES.get(feature, ())}.intersection(self.without)]

    @classmethod
    def of_options(cls, text: str) -> Choice:
        """Return the choice from the text of its options."""
        names: dict[str, list[str]] = {option: [] for option in OPTIONS}
        option = ""
        words = text.split()
        for word in words:
            if word in names:
                option = word
            elif word != PLAIN:
                names[option].append(word)
        metrics, tokenizers, without, extras, api = [names[option] for option in OPTIONS]
        return cls(metrics, tokenizers, without, extras, api, PLAIN in words)


class Parts(NamedTuple):
    """The modules of a copy.

    Attributes:
        kept: the modules that the copy has, sorted.
        missing: the modules that the copy lacks, each with the name of the part for messages.
        choice: the parts that the user chose.
    """

    kept: Sequence[str]
    missing: Mapping[str, str]
    choice: Choice = Choice()

    def complaint(self, module: str) -> str:
        """Return the message of the error that a copy raises if a missing module is needed."""
        return f"this copy of purebleu was made without {self.missing[module]}"


def chosen_parts(graph: ModuleGraph, choice: Choice) -> Parts:
    """Return the modules of a copy: all modules that its public names, commands and registries need."""
    missing = _left_out(graph, choice)
    return Parts(reached(graph, missing), missing, choice)


def reached(graph: ModuleGraph, missing: Mapping[str, str]) -> list[str]:
    """Return the modules that are imported without the missing modules, sorted."""
    kept: set[str] = set()
    waiting = [name for name in ("", "__main__", *registered(graph)) if name not in missing]
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept.add(name)
            packages = {name.rpartition(".")[0]} - {""}
            waiting += sorted((graph.imported_by(name) | packages) - missing.keys() - kept)
    return sorted(kept)


def simplified(graph: ModuleGraph, choice: Choice) -> ModuleGraph:
    """Return the modules without calls for parts and metrics that a small copy lacks, and with `SIMPLER` lines."""
    if not choice.metrics:
        return graph
    lacking = [*choice.left_out, *[metric for metric in METRICS if metric not in choice.metrics],
               *[extra for extra in EXTRAS if extra not in choice.extras], *([PLAIN] if choice.plain else [])]
    if choice.tokenizers and not {*ADVISED} <= {*choice.tokenizers} and "cli" in choice.left_out:
        lacking.append(_ADVICE)
    names = {name for part in lacking for name in CALLS.get(part, ())}
    chosen = [graph.sources[module] for metric in choice.metrics for module in METRICS[metric]]
    if not any("SLOW_LENGTH" in source for source in chosen):
        names.add("_warn_of_slow")
    sources = {module: without_calls(source, names) if any(name in source for name in names) else source
               for module, source in graph.sources.items()}
    for line, simpler in [pair for part in lacking for pair in SIMPLER.get(part, {}).items()]:
        having = [name for name, source in sources.items() if line in source]
        assert having, f"no module has: {line}"
        for name in having:
            sources[name] = sources[name].replace(line, simpler)
    return ModuleGraph(sources)


def kept_at_top(graph: ModuleGraph, parts: Parts) -> set[str]:
    """Return the top-level names that stay in a copy, even if nothing in the copy uses them."""
    for_clients = () if "clients" in parts.choice.left_out else FOR_CLIENTS
    errors = () if parts.choice.metrics else literal(graph.sources["runtime.errors"], "__all__")
    old_names = literal(graph.sources["compat.v1"], "__all__") if parts.choice.api else ()
    return {*public_names(graph), *errors, *for_clients, *old_names, "__version__", "run"}


def kept_members(parts: Parts, documented: str) -> set[str]:
    """Return the names in classes that stay in a copy, even if nothing uses them. `documented` is a text with names."""
    for_clients = () if "clients" in parts.choice.left_out else FOR_CLIENTS
    return {*re.findall(r"\w+", documented), *for_clients} - {*dir(dict)}  # (The manual calls methods of dicts, too.)


def _left_out(graph: ModuleGraph, choice: Choice) -> dict[str, str]:
    """Return the modules that are left out, each with the feature that they were left out with."""
    missing: dict[str, str] = {}
    for feature, names in _unwanted(graph, choice):
        below = tuple([f"{name}." for name in names])
        for module in graph.sources:
            if f"{module}.".startswith(below):
                missing.setdefault(module, feature)
    # Modules that import a missing module can't be imported, so they are also left out.
    complete = False
    while not complete:
        complete = True
        for module in graph.sources:
            needed = sorted(graph.imported_by(module, at_top=True) & missing.keys())
            if needed and module not in missing:
                missing[module], complete = missing[needed[0]], False
    return missing


def _way_to_add(part: str, choice: Choice) -> str:
    """Return a hint for messages: the option that adds a part; '' if `--with` can't add the part."""
    is_offered = choice.metrics and part not in (*choice.without, *ALWAYS)
    return f" (vendor.py --with {part} adds it)" if is_offered else ""


def _unwanted(graph: ModuleGraph, choice: Choice) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the parts that are not chosen, each with its name for messages and its modules."""
    for feature in choice.left_out:
        yield feature + _way_to_add(feature, choice), FEATURES[feature]
    if choice.plain:
        yield "the faster ways", FASTER
    for extra, modules in EXTRAS.items():
        if extra not in choice.extras:
            yield f"the {extra}{_way_to_add(extra, choice)}", modules
    registry = literal(graph.sources["tokenizers"], "TOKENIZERS")
    modules_of = {**METRICS, **{name: (f"tokenizers.{module}",) for name, (module, *_) in registry.items()}}
    # (A tokenizer may use the module of another tokenizer.)
    needed = _needed(graph, [module for name in (*choice.metrics, *choice.tokenizers) for module in modules_of[name]])
    for metric, modules in METRICS.items():
        if choice.metrics and metric not in choice.metrics:
            yield f"{metric} (add it to vendor.py --only)", [module for module in modules if module not in needed]
    for name in registry:
        if choice.tokenizers and name not in (*choice.tokenizers, "none"):  # (`raw_corpus_bleu` uses `none`.)
            yield (f"the tokenizer {name} (add it to vendor.py --tokenizers)",
                   [module for module in modules_of[name] if module not in needed])
    for features, modules in SHARED.items():
        if set(features) <= set(choice.left_out):
            yield features[0] + _way_to_add(features[0], choice), modules


def _needed(graph: ModuleGraph, chosen: Sequence[str]) -> set[str]:
    """Return the chosen modules and all modules that they import at the top, directly or indirectly."""
    needed: set[str] = set()
    waiting = list(chosen)
    while waiting:
        name = waiting.pop()
        needed.add(name)
        waiting += graph.imported_by(name, at_top=True) - needed
    return needed


def registered(graph: ModuleGraph) -> list[str]:
    """Return the modules that no statement imports: tables name them, or only clients import them."""
    top, metrics, tokenizers = [graph.sources[name] for name in ("", "metrics", "tokenizers")]
    packages = {package: literal(source, "_MODULES") for package, source in graph.sources.items()
                if "lazy_names(__name__" in source}
    return ["tokenizers.tokenizer_re", "compat.r_sacrebleu", "compat.v1",
            *literal(top, "_MODULES"), *literal(top, "_SUBMODULES"),
            *[f"{package}.{module}" for package, modules in packages.items() for module in modules],
            *[f"metrics.{module}" for module in metric_modules(metrics).values()],
            *[f"tokenizers.{module}" for module, *_ in literal(tokenizers, "TOKENIZERS").values()],
            *[f"metrics.faster.{module}" for module, _ in _table(graph, "metrics.faster", "_WAYS").values()],
            *_commands(graph).values()]


def _table(graph: ModuleGraph, module: str, name: str) -> dict[str, Any]:
    """Return the table with this name in a module; an empty table if the module does not exist."""
    table: dict[str, Any] = literal(graph.sources[module], name) if module in graph.sources else {}
    return table


def _commands(graph: ModuleGraph) -> dict[str, str]:
    """Return the names of the constants with commands, and their modules."""
    return {word.upper(): f"cli.commands.{word}" for word in _table(graph, "cli.commands", "COMMANDS")}


def public_names(graph: ModuleGraph) -> dict[str, str]:
    """Return the public names of the package, with their modules."""
    return {name: module for module, names in literal(graph.sources[""], "_MODULES").items() for name in names}


def metric_modules(source: str) -> dict[str, str]:
    """Return the names of metrics with their modules, from the source of the package `metrics`."""
    return {**literal(source, "MODULES"), **literal(source, "FURTHER_MODULES"), **literal(source, "OUTSIDE_MODULES")}


def classes(graph: ModuleGraph) -> dict[str, str]:
    """Return the classes of metrics, scores and tokenizers, and the commands, with their modules."""
    metrics = metric_modules(graph.sources["metrics"])
    tokenizers = literal(graph.sources["tokenizers"], "TOKENIZERS")
    return {**{name + end: f"metrics.{module}" for name, module in metrics.items() for end in ("", "Score")},
            **{name: f"tokenizers.{module}" for module, name, *_ in tokenizers.values()}, **_commands(graph)}
