// The tables of a report's page. A `table.sortable` gets buttons that sort its rows. A `button[data-copy]` copies the
// table of its figure (or section) as "tsv", "markdown" or "latex". With "paper", it copies the LaTeX of its section.
//
// If small numbers are better, the head of a column has `data-first="ascending"`, and the first click puts them on top.
// If a cell does not show its plain value, `data-value` has the value for sorting, and `data-text` the text to copy.
(() => {
  "use strict";

  const { splitWords, tableText } = purebleuWords;

  // The number that a text begins with, after signs such as "<".
  function numberIn(text) {
    const found = /^\W*?([-\u2212]?\d+(\.\d+)?(e[-+]?\d+)?)/i.exec(text.replace(/,/g, ""));
    return found ? Number(found[1].replace("\u2212", "-")) : NaN;
  }

  const newElement = (name, className) => Object.assign(document.createElement(name), { className });

  function sortRows(table, column, head) {
    const valueOf = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent.trim() : cell.dataset.value;
    };
    const body = table.tBodies[0], rows = [...body.rows];
    const isNumber = rows.some((row) => column > 0 && !Number.isNaN(numberIn(valueOf(row))));
    const before = head.getAttribute("aria-sort");
    const first = head.dataset.first || (isNumber ? "descending" : "ascending");
    const direction = before ? { ascending: "descending", descending: "ascending" }[before] : first;
    const sign = direction === "ascending" ? 1 : -1;
    rows.sort((one, other) => {
      const [a, b] = [one, other].map((row) => (isNumber ? numberIn(valueOf(row)) : valueOf(row)));
      if (isNumber && (Number.isNaN(a) || Number.isNaN(b))) return Number.isNaN(a) - Number.isNaN(b);
      return sign * (a < b ? -1 : a > b ? 1 : 0);
    });
    for (const cell of head.parentNode.cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    body.append(...rows);
  }

  function makeSortable(table) {
    const heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
    [...heads].forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = newElement("button", "sort");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortRows(table, column, head));
      head.append(button);
    });
  }

  async function copyTable(button) {
    const part = button.closest("figure, div[data-metric], section"), table = part.querySelector("table");
    const shown = (cell) => (cell.dataset.text === undefined ? cell.textContent : cell.dataset.text);
    const textOf = (cell) => splitWords(shown(cell)).join(" ");
    const form = button.dataset.copy;
    const text = form === "paper" ? part.querySelector("pre.paper").textContent
      : tableText([...table.rows].map((row) => [...row.cells].map(textOf)), form);
    const place = button.parentNode;
    for (const old of place.querySelectorAll(".copied")) old.remove();
    const status = newElement("span", "copied");
    status.setAttribute("role", "status");
    place.append(status);
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = "Copied.";
    } catch {  // (no permission, or no clipboard: users copy the text themselves)
      const area = newElement("textarea", "copied");
      Object.assign(area, { readOnly: true, rows: 6, value: text });
      area.setAttribute("aria-label", "The table to copy");
      place.append(area);
      area.select();
      status.textContent = "Copy the selected text.";
    }
  }

  document.querySelectorAll("table.sortable").forEach(makeSortable);
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", () => copyTable(button));
  }
  document.documentElement.classList.add("scripted");
})();
