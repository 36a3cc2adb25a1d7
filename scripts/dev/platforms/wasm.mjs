// Runs in Node.js with Pyodide: takes the archive with the copies and a call of wasm.py, and prints its result.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

try {
  const python = await loadPyodide();
  python.unpackArchive(new Uint8Array(readFileSync(process.argv[2])), "zip", { extractDir: "/project" });
  process.stdout.write(python.runPython(`
import sys
sys.path[:0] = ["/project", "/project/scripts", "/project/site"]
from dev.platforms import wasm
wasm.${process.argv[3]}
`));
} catch (error) {  // Node.js itself would quote the line, which is the whole of Pyodide
  console.error(error.message);
  process.exitCode = 1;
}
