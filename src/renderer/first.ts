import { type Dialled, dial } from "./base/client/dial.ts";
import { keepToken, readToken } from "./base/client/token.ts";

declare global {
  interface Window {
    /** Set by the preload: this page runs in the desktop shell and is handed a port. */
    readonly patchbayDesktop?: boolean;
    /** What the page's own script began; absent in the desktop shell. */
    patchbayFirst?: FirstCall;
  }
}

/** The call to the core that begins with the page. */
export interface FirstCall {
  /** Of the link that led here; null where there was none. */
  token: string | null;
  /** Null without a token. */
  dialling: Promise<Dialled> | null;
}

// This file stands in the page itself (scripts/inline-first.ts): the core answers while the screens' code is being fetched.
if (window.patchbayDesktop !== true) {
  const token = readToken();
  const life = new AbortController();
  window.addEventListener("pagehide", () => life.abort());
  const dialling = token === null ? null : dial(token, life.signal);
  // Only now, while there is nothing else to do: each of these asks the browser's other process, and waits for it. The first touch of
  // the storage also makes it work out at which line it was asked, which took 25 ms in the large file.
  keepToken();
  void localStorage.length;
  // It may fail before somebody waits for it.
  dialling?.catch(() => {});
  window.patchbayFirst = { token, dialling };
}
