// Opens the pages of test_page.py in headless Chromium, uses them, and prints what it saw as JSON.
//
//     node page.mjs MODULES CHROMIUM FOLDER    # MODULES has node_modules with playwright-core and axe-core
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { startChromium } from "./chromium.mjs";

const [modules, executablePath, folder] = process.argv.slice(2);
const { browser, load, end } = await startChromium(modules, executablePath);
const axeSource = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");

const addressOf = (name, hash = "") => pathToFileURL(join(resolve(folder), `${name}.html`)).href + hash;
const seen = { requests: [], complaints: [], rows: {}, orders: {}, status: {}, linked: {}, keyboard: {}, dragged: {},
  axe: {}, copied: {}, tables: [], "most rows": 0 };

async function open(name, { hash = "", init, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const own = addressOf(name);
  page.on("request", (request) => {  // (what the page has made itself is a blob)
    const url = request.url();
    if (url.split("#")[0] !== own && !url.startsWith("blob:")) seen.requests.push(url);
  });
  page.on("console", (message) => { if (message.type() !== "log") seen.complaints.push(`${name}: ${message.text()}`); });
  page.on("pageerror", (error) => seen.complaints.push(`${name}: ${error.stack}`));
  if (init) await page.addInitScript(init);
  await page.goto(own + hash);
  if (name !== "static" && options.javaScriptEnabled !== false && !init) await page.waitForSelector(".rows li");
  return page;
}

// Rows in the order of lines. (Of two systems or more, those with the largest differences come first otherwise.)
const BY_LINE = { hash: "#segments?sort=line" };

const close = (page) => page.context().close();
const pause = (page, milliseconds = 300) => page.waitForTimeout(milliseconds);

// Each row of the tree by its id, without what only the script has.
const rowsOf = (page) => page.$$eval("ol.segments > li", (rows) => Object.fromEntries(rows.map((row) => {
  const copy = row.cloneNode(true);
  for (const name of ["aria-posinset", "aria-setsize"]) copy.removeAttribute(name);
  return [row.id, copy.outerHTML];
})));

// The numbers of the rows that can be seen.
const inSight = (page) => page.$$eval("ol.segments > li", (rows) => {
  const box = document.querySelector(".rows").getBoundingClientRect();
  return rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > box.top + 1 && top < box.bottom - 1;
  }).map((row) => Number(row.id.slice(1)));
});

async function scrollBy(page, pixels) {
  await page.$eval(".rows", (box, by) => { box.scrollTop += by; }, pixels);
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
}

async function countRows(page) {
  seen["most rows"] = Math.max(seen["most rows"], await page.locator("ol.segments > li").count());
}

async function collectRows(name) {
  const page = await open(name, BY_LINE);
  seen.status.all = await page.textContent("[role=status]");
  const found = {};
  for (let step = 0; step < 400 && !("s100" in found); step++) {
    Object.assign(found, await rowsOf(page));
    await countRows(page);
    await scrollBy(page, 600);
  }
  seen.rows[name] = Object.fromEntries(Object.entries(found).filter(([id]) => Number(id.slice(1)) <= 100));
  seen.notes = await page.locator("noscript p").count();
  await close(page);
}

async function firstFive(page) {
  await pause(page);
  return (await page.$$eval("ol.segments > li", (rows) => rows.map((row) => Number(row.id.slice(1))))).slice(0, 5);
}

async function useControls() {
  const page = await open("plain");
  await page.selectOption("select[name=metric]", "2");
  await page.selectOption("select[name=sort]", "difference");
  seen.orders.difference = await firstFive(page);
  await page.selectOption("select[name=sort]", "length");
  seen.orders.length = await firstFive(page);
  await page.selectOption("select[name=sort]", "second");
  await page.selectOption("select[name=only]", "second");
  seen.orders["second is better"] = await firstFive(page);
  await page.click("button[type=reset]");
  await pause(page);
  seen.status.reset = await page.textContent("[role=status]");
  await page.fill("input[name=text]", "STRASSE ON".replace("SS", "\u00df").toLowerCase());
  seen.orders.found = await firstFive(page);
  seen.status.found = await page.textContent("[role=status]");
  await page.fill("input[name=text]", "no such text");
  await pause(page);
  seen.status.none = await page.textContent("[role=status]");
  await close(page);
}

