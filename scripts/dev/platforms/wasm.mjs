// Unpacks an archive with copies of the checkout in Pyodide (under Node.js), calls a function of wasm.py there, and
// prints the result. Arguments: the archive, the call.
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
} catch (error) {  // (Node.js itself would quote the line of the error, which is all of Pyodide.)
  console.error(error.message);
  process.exitCode = 1;
}
