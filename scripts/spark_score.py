"""Score groups of segments on Spark: rows of sufficient statistics on the workers, and their sums on the driver.

    python3 scripts/make_zipapp.py -o purebleu.zip
    spark-submit --py-files purebleu.zip scripts/spark_score.py --input PATH --group COLUMN --id COLUMN
        --hypothesis COLUMN --references COLUMN ... --metric bleu chrf [--tokenize-by-group] [--output FOLDER]

The input is Parquet, JSON Lines, CSV, TSV or text. The first line of CSV and TSV has the names of the columns. Text has
columns separated by tabs, and their numbers (from 1) are their names. References are several columns of text, or one
column of lists, which may differ in length. Further options are the same as in `purebleu score`: `-tok`, `-lc`, `-cw`,
`-ci`, `--seed`, ... `--scores NAME=COLUMN` names a column with scores of another program, and needs a
`--scores-signature`.

Standard output has a line for each group and metric, with columns separated by tabs: group, metric, score (with `-ci`,
also the interval's mean and half its width) and signature. `purebleu score -f tsv` prints the same scores for a file
with the group's segments in the order of their ids. With `-ci` or `--save-rows`, all rows have to fit into the driver's
memory. Otherwise, the driver gets only sums. Exit codes: 0 fine, 1 input that can't be scored, 2 wrong usage.
"""

from __future__ import annotations

import csv
import gc
import json
import os
import re
import sys
import warnings
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from fractions import Fraction
from functools import lru_cache, partial
from itertools import count, groupby, islice, zip_longest
from typing import Any, Iterable, Iterator, List, Sequence, Tuple
from urllib.parse import quote

try:
    from purebleu.cli.programs import options_of_program
    from purebleu.metrics.base import Metric
    from purebleu.metrics.evaluation import Evaluation, Part
    from purebleu.metrics.external import SegmentScores, outside_rows
    from purebleu.metrics.score import Score
    from purebleu.metrics.segments import transpose_references
    from purebleu.report.formats import delimited
    from purebleu.rows import StoredRows, checksum_of_digests, digests_of_lines, text_checksum, write
    from purebleu.runtime.blocks import BLOCK_SEGMENTS
    from purebleu.runtime.errors import OptionError, PurebleuError, PurebleuWarning, warn
    from purebleu.significance import Sampling, results_of
    from purebleu.unicode.properties import WHITESPACE
except ModuleNotFoundError as missing:
    raise SystemExit(f"spark_score.py: error: {missing} (is --py-files purebleu.zip missing?)") from None

#: Ids (if rows are kept), digests of each segment's lines (if rows are saved), a part for each metric, and whether all
#: hypotheses are blank. (It is a tuple, because Spark can't send classes of a script.)
Piece = Tuple[List[Any], List[Tuple[bytes, ...]], List[Part], bool]

#: Formats by file extension. (The extension of a compressed file, such as `.gz`, is ignored.)
FORMATS = {"parquet": "parquet", "jsonl": "jsonl", "json": "jsonl", "csv": "csv", "tsv": "tsv", "txt": "text"}

#: The maximum length of a message, in characters.
MAX_MESSAGE = 5000

#: This key replaces the group if a partition can't be scored. Its value is the reason, in place of a piece.
FAILED = ""


def parsed(argv: Sequence[str] | None) -> Namespace:
    """Return the options of this script. Their `program` has the options of `purebleu score`. Raise `OptionError`."""
    parser = ArgumentParser(prog="spark_score.py", description=__doc__, formatter_class=RawDescriptionHelpFormatter,
                            allow_abbrev=False, usage=SUPPRESS)
    parser.add_argument("--format", choices=sorted(set(FORMATS.values())),
                        help="the format of the input (default: from the file extension)")
    for name in ("--input", "--group", "--id", "--hypothesis"):
        parser.add_argument(name, required=True)
    parser.add_argument("--references", required=True, nargs="+", metavar="COLUMN")
    parser.add_argument("--tokenize-by-group", action="store_true", help="the group selects a tokenizer, as -l does")
    parser.add_argument("--partitions", type=int, metavar="N", help="first spread the rows over N partitions")
    parser.add_argument("--output", metavar="FOLDER", help="write FOLDER/scores.csv, and nothing on standard output")
    parser.add_argument("--save-rows", metavar="FOLDER", help="write the rows of each group, for purebleu --rows")
    given, others = parser.parse_known_args(argv)
    program = options_of_program(others)
    scoring = program.values
    outside = outside_metrics(scoring)
    ends = given.input.rstrip("/*").lower().split(".")
    form = given.format or FORMATS.get(ends[-1]) or FORMATS.get("".join(ends[-2:-1]))
    if form is None:
        raise OptionError(f"{given.input}: the name does not say the format: give --format")
    return Namespace(**{**vars(given), "format": form, "program": program, "scoring": scoring,
                        "columns": [given.group, given.id, given.hypothesis, *given.references,
                                    *[column for _, column in scoring.scores]], "outside": outside,
                        "keeps_rows": bool(scoring.confidence or given.save_rows)})