const linked = (page, number) => page.$eval(`#s${number}`, (row) => {
  const { top } = row.getBoundingClientRect(), box = document.querySelector(".rows").getBoundingClientRect();
  return { marked: row.classList.contains("marked"), focused: document.activeElement === row,
    "in sight": top >= box.top - 1 && top < Math.min(box.bottom, innerHeight) };
});

async function followLinks() {
  let page = await open("plain", { hash: "#s2345" });
  await pause(page);
  seen.linked.address = await linked(page, 2345);
  await page.fill("input[name=text]", "no such text");
  await pause(page);
  await page.click("summary");
  await page.click("a[href='#s4000']");
  await pause(page);
  seen.linked.filtered = await linked(page, 4000);
  await page.evaluate(() => { location.hash = "#s5000"; });
  await pause(page);
  seen.linked.link = await linked(page, 5000);
  await close(page);
  page = await open("many", { hash: "#s77777" });
  await pause(page);
  seen.linked.many = await linked(page, 77777);
  await close(page);
}

// Nothing but keys: the box is reached by Tab, and rows by Page Down, Page Up, Home and End.
async function useKeys(name) {
  const page = await open(name, BY_LINE);
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.className === "rows")) break;
  }
  const gather = async (key, steps) => {
    const numbers = new Set(await inSight(page));
    for (let step = 0; step < steps; step++) {
      await page.keyboard.press(key);
      for (let wait = 0; wait < 6; wait++) {
        await pause(page, 40);
        for (const number of await inSight(page)) numbers.add(number);
      }
      await countRows(page);
    }
    return [...numbers].sort((one, other) => one - other);
  };
  const down = await gather("PageDown", 25);
  await pause(page, 400);
  const up = await gather("PageUp", 40);
  await page.keyboard.press("End");
  await pause(page);
  const last = Math.max(...await inSight(page));
  await page.keyboard.press("Home");
  await pause(page);
  seen.keyboard[name] = { down, up, last, first: Math.min(...await inSight(page)) };
  await close(page);
}

// A line of a megabyte, and what comes after it.
async function useLongLine() {
  const page = await open("long", BY_LINE);
  await page.evaluate(() => { location.hash = "#s5"; });
  await pause(page);
  await scrollBy(page, 50_000);
  await pause(page);
  seen.longest = await inSight(page);
  await page.evaluate(() => { location.hash = "#s6"; });
  await pause(page);
  seen.linked["after a long one"] = await linked(page, 6);
  await page.keyboard.press("End");
  await pause(page);
  const last = Math.max(...await inSight(page));
  await page.keyboard.press("Home");
  await pause(page);
  seen.keyboard.long = { first: Math.min(...await inSight(page)), last };
  await close(page);
}

async function drag(name) {
  const page = await open(name, BY_LINE);
  seen.dragged[name] = [];
  for (const share of [0.5, 0.1, 0.9, 0.999, 1, 0.25, 0]) {
    await page.$eval(".rows", (box, part) => { box.scrollTop = part * (box.scrollHeight - box.clientHeight); }, share);
    await pause(page, 350);
    const numbers = await inSight(page);
    seen.dragged[name].push([share, numbers.length ? numbers[Math.floor(numbers.length / 2)] : -1]);
    await countRows(page);
  }
  await close(page);
}

