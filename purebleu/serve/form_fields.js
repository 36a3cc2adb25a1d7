// The fields of the form: options, and texts that are pasted or come from files.
const purebleuFields = (() => {
  "use strict";

  const PREVIEW = 50;  // lines
  const MAX_EDITED = 50_000;  // characters; browsers are slow to put longer texts into a text area

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // Shows an error message in `place`, and marks `control` as wrong. An empty message removes the error.
  function tell(place, control, message) {
    place.textContent = message;
    place.hidden = !message;
    if (!control) return;
    if (message) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }

  // Texts

  const linesOf = (text) => (text ? text.split("\n").length - text.endsWith("\n") : 0);

  // Returns the content of a file, unchanged. If the content is not UTF-8, the error names the line.
  async function contentOf(file) {
    let stream = file.stream();
    if (file.name.endsWith(".gz")) stream = stream.pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const decode = (some) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(some);
    try {
      return decode(bytes);
    } catch {
      for (let number = 1, start = 0; ; number++) {
        const end = bytes.indexOf(10, start);
        try {
          decode(bytes.subarray(start, end < 0 ? bytes.length : end));
        } catch {
          throw new Error(`${file.name}: line ${number}: not valid utf-8`);
        }
        start = end + 1;
      }
    }
  }

  class TextField {
    constructor(kind, number, named, changed, removed) {
      Object.assign(this, { held: null, fileName: "" });
      const id = `${kind}-${number}`;
      this.legend = make("legend", {});
      this.area = make("textarea", { id: `${id}-text`, rows: "6", spellcheck: "false", autocomplete: "off", dir: "auto",
        "aria-describedby": `${id}-info ${id}-error` });
      this.info = make("span", { id: `${id}-info`, class: "note" });
      this.error = make("p", { id: `${id}-error`, class: "error", role: "alert" });
      this.error.hidden = true;
      this.file = make("input", { type: "file", id: `${id}-file` });
      this.name = named ? make("input", { id: `${id}-name`, autocomplete: "off", spellcheck: "false" }) : null;
      const remove = make("button", { type: "button" }, "Remove");
      this.element = make("fieldset", { class: "text" }, this.legend);
      if (named) {
        this.element.append(make("label", { class: "name", for: `${id}-name` }, "Name (optional) ", this.name));
      }
      this.element.append(
        make("label", { for: `${id}-text` }, "Text, one segment per line"), this.area, this.error,
        make("p", { class: "beside" },
          make("label", { for: `${id}-file` }, "or a file ", this.file), this.info, remove));
      this.area.addEventListener("input", () => {
        tell(this.error, this.area, "");
        this.count();
        changed();
      });
      this.area.addEventListener("paste", (event) => {
        const text = event.clipboardData.getData("text/plain");
        if (text.length <= MAX_EDITED || this.text) return;
        event.preventDefault();
        this.hold(text, "");
      });
      this.file.addEventListener("change", () => { if (this.file.files.length) this.take(this.file.files[0]); });
      remove.addEventListener("click", () => {
        this.clear();
        removed(this);
      });
      this.changed = changed;
      this.count();
    }

    get text() { return this.held === null ? this.area.value : this.held; }

    async take(file) {
      try {
        this.hold(await contentOf(file), file.name.replace(/\.gz$/, ""));
      } catch (error) {
        this.clear();
        tell(this.error, this.area, error.message);
      }
    }

    // Keeps a text unchanged, and shows only its first lines.
    hold(text, fileName) {
      Object.assign(this, { held: text, fileName });
      this.area.value = text.split("\n", PREVIEW).join("\n");
      this.area.readOnly = true;
      tell(this.error, this.area, "");
      this.count();
      this.changed();
    }

    clear() {
      Object.assign(this, { held: null, fileName: "" });
      Object.assign(this.area, { value: "", readOnly: false });
      this.file.value = "";
      if (this.name) this.name.value = "";
      tell(this.error, this.area, "");
      this.count();
    }

    count() {
      const lines = linesOf(this.text), shown = this.held !== null && lines > PREVIEW ? `, ${PREVIEW} shown` : "";
      this.info.textContent = `${this.fileName ? `${this.fileName}: ` : ""}${lines.toLocaleString("en")} ` +
        `${lines === 1 ? "line" : "lines"}${shown}`;
    }

    // The text, in the form that requests have
    value() {
      const value = { text: this.text };
      if (this.fileName) value.file = this.fileName;
      if (this.name && this.name.value.trim()) value.name = this.name.value.trim();
      return value;
    }

    // Restores the `value` of the field from before a reload.
    restore({ text, file, name }) {
      if (file || text.length > MAX_EDITED) this.hold(text, file || "");
      else this.area.value = text;
      if (this.name) this.name.value = name || "";
      this.count();
    }

    fail(message, line) {
      tell(this.error, this.area, line && !message.includes(`line ${line}`) ? `Line ${line}: ${message}` : message);
      this.area.focus();
      if (!line || this.held !== null) return;
      const lines = this.text.split("\n"), start = lines.slice(0, line - 1).join("\n").length + (line > 1);
      this.area.setSelectionRange(start, start + (lines[line - 1] || "").length);
    }
  }

  // Options

  // Makes the first letter a capital, unless the text already has capitals.
  const titled = (text) => (text === text.toLowerCase() ? text.replace(/^./, (letter) => letter.toUpperCase()) : text);

  // Labels of options. Other options have their names as labels.
  const LABELS = {
    "against": "Baseline of the tests", "audit": "BLEU under other preprocessing (audit)",
    "chrf-beta": "Weight of recall (beta)", "chrf-char-order": "Longest n-grams of characters",
    "chrf-word-order": "Longest n-grams of words (2: chrF++)",
    "confidence-n": "Confidence intervals: number of bootstrap resamples",
    "correction": "Correction for the number of tests", "exact": "Exact test, if there are few units",
    "force": "Do not warn of tokenized outputs", "gleu-max-order": "GLEU: longest n-grams",
    "gleu-min-order": "GLEU: shortest n-grams", "language-pair": "Language pair, such as en-zh",
    "lowercase": "Ignore case", "metrics": "Metrics", "no-checks": "Do not search for faults in outputs",
    "no-power": "Do not show smallest detectable differences", "no-tests": "Do not test differences between systems",
    "no-worth": "Do not show how often differences agree with human scores", "origlang": "Original language",
    "paired-ar": "Paired approximate randomization", "paired-bs": "Paired bootstrap",
    "power": "Power for a difference of", "rng": "Random numbers", "rouge-stemmer": "ROUGE: compare word stems",
    "rouge-tokenize": "ROUGE: tokenizer", "samples": "Paired test: number of resamples or trials",
    "segments": "Segments with text in the report", "tokenize": "Tokenizer of BLEU", "unit": "Unit of resampling",
    "width": "Decimal places",
  };

  const labelOf = ({ name, group }) => LABELS[name] || titled(name.replace(`${group}-`, "").replace(/-/g, " "));

  class OptionField {
    constructor(field) {
      this.field = field;
      const id = `option-${field.name}`;
      this.error = make("p", { id: `${id}-error`, class: "error", role: "alert" });
      this.error.hidden = true;
      const hint = make("span", { id: `${id}-hint`, class: "note" }, field.help);
      const described = { "aria-describedby": `${id}-hint ${id}-error` };
      if (field.kind === "list") {
        this.boxes = field.choices.map((choice, index) => {
          const box = make("input", { type: "checkbox", value: choice });
          box.checked = box.defaultChecked = index === 0;
          return box;
        });
        this.control = this.boxes[0];
        this.element = make("fieldset", { class: "option", ...described }, make("legend", {}, labelOf(field)),
          ...this.boxes.map((box) => make("label", { class: "box" }, box, ` ${field.titles[box.value] || box.value}`)),
          hint, this.error);
        return;
      }
      const label = make("label", { for: id }, labelOf(field));
      if (field.kind === "flag") {
        this.control = make("input", { type: "checkbox", id, ...described });
        this.element = make("div", { class: "option flag" }, this.control, label, hint, this.error);
        return;
      }
      this.control = field.kind === "choice"
        ? make("select", { id, ...described }, ...[...(field.default ? [] : [""]), ...field.choices].map(
          (choice) => make("option", choice === field.default ? { selected: "" } : {}, choice)))
        : make("input", { id, autocomplete: "off", placeholder: field.default, ...described });
      this.element = make("div", { class: "option" }, label, this.control, hint, this.error);
    }

    // The value, in the form that requests have; undefined if it is not set
    value() {
      if (this.boxes) {
        const checked = this.boxes.filter((box) => box.checked);
        return checked.length === 1 && checked[0].defaultChecked ? undefined : checked.map((box) => box.value);
      }
      if (this.field.kind === "flag") return this.control.checked || undefined;
      const value = this.control.value.trim();
      return value && value !== this.field.default ? value : undefined;
    }

    // The state that a reload keeps, and its restoration
    get kept() {
      return this.boxes ? this.boxes.filter((box) => box.checked).map((box) => box.value)
        : this.field.kind === "flag" ? this.control.checked : this.control.value;
    }

    set kept(value) {
      if (this.boxes) for (const box of this.boxes) box.checked = value.includes(box.value);
      else if (this.field.kind === "flag") this.control.checked = value;
      else this.control.value = value;
    }

    fail(message) {
      const closed = this.element.closest("details");
      if (closed) closed.open = true;
      tell(this.error, this.control, message);
      this.control.focus();
    }
  }

  return { OptionField, TextField, make, tell, titled };
})();
