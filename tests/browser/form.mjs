// Uses the local page in headless Chromium, as test_form.py has it served, and prints what it saw as JSON.
//
//     node form.mjs MODULES CHROMIUM FOLDER ADDRESS OUTPUT REDIRECTION OTHER PROCESS
//
// MODULES has node_modules with playwright-core and axe-core; FOLDER gets downloads and screenshots; OUTPUT is a file
// with a system's output for the test set that is part of purebleu; REDIRECTION is a page that leads to ADDRESS; OTHER
// is the address of another server, in a PROCESS of this number, which is ended.
import { gzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { startChromium } from "./chromium.mjs";

const [modules, executablePath, folder, address, output, redirection, otherAddress, otherProcess] = process.argv.slice(2);
const { browser, load, end } = await startChromium(modules, executablePath);
const axeSource = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");

const PATIENCE = 120_000;
const own = new URL(address).origin;
const seen = { foreign: [], complaints: [], axe: {}, errors: {}, downloads: [] };

const CARD = ["does this sentence match\nwHaT aBoUt ThIs SeNtEnCe?\n",
  "does this sentence match??\nwhat about this sentence?\n"];
const HOSTILE = "</script><img src=x onerror=alert(1)> <!-- \u202e\u2028 \"' &amp; \ud83d\ude00";

async function open(options = {}, at = address) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${new URL(at).origin}/`) && !url.startsWith(`blob:${own}/`)) seen.foreign.push(url);
  });
  page.on("console", (message) => { if (message.type() !== "log") seen.complaints.push(message.text()); });
  page.on("pageerror", (error) => seen.complaints.push(error.stack));
  page.on("dialog", (dialog) => seen.complaints.push(dialog.message()));
  await page.goto(at);
  return page;
}

const close = (page) => page.context().close();
const done = async (page) => {
  await page.waitForSelector("#result:not([hidden])");
  await page.waitForFunction(() => document.querySelector("#cancel").hidden);
};
const errorsOf = (page) => page.$$eval(".error:not([hidden])", (all) => all.map((one) => [one.id, one.textContent]));

async function score(page) {
  await page.click("#score");
  await page.waitForFunction(() => document.querySelector("#cancel").hidden);
  return errorsOf(page);
}

async function fill(page, references, systems) {
  await page.fill("#references textarea", references);
  await page.fill("#systems textarea", systems);
}

async function drop(page, place, files) {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, bytes] of all) transfer.items.add(new File([new Uint8Array(bytes)], name));
    return transfer;
  }, files.map(([name, content]) => [name, [...Buffer.from(content)]]));
  await page.dispatchEvent(place, "drop", { dataTransfer: data });
}

async function audit(page, name) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => axe.run(document, { iframes: false }));
  seen.axe[name] = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
}

const shoot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });

// The example of evaluate's card, by pasting.
async function card() {
  const page = await open({ permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true });
  seen.address = page.url();
  seen.loaded = await page.evaluate(() => performance.getEntriesByType("navigation")[0].duration);
  await audit(page, "empty");
  for (const [index, place] of ["#references textarea", "#systems textarea"].entries()) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), CARD[index]);
    await page.focus(place);
    await page.keyboard.press("Control+V");
  }
  seen.counted = await page.$$eval("fieldset.text .note", (all) => all.map((one) => one.textContent));
  await page.uncheck("input[value=bleu]");
  await page.check("input[value=ter]");
  await page.click("summary:text-is('TER')");
  await page.check("#option-ter-case-sensitive");
  await page.click("#score");
  await done(page);
  seen.card = JSON.parse(await page.textContent("#json"));
  seen["card as text"] = await page.textContent("#json");
  seen.command = await page.textContent("#command");
  seen.status = await page.textContent("#status");
  seen.focused = await page.evaluate(() => document.activeElement.id);
  const frame = await (await page.$("#report")).contentFrame();
  await frame.waitForSelector(".rows li");
  seen.report = [await frame.textContent("h1"), await frame.evaluate(() => origin)];
  seen.isolated = await frame.evaluate(() => {
    try {
      return String(parent.document.title);
    } catch (error) {
      return error.name;
    }
  });
  await page.click("#copy");
  await page.waitForFunction(() => document.querySelector("#copied").textContent);
  seen.copied = await page.evaluate(() => navigator.clipboard.readText());
  for (const link of await page.$$("#downloads a")) {
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    copyFileSync(await download.path(), join(folder, download.suggestedFilename()));
    seen.downloads.push(download.suggestedFilename());
  }
  await audit(page, "result");
  await shoot(page, "card");
  await page.reload();
  await page.waitForSelector("#problem:not([hidden])");
  seen.reloaded = [await page.textContent("h1"), await page.textContent("#problem")];
  seen.kept = await page.$$eval("textarea", (all) => all.map((one) => one.value).join(""));
  await fill(page, "a b c d\n", "a b c d\n");
  seen["after reload"] = await score(page);
  await page.goto(address);  // in the same tab: it stays the same page, but for the fragment
  await page.waitForSelector("#problem", { state: "hidden" });
  seen["after the address"] = [page.url(), await score(page), await page.textContent("#scores td")];
  seen.stored = [await page.context().cookies(), await page.evaluate(() => localStorage.length + sessionStorage.length),
    await page.evaluate(() => document.documentElement.outerHTML.includes(location.hash || "token="))];
  await close(page);
}

// Without a token, with a wrong one, and with the page that a browser is started with.
async function invite() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const visit = async (where) => {
    const response = await page.goto("about:blank") || await page.goto(where);
    await page.waitForSelector("#problem:not([hidden])");
    return [response && response.status(), await page.textContent("#problem"),
      await page.$$eval("#test-set option", (all) => all.length)];
  };
  seen.uninvited = await visit(`${own}/`);
  seen.mistaken = await visit(`${own}/#token=x`);
  await page.goto(pathToFileURL(redirection).href, { waitUntil: "commit" });
  await page.waitForURL(`${own}/`);
  await page.waitForSelector("#test-set option:nth-child(2)", { state: "attached" });
  seen.redirected = [page.url(), await page.isHidden("#problem"), await page.evaluate(() => history.length)];
  await context.close();
}

