"""Outputs without what language models write around a translation, as files that say so."""

from __future__ import annotations

from ...checks.phrases.matching import fixed
from ...checks.texts import Against
from ...errors import counted
from ...files.writing import write_named
from ..corpus.inputs import FIXED_MARK
from ..corpus.scored import CorpusTexts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


def write_fixed(paths: Sequence[str], names: Sequence[str], texts: CorpusTexts) -> list[str]:
    """Write the fixed outputs of each system, and return what was taken away, line by line, in words.

    A file of JSON Lines has a mark, so that scores of it are signed (`fix:1`), and all that was taken away (`taken`).
    """
    import json

    against = Against(texts.listed.columns.get("src"), texts.references)
    messages: list[str] = []
    for path, name, outputs in zip(paths, names, texts.outputs):
        is_json, changed = path.endswith(".jsonl"), 0
        lines: list[str] = []
        for index, output in enumerate(outputs):
            text, taken = fixed(output, against, index)
            number = texts.listed.numbers[index] if texts.listed.numbers else index + 1
            if taken:
                changed += 1
                shown = ", ".join([json.dumps(part, ensure_ascii=False) for part in taken])
                messages.append(f"{name}, line {number}: removed {shown}")
            if is_json:
                record = {"line": number, "text": text, "taken": taken}
                lines.append(FIXED_MARK + json.dumps(record, ensure_ascii=False)[1:])
            else:
                lines.append(" ".join(text.splitlines()))
        content = "".join([f"{line}\n" for line in lines]).encode("utf-8", "replace")
        write_named(path, lambda file, content=content: file.write(content))  # type: ignore[misc]
        note = "" if is_json else "; only a file whose name ends in .jsonl lets signatures say so (fix:1)"
        messages.append(f"{path}: {counted(changed, 'line')} of {len(outputs):,} fixed{note}")
    return messages
