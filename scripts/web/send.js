// Sends a request to a worker of this page, in which purebleu runs in WebAssembly. This script replaces purebleu's own
// `send.js`, which sends requests to a server.
//
// The page contains all files that the worker needs. Each file is compressed, and encoded as text, in a script element
// of type text/plain whose id is the name of the file. So the page also works without a server.
const purebleuSend = (() => {
  "use strict";

  const FILES = ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "purebleu.zip"];

  let worker = null, waiting = null;

  // Each character encodes seven bits, because an ASCII character takes one byte in UTF-8. (Base64 would be longer by
  // an eighth.) 128 was added to NUL, CR and "<", which HTML would change.
  function bytesOf(text) {
    const bytes = new Uint8Array(text.length * 7 >> 3);
    let bits = 0, count = 0, length = 0;
    for (let index = 0; index < text.length; index++) {
      bits = bits << 7 | text.charCodeAt(index) & 127;
      count += 7;
      if (count >= 8) {
        count -= 8;
        bytes[length++] = bits >> count;  // (The array keeps the lowest eight bits.)
      }
    }
    return bytes;
  }

  async function fileOf(name) {
    const bytes = bytesOf(document.getElementById(name).textContent);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
  }

  async function unpack() {
    const [script, ...files] = await Promise.all(["worker.js", ...FILES].map(fileOf));
    return {
      script: URL.createObjectURL(new Blob([script], { type: "text/javascript" })),
      files: Object.fromEntries(FILES.map((name, index) => [name, files[index]])),
    };
  }

  // A running request can only be cancelled by ending its worker. A new worker starts within a moment.
  async function start() {
    const { script, files } = await unpacked;
    worker = new Worker(script);  // (A page that is a file cannot start a worker that is a module.)
    worker.addEventListener("message", ({ data }) => {
      if (!waiting) return;
      if (data.progress) waiting.onProgress(data.progress);
      else waiting.resolve(data);
    });
    worker.addEventListener("error", (event) => {
      if (waiting) waiting.reject(new Error(event.message || "The worker of this page could not be loaded."));
    });
    worker.postMessage(files);
  }

  async function send(request, onProgress, signal) {
    await started;
    const end = () => {
      worker.terminate();
      started = start();
      waiting.reject(new DOMException("Cancelled", "AbortError"));
    };
    try {
      return await new Promise((resolve, reject) => {
        waiting = { onProgress, resolve, reject };
        signal.addEventListener("abort", end, { once: true });
        worker.postMessage(JSON.stringify(request));
      });
    } finally {
      waiting = null;
      signal.removeEventListener("abort", end);
    }
  }

  const unpacked = unpack();
  let started = start();
  const { testSets } = JSON.parse(document.getElementById("setup").textContent);
  const begin = (offer) => offer(testSets);
  const where = "purebleu runs in this browser, and your texts stay here. This tab keeps them until it is closed.";
  return { begin, send, where };
})();
