// What the script of a report's page computes without the page. The tests hold it to its definition in Python.
const purebleuWords = (() => {
  "use strict";

  // Words and their differences: as in words.py, which says what the functions do

  const SEPARATORS =
    /[\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;  // (\s has others)
  const MAX_WORD_PAIRS = 250000;
  const MARKED_ORDER = 4;

  const splitWords = (text) => text.split(SEPARATORS).filter((word) => word !== "");

  function commonLengths(ours, theirs) {
    let row = new Uint32Array(theirs.length + 1);
    const rows = [row];
    for (let mine = ours.length - 1; mine >= 0; mine--) {
      const below = row;
      row = below.slice();
      for (let index = theirs.length - 1; index >= 0; index--) {
        row[index] = ours[mine] === theirs[index] ? below[index + 1] + 1 : Math.max(below[index], row[index + 1]);
      }
      rows.push(row);
    }
    return rows.reverse();
  }

  // Blocks of characters, as in words.py
  const CHARACTER = new RegExp(`[${[
    "\u0e00-\u0eff", "\u1000-\u109f", "\u1100-\u11ff", "\u1780-\u17ff", "\u2e80-\u9fff", "\uac00-\ud7ff",
    "\uf900-\ufaff", "\uff01-\uffef", "\u{20000}-\u{3ffff}"].join("")}]`, "u");
  const RIGHT_TO_LEFT =
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

  function splitTokens(text) {
    const words = [], gaps = [];
    for (const word of splitWords(text)) {
      const before = words.length;
      let ends = true;
      for (const character of word) {
        const isToken = CHARACTER.test(character);
        if (words.length > before && (/\p{M}/u.test(character) || !ends && !isToken)) {
          words[words.length - 1] += character;
        } else {
          words.push(character);
          gaps.push(words.length === before + 1);
          ends = isToken;
        }
      }
    }
    return { words, gaps };
  }

  const textOf = ({ words, gaps }, start, end) =>
    words.slice(start, end).map((word, index) => (index && gaps[start + index] ? " " : "") + word).join("");

  function direction(...texts) {
    for (const text of texts) {
      const letters = text.match(/\p{L}/gu);
      const right = (letters || []).filter((letter) => RIGHT_TO_LEFT.test(letter)).length;
      if (letters) return 2 * right > letters.length ? "rtl" : "ltr";
    }
    return "ltr";
  }

  const areShort = (ours, theirs) => ours.length * theirs.length <= MAX_WORD_PAIRS;

  function tokenDifference({ words: ours }, { words: theirs }) {
    if (!areShort(ours, theirs)) return [["same", 0, ours.length]];
    const lengths = commonLengths(ours, theirs);
    const areCommon = () => mine < ours.length && other < theirs.length && ours[mine] === theirs[other];
    const runs = [];
    let mine = 0, other = 0;
    while (mine < ours.length || other < theirs.length) {
      const common = mine;
      for (; areCommon(); mine++) other++;
      if (common < mine) runs.push(["same", common, mine]);
      const inserted = mine, deleted = other;
      while ((mine < ours.length || other < theirs.length) && !areCommon()) {
        if (other < theirs.length && (mine === ours.length || lengths[mine][other + 1] >= lengths[mine + 1][other])) {
          other++;
        } else {
          mine++;
        }
      }
      if (deleted < other) runs.push(["del", deleted, other]);
      if (inserted < mine) runs.push(["ins", inserted, mine]);
    }
    return runs;
  }

  function closestReference({ words: ours }, references) {
    if (references.length === 1) return 0;
    const distances = references.map(({ words: theirs }) =>
      theirs.length - 2 * (areShort(ours, theirs) ? commonLengths(ours, theirs)[0][0] : 0));
    return distances.indexOf(Math.min(...distances));
  }

  function matchedNgrams(output, references, order = MARKED_ORDER) {
    const known = new Set();  // (no word has a space in it)
    const ngram = (words, start) => words.slice(start, start + order).join(" ");
    for (const words of references) {
      for (let start = 0; start + order <= words.length; start++) known.add(ngram(words, start));
    }
    const flags = output.map(() => false);
    for (let start = 0; start + order <= output.length; start++) {
      if (known.has(ngram(output, start))) flags.fill(true, start, start + order);
    }
    return flags;
  }

  function markedRuns(difference, matched) {
    return difference.map(([kind, start, end]) => {
      const stretches = [];
      for (let index = start; index < end; index++) {
        const flag = kind !== "del" && matched[index], last = stretches[stretches.length - 1];
        if (last && last[0] === flag) last[2] = index + 1;
        else stretches.push([flag, index, index + 1]);
      }
      return [kind, stretches];
    });
  }

  // TER's shifts: as in shift_marks.py

  function shiftMarks(shifts) {
    const marks = {};
    if (shifts.some((shift) => typeof shift === "string")) return marks;
    const add = (position, ...mark) => { marks[position] = [...(marks[position] || []), mark]; };
    shifts.forEach(([target], index) => add(target, true, index + 1));
    shifts.forEach(([, ...runs], index) => runs.forEach((start, which) => {
      if (which % 2 === 0) add(start, false, index + 1);
    }));
    return marks;
  }

  function shiftMoves(shifts, shown) {
    const own = typeof shifts[0] === "string", words = own ? shifts[0].split(" ") : shown;
    return shifts.slice(own ? 1 : 0).map(([target, ...runs]) => {
      const block = runs.flatMap((start, which) => (which % 2 ? [] : words.slice(start, start + runs[which + 1])));
      return [block.join(" "), target < words.length ? words[target] : null];
    });
  }

  // Texts and scores: as in segments.py

  const visible = (text) => text.replace(/[\v\f\r\x1c-\x1f\x85]/g, " ")
    .replace(/[\0-\x08\x0e-\x1b\x7f-\x9f\ud800-\udfff]/gu, "\ufffd");

  // Two decimal places; a half goes to the even digit, as in Python. (Only eighths have one.)
  function scoreText(score) {
    const exact = score.toFixed(3);
    return Number.isInteger(8 * score) && exact.endsWith("25") ? exact.slice(0, -1) : (score + 0).toFixed(2);
  }

  // Which segments are shown, and in which order: their indices. `query` has numbers and texts from the controls.
  function orderOf(data, query) {
    const first = data.scores[query.metric][query.first], second = data.scores[query.metric][query.second];
    const sign = data.metrics[query.metric].lower ? -1 : 1;
    const columns = [data.ids, data.source, ...(data.references || [])].filter(Boolean);
    const needle = query.text.toLowerCase();
    const keys = {  // the worst scores and the largest differences come first
      line: (index) => index, length: (index) => data.lengths[index], first: (index) => sign * first[index],
      second: (index) => sign * second[index], difference: (index) => -sign * (second[index] - first[index]),
      either: (index) => -Math.abs(second[index] - first[index]),
    };
    const key = keys[query.sort];
    const order = [];
    data.numbers.forEach((_, index) => {
      const better = sign * (second[index] - first[index]);
      if (query.only === "first" && !(better < 0) || query.only === "second" && !(better > 0) ||
          query.only === "equal" && better !== 0) return;
      const texts = [...columns.map((column) => column[index]), ...(data.outputs ? data.outputs[index] : [])];
      if (!needle || texts.some((text) => (text || "").toLowerCase().includes(needle))) order.push(index);
    });
    const direction = query.order === "reversed" ? -1 : 1;
    return order.sort((one, other) => direction * (key(one) - key(other)) || one - other);
  }

  // Tables as text: as in tables.py and delimited.py

  const LATEX = {
    "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "^": "\\^{}", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "\\": "\\textbackslash{}", "<": "\\ensuremath{<}", ">": "\\ensuremath{>}",
  };

  // `rows` are lists of texts, the heads first; `form` is "tsv", "markdown" or "latex".
  function tableText(rows, form) {
    const lines = (cells, start, between, end) => cells.map((row) => start + row.join(between) + end);
    const others = rows[0].length - 1;
    if (form === "markdown") {
      const escaped = rows.map((row) => row.map((text) => text.replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&")));
      const [head, ...body] = lines(escaped, "| ", " | ", " |");
      return [head, `| ---:${" | :---:".repeat(others)} |`, ...body].join("\n");
    }
    if (form === "latex") {
      const escaped = rows.map((row) => row.map((text) => text.replace(/[&%$#_^{}~\\<>]/g, (found) => LATEX[found])));
      const [head, ...body] = lines(escaped, " ", " & ", " \\\\");
      return [`\\begin{tabular}{r${"c".repeat(others)}}`, "\\toprule", head, "\\midrule", ...body, "\\bottomrule",
        "\\end{tabular}"].join("\n");
    }
    return lines(rows, "", "\t", "").join("\n");
  }

  return {
    closestReference, direction, markedRuns, matchedNgrams, orderOf, scoreText, shiftMarks, shiftMoves, splitTokens,
    splitWords, tableText, textOf, tokenDifference, visible,
  };
})();

if (typeof module !== "undefined") module.exports = purebleuWords;