async function audit(name, label, options = {}) {
  const page = await open(name, { bypassCSP: true, ...options });
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run());
  seen.axe[label] = violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.html).join(" | ")}`);
  await page.screenshot({ path: join(folder, `${label}.png`) });
  await page.locator("#segments").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector("#segments").scrollIntoView());
  await page.screenshot({ path: join(folder, `${label}-segments.png`) });
  if (label === "phone") {
    seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  }
  if (label === "light") {
    await page.emulateMedia({ media: "print" });
    await pause(page);
    seen.summary = await page.locator("ol.segments > li:visible").count();
    await page.evaluate(() => document.documentElement.classList.add("print-all"));
    await pause(page);
    seen.printed = await page.$$eval("ol.segments > li, .controls, nav", (elements) => ({
      rows: elements.filter((element) => element.localName === "li" && element.offsetHeight > 0).length,
      others: elements.filter((element) => element.localName !== "li" && element.offsetHeight > 0).length,
    }));
    await page.emulateMedia({ media: null });
    await page.selectOption("select[name=sort]", "line");
    await pause(page);
    await page.evaluate(() => {
      location.hash = "#s700";
      window.onbeforeprint = () => { window.printed = document.querySelectorAll("ol.segments > li").length; };
    });
    await pause(page);
    await page.pdf({ path: join(folder, "printed.pdf") });
    await pause(page);
    const paper = await page.evaluate("window.printed");
    Object.assign(seen.printed, { summary: seen.summary, paper, after: (await inSight(page))[0] });
  }
  await close(page);
}

async function useTables() {
  const page = await open("plain", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.click("button[data-copy=tsv]");
  await pause(page);
  seen.copied.tsv = await page.evaluate(() => navigator.clipboard.readText());
  await page.click("button[data-copy=markdown]");
  await pause(page);
  seen.copied.markdown = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("denied")); });
  await page.click("button[data-copy=latex]");
  await pause(page);
  seen.copied.selected = await page.evaluate(() => {
    const area = document.activeElement;
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
  for (const [column, clicks] of [["BLEU", 2], ["System", 1], ["p", 1]]) {
    for (let click = 0; click < clicks; click++) {
      await page.click(`th button:text-is("${column}")`);
      seen.tables.push(await page.$$eval("table.sortable", ([table], head) => [
        ...[...table.tBodies[0].rows].map((row) => row.cells[0].textContent),
        [...table.tHead.rows[0].cells].find((cell) => cell.textContent === head).getAttribute("aria-sort")], column));
    }
  }
  await close(page);
}

// Figures: what a click opens, the switch of metrics, downloads.
async function useFigures() {
  const page = await open("plain", { acceptDownloads: true });
  const view = async () => {
    await pause(page);
    const { hash } = new URL(page.url());
    const numbers = await page.$$eval("ol.segments > li", (rows) => rows.map((row) => Number(row.id.slice(1))));
    return [hash, await page.textContent("#segments [role=status]"), [...new Set(numbers.map((number) => number % 2))]];
  };
  const shown = () => page.$$eval("#figures > div", (blocks) => blocks.map((block) => block.offsetHeight > 0));
  seen.switched = [await shown()];
  seen.opened = {};
  await page.click("#figures g.opens >> nth=1");
  seen.opened.chart = await view();
  await page.selectOption("nav select", "1");
  seen.switched.push(await shown());
  await pause(page);
  await page.click("#figures [data-metric='1'] summary");
  await page.click("#figures [data-metric='1'] tbody th a >> nth=0");
  seen.opened.row = await view();
  await page.evaluate(() => { location.hash = "segments?group=0.1&sort=either"; });
  seen.opened.address = await view();
  await page.evaluate(() => { location.hash = "segments?decile=3"; });
  seen.opened.decile = await view();
  await page.click("#segments button[type=reset]");
  seen.opened.reset = await view();
  await page.selectOption("nav select", "");
  seen.switched.push(await shown());
  seen.downloads = {};
  await page.$$eval("figure details", (all) => { for (const one of all) one.open = true; });
  for (const form of ["SVG", "PNG", "CSV"]) {
    const waiting = page.waitForEvent("download");
    await page.click(`.downloads button:text-is("${form}")`);
    const download = await waiting;
    const content = readFileSync(await download.path());
    seen.downloads[form] = [download.suggestedFilename(), form === "PNG" ? content.toString("base64").slice(0, 40)
      : content.toString("utf8")];
  }
  await close(page);
}

// A view of segments, and the same one by its address.
async function shareView() {
  const page = await open("plain");
  await page.fill("input[name=text]", "Stra\u00dfe on".toLowerCase());
  await page.selectOption("select[name=marks]", "first");
  await page.selectOption("select[name=order]", "reversed");
  await pause(page);
  seen.shared = { address: new URL(page.url()).hash, before: await rowsOf(page) };
  seen.shared.hits = await page.$$eval("ol.segments > li:first-child dd[dir]", (texts) => texts.flatMap((text) => {
    const hits = [...text.querySelectorAll("mark")].map((mark) => mark.textContent);
    return hits.length ? [hits.join("").slice(0, "stra\u00dfe on".length)] : [];
  }));
  seen.shared.marks = await page.$$eval("ol.segments > li:first-child .output", ([first, second]) => [
    first.querySelectorAll("ins, del").length, second.querySelectorAll("ins, del").length > 0]);
  await page.reload();
  await page.waitForSelector(".rows li");
  await pause(page);
  seen.shared.again = await rowsOf(page);
  await close(page);
}

// How texts of some scripts are laid out: the direction of each source and output, where TER's marks stand in front.
async function readScripts() {
  const page = await open("scripts", { viewport: { width: 900, height: 4000 } });
  const directionsOf = () => page.$$eval("ol.segments > li", (rows) => rows.map((row) => [
    ...row.querySelectorAll(".source dd, .output dd[dir]")].map((text) => getComputedStyle(text).direction)));
  await pause(page);
  seen.scripts = { directions: await directionsOf() };
  // A mark's number is isolated: it stands where the word begins, at the right of a line of Hebrew.
  seen.scripts.marks = await page.$$eval("ol.segments > li sup", (all) => all.map((mark) => {
    const [one, line] = [mark, mark.closest("dd")].map((element) => element.getBoundingClientRect());
    return [getComputedStyle(mark).direction, one.left > (line.left + line.right) / 2];
  }));
  await page.screenshot({ path: join(folder, "scripts.png"), fullPage: true });
  const heads = () => page.$$eval("ol.segments > li:first-child dt", (all) => all.map((one) => one.textContent));
  seen.scripts.heads = [await heads()];
  await page.check("input[name=pair]");
  await page.selectOption("select[name=second]", "2");
  await pause(page);
  seen.scripts.heads.push(await heads());
  await close(page);
}

try {
  const plain = await open("plain", { javaScriptEnabled: false });
  seen.static = [await plain.locator("ol.segments > li").count(), await plain.innerText("#segments")];
  await close(plain);
  for (const name of ["rows", "private"]) {
    const page = await open(name, { ...BY_LINE, viewport: { width: 1100, height: 4000 } });
    seen.rows[name] = await rowsOf(page);
    await close(page);
  }
  for (const name of ["plain", "packed"]) await collectRows(name);
  await useControls();
  await followLinks();
  for (const name of ["plain", "many"]) {
    await useKeys(name);
    await drag(name);
  }
  await useLongLine();
  await useTables();
  await readScripts();
  await useFigures();
  await shareView();
  await audit("plain", "light");
  await audit("plain", "dark", { colorScheme: "dark", reducedMotion: "reduce" });
  await audit("plain", "phone", { viewport: { width: 375, height: 700 }, isMobile: true, hasTouch: true });
  await audit("static", "static");  // (axe needs scripts; this page has none of its own)
  await audit("private", "private");
  await audit("one", "one");
  const old = await open("packed", { init: "delete window.DecompressionStream" });
  seen["no decompression"] = [await old.locator("ol.segments > li").count(), await old.textContent("#segments .warning")];
  await close(old);
  process.stdout.write(JSON.stringify(seen));
} finally {
  await end();
}
