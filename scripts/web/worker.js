// Python, with purebleu, in WebAssembly. Takes requests as JSON; answers with objects as the server's lines are.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const PROGRAM = `
import sys

sys.path.insert(0, "/project")

from purebleu.cli.page_job import score_request
from purebleu.serve.jobs import answered


def score(body):
    return answered(score_request, body.encode(), lambda line: post(line.decode())).decode()
`;

async function load() {
  const [python, response] = await Promise.all([loadPyodide(), fetch("purebleu.zip")]);
  python.unpackArchive(await response.arrayBuffer(), "zip", { extractDir: "/project" });
  python.globals.set("post", (line) => postMessage(JSON.parse(line)));
  python.runPython(PROGRAM);
  return python.globals.get("score");
}

const loaded = load();

addEventListener("message", async ({ data }) => {
  let answer;
  try {
    answer = JSON.parse((await loaded)(data));
  } catch (error) {
    answer = { error: { message: String(error.message), field: "", line: null } };
  }
  postMessage(answer);
});