def outside_metrics(given: Any) -> list[SegmentScores]:
    """Return a metric for each `--scores`. Raise `OptionError` if a name is repeated or lacks a signature."""
    names = [name for name, _ in given.scores]
    signatures = dict(given.scores_signature)
    # (A signature is required, because a checksum of the scores would need all rows in their order.)
    if len({*map(str.lower, names)}) < len(names) or {*names} != {*signatures} or {*given.scores_lower} - {*names}:
        raise OptionError("--scores takes one column for each name; each name also needs a "
                          "--scores-signature; --scores-lower takes only names of --scores")
    return [SegmentScores(name, lower_is_better=name in given.scores_lower, signature=signatures[name])
            for name in names]


# On the workers: make pieces of groups of the input's rows

def values_of_lines(options: Namespace, header: str, lines: Iterable[str]) -> Iterator[list[Any]]:
    """Yield the values of the columns in lines. The header has the names of all columns, or is empty."""
    csv.field_size_limit(2**31 - 1)
    names = fields_of(options.format, header.lstrip("\ufeff")) if header else None
    for line in (line.rstrip("\r") for line in lines):
        if not line or line == header:
            continue
        try:
            fields = [] if options.format == "jsonl" else fields_of(options.format, line)
            record = dict(zip(names or map(str, count(1)), fields)) if fields else json.loads(line.lstrip("\ufeff"))
            if names and len(fields) != len(names):
                raise ValueError("not as many fields as columns")
            yield [record[name] for name in options.columns]
        except (ValueError, TypeError, KeyError, RecursionError, csv.Error):
            raise PurebleuError(f"not {options.format} with {', '.join(options.columns)}: {line!r:.80}") from None


def fields_of(form: str, line: str) -> list[str]:
    """Return the fields of a line. A field of CSV can be quoted, but it can't have line breaks."""
    return next(csv.reader([line], strict=True)) if form == "csv" else line.split("\t")


def checked(outside: int, values: Sequence[Any]) -> tuple[str, Any, str, list[str], list[Any]]:
    """Return the segment in the values of a row. The last `outside` values are scores of other programs.

    Raises `PurebleuError` if a text is not a string, or if a score is not a number.
    """
    group, identifier, hypothesis, *references = values[:len(values) - outside]
    scores = list(values[len(values) - outside:])
    if len(references) == 1 and isinstance(references[0], list):
        references = references[0]
    texts = [hypothesis, *references]
    if group in (None, FAILED) or type(identifier) not in (str, int) or {*map(type, texts)} != {str} or not references:
        wrong = [f"{text!r:.40} instead of text" for text in texts if type(text) is not str]
        raise PurebleuError(f"group {group!r}, id {identifier!r}: {[*wrong, 'no group, no reference, or no id'][0]}")
    try:
        "".join([*texts, str(group), str(identifier)]).encode("utf-8")
    except UnicodeEncodeError:
        raise PurebleuError(f"group {group!r}, id {identifier!r}: half of a surrogate pair, which is not a character"
                            ) from None
    hypothesis, *references = [text.rstrip(WHITESPACE) for text in texts]
    return str(group), identifier, hypothesis, references, scores


def pieces_of_partition(options: Namespace, values: Iterable[Sequence[Any]]) -> Iterable[tuple[str, Any]]:
    """Return the groups in a partition with their pieces. If it can't be scored, return the reason for `FAILED`.

    (If this function raised an exception, Spark would try again.)
    """
    gc.disable()  # (Scoring makes hardly any reference cycles, and searching for them takes time.)
    pieces: dict[str, Any] = {}
    metrics_of = lru_cache(maxsize=None)(options.program.metrics)
    rows = map(partial(checked, len(options.outside)), values)
    try:
        while some := sorted(islice(rows, 8 * BLOCK_SEGMENTS), key=lambda row: row[0]):
            for group, segments in groupby(some, key=lambda row: row[0]):
                metrics = metrics_of(group if options.tokenize_by_group else "")
                while block := list(islice(segments, BLOCK_SEGMENTS)):
                    pieces[group] = merged(options.keeps_rows, pieces.get(group), piece_of(options, metrics, block))
    except PurebleuError as error:
        pieces = {FAILED: str(error)}
    finally:
        gc.enable()
    return pieces.items()


