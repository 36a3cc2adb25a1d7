// The form makes a request from its fields, and shows the answer: a report in a frame, downloads, a command line.
//
// All texts of users are inserted as text, never as HTML. The script before this one sends requests (`purebleuSend`).
(() => {
  "use strict";

  const { OptionField, TextField, make, tell, titled } = purebleuFields;
  const byId = (id) => document.getElementById(id);
  const setup = JSON.parse(byId("setup").textContent);

  const REPORT = ["report", "report.html", "text/html", "Report"];
  const DOWNLOADS = [["json", "scores.json", "application/json", "JSON"],
    ["tsv", "scores.tsv", "text/tab-separated-values", "TSV"], ["latex", "scores.tex", "application/x-tex", "LaTeX"],
    ["rows", "rows.jsonl", "application/jsonl", "Rows of statistics"]];
  const LIMITS = { references: 100, systems: 20, source: 1 };

  const texts = { references: [], systems: [], source: [] };
  let count = 0, running = null, addresses = [];

  // Texts

  function number(kind) {
    texts[kind].forEach((field, index) => {
      const name = { references: "Reference", systems: "System", source: "Source" }[kind];
      field.legend.textContent = texts[kind].length > 1 ? `${name} ${index + 1}` : name;
    });
    const add = byId(`add-${kind.slice(0, -1)}`);
    if (add) add.disabled = texts[kind].length >= LIMITS[kind];
  }

  function add(kind) {
    const changed = () => tell(byId(`${kind}-error`), null, "");
    const field = new TextField(kind, ++count, kind === "systems", changed, (one) => {
      if (texts[kind].length > 1) {
        texts[kind].splice(texts[kind].indexOf(one), 1);
        one.element.remove();
        number(kind);
      }
      texts[kind][0].area.focus();
    });
    texts[kind].push(field);
    byId(kind).append(field.element);
    number(kind);
    return field;
  }

  // The first dropped file goes into the field on which it is dropped. Further files go into empty fields.
  async function takeFiles(kind, files, target) {
    const empty = texts[kind].filter((field) => !field.text && field !== target);
    const places = target ? [target, ...empty] : empty;
    for (const file of files) {
      const field = places.shift() || (texts[kind].length < LIMITS[kind] ? add(kind) : null);
      if (!field) {
        tell(byId(`${kind}-error`), null, `At most ${LIMITS[kind]} ${kind} can be scored.`);
        return;
      }
      await field.take(file);
    }
  }

  for (const kind of Object.keys(texts)) {
    add(kind);
    const section = byId(kind).parentElement;
    section.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.stopPropagation();
      event.preventDefault();
      const target = texts[kind].find((field) => field.element.contains(event.target));
      takeFiles(kind, [...event.dataTransfer.files], target);
    });
  }
  // A file that is dropped outside all fields becomes a reference if there is none yet. Else it becomes a system.
  const isFile = (event) => [...event.dataTransfer.types].includes("Files");
  addEventListener("dragover", (event) => { if (isFile(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    const hasReference = byId("test-set").value || texts.references.some((field) => field.text);
    takeFiles(hasReference ? "systems" : "references", [...event.dataTransfer.files]);
  });
  byId("add-reference").addEventListener("click", () => add("references").area.focus());
  byId("add-system").addEventListener("click", () => add("systems").area.focus());

  // Test sets and options

  const testSet = make("select", { id: "test-set" }, make("option", { value: "" }, "none (use the texts below)"));
  function offer(testSets) {
    const sets = Object.entries(testSets).flatMap(([name, pairs]) => pairs.map((pair) => `${name} ${pair}`));
    const offered = new Set([...testSet.options].map((option) => option.value));
    testSet.append(...sets.filter((set) => !offered.has(set)).map((set) => make("option", {}, set)));
  }
  byId("test-set-choice").append(make("label", { for: "test-set" }, "Test set ", testSet));
  const showReferences = () => {
    for (const element of [byId("references"), byId("add-reference")]) element.hidden = Boolean(testSet.value);
  };
  testSet.addEventListener("change", () => {
    showReferences();
    tell(byId("references-error"), null, "");
  });
  showReferences();

  const options = new Map();
  const groups = new Map();
  for (const field of setup.fields) {
    if (field.name === "test-set") continue;
    const option = new OptionField(field);
    options.set(field.name, option);
    if (field.kind === "list") {
      byId("options").prepend(option.element);
      continue;
    }
    if (["language-pair", "tokenize"].includes(field.name)) {
      byId("usual").append(option.element);
      continue;
    }
    if (!groups.has(field.group)) {
      groups.set(field.group, make("details", { class: "group" }, make("summary", {}, titled(field.title))));
      byId("options").append(groups.get(field.group));
    }
    groups.get(field.group).append(option.element);
  }

  // A reload keeps the form. The form is stored only in this tab, and never sent.

  const KEPT = "purebleu";

  addEventListener("pagehide", () => {
    const kept = { options: {}, texts: {} };
    for (const [name, option] of options) kept.options[name] = option.kept;
    for (const [kind, fields] of Object.entries(texts)) kept.texts[kind] = fields.map((field) => field.value());
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // (The browser has no storage, or the texts are too long for its storage.)
    }
  });

  function restore() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(KEPT));
    } catch {
      return;
    }
    if (!kept) return;
    for (const [name, option] of options) if (name in kept.options) option.kept = kept.options[name];
    for (const kind of Object.keys(texts)) {
      kept.texts[kind].forEach((value, index) => (texts[kind][index] || add(kind)).restore(value));
    }
  }

  restore();

  // From the form to a request

  function requestOf() {
    const used = Object.fromEntries(Object.entries(texts).map(([kind, fields]) => [
      kind, fields.filter((field) => field.text && !(kind === "references" && testSet.value))]));
    const values = {};
    for (const [name, option] of options) {
      const value = option.value();
      if (value !== undefined && value.length !== 0) values[name] = value;
    }
    if (testSet.value) [values["test-set"], values["language-pair"]] = testSet.value.split(" ");
    const request = { references: used.references.map((field) => field.value()),
      systems: used.systems.map((field) => field.value()), options: values };
    if (used.source.length) request.source = used.source[0].value();
    return [request, used];
  }

  function clearErrors() {
    for (const place of document.querySelectorAll(".error")) tell(place, null, "");
    for (const control of document.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  }

  // Shows an error next to the field that has it, or below the form if no field has it.
  function showError({ message, field, line }, used) {
    const text = message.replace(/^./, (letter) => letter.toUpperCase());
    const [kind, index] = field.split(".");
    const fields = kind in texts ? used[kind] : [];
    if (index in fields || (kind === "source" && fields.length)) fields[index || 0].fail(text, line);
    else if (kind === "options" && options.has(index)) options.get(index).fail(text);
    else if (kind in texts) {
      tell(byId(`${kind}-error`), null, text);
      (kind === "references" && testSet.value ? testSet : texts[kind][0].area).focus();
    } else tell(byId("error"), null, text);
  }

  // The result

  function showScores(scores) {
    const metrics = [...new Set(scores.map((score) => score.metric))], systems = new Map();
    for (const score of scores) {
      if (!systems.has(score.system)) systems.set(score.system, new Map());
      systems.get(score.system).set(score.metric, score.score);
    }
    const row = (cells) => make("tr", {}, ...cells);
    byId("scores").replaceChildren(
      make("caption", {}, "Scores"),
      make("thead", {}, row(["System", ...metrics].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...[...systems].map(([name, found]) => row([make("th", { scope: "row", dir: "auto" }, name),
        ...metrics.map((metric) => make("td", {}, found.get(metric).toFixed(2)))]))));
  }

  function addressOf(text, type) {
    const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    addresses.push(address);
    return address;
  }

  const linkTo = (result, [name, file, type, title]) => (name in result
    ? [make("a", { href: addressOf(result[name], type), download: file }, title), " "] : []);

  function showReport(result) {
    byId("downloads").prepend(...linkTo(result, REPORT));
    byId("report").src = byId("downloads").querySelector("a").href;
    for (const id of ["report", "report-title"]) byId(id).hidden = false;
  }

  function showResult(result) {
    addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
    showScores(result.scores);
    byId("warnings").replaceChildren(...result.warnings.map((text) => make("p", { class: "warning" }, text)));
    byId("command").textContent = result.command;
    byId("copied").textContent = "";
    byId("json").textContent = result.details;
    byId("downloads").replaceChildren(...DOWNLOADS.flatMap((kind) => linkTo(result, kind)));
    for (const id of ["report", "report-title"]) byId(id).hidden = true;
    showAge();
    byId("result").hidden = false;
    byId("result").focus({ preventScroll: true });
    byId("result").scrollIntoView({ block: "start" });
  }

  byId("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(byId("command").textContent);
      byId("copied").textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(byId("command"));
      byId("copied").textContent = "The command is selected: copy it with Ctrl-C.";
    }
  });

  // If the form is changed after a result, the page says so.
  let isEdited = false;

  function showAge() {
    byId("result").classList.toggle("outdated", isEdited);
    byId("outdated").hidden = !isEdited;
  }

  function edit({ target }) {
    if (target.id === "score" || target.id === "cancel") return;
    isEdited = true;
    if (!running) byId("status").textContent = "";
    showAge();
  }

  for (const kind of ["input", "change", "drop"]) byId("form").addEventListener(kind, edit);
  byId("form").addEventListener("click", (event) => {
    if (event.target.type === "button") edit(event);  // The button adds or removes a text.
  });

  // Scoring

  function show(isRunning, text) {
    byId("score").disabled = isRunning;
    byId("cancel").hidden = byId("progress").hidden = !isRunning;
    byId("progress").removeAttribute("value");
    byId("status").textContent = text;
  }

  function showProgress({ what, done, total }) {
    const percent = total ? Math.min(100, Math.floor(100 * done / total)) : 0;
    byId("progress").max = 100;
    byId("progress").value = percent;
    byId("status").textContent = `${what}: ${percent} %`;
  }

  async function score() {
    if (running) return;
    clearErrors();
    const [request, used] = requestOf();
    running = new AbortController();
    isEdited = false;
    byId("result").hidden = true;
    show(true, "scoring");
    // The scores are requested first, because the report takes several times as long.
    const steps = [[[...DOWNLOADS.map(([name]) => name), "details"], showResult], [["report"], showReport]];
    try {
      for (const [outputs, showPart] of steps) {
        const all = { ...request, outputs };
        const { result, error } = await purebleuSend.send(all, showProgress, running.signal);
        if (error) {
          show(false, "");
          showError(error, used);
          return;
        }
        showPart(result);
        show(true, "making the report");
      }
      show(false, isEdited ? "" : "Done.");
    } catch (error) {
      const rest = byId("result").hidden ? "" : " The scores below are complete, but there is no report.";
      show(false, error.name === "AbortError" ? `Cancelled.${rest}` : "");
      if (error.name !== "AbortError") tell(byId("error"), null, error.message);
    } finally {
      running = null;
    }
  }

  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    score();
  });
  byId("cancel").addEventListener("click", () => {
    if (running) running.abort();
    byId("score").focus();
  });
  byId("where").textContent = purebleuSend.where;
  purebleuSend.begin(offer, (problem) => tell(byId("problem"), null, problem));
})();
