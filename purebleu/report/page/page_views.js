// The figures of a report's page: the metric that is shown, links from figures to segments, downloads, and printing.
//
// Elements that belong to one metric have its index in `data-metric`. Blocks also have its name in `data-name`. A click
// on a part of a chart with `data-show`, or on a row of a figure's table with `data-rows`, opens segments. These
// attributes have the end of the address that page.js reads. The index of the row is added to `data-rows`.
(() => {
  "use strict";

  const { numberRows, splitWords, tableText } = purebleuWords;

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // One metric at a time

  function addSwitch(nav) {
    const names = new Map();
    for (const { dataset } of document.querySelectorAll("[data-metric][data-name]")) {
      names.set(dataset.metric, dataset.name);
    }
    if (names.size < 2) return;
    const options = [...names, ["", "all"]].map(([value, name]) => make("option", { value }, name));
    const select = make("select", {}, ...options);
    const show = () => {
      for (const element of document.querySelectorAll("[data-metric]")) {
        element.classList.toggle("other", select.value !== "" && element.dataset.metric !== select.value);
      }
    };
    select.addEventListener("change", () => {
      show();
      if (select.value) document.dispatchEvent(new CustomEvent("metric", { detail: select.value }));
    });
    nav.append(make("label", { class: "switch" }, "Metric ", select));
    show();
  }

  // From a figure to its segments

  function addLinks() {
    const placeOf = (element) => {
      const list = element.closest("section").dataset.segments;
      return list && document.getElementById(list) ? `#${list}?` : "";
    };
    for (const part of document.querySelectorAll("[data-show]")) {
      const place = placeOf(part);
      const opens = place + (part.parentNode.dataset.opens || "") + part.dataset.show;
      if (place) part.addEventListener("click", () => { location.hash = opens; });
      else part.classList.remove("opens");
    }
    for (const figure of document.querySelectorAll("figure[data-rows]")) {
      const place = placeOf(figure);
      if (!place) continue;
      [...figure.querySelectorAll("tbody th")].forEach((head, row) => {
        head.replaceChildren(make("a", { href: `${place}${figure.dataset.rows}${row}` }, ...head.childNodes));
      });
    }
  }

  // Downloads

  function save(name, content) {
    const link = make("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // The rules of charts.css for downloaded charts: the colours for light paper replace the variables.
  function chartStyle() {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const root = rules.find((rule) => rule.selectorText === ":root" && rule.style.getPropertyValue("--chart-paper"));
    const ofCharts = rules.filter((rule) => (rule.selectorText || "").startsWith(".chart "));
    return ofCharts.map((rule) => rule.cssText.replace(/var\((--[\w-]+)\)/g,
      (_, name) => root.style.getPropertyValue(name).trim())).join("\n");
  }

  function standalone(chart) {
    const copy = chart.cloneNode(true), { width, height } = chart.viewBox.baseVal;
    for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, value);
    for (const part of copy.querySelectorAll("[data-show], [data-opens]")) {
      for (const name of ["data-show", "data-opens"]) part.removeAttribute(name);
    }
    copy.setAttribute("font-family", "sans-serif");
    const style = document.createElementNS(copy.namespaceURI, "style");
    style.textContent = chartStyle();
    copy.prepend(style);
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  }

  async function savePicture(name, chart) {
    const { text, width, height } = standalone(chart), scale = 3;
    const picture = new Image(), address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    picture.src = address;
    await picture.decode();
    const canvas = Object.assign(make("canvas", {}), { width: width * scale, height: height * scale });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((content) => save(name, content), "image/png");
  }

  function addDownloads(figure) {
    const chart = figure.querySelector("svg"), table = figure.querySelector("table");
    const title = chart.querySelector("title").textContent;
    const stem = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "figure";
    const textOf = (cell) => splitWords(cell.textContent).join(" ");
    const rowsOf = () => [...table.rows].map((row) => [...row.cells].map(textOf));
    const ways = {
      SVG: () => save(`${stem}.svg`, new Blob([standalone(chart).text], { type: "image/svg+xml" })),
      PNG: () => savePicture(`${stem}.png`, chart),
      CSV: () => save(`${stem}.csv`, new Blob([tableText(numberRows(rowsOf()), "csv"), "\r\n"], { type: "text/csv" })),
    };
    const place = make("p", { class: "downloads" });
    for (const [form, act] of Object.entries(ways)) {
      const button = make("button", { type: "button", "aria-label": `Download as ${form}: ${title}` }, form);
      button.addEventListener("click", act);
      place.append(button, " ");
    }
    figure.querySelector("details").append(place);
  }

  // Printing: a summary, or the whole page

  function addPrinting(header) {
    const [some, all] = ["Print a summary", "Print all"].map((text) => make("button", { type: "button" }, text));
    some.addEventListener("click", () => print());
    all.addEventListener("click", () => {
      document.documentElement.classList.add("print-all");
      addEventListener("afterprint", () => document.documentElement.classList.remove("print-all"), { once: true });
      print();
    });
    header.append(make("p", { class: "printing" }, some, " ", all));
  }

  const nav = document.querySelector("nav[data-report]");
  if (nav) {
    addSwitch(nav);
    addPrinting(document.querySelector("footer"));
  }
  addLinks();
  document.querySelectorAll("figure.chart-figure").forEach(addDownloads);
})();
