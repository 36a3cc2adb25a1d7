// Has a request done by purebleu itself, in WebAssembly, in a worker of this page; as the page's `send.js` has it done
// by a server.
const purebleuSend = (() => {
  "use strict";

  let worker = null, waiting = null;

  // To end what a worker does is to end the worker: the next one is there a moment later.
  function start() {
    worker = new Worker("worker.js", { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (!waiting) return;
      if (data.progress) waiting.onProgress(data.progress);
      else waiting.resolve(data);
    });
    worker.addEventListener("error", (event) => {
      if (waiting) waiting.reject(new Error(event.message || "The worker of this page could not be loaded."));
    });
  }

  async function send(request, onProgress, signal) {
    if (!worker) start();
    const end = () => {
      worker.terminate();
      start();
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

  start();
  return { send, where: "purebleu runs in this browser: text does not leave it, and nothing is stored." };
})();
