// Functions for a report's page that do not use the page. Tests compare them with the same functions in Python.
const purebleuWords = (() => {
  "use strict";

  // Words and their differences; words.py describes these functions

  const SEPARATORS =
    /[\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;  // (\s has others)
  const MAX_WORD_PAIRS = 250000;
  const MARKED_ORDER = 4;  // the order of n-grams that are marked: the highest order that BLEU counts

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

  // Blocks of characters that are tokens, as in words.py
  const CHARACTER = new RegExp(`[${[
    "\u0e00-\u0eff", "\u1000-\u109f", "\u1100-\u11ff", "\u1780-\u17ff", "\u2e80-\u9fff", "\uac00-\ud7ff",
    "\uf900-\ufaff", "\uff01-\uffef", "\u{20000}-\u{3ffff}"].join("")}]`, "u");
  // Hebrew, Arabic and their neighbours, presentation forms, and scripts of the supplementary planes
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

  // The direction of the first text that has letters: "rtl" (right to left) or "ltr". The majority of the letters
  // decides, so that a Latin name at the start of a Hebrew text does not change its direction.
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
    const common = [], runs = [];
    for (let index = 0, other = 0; index < ours.length && other < theirs.length;) {
      if (ours[index] === theirs[other]) common.push([index++, other++]);
      else if (lengths[index][other + 1] >= lengths[index + 1][other]) other++;
      else index++;
    }
    let end = 0, referenceEnd = 0;
    for (const [index, other] of [...common, [ours.length, theirs.length]]) {
      if (referenceEnd < other) runs.push(["del", referenceEnd, other]);
      if (end < index) runs.push(["ins", end, index]);
      const last = runs[runs.length - 1];
      if (index < ours.length && last && last[0] === "same") last[2] = index + 1;
      else if (index < ours.length) runs.push(["same", index, index + 1]);
      [end, referenceEnd] = [index + 1, other + 1];
    }
    return runs;
  }

  function closestReference({ words: ours }, references) {
    if (references.length === 1) return 0;
    const distances = references.map(({ words: theirs }) =>
      theirs.length - 2 * (areShort(ours, theirs) ? commonLengths(ours, theirs)[0][0] : 0));
    return distances.indexOf(Math.min(...distances));
  }

  // For each word of an output, whether it is in an n-gram that a reference has. All occurrences of the n-gram match,
  // because counts are not clipped.
  function matchedNgrams(output, references, order = MARKED_ORDER) {
    const known = new Set();  // (words have no spaces)
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

  // The runs of a difference, each divided into stretches of tokens that all match or all fail to match: [whether they
  // match, start, end].
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

  // TER's shifts, as content.py stores them

  // The marks before each word, by the index of the word. A mark is [whether the word is the target of a shift, number
  // of the shift]. Targets come first. There are no marks if TER has other words than the page shows.
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

  // For each shift, the words that it moves, and the word before which it inserts them (null: at the end).
  function shiftMoves(shifts, shown) {
    const own = typeof shifts[0] === "string", words = own ? shifts[0].split(" ") : shown;
    return shifts.slice(own ? 1 : 0).map(([target, ...runs]) => {
      const block = runs.flatMap((start, which) => (which % 2 ? [] : words.slice(start, start + runs[which + 1])));
      return [block.join(" "), target < words.length ? words[target] : null];
    });
  }

  // Texts and scores, as in words.py

  const visible = (text) => text.replace(/[\v\f\r\x1c-\x1f\x85]/g, " ")
    .replace(/[\0-\x08\x0e-\x1b\x7f-\x9f\ud800-\udfff]/gu, "\ufffd");

  // A score as text. With two decimal places, a half is rounded to the even digit, as in Python. (Only odd eighths,
  // such as 0.125, are halves.) Scores of other programs may have more or fewer decimal places.
  function scoreText(score, places = 2) {
    if (places !== 2) return (score + 0).toFixed(places);
    const exact = score.toFixed(3);
    return Number.isInteger(8 * score) && exact.endsWith("25") ? exact.slice(0, -1) : (score + 0).toFixed(2);
  }

  // The tenth of a metric's scale (from 0) that contains a score, as in decile_counts in analysis/segments.py
  const decileOf = (score, [low, high]) =>
    Math.min(Math.max(Math.floor((score - low) * 10 / (high - low) + 1e-9), 0), 9);

  // The centre of the hexagon that contains a point, as in hexagon_counts in charts.py
  function hexagonOf(x, y, width) {
    const height = width * Math.sqrt(3);
    const [whole, shifted] = [0, 0.5].map((shift) => [
      (Math.floor(x / width - shift + 0.5) + shift) * width, (Math.floor(y / height - shift + 0.5) + shift) * height]);
    const distance = (centre) => (centre[0] - x) * (centre[0] - x) + (centre[1] - y) * (centre[1] - y);
    return distance(shifted) < distance(whole) ? shifted : whole;
  }

  // The width of a hexagon, the low end of both axes, and the place of the hexagon: x in halves of its width, y in
  // halves of the height of two rows
  function placeOf(hexagon) {
    const [low, high, count, x, y] = hexagon.split(",").map(Number);
    return { width: (high - low) / count, low, x, y };
  }

  // The filters of a query, except its text and `only`: functions that say whether the segment with an index is shown.
  function filtersOf(data, query) {
    const [first, second] = [query.first, query.second].map((system) => data.scores[query.metric][system]);
    const filters = [];
    if (query.group) {
      const [which, kind] = query.group.split(".").map(Number);
      filters.push((index) => data.groups[which].kinds[index] === kind);
    }
    if (query.decile) {
      const { limits } = data.metrics[query.metric];
      filters.push((index) => decileOf(first[index], limits) === Number(query.decile));
    }
    if (query.hexagon) {
      const { width, low, x, y } = placeOf(query.hexagon);
      filters.push((index) => {
        const centre = hexagonOf(first[index] - low, second[index] - low, width);
        return Math.round(2 * centre[0] / width) === x && Math.round(2 * centre[1] / (width * Math.sqrt(3))) === y;
      });
    }
    if (query.check) {
      const found = (data.findings || [])[query.first] || {};
      filters.push((index) => (found[index] || []).some(([check]) => check === query.check));
    }
    return filters;
  }

  // The filters of filtersOf in words, except the group, for a line that begins with the number of segments.
  function filterText(data, query) {
    const { name, limits: [least, most], places } = data.metrics[query.metric], parts = [];
    if (query.decile) {
      // (Tenths such as 0.3 are not exact as floats.)
      const start = (decile) => Number((least + (most - least) * decile / 10).toFixed(4));
      const from = start(Number(query.decile)), to = start(Number(query.decile) + 1);
      const range = query.decile < 9 ? `from ${from} to below ${to}` : `of ${from} or more`;
      parts.push(`${name} of ${data.systems[query.first]} ${range}`);
    }
    if (query.hexagon) {
      const { width, low, x, y } = placeOf(query.hexagon);
      parts.push(`${name} of ${data.systems[query.first]} about ${scoreText(x * width / 2 + low, places)}, of ` +
        `${data.systems[query.second]} about ${scoreText(y * width * Math.sqrt(3) / 2 + low, places)}`);
    }
    if (query.check) parts.push(`a finding of ${query.check} in ${data.systems[query.first]}`);
    return parts.join(", ");
  }

  // The indices of the segments that are shown, in order. `query` has the values of the controls.
  function orderOf(data, query) {
    const first = data.scores[query.metric][query.first], second = data.scores[query.metric][query.second];
    const sign = data.metrics[query.metric].lower ? -1 : 1;
    const columns = [data.ids, data.source, ...(data.references || [])].filter(Boolean);
    const needle = query.text.toLowerCase();
    const keys = {  // (the worst scores and the largest differences come first)
      line: (index) => index, length: (index) => data.lengths[index], first: (index) => sign * first[index],
      second: (index) => sign * second[index], difference: (index) => -sign * (second[index] - first[index]),
      either: (index) => -Math.abs(second[index] - first[index]),
    };
    const key = keys[query.sort], filters = filtersOf(data, query);
    const order = [];
    data.numbers.forEach((_, index) => {
      const better = sign * (second[index] - first[index]);
      if (query.only === "first" && !(better < 0) || query.only === "second" && !(better > 0) ||
          query.only === "equal" && better !== 0) return;
      if (!filters.every((filter) => filter(index))) return;
      const texts = [...columns.map((column) => column[index]), ...(data.outputs ? data.outputs[index] : [])];
      if (!needle || texts.some((text) => (text || "").toLowerCase().includes(needle))) order.push(index);
    });
    const direction = query.order === "reversed" ? -1 : 1;
    return order.sort((one, other) => direction * (key(one) - key(other)) || one - other);
  }

  // The hits of a needle in consecutive texts, regardless of case. Several spaces match one space. A hit is a list of
  // stretches: [index of the text, start, end].
  function hitsIn(texts, needle) {
    const characters = [], places = [];
    texts.forEach((text, which) => {
      for (let index = 0; index < text.length; index++) {
        const character = text[index].toLowerCase();
        if (character === " " && characters[characters.length - 1] === " ") continue;
        for (const one of character) {
          characters.push(one);
          places.push([which, index]);
        }
      }
    });
    const whole = characters.join(""), wanted = needle.toLowerCase(), hits = [];
    const next = (start) => (wanted ? whole.indexOf(wanted, start) : -1);
    for (let start = next(0); start >= 0; start = next(start + wanted.length)) {
      const stretches = [];
      for (const [which, index] of places.slice(start, start + wanted.length)) {
        const last = stretches[stretches.length - 1];
        if (last && last[0] === which) last[2] = index + 1;
        else stretches.push([which, index, index + 1]);
      }
      hits.push(stretches);
    }
    return hits;
  }

  // Tables as text, as in tables.py

  // The rows of a table with one number in each cell. The cells of `rows` can have several numbers, such as
  // `35.0; -1.5 (-2.0 to -1.0)`: a score, a difference, and the ends of its interval.
  function numberRows(rows) {
    const parts = /^([-+]?[\d.]+)(?:; ([-+][\d.]+))?(?: \(([-+]?[\d.]+) to ([-+]?[\d.]+)\))?$/;
    const split = rows.map((row) => row.map((cell) => parts.exec(cell)));
    const columns = rows[0].map((head, column) => {
      const found = split.slice(1).map((row) => row[column]);
      return [[1, head], [2, `${head}: difference`], [3, `${head}: low end`], [4, `${head}: high end`]].filter(
        ([group]) => group === 1 || found.some((match) => match && match[group] !== undefined));
    });
    return rows.map((row, line) => row.flatMap((cell, column) => columns[column].map(([group, head]) => {
      if (line === 0) return head;
      const match = split[line][column];
      return columns[column].length === 1 || !match ? (group === 1 ? cell : "") : match[group] || "";
    })));
  }

  const LATEX = {
    "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "^": "\\^{}", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "\\": "\\textbackslash{}", "<": "\\ensuremath{<}", ">": "\\ensuremath{>}",
  };

  // `rows` are lists of texts, and the first one has the heads; `form` is "tsv", "csv", "markdown" or "latex".
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
    if (form === "csv") {
      const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
      return lines(rows.map((row) => row.map(quoted)), "", ",", "").join("\r\n");
    }
    return lines(rows, "", "\t", "").join("\n");
  }

  return {
    closestReference, decileOf, direction, filterText, hexagonOf, hitsIn, markedRuns, matchedNgrams, numberRows,
    orderOf, scoreText, shiftMarks, shiftMoves, splitTokens, splitWords, tableText, textOf, tokenDifference, visible,
  };
})();

if (typeof module !== "undefined") module.exports = purebleuWords;
