// Has a request done by the server that the page came from.
//
// `purebleuSend.send` takes a request, a function for progress, and an AbortSignal; it gives what the last line has:
// {"result": ...} or {"error": ...}. `purebleuSend.begin` takes two functions: one for the test sets that there are,
// and one for what is wrong with the page as a whole, or an empty string.
const purebleuSend = (() => {
  "use strict";

  const LINES = "application/x-ndjson", HEADER = "X-Purebleu-Token";
  const LOST = "This page has lost its token (by a reload, perhaps); your texts are still here. To go on, open " +
    "the whole address that the terminal shows, in this tab.";
  const SILENT = "The server does not answer. Is it still running?";

  let token = "";

  // The token is kept in here alone: not in the address, where it would be seen, copied, and remembered.
  function takeToken() {
    token = new URLSearchParams(location.hash.slice(1)).get("token") || token;
    if (location.hash) history.replaceState(null, "", location.pathname);
  }

  // What goes to the server, or why it could not.
  async function reach(address, options) {
    try {
      return await fetch(address, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Error(SILENT);
    }
  }

  async function ask(address, options) {
    if (!token) throw new Error(LOST);
    const response = await reach(address, { ...options, headers: { ...options.headers, [HEADER]: token } });
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }

  async function begin(offer, tell) {
    const start = async () => {
      takeToken();
      try {
        offer(await (await ask("test-sets", {})).json());
        tell("");
      } catch (error) {
        tell(error.message);
      }
    };
    addEventListener("hashchange", start);  // the address, put into the page that is open already
    await start();
  }

  async function send(request, onProgress, signal) {
    const headers = { "Content-Type": "application/json", Accept: LINES };
    const response = await ask("score", { method: "POST", headers, signal, body: JSON.stringify(request) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read().catch((error) => {
        if (error.name === "AbortError") throw error;
        return { done: true };
      });
      if (done) throw new Error("The server was stopped before the request was done.");
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

  const where = `Text goes to purebleu on this machine (${location.host}), and nowhere else; ` +
    "this tab keeps it until it is closed.";

  takeToken();
  return { begin, send, where };
})();
