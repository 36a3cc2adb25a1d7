// Uses the page of make_web.py in headless Chromium, and prints what it saw as JSON.
//
//     node web.mjs MODULES CHROMIUM ADDRESS REQUESTS
//
// REQUESTS is a file of JSON: an object with references, systems and metrics for each of some names.
import { readFileSync } from "node:fs";

import { startChromium } from "./chromium.mjs";

const [modules, executablePath, address, requests] = process.argv.slice(2);
const { browser, end } = await startChromium(modules, executablePath);

const seen = { foreign: [], complaints: [], after: [], scored: [], scores: {}, seconds: {} };
const since = (start) => (Date.now() - start) / 1000;

async function score(page, { references, systems, metrics }) {
  for (const [place, text] of [["#references", references], ["#systems", systems]]) {
    await page.click(`${place} button`);  // which removes what was there
    const file = { name: `${place.slice(1, -1)}.txt`, mimeType: "text/plain", buffer: Buffer.from(text) };
    await page.setInputFiles(`${place} input[type=file]`, file);
    const isThere = (within) => !document.querySelector(`${within} fieldset .note`).textContent.startsWith("0");
    await page.waitForFunction(isThere, place);
  }
  for (const metric of ["bleu", "chrf", "ter"]) {
    await page.setChecked(`input[value=${metric}]`, metrics.includes(metric));
  }
  await page.evaluate(() => { document.querySelector("#json").textContent = ""; });
  const start = Date.now();
  await page.click("#score");
  await page.waitForFunction(() => document.querySelector("#json").textContent
    || document.querySelector("#cancel").hidden);
  seen.scored.push(since(start));
  await page.waitForFunction(() => document.querySelector("#cancel").hidden);
  const errors = await page.$$eval(".error:not([hidden])", (all) => all.map((one) => one.textContent));
  return errors.length ? errors : JSON.parse(await page.textContent("#json"));
}

try {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  let isLoaded = false;
  context.on("request", (request) => {
    const url = request.url();
    if (url.startsWith("blob:")) return;
    if (url !== address) seen.foreign.push(url);
    if (isLoaded) seen.after.push(url);
  });
  page.on("console", (message) => { if (message.type() !== "log") seen.complaints.push(message.text()); });
  page.on("pageerror", (error) => seen.complaints.push(error.stack));
  let start = Date.now();
  await page.goto(address);
  for (const [name, request] of Object.entries(JSON.parse(readFileSync(requests, "utf8")))) {
    seen.scores[name] = await score(page, request);
    seen.seconds[name] = since(start);
    isLoaded = true;
    start = Date.now();
  }
  const frame = await (await page.$("#report")).contentFrame();
  await frame.waitForSelector(".rows li", { state: "attached" });  // (out of sight, a frame may not be drawn)
  seen.report = await frame.textContent("h1");
  isLoaded = false;  // the worker that is cancelled is gone, and the next one loads what it did
  await page.click("#score");
  await page.click("#cancel");
  await page.waitForFunction(() => document.querySelector("#cancel").hidden);
  seen.cancelled = await page.textContent("#status");
  seen.again = (await score(page, { references: "a b c d", systems: "a b c d", metrics: ["bleu"] }))[0].score;
  process.stdout.write(JSON.stringify(seen));
} finally {
  await end();
}