// A page that is left open when its server ends.
async function outlive() {
  const page = await open({}, otherAddress);
  const lines = Array.from({ length: 2000 }, (_, index) => `a line ${index}`).join("\n");
  await page.click("#add-system");
  await fill(page, lines, lines);
  await page.fill("#systems fieldset:nth-child(2) textarea", lines.replaceAll("line", "row"));
  await page.evaluate(() => { document.querySelector("#option-samples").value = "100000000"; });
  await page.click("#score");
  await page.waitForFunction(() => /: \d+ %/.test(document.querySelector("#status").textContent));
  process.kill(Number(otherProcess), "SIGINT");
  await page.waitForFunction(() => document.querySelector("#cancel").hidden);
  seen.outlived = [await errorsOf(page), await score(page)];
  await close(page);
  seen.complaints = seen.complaints.filter((text) => !/ERR_(CONNECTION_|INCOMPLETE_|EMPTY_)/.test(text));
}

async function dropFiles() {
  const page = await open();
  const lines = (text) => Array.from({ length: 300 }, (_, index) => `${text} ${index}\r\n`).join("");
  await drop(page, "#references", [["ref.a.txt", lines("a b c d e")], ["ref.b.txt.gz", gzipSync(lines("a b c d f"))]]);
  await page.waitForFunction(() => document.querySelectorAll("#references fieldset").length === 2);
  await drop(page, "#systems", [["one.txt", lines("a b c d e")], ["two \u00e9.txt", lines("a b c x y")]]);
  await page.waitForFunction(() => [...document.querySelectorAll("fieldset.text .note")].filter(
    (note) => note.textContent.includes("300 lines, 50 shown")).length === 4);
  await page.fill("#systems fieldset:nth-child(2) .name input", HOSTILE);
  await page.click("summary:text-is('The paired test')");
  await page.check("#option-paired-bs");
  await page.fill("#option-samples", "100");
  seen["after drop"] = [await score(page), await page.textContent("#command"),
    await page.$$eval("#scores tbody th", (all) => all.map((one) => one.textContent))];
  await drop(page, "#systems fieldset:nth-child(2)", [["latin.txt", Buffer.from("ok\nna\xefve\n", "latin1")]]);
  await page.waitForSelector(".error:not([hidden])");
  seen.errors.latin = await errorsOf(page);
  await drop(page, "h1", [["beside.txt", "x"]]);
  seen["beside the fields"] = page.url();
  await shoot(page, "dropped");
  await close(page);
}

