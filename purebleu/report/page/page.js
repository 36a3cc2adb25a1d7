// The segments of a report's page: controls and a list. Only the visible rows are in the page's tree.
//
// Without this script, the page lacks nothing but the segments. The script uses no network. Text is never markup.
//
// The data of a list of segments, <ol class="segments" data-from="ID">, is in the script element with the id ID. The
// data is a JSON object (type="application/json"), or JSON compressed by gzip, in base64 (type="text/plain"):
//   prefix      the start of the ids of rows, before "s" and the number
//   systems     the names of the systems
//   languages   two language codes: of the source, and of references and outputs; null for an unknown language
//   metrics     for each metric, its name, whether lower scores are better, the ends of its scale, and the number of
//               decimal places of scores: {"name": "TER", "lower": true, "limits": [0, 100], "places": 2}
//   numbers     the line number of each segment, from 1
//   ids         the id of each segment in the test set, or null
//   source      the source of each segment, or null
//   references  for each stream, the reference of each segment (null if it is missing); or null
//   outputs     for each segment, the output of each system (null if it has only scores); or null
//   lengths     the number of tokens in the reference of each segment
//   groups      groupings of segments, such as by domain: {"title": "Domains", "labels": ["news", "chat"],
//               "kinds": [0, 0, 1]}. The member kinds has the index of each segment's label.
//   scores      for each metric and each system, the score of each segment
//   shifts      for each system, TER's shifts by the indices of segments, as content.py describes them; or null
//   findings    for each system, the findings of checks by the indices of segments: the name of the check, the text
//               (empty: the whole line), and whether the output lacks this text; or null
(() => {
  "use strict";

  const {
    closestReference, direction, filterText, hitsIn, markedRuns, matchedNgrams, orderOf, scoreText, shiftMarks,
    shiftMoves, splitTokens, splitWords, textOf, tokenDifference, visible,
  } = purebleuWords;

  // Rows

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  const spaced = (nodes) => nodes.flatMap((node, index) => (index ? [" ", node] : [node]));
  const nothing = () => make("i", {}, "(empty)");
  const shown = (text) => (splitWords(text).length ? visible(text) : nothing());

  const marksOf = (marks) => (marks || []).map(([goesThere, number]) => (goesThere
    ? make("sup", { class: "to", dir: "ltr" }, make("span", {}, "to here: shift "), String(number))
    : make("sup", { dir: "ltr" }, make("span", {}, "shift "), String(number))));

  const gapBefore = (tokens, index, before) => (before.length && tokens.gaps[index] ? [" "] : []);

  function numbered(tokens, start, end, marks) {
    if (!Object.keys(marks).length) return [textOf(tokens, start, end)];
    const nodes = [];
    for (let index = start; index < end; index++) {
      nodes.push(...gapBefore(tokens, index, nodes), ...marksOf(marks[index]), tokens.words[index]);
    }
    return nodes;
  }

  // `marks` by the indices of words become marks by the indices of tokens.
  function byToken(marks, { gaps }) {
    const starts = [...gaps.keys()].filter((index) => gaps[index]);
    return Object.fromEntries(Object.entries(marks).map(([word, some]) => [[...starts, gaps.length][word], some]));
  }

  // The tokens of an output with marks. A <u> never crosses the end of a <del> or an <ins>.
  function compared(ours, references, closest, wordMarks) {
    const difference = references.length
      ? tokenDifference(ours, references[closest]) : [["same", 0, ours.words.length]];
    const marks = byToken(wordMarks, ours), nodes = [];
    const runs = markedRuns(difference, matchedNgrams(ours.words, references.map(({ words }) => words)));
    for (const [kind, stretches] of runs) {
      if (!stretches.length) continue;
      const tokens = kind === "del" ? references[closest] : ours, contents = [];
      for (const [matched, start, end] of stretches) {
        const content = numbered(tokens, start, end, kind === "del" ? {} : marks);
        contents.push(...gapBefore(tokens, start, contents), ...(matched ? [make("u", { class: "m" }, ...content)]
          : content));
      }
      nodes.push(...gapBefore(tokens, stretches[0][1], nodes),
        ...(kind === "same" ? contents : [make(kind, {}, ...contents)]));
    }
    const atEnd = marksOf(marks[ours.words.length]);
    return nodes.length && atEnd.length ? [...nodes, " ", ...atEnd] : [...nodes, ...atEnd];
  }

  const quoted = (text) => ["\u201c", make("bdi", {}, visible(text)), "\u201d"];
  const movesOf = (shifts, output) => spaced(shiftMoves(shifts, splitWords(output)).map(([block, target], index) => {
    const place = target === null ? [" to the end"] : [" before ", ...quoted(target)];
    return make("span", {}, `Shift ${index + 1} moves `, ...quoted(block), ...place);
  }));

  const languageOf = (language) => (language ? { lang: language } : {});

  // A segment as an item of a list: a link to this item, the source, the references, and each system's output and
  // scores. In an output, <ins> marks tokens that the closest reference lacks, <del> marks tokens that only this
  // reference has, and <u> marks n-grams that any reference has. If there are several references, the closest one is
  // named. <sup> has the numbers of TER's shifts, which a line below lists. Each text has its own direction.
  //
  // `isShown` says whether a system is shown. Outputs are compared with the output of the system with the index `base`,
  // or with the references if `base` is null.
  function rowOf(data, index, { isShown, base }) {
    const number = data.numbers[index];
    const anchor = `${data.prefix}s${number}`;
    const head = make("p", {}, make("a", { href: `#${anchor}` }, String(number)), " ");
    const identifier = data.ids ? data.ids[index] : null;
    if (identifier !== null) head.append(make("span", { dir: "auto" }, visible(identifier)), " ");
    head.append(make("span", {}, `reference length ${data.lengths[index]}`));
    const list = make("dl", {});
    const add = (kind, name, text, language) => list.append(make("div", { class: kind }, make("dt", {}, name),
      make("dd", { dir: direction(text), ...languageOf(language) }, shown(text))));
    const [sourceLanguage, language] = data.languages;
    const source = data.source ? data.source[index] : null;
    if (source !== null) add("source", "Source", source, sourceLanguage);
    const streams = (data.references || []).map((texts) => texts[index]);
    streams.forEach((text, stream) => {
      if (text !== null) add("reference", streams.length > 1 ? `Reference ${stream + 1}` : "Reference", text, language);
    });
    const present = [...streams.keys()].filter((stream) => streams[stream] !== null);
    const based = base !== null && data.outputs && data.outputs[index][base] !== null;
    const references = based ? [visible(data.outputs[index][base])]
      : present.map((stream) => visible(streams[stream]));
    const tokens = references.map(splitTokens);
    data.systems.forEach((name, system) => {
      if (!isShown(system)) return;
      const group = make("div", { class: "output" }, make("dt", { dir: "auto" }, visible(name)));
      const output = data.outputs ? data.outputs[index][system] : null;
      const scores = data.metrics.map((metric, which) => make(
        "span", {}, `${visible(metric.name)} ${scoreText(data.scores[which][system][index], metric.places)}`));
      if (output !== null) {
        const shifts = (data.shifts && data.shifts[system][index]) || [];
        const ours = splitTokens(visible(output)), closest = tokens.length ? closestReference(ours, tokens) : 0;
        const isBase = based && system === base;
        const nodes = compared(ours, isBase ? [] : tokens, closest, shiftMarks(shifts));
        if (based && !isBase) {
          scores.push(make("span", {}, `marks show the difference from ${visible(data.systems[base])}`));
        } else if (!based && present.length > 1) {
          scores.push(make("span", {}, `marks show the difference from reference ${present[closest] + 1}`));
        }
        const dir = direction(output, ...references.slice(closest, closest + 1));
        const found = (data.findings && data.findings[system][index]) || [];
        const text = make("dd", { dir, ...languageOf(language) }, ...(nodes.length ? nodes : [nothing()]));
        for (const [, part, lacks] of found) if (!lacks) markHits(text, visible(part), "found");
        group.append(text);
        if (found.length) group.append(make("dd", { class: "findings" }, ...spaced(found.map(([check, part, lacks]) => (
          make("span", {}, check, ...(part ? [lacks ? ": lacks " : ": ", ...quoted(part)] : [])))))));
        if (shifts.length) group.append(make("dd", { class: "shifts" }, ...movesOf(shifts, output)));
      }
      group.append(make("dd", { class: "scores" }, ...spaced(scores)));
      list.append(group);
    });
    return make("li", { id: anchor }, head, list);
  }

  // Put the hits of a search or a check into <mark>, in each text separately. A word that an output lacks is no hit.
  function markHits(row, needle, kind = "hit") {
    for (const text of row.matches("dd") ? [row] : row.querySelectorAll("dd[dir]")) {
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT, (node) => (
        node.parentElement.closest("del, sup") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
      const nodes = [];
      while (walker.nextNode()) nodes.push(walker.currentNode);
      const stretches = hitsIn(nodes.map((node) => node.data), needle).flat();
      for (const [which, start, end] of stretches.reverse()) {  // (from the end, so that earlier positions stay valid)
        const range = document.createRange();
        range.setStart(nodes[which], start);
        range.setEnd(nodes[which], end);
        range.surroundContents(make("mark", { class: kind }));
      }
    }
  }

  // A list. Only the visible rows, and some rows above and below them, are in the tree.
  //
  // Rows in the tree have their own heights. All other rows have a fixed height, `pitch`, so that the list is not too
  // high for browsers. During scrolling, rows are added at both ends, and no row moves. After scrolling, `settle` moves
  // the rows and the view together, to the position that the rows have if each row above is `pitch` high.

  const MAX_HEIGHT = 8e6;  // in pixels
  const PRINTED = 100;

  class RowList {
    constructor(box, list, makeRow) {
      Object.assign(this, { box, list, makeRow, order: [], first: 0, last: 0, top: 0, rowHeight: 200, timer: 0 });
      box.addEventListener("scroll", () => {
        this.fill();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.settle(), 200);
      });
      box.addEventListener("keydown", (event) => {
        if (!["Home", "End"].includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        this.goTo(event.key === "Home" ? 0 : this.order.length - 1);
      });
      new ResizeObserver(() => this.fill()).observe(box);
      addEventListener("beforeprint", () => this.print());
      addEventListener("afterprint", () => {
        this.printing = false;
        this.goTo(this.position);
      });
    }

    get pitch() { return Math.min(this.rowHeight, MAX_HEIGHT / this.order.length); }

    get height() {
      const { firstElementChild: start, lastElementChild: end } = this.list;
      return start ? end.getBoundingClientRect().bottom - start.getBoundingClientRect().top : 0;
    }

    show(order) {
      this.order = order;
      this.goTo(0);
      this.settle();
    }

    // Show the row with this index at the top of the box.
    goTo(position) {
      this.restart(Math.max(position, 0));
      this.top = this.first * this.pitch;
      this.write();
      this.box.scrollTop = this.top;
      this.fill();
    }

    restart(position) {
      this.keepFocus(this.list);
      this.list.replaceChildren();
      this.first = this.last = position;
      if (this.order.length) this.append(1);
    }

    append(count) {
      const end = Math.min(this.last + count, this.order.length);
      while (this.last < end) this.list.append(this.makeRow(this.order[this.last], this.last++, this.order.length));
    }

    prepend(count) {
      const before = this.height, rows = [];
      for (const end = Math.max(this.first - count, 0); this.first > end;) {
        rows.unshift(this.makeRow(this.order[--this.first], this.first, this.order.length));
      }
      this.list.prepend(...rows);
      this.top -= this.height - before;
    }

    fill() {
      if (!this.height) return this.write();  // no rows, or not displayed
      if (this.printing || matchMedia("print").matches) return;  // (on paper, the box is as high as the list)
      const scrolled = this.box.scrollTop;
      const view = Math.min(Math.max(this.box.clientHeight, innerHeight / 2), innerHeight);
      const start = scrolled - view, end = scrolled + 2 * view;
      if (this.top + this.height < start || this.top > end) this.jump(scrolled);
      const batch = Math.ceil(view / this.rowHeight);
      while (this.last < this.order.length && this.top + this.height < end) this.append(batch);
      while (this.first > 0 && this.top > start) this.prepend(batch);
      this.trim(start - view, end + view);
      this.write();
      if (this.box.scrollTop !== scrolled) this.box.scrollTop = scrolled;  // (browsers change it if rows are removed)
      if (this.top < 0 || this.first === 0 && this.top > 0) this.settle();
    }

    // On paper, only the first rows are shown.
    print() {
      const start = this.box.getBoundingClientRect().top;
      const index = [...this.list.children].findIndex((row) => row.getBoundingClientRect().bottom > start);
      Object.assign(this, { printing: true, position: this.first + index });
      this.restart(0);
      this.append(PRINTED - 1);
    }

    // Show rows after a long jump with the scroll bar. The share of rows above equals the share of the height above.
    jump(scrolled) {
      const room = this.box.scrollHeight - this.box.clientHeight;
      const share = room > 0 ? Math.min(scrolled / room, 1) : 0;
      this.restart(Math.round(share * (this.order.length - 1)));
      this.top = scrolled + share * (this.box.clientHeight - this.height);
    }

    trim(start, end) {
      const heightOf = (row) => row.getBoundingClientRect().height;
      for (let row; (row = this.list.firstElementChild) && this.top + heightOf(row) < start; this.first++) {
        this.top += heightOf(row);
        this.remove(row);
      }
      let bottom = this.top + this.height;
      for (let row; (row = this.list.lastElementChild) && bottom - heightOf(row) > end; this.last--) {
        bottom -= heightOf(row);
        this.remove(row);
      }
    }

    remove(row) {
      this.keepFocus(row);
      row.remove();
    }

    keepFocus(element) {
      if (element.contains(document.activeElement)) this.box.focus({ preventScroll: true });
    }

    write() {
      this.list.style.paddingTop = `${Math.max(this.top, 0)}px`;
      this.list.style.paddingBottom = `${(this.order.length - this.last) * this.pitch}px`;
    }

    settle() {
      if (!this.height) return;
      this.rowHeight = Math.max(this.height / (this.last - this.first), 1);
      const scrolled = this.box.scrollTop, moved = this.first * this.pitch - this.top;
      this.top += moved;
      this.write();
      if (moved) this.box.scrollTop = scrolled + moved;
    }
  }

  // The view of segments: controls, and the list

  // Filters without a control. Links set them: links from a bar, from a hexagon, and from the findings of a check.
  const PLACES = ["decile", "hexagon", "check"];

  // `part` is the title of the section.
  function controlsOf(data, part) {
    const choice = (label, name, options) => make("label", {}, label, " ", make(
      "select", { name }, ...options.map(([value, text]) => make("option", { value }, text))));
    const systems = data.systems.map((name, index) => [index, visible(name)]);
    const form = make("form", { class: "controls", "aria-label": `Choice of segments: ${part}` });
    if (data.ids || data.outputs) {
      form.append(make("label", {}, "Text ", make("input", { type: "search", name: "text", autocomplete: "off" })));
    }
    form.append(choice("Metric", "metric", data.metrics.map((metric, index) => [index, visible(metric.name)])));
    form.append(choice(systems.length > 1 ? "First system" : "System", "first", systems));
    const keys = [["line", "line"], ["length", "shortest reference"], ["first", "worst score"]];
    if (systems.length > 1) {
      form.append(choice("Second system", "second", systems));
      form.elements.second.options[1].defaultSelected = true;
      form.append(choice("Show only", "only", [
        ["", "all"], ["first", "first is better"], ["second", "second is better"], ["equal", "equal scores"]]));
      keys[2][1] = "worst score of the first";
      keys.push(["second", "worst score of the second"], ["either", "largest difference"],
        ["difference", "largest gain of the second"]);
    }
    if (systems.length > 2) {
      form.append(make("label", { class: "box" }, make("input", { type: "checkbox", name: "pair" }),
        " Only these two systems"));
    }
    if (systems.length > 1 && data.outputs) {
      form.append(choice("Marks against", "marks", [["", "the reference"], ["first", "the first system"]]));
    }
    if (data.groups.length) {
      const kinds = data.groups.map(({ title, labels }, which) => make("optgroup", { label: visible(title) },
        ...labels.map((label, kind) => make("option", { value: `${which}.${kind}` }, visible(label)))));
      const all = make("option", { value: "" }, "all");
      form.append(make("label", {}, "Kind", " ", make("select", { name: "group" }, all, ...kinds)));
    }
    for (const name of PLACES) form.append(make("input", { type: "hidden", name }));
    form.append(choice("Sort by", "sort", keys));
    if (systems.length > 1) form.elements.sort.value = "either";
    for (const option of form.elements.sort.options) option.defaultSelected = option.selected;
    form.append(choice("Order", "order", [["usual", "first on top"], ["reversed", "reversed"]]));
    form.append(make("button", { type: "reset" }, "Reset"));
    return form;
  }

  function showSegments(data, list) {
    const part = list.closest("section").querySelector("h2").textContent;
    const form = controlsOf(data, part), status = make("p", { role: "status" });
    const box = make("div", { class: "rows", tabindex: "0", role: "group", "aria-label": `Rows: ${part}` });
    list.before(form, status, box);
    box.append(list);
    let query, marked = -1, timer = 0;
    const place = `#${data.prefix}segments`;
    const rows = new RowList(box, list, (index, position, count) => {
      const row = rowOf(data, index, {
        isShown: (system) => !query.pair || [query.first, query.second].includes(String(system)),
        base: query.marks ? Number(query.first) : null,
      });
      if (query.text) markHits(row, query.text);
      row.setAttribute("aria-posinset", position + 1);
      row.setAttribute("aria-setsize", count);
      if (index === marked) row.className = "marked";
      if (query.sort === "difference" || query.sort === "either") {
        const [first, second] = [query.first, query.second].map((system) => data.scores[query.metric][system][index]);
        const gain = (data.metrics[query.metric].lower ? -1 : 1) * (second - first);
        const better = gain < 0 ? "first" : "second";
        const text = scoreText(Math.abs(gain), data.metrics[query.metric].places);
        row.firstChild.append(" ", make("span", {}, `${better} better by ${text}`));
      }
      return row;
    });
    const update = () => {
      query = { text: "", second: 0, only: "", ...Object.fromEntries(new FormData(form)) };
      rows.show(orderOf(data, query));
      const [found, all] = [rows.order.length, data.numbers.length].map((count) => count.toLocaleString("en"));
      const filters = visible(filterText(data, query));
      status.textContent = (found === all ? `${all} segments` : `${found} of ${all} segments`) +
        (filters && `, those with ${filters}`);
    };
    const usual = new URLSearchParams(new FormData(form));
    const later = (milliseconds) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        update();
        store();
      }, milliseconds);
    };
    // The address has all choices that differ from the defaults, so that users can share a view.
    const store = () => {
      const chosen = new URLSearchParams([...new FormData(form)].filter(([name, value]) => value !== usual.get(name)));
      if (chosen.toString() || location.hash.startsWith(place)) {
        history.replaceState(null, "", chosen.toString() ? `${place}?${chosen}` : place);
      }
    };
    const reset = () => {
      form.reset();
      clearTimeout(timer);  // (the timer would update the list a second time)
    };
    form.addEventListener("reset", () => {
      for (const name of PLACES) form.elements[name].value = "";
    });
    const restore = (chosen) => {
      reset();
      for (const [name, value] of chosen) {
        const control = form.elements[name];
        if (!control) continue;
        if (control.type === "checkbox") control.checked = true;
        else control.value = value;
        if (control.localName === "select" && control.selectedIndex < 0) control.selectedIndex = 0;
      }
      update();
      box.closest("section").scrollIntoView();
    };
    const follow = () => {
      if (location.hash.startsWith(`${place}?`)) {
        restore(new URLSearchParams(location.hash.slice(place.length + 1)));
        return;
      }
      const start = `#${data.prefix}s`;
      const index = location.hash.startsWith(start)
        ? data.numbers.indexOf(Number(location.hash.slice(start.length) || "0")) : -1;
      if (index < 0) return;
      marked = index;
      if (!rows.order.includes(index)) {
        reset();
        update();
      }
      rows.goTo(rows.order.indexOf(index));
      box.scrollIntoView({ block: "nearest" });
      const row = list.querySelector(".marked");
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    };
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => later(event.target.name === "text" ? 150 : 0));
    form.addEventListener("reset", () => later(0));
    addEventListener("hashchange", follow);
    document.addEventListener("metric", (event) => {  // (a user chose another metric for the whole page)
      form.elements.metric.value = event.detail;
      later(0);
    });
    update();
    follow();
  }

  async function readData(element) {
    if (element.type === "application/json") return JSON.parse(element.textContent);
    if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot decompress them");
    const bytes = Uint8Array.from(atob(element.textContent.trim()), (character) => character.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  async function startSegments(list) {
    const element = document.getElementById(list.dataset.from);
    if (!element) return;
    try {
      const data = await readData(element);
      if (data.numbers.length) showSegments(data, list);
    } catch (error) {
      const reason = `The segments cannot be shown: ${error.message}.`;
      list.before(make("p", { class: "warning", role: "alert" }, reason));
    }
  }

  for (const list of document.querySelectorAll("ol.segments")) startSegments(list);
})();
