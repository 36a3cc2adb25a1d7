// Runs Python with purebleu in WebAssembly. The first message has the files of Pyodide and purebleu. Each further
// message is a request as JSON, which is answered with the objects that the server sends as lines. (`make_web.py` puts
// Pyodide's own scripts before this script.)
const PROGRAM = `
import sys

sys.path.insert(0, "/project")

from purebleu.cli.page_job import score_request
from purebleu.serve.jobs import answered


def score(body):
    return answered(score_request, body.encode(), lambda line: post(line.decode())).decode()
`;

async function load(files) {
  // Pyodide would fetch these files from a server.
  globalThis.fetch = async (address) => new Response(files[String(address).split("/").pop()], {
    headers: { "Content-Type": "application/wasm" },
  });
  const lock = JSON.parse(new TextDecoder().decode(files["pyodide-lock.json"]));
  const python = await loadPyodide({
    createPyodideModule: _createPyodideModule, indexURL: "https://pyodide.invalid/", lockFileContents: lock,
  });
  python.unpackArchive(files["purebleu.zip"], "zip", { extractDir: "/project" });
  python.globals.set("post", (line) => postMessage(JSON.parse(line)));
  python.runPython(PROGRAM);
  return python.globals.get("score");
}

let loaded = null;

addEventListener("message", async ({ data }) => {
  if (!loaded) {
    loaded = load(data);
    return;
  }
  let answer;
  try {
    answer = JSON.parse((await loaded)(data));
  } catch (error) {
    answer = { error: { message: String(error.message), field: "", line: null } };
  }
  postMessage(answer);
});