async function makeErrors() {
  const page = await open();
  seen.errors.empty = await score(page);
  await fill(page, "a\nb\n", "a\nb\nc d\n");
  seen.errors.lengths = await score(page);
  seen["selected line"] = await page.evaluate(() => {
    const { selectionStart, selectionEnd, value } = document.activeElement;
    return value.slice(selectionStart, selectionEnd);
  });
  await audit(page, "error");
  await fill(page, "", "a\n");
  seen.errors["no references"] = await score(page);
  await fill(page, "a\n", "a\n");
  await page.evaluate(() => { document.querySelector("#option-seed").value = "x"; });
  seen.errors.seed = await score(page);
  seen["field in sight"] = await page.evaluate(() => {
    const { id, offsetHeight } = document.activeElement;
    return [id, offsetHeight > 0];
  });
  await page.fill("#option-seed", "5");
  await page.evaluate(() => { document.querySelector("#option-against").value = "x"; });
  seen.errors.against = await score(page);
  await page.fill("#option-against", "");
  seen.errors.none = await score(page);
  await page.context().setOffline(true);
  seen.errors.offline = await score(page);
  seen.complaints = seen.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"));
  await close(page);
}

async function cancel() {
  const page = await open();
  const lines = Array.from({ length: 2000 }, (_, index) => `a line ${index}`).join("\n");
  await page.click("#add-system");
  await fill(page, lines, lines);
  await page.fill("#systems fieldset:nth-child(2) textarea", lines.replaceAll("line", "row"));
  await page.evaluate(() => { document.querySelector("#option-samples").value = "100000000"; });
  seen.cancelled = [];
  for (let time = 0; time < 3; time++) {  // more often than there are places
    await page.click("#score");
    await page.waitForFunction(() => /: \d+ %/.test(document.querySelector("#status").textContent));
    if (!time) await shoot(page, "progress");
    await page.click("#cancel");
    await page.waitForFunction(() => document.querySelector("#cancel").hidden);
    seen.cancelled.push(await page.textContent("#status"));
  }
  await page.evaluate(() => { document.querySelector("#option-samples").value = "100"; });
  seen["after cancelling"] = await score(page);
  await close(page);
}

async function keyboardAlone() {
  const page = await open();
  const tabTo = async (selector) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${selector}`);
  };
  await tabTo("#references textarea");
  await page.keyboard.type("a b c d");
  await tabTo("#systems textarea");
  await page.keyboard.type("a b c d");
  await tabTo("input[value=chrf]");
  await page.keyboard.press("Space");
  await tabTo("#score");
  await page.keyboard.press("Enter");
  await done(page);
  seen.keyboard = await page.$$eval("#scores td", (all) => all.map((one) => one.textContent));
  await close(page);
}

async function testSet() {
  const page = await open({ colorScheme: "dark" });
  await page.selectOption("#test-set", "sample en-de");
  seen["references hidden"] = await page.isHidden("#references textarea");
  await page.fill("#systems textarea", readFileSync(output, "utf8"));
  seen["test set"] = [await score(page), await page.textContent("#command"), await page.textContent("#scores td")];
  await audit(page, "dark");
  await shoot(page, "dark");
  await close(page);
}

async function phone() {
  const page = await open({ viewport: { width: 360, height: 700 }, isMobile: true, hasTouch: true });
  await fill(page, "a b c d\n", `${HOSTILE.repeat(5)}\n`);
  await page.$$eval("details", (all) => all.forEach((one) => { one.open = true; }));
  seen.phone = [await score(page), await page.evaluate(() => document.documentElement.scrollWidth)];
  await page.emulateMedia({ media: "print" });
  seen.printed = [await page.isVisible("#scores"), await page.isVisible("#score")];
  await page.emulateMedia({ media: null });
  await audit(page, "phone");
  await shoot(page, "phone");
  await close(page);
}

// A result belongs to its input: after an edit it is old, after an error it is gone.
async function age() {
  const page = await open();
  const ages = [];
  const look = async () => ages.push([await page.isVisible("#result"), await page.isVisible("#outdated"),
    await page.textContent("#status")]);
  await look();
  await fill(page, "a b c d\n", "a b c d\n");
  await score(page);
  await look();
  await page.fill("#systems textarea", "a b c e\n");
  await look();
  await shoot(page, "outdated");
  await score(page);
  await look();
  await page.check("input[value=ter]");
  await look();
  await page.fill("#systems textarea", "a b c e\nf\n");
  const errors = await score(page);
  await look();
  seen.ages = [ages, errors.length];
  await close(page);
}

try {
  for (const part of [age, card, invite, outlive, dropFiles, makeErrors, cancel, keyboardAlone, testSet, phone]) await part();
  process.stdout.write(JSON.stringify(seen));
} finally {
  await end();
}
