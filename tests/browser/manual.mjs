// Opens the pages of make_manual.py in headless Chromium, as files, and prints what it saw as JSON.
//
//     node manual.mjs MODULES CHROMIUM FOLDER
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { startChromium } from "./chromium.mjs";

const [modules, executablePath, folder] = process.argv.slice(2);
const { browser, load, end } = await startChromium(modules, executablePath);
const axe = readFileSync(load.resolve("axe-core"), "utf8");

const seen = { violations: [], overflows: [], complaints: [], foreign: [], found: [], printed: 0, plain: "" };

async function open(page, name) {
  await page.goto(pathToFileURL(resolve(join(folder, name))).href);
}

async function violationsOf(page, name, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { preload: false }));
  seen.violations.push(...violations.map(({ id, nodes }) => `${name} ${where}: ${id}: ${nodes[0].html}`));
}

try {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
  const page = await context.newPage();
  context.on("request", (request) => {
    if (!request.url().startsWith("file:")) seen.foreign.push(request.url());
  });
  page.on("console", (message) => { if (message.type() !== "log") seen.complaints.push(message.text()); });
  page.on("pageerror", (error) => seen.complaints.push(error.stack));
  const names = readdirSync(folder).filter((name) => name.endsWith(".html"));
  for (const name of names) {
    for (const [colorScheme, width] of [["light", 1100], ["dark", 320]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await open(page, name);
      await violationsOf(page, name, `${colorScheme}, ${width} pixels`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (overflow > 0) seen.overflows.push(`${name}: ${overflow} of ${width} pixels`);
    }
  }
  await page.setViewportSize({ width: 1100, height: 900 });
  await open(page, "index.html");
  await page.fill('input[type="search"]', "broken pipe");
  seen.found = await page.$$eval(".found a", (links) => links.map((link) => link.getAttribute("href")));
  await violationsOf(page, "index.html", "with what was found");
  await page.click(".found a");
  seen.address = new URL(page.url()).pathname.split("/").pop() + new URL(page.url()).hash;
  await page.emulateMedia({ media: "print" });
  seen.printed = await page.$$eval("nav, form", (all) => all.filter((one) => one.offsetHeight).length);
  const withoutScript = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await open(withoutScript, "start.html");
  seen.plain = await withoutScript.textContent("h1");
  seen.isSearchShown = await withoutScript.isVisible('input[type="search"]');
  process.stdout.write(JSON.stringify(seen));
} finally {
  await end();
}