def piece_of(options: Namespace, metrics: Sequence[Metric[Score]], segments: Sequence[tuple[Any, ...]]) -> Piece:
    _, identifiers, hypotheses, references, scores = zip(*segments)
    streams: Any = list(zip(*references)) if len({*map(len, references)}) == 1 else transpose_references(references)
    parts = options.program.parts(metrics, options.keeps_rows, hypotheses, streams)
    parts += [Part(rows, len(rows)) for rows in map(outside_rows, zip(*scores))]
    digests = list(zip(*map(digests_of_lines, [hypotheses, *streams]))) if options.save_rows else []
    return list(identifiers) if options.keeps_rows else [], digests, parts, not any(hypotheses)


def merged(keep_rows: bool, one: Any, other: Any) -> Any:
    """Merge two pieces of a group (the first may be missing). If they are reasons, return one of them."""
    if isinstance(other, str):
        return min(one or other, other)
    identifiers, digests, parts, is_all_blank = other if one is None else (
        one[0] + other[0], one[1] + other[1], one[2], one[3] and other[3])
    for part, more in zip(parts, other[2]):
        if one is not None:
            part.rows = [*part.rows, *more.rows]
            part.reference_counts |= more.reference_counts
            part.tokenized_lines += more.tokenized_lines
        if not keep_rows:
            part.rows = [tuple(map(exact_sum, zip(*part.rows)))]
    return identifiers, digests, parts, is_all_blank


def exact_sum(numbers: Sequence[Any]) -> Any:
    """Return the exact sum (a fraction if there are floats), so the order in which Spark adds has no effect."""
    total = sum(numbers)
    fractions = [Fraction(key) * times for key, times in Counter(numbers).items()] if isinstance(total, float) else []
    return sum(fractions) if fractions else total


# On the driver: make results of the pieces of groups

def pieces_from_spark(options: Namespace) -> dict[str, Any]:
    from py4j.protocol import Py4JError  # type: ignore[import-not-found,unused-ignore]
    from pyspark.errors import PySparkException  # type: ignore[import-not-found,unused-ignore]
    from pyspark.sql import SparkSession  # type: ignore[import-not-found,unused-ignore]
    spark = SparkSession.builder.config("spark.hadoop.textinputformat.record.delimiter", "\n").getOrCreate()
    merge = partial(merged, options.keeps_rows)
    pieces: dict[str, Any] = {}
    try:
        rows = rows_of_input(spark, options)
        rows = rows.repartition(options.partitions) if options.partitions else rows
        found = rows.mapPartitions(partial(pieces_of_partition, options))
        for group, piece in (found if options.keeps_rows else found.reduceByKey(merge)).collect():
            pieces[group] = merge(pieces.get(group), piece)
    except (Py4JError, PySparkException) as error:
        text = error.java_exception.getMessage() if hasattr(error, "java_exception") else str(error)
        lines = text.strip().split("\n\n")[0].splitlines()  # (The last line ends a traceback of Python.)
        raise PurebleuError(f"Spark: {' '.join(dict.fromkeys([lines[0], lines[-1]]))}") from error
    finally:
        spark.stop()
    if FAILED in pieces or not pieces:
        raise PurebleuError(f"{options.input}: {pieces.get(FAILED, 'there are no rows')}")
    return pieces


def rows_of_input(spark: Any, options: Namespace) -> Any:
    """Return the values of the columns, as a collection of rows in Spark."""
    if options.format == "parquet":
        frame = spark.read.parquet(options.input)
        names = frame.columns
    else:
        lines = spark.sparkContext.textFile(options.input)
        header = "".join(lines.take(1)).rstrip("\r") if options.format in ("csv", "tsv") else ""
        names = fields_of(options.format, header.lstrip("\ufeff")) if header else options.columns
    for name in options.columns:
        if name not in names:
            raise PurebleuError(f"{options.input}: no column {name!r}, only {', '.join(names)}")
        if options.format in ("csv", "tsv") and names.count(name) > 1:
            raise PurebleuError(f"{options.input}: there are {names.count(name)} columns {name!r}")
    if options.format == "parquet":
        return frame.select([f"`{name}`" for name in options.columns]).rdd
    return lines.mapPartitions(partial(values_of_lines, options, header))


