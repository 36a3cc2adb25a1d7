// Sends a request to the server of the page.
//
// `purebleuSend.send` takes a request, a function that receives progress, and an AbortSignal. The result is the
// object in the last line of the answer: {"result": ...} or {"error": ...}. `purebleuSend.begin` takes two functions:
// one receives the cached test sets, the other receives an error of the whole page, or an empty string.
const purebleuSend = (() => {
  "use strict";

  const LINES = "application/x-ndjson", HEADER = "X-Purebleu-Token";
  const LOST = "This page has lost its token (perhaps because it was reloaded). Your texts are still here. " +
    "To continue, open in this tab the whole address that the terminal shows.";
  const SILENT = "The server does not answer. Is it still running?";

  let token = "";

  // The token is removed from the address, where people would see and copy it, and browsers would remember it.
  function takeToken() {
    token = new URLSearchParams(location.hash.slice(1)).get("token") || token;
    if (location.hash) history.replaceState(null, "", location.pathname);
  }

  // Fetches an address. If the server does not answer, the error says so.
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
    addEventListener("hashchange", start);  // The user has opened the address with the token in this tab.
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

  const where = `Your texts are sent only to purebleu on this machine (${location.host}). ` +
    "This tab keeps them until it is closed.";

  takeToken();
  return { begin, send, where };
})();
