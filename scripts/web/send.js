// Has a request done by purebleu itself, in WebAssembly, in a worker of this page; as the page's `send.js` has it done
// by a server.
//
// All files that the worker needs are in this page, each in a script element of type text/plain with its name, compressed
// and as text: so the page works wherever it lies, without a server, too.
const purebleuSend = (() => {
  "use strict";

  const FILES = ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "purebleu.zip"];

  let worker = null, waiting = null;

  // Each character has seven bits, for ASCII takes one byte in UTF-8: base64 would be an eighth longer. (128 was added to
  // NUL, CR and "<", which HTML would change.)
  function bytesOf(text) {
    const bytes = new Uint8Array(text.length * 7 >> 3);
    let bits = 0, count = 0, length = 0;
    for (let index = 0; index < text.length; index++) {
      bits = bits << 7 | text.charCodeAt(index) & 127;
      count += 7;
      if (count >= 8) {
        count -= 8;
        bytes[length++] = bits >> count;  // (which keeps the lowest eight bits)
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

  // To end what a worker does is to end the worker: the next one is there a moment later.
  async function start() {
    const { script, files } = await unpacked;
    worker = new Worker(script);  // (from a file, a browser starts no worker that is a module)
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
  const where = "purebleu runs in this browser: text does not leave it; this tab keeps it until it is closed.";
  return { begin, send, where };
})();
