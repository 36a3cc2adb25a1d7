"""`purebleu audit`: how much preprocessing changes BLEU."""

from __future__ import annotations

from ...audit.preprocessing import MosesSettings, audit_of
from ...files.opening import check_readable
from ...report.audit import audit_report
from ...report.formats import FORMATS, GITHUB, PAPER
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import BLEU_OPTIONS, OUTPUT, input_groups
from ..corpus.inputs import inputs_of
from ..corpus.read import read_blocks


class AuditValues(CorpusValues):
    """The values of the options of `purebleu audit`."""

    nonbreaking_prefixes: str | None = None
    counts: str | None = None


def run_audit(values: AuditValues) -> Answer:
    """Score outputs by BLEU under many choices of preprocessing."""
    style = style_of(values)
    inputs = inputs_of(values, needs_files=True)
    inputs.check_targets({})
    check_readable([values.nonbreaking_prefixes, values.counts])
    # (Blocks stay in memory, because words are counted in all references first, and a pipe can be read only once.)
    blocks = list(read_blocks(inputs))
    shown = inputs.short_system_names(len(blocks[0][0]))
    warned_as = None if values.bleu_force else shown if len(shown) > 1 else [""]
    settings = MosesSettings(inputs.target_language, values.nonbreaking_prefixes, values.counts)
    results = audit_of(blocks, settings, inputs.warned_fields(), jobs=values.jobs, short=values.short,
                       warned_as=warned_as)
    return Answer(audit_report(shown, results, style))


AUDIT = Command(
    "audit", "audit [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE ...",
    "Show how much preprocessing changes BLEU. The same output is scored with several tokenizations, each cased and "
    "lower-cased, and with each smoothing method. Text is split at whitespace, by the Moses tokenizer (also with "
    "compounds split, or with rare words replaced), and by tokenizers of BLEU.",
    run_audit, AuditValues, ("nonbreaking_prefixes", "counts"),
    (*input_groups("manifest"), BLEU_OPTIONS.only("bleu_force"), OUTPUT),
    ("text", *[form for form in FORMATS if form not in ("text", GITHUB, PAPER)]), (
        ("ref.txt -i out.txt -l en-de", "one output"),
        ("ref.txt -i a.txt b.txt -f markdown", "does preprocessing change the ranking?"),
    ))
