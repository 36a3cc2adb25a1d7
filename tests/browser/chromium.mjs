// Starts headless Chromium with a home of its own, which asks nothing of any network by itself.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

// `modules` is a folder in which node_modules has playwright-core, and whatever else `load` is to find.
export async function startChromium(modules, executablePath) {
  const load = createRequire(join(resolve(modules), "none.js"));
  const profile = mkdtempSync(join(tmpdir(), "purebleu-browser-"));
  const browser = await load("playwright-core").chromium.launch({
    executablePath, headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
    env: { ...process.env, HOME: profile },
  });
  const end = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, load, end };
}
