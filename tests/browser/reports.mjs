// Opens reports in headless Chromium, wide and narrow, light and dark, and prints what axe-core finds as JSON.
//
//     node reports.mjs MODULES CHROMIUM FOLDER NAME...    # MODULES has node_modules with playwright-core and axe-core
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { startChromium } from "./chromium.mjs";

const [modules, executablePath, folder, ...names] = process.argv.slice(2);
const { browser, load, end } = await startChromium(modules, executablePath);
const axeSource = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");
const seen = {};

async function look(name, width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
  const page = await context.newPage(), complaints = [];
  page.on("pageerror", (error) => complaints.push(error.stack));
  page.on("console", (message) => { if (message.type() !== "log") complaints.push(message.text()); });
  await page.goto(pathToFileURL(join(resolve(folder), `${name}.html`)).href);
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run());
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  // The table of scores, where it does not fit into its box.
  const hidden = await page.$$eval("#scores .scroll", ([box]) => (box ? box.scrollWidth - box.clientWidth : 0));
  await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
  await context.close();
  return { violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), complaints, overflow, hidden };
}

try {
  for (const name of names) {
    seen[name] = {};
    for (const width of [1280, 800, 390]) {
      for (const scheme of ["light", "dark"]) seen[name][`${width} ${scheme}`] = await look(name, width, scheme);
    }
  }
  process.stdout.write(JSON.stringify(seen));
} finally {
  await end();
}
