"""Parts of a vendored copy: the modules that are left out, and those that are still needed."""

from __future__ import annotations

import ast
from typing import Any, Iterator, Mapping, NamedTuple, Sequence

from vendoring.module_graph import ModuleGraph

#: Values of `--without`, each with the modules (and all below them) by which the rest of the package reaches it. What
#: only these need is left out with them, as imports tell; what others need, too, stays.
FEATURES: Mapping[str, Sequence[str]] = {
    "datasets": ("datasets", "dataset", "cli.output.testsets", "cli.commands.bundle", "cli.commands.unbundle"),
    "mecab": ("tokenizers.tokenizer_ja_mecab", "tokenizers.tokenizer_ko_mecab"),
    "sentencepiece": ("engines.sentencepiece", "tokenizers.tokenizer_spm"),
    "significance": ("significance", "engines.resampling"),
    "agreement": ("meta_evaluation", "report.agreement", "files.human_scores"),
    "audit": ("audit", "report.audit"),
    "checks": ("checks.findings", "report.checks"),  # (All but their names, which the options have.)
    "rows": ("rows", "cli.corpus.rows"),
    "page": ("analysis", "cli.corpus.texts", "report.views", "report.page"),
    "mbr": ("decoding", "metrics.faster.chrf_pairs", "engines.ngrams.pairs"),
    "serve": ("serve", "cli.page_job"),
    "evaluate": ("evaluate",),
    "ids": ("compat.r_sacrebleu",),
    "report": ("report.comparison", "report.layouts", "report.pairs", "report.paper", "report.runs"),
    "cli": ("cli", "report", "__main__"),
}

#: Values of `--with`, likewise: a copy has these where they are asked for.
EXTRAS: Mapping[str, Sequence[str]] = {"manual": ("manual",)}

#: Modules that only these features need: they are left out where all of the features are.
SHARED: Mapping[Sequence[str], Sequence[str]] = {
    ("datasets", "sentencepiece"): ("files.download", "files.cache"),
}

#: The modules of metrics that `--only` may leave out; `wer` are all of its family. (BLEU is what sacreBLEU's functions
#: and the options start from.)
METRICS: Mapping[str, Sequence[str]] = {
    "bleu": (),
    "chrf": ("metrics.chrf", "metrics.faster.chrf"),
    "ter": ("metrics.ter", "metrics.faster.ter", "tokenizers.tokenizer_ter"),
    "wer": ("metrics.wer", "metrics.faster.wer"),
    "gleu": ("metrics.gleu", "metrics.faster.gleu"),
    "nist": ("metrics.nist",),
    "rouge": ("metrics.rouge", "metrics.faster.rouge"),
    "ribes": ("metrics.ribes",),
    "character": ("metrics.character", "metrics.faster.character"),
    "eed": ("metrics.eed",),
}


#: The options of `vendor.py` that say what a copy has, in the order of `Choice`.
OPTIONS = ("--only", "--tokenizers", "--without", "--with")


class Choice(NamedTuple):
    """The parts that a copy is asked to have.

    Attributes:
        metrics: keys of `METRICS`; empty: all of them.
        tokenizers: names in the registry; empty: all of them.
        without: keys of `FEATURES`.
        extras: keys of `EXTRAS`.
    """

    metrics: Sequence[str] = ()
    tokenizers: Sequence[str] = ()
    without: Sequence[str] = ()
    extras: Sequence[str] = ()

    def __str__(self) -> str:
        """The options of `vendor.py` that ask for it."""
        return " ".join([" ".join([option, *names]) for option, names in zip(OPTIONS, self) if names])

    @classmethod
    def of_options(cls, text: str) -> Choice:
        """The choice whose options these are."""
        names: dict[str, list[str]] = {option: [] for option in OPTIONS}
        option = ""
        for word in text.split():
            if word in names:
                option = word
            else:
                names[option].append(word)
        return cls(*names.values())


class Parts(NamedTuple):
    """The modules of a copy.

    Attributes:
        kept: those that it has, sorted.
        missing: those that it lacks, and the feature that each was left out with.
    """

    kept: Sequence[str]
    missing: Mapping[str, str]

    def complaint(self, module: str) -> str:
        """The error of a copy where one of the missing modules is needed."""
        what = f"command {module.rpartition('.')[2]}" if module.startswith("cli.commands.") else module
        return f"this copy of purebleu was made without {self.missing[module]}, so it has no {what}"


def chosen_parts(graph: ModuleGraph, choice: Choice) -> Parts:
    """The modules of a copy: all that is reached from its public names, commands and registries."""
    missing = _left_out(graph, choice)
    kept: set[str] = set()
    waiting = [name for name in _roots(graph) if name not in missing]
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept.add(name)
            packages = {name.rpartition(".")[0]} - {""}
            waiting += sorted((graph.imported_by(name) | packages) - missing.keys() - kept)
    return Parts(sorted(kept), missing)