def results_of_group(options: Namespace, group: str, piece: Piece) -> Iterator[list[str]]:
    """Yield the fields of each metric's line. With `--save-rows`, also save the rows."""
    identifiers, digests, parts, is_all_blank = piece
    metrics = [*options.program.metrics(group if options.tokenize_by_group else ""), *options.outside]
    scores: list[Score] = []
    order = order_of(group, identifiers)
    for metric, part in zip(metrics, parts):
        part.rows = [part.rows[index] for index in order] or [
            tuple([float(number) if isinstance(number, Fraction) else number for number in part.rows[0]])]
        evaluation: Evaluation[Score] = Evaluation(metric)
        evaluation.add(part)
        evaluation.warn_of_doubts()
        scores.append(evaluation.score())
    if is_all_blank:
        warn("all hypotheses are blank")
    resamples = options.scoring.confidence_n if options.scoring.confidence else 0
    sampling = Sampling(resamples=resamples, rng=options.scoring.rng, seed=options.scoring.seed)
    results = results_of([[part.rows for part in parts]], metrics, sampling)
    if options.save_rows:
        # (Segments with fewer references have fewer digests.)
        hypothesis, *references = map(checksum_of_digests, zip_longest(*map(digests.__getitem__, order), fillvalue=b""))
        ids = text_checksum([str(identifiers[index]) for index in order])
        write(os.path.join(options.save_rows, quote(group, safe="") + ".rows.gz"),
              [StoredRows.of_evaluation(group, metric, score.signature, part.rows, hypothesis_sha256=hypothesis,
                                        references_sha256=references, ids_sha256=ids)
               for metric, score, part in zip(metrics, scores, parts)])
    for score, result in zip(scores, results.systems[0]):
        numbers: Sequence[Any] = (result.score, result.mean, result.ci)[:3 if options.scoring.confidence else 1]
        yield [group, score.name, *[repr(float(number)) for number in numbers],
               results.signed(score.signature).format()]


def order_of(group: str, identifiers: Sequence[Any]) -> list[int]:
    """Return the indices of a group's segments in the order of their ids.

    If all ids are integers, they are sorted as integers. Otherwise, digits in an id are compared as numbers, so seg-2
    comes before seg-10.
    """
    names = list(map(str, identifiers))
    if repeated := [name for name, times in Counter(names).items() if times > 1]:
        raise PurebleuError(f"group {group}: the id {min(repeated)} is there more than once")
    are_numbers = all(re.fullmatch("-?[0-9]{1,1000}", name) for name in names)
    keys: list[Any] = [(int(name), name) for name in names] if are_numbers else list(map(natural_key, names))
    return sorted(range(len(keys)), key=keys.__getitem__)


def natural_key(name: str) -> Any:
    """Return the sort key of an id: its text with digits compared as numbers, then the text itself (for ties)."""
    # (Without leading zeros, a number with more digits is larger.)
    return [(text, len(digits), digits) for text, digits in re.findall("([^0-9]*)0*([0-9]*)", name)], name


def results_of_input(options: Namespace) -> str:
    lines: list[list[str]] = []
    for folder in filter(None, (options.output, options.save_rows)):
        os.makedirs(folder, exist_ok=True)
    for group, piece in sorted(pieces_from_spark(options).items()):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore" if options.scoring.quiet else "always", PurebleuWarning)
            lines += results_of_group(options, group, piece)
        for warning in caught:
            complain(f"warning: {options.input}: group {group}: {warning.message}")
    if options.output is None:
        return delimited("tsv", lines[0], lines[1:]) + "\n"
    headings = ["group", "metric", *["score", "mean", "ci"][:3 if options.scoring.confidence else 1], "signature"]
    with open(os.path.join(options.output, "scores.csv"), "w", encoding="utf-8", newline="\n") as file:
        file.write(delimited("csv", headings, lines) + "\n")
    return ""


def complain(message: str) -> None:
    """Print a line on standard error. (spark-submit prints Python's standard error on its own standard output.)

    Line feeds and control characters in texts from files are escaped, so they have no effect on a terminal.
    """
    message = "".join([sign if sign.isprintable() else repr(sign)[1:-1] for sign in message[:MAX_MESSAGE]])
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        from pyspark.java_gateway import launch_gateway  # type: ignore[import-not-found,unused-ignore]
        launch_gateway().jvm.System.err.println(f"spark_score.py: {message}")
    else:
        print(f"spark_score.py: {message}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    try:
        print(results_of_input(parsed(argv)), end="")
    except (PurebleuError, OSError, ModuleNotFoundError, csv.Error) as error:
        complain(f"error: {error}")
        return 2 if isinstance(error, OptionError) else 1
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    raise SystemExit(main())
