// Has a request done by the server that the page came from.
//
// `purebleuSend.send` takes a request, a function for progress, and an AbortSignal; it gives what the last line has:
// {"result": ...} or {"error": ...}.
const purebleuSend = (() => {
  "use strict";

  const LINES = "application/x-ndjson";

  // The token is in a cookie by now, and need not be in sight.
  if (location.search) history.replaceState(null, "", location.pathname);

  async function send(request, onProgress, signal) {
    const headers = { "Content-Type": "application/json", Accept: LINES };
    let response;
    try {
      response = await fetch("score", { method: "POST", headers, signal, body: JSON.stringify(request) });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Error("The server does not answer. Is it still running?");
    }
    if (!response.ok) throw new Error((await response.text()).trim());
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("The server was ended before it was done.");
      text += value;
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (!message.progress) return message;
        onProgress(message.progress);
      }
    }
  }

  const where = `Text goes to purebleu on this machine (${location.host}), and nowhere else; nothing is stored.`;

  return { send, where };
})();