def _left_out(graph: ModuleGraph, choice: Choice) -> dict[str, str]:
    """The modules that are left out, and what with."""
    missing: dict[str, str] = {}
    for feature, names in _unwanted(graph, choice):
        below = tuple([f"{name}." for name in names])
        for module in graph.sources:
            if f"{module}.".startswith(below):
                missing.setdefault(module, feature)
    # Modules that can't be imported without these are of no use either.
    complete = False
    while not complete:
        complete = True
        for module in graph.sources:
            needed = sorted(graph.imported_by(module, at_top=True) & missing.keys())
            if needed and module not in missing:
                missing[module], complete = missing[needed[0]], False
    return missing


def _unwanted(graph: ModuleGraph, choice: Choice) -> Iterator[tuple[str, Sequence[str]]]:
    """The features that are not chosen: their names and modules."""
    for feature in choice.without:
        yield feature, FEATURES[feature]
    for extra, modules in EXTRAS.items():
        if extra not in choice.extras:
            yield f"the {extra}", modules
    registry = literal(graph.sources["tokenizers"], "TOKENIZERS")
    modules_of = {**METRICS, **{name: (f"tokenizers.{module}",) for name, (module, *_) in registry.items()}}
    # (One tokenizer may be made of another one.)
    needed = _needed(graph, [module for name in (*choice.metrics, *choice.tokenizers) for module in modules_of[name]])
    for metric, modules in METRICS.items():
        if choice.metrics and metric not in choice.metrics:
            yield metric, [module for module in modules if module not in needed]
    for name in registry:
        if choice.tokenizers and name not in choice.tokenizers:
            yield f"the tokenizer {name}", [module for module in modules_of[name] if module not in needed]
    for features, modules in SHARED.items():
        if set(features) <= set(choice.without):
            yield " and ".join(features), modules


def _needed(graph: ModuleGraph, chosen: Sequence[str]) -> set[str]:
    """The modules that are imported together with those chosen."""
    needed: set[str] = set()
    waiting = list(chosen)
    while waiting:
        name = waiting.pop()
        needed.add(name)
        waiting += graph.imported_by(name, at_top=True) - needed
    return needed


def literal(source: str, name: str) -> Any:
    """The value that is assigned to `name` at the top of a module's source, where that is a literal."""
    for statement in ast.parse(source).body:
        targets = statement.targets if isinstance(statement, ast.Assign) else (
            [statement.target] if isinstance(statement, ast.AnnAssign) else [])
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return ast.literal_eval(statement.value)  # type: ignore[attr-defined]  # one of the two
    raise KeyError(name)


def _roots(graph: ModuleGraph) -> list[str]:
    """Where the way into the package begins: public names, registries, and what clients of sacreBLEU import."""
    return ["", "__main__", *registered(graph)]


def registered(graph: ModuleGraph) -> list[str]:
    """The modules that are imported because a table names them, or by clients alone, not by a statement."""
    top, metrics, tokenizers = [graph.sources[name] for name in ("", "metrics", "tokenizers")]
    packages = {package: literal(source, "_MODULES") for package, source in graph.sources.items()
                if "lazy_names(__name__" in source}
    return ["tokenizers.tokenizer_re", "compat.r_sacrebleu", *literal(top, "_MODULES"), *literal(top, "_SUBMODULES"),
            *[f"{package}.{module}" for package, modules in packages.items() for module in modules],
            *[f"metrics.{module}" for module in metric_modules(metrics).values()],
            *[f"tokenizers.{module}" for module, *_ in literal(tokenizers, "TOKENIZERS").values()]]


def public_names(graph: ModuleGraph) -> dict[str, str]:
    """The public names of the package with their modules."""
    return {name: module for module, names in literal(graph.sources[""], "_MODULES").items() for name in names}


def metric_modules(source: str) -> dict[str, str]:
    """The metrics by name, and their modules, from the source of the package `metrics`."""
    return {**literal(source, "MODULES"), **literal(source, "FURTHER_MODULES"), **literal(source, "OUTSIDE_MODULES")}


def classes(graph: ModuleGraph) -> dict[str, str]:
    """The classes that registries name, with their modules; for metrics, also those of their scores."""
    metrics = metric_modules(graph.sources["metrics"])
    tokenizers = literal(graph.sources["tokenizers"], "TOKENIZERS")
    return {**{name + end: f"metrics.{module}" for name, module in metrics.items() for end in ("", "Score")},
            **{name: f"tokenizers.{module}" for module, name, *_ in tokenizers.values()}}
