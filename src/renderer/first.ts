import { type Dialled, dial } from "./base/client/dial.ts";
import { readKey, takeLink } from "./base/client/token.ts";

declare global {
  interface Window {
    /** Set by the preload: this page runs in the desktop shell and is handed a port. */
    readonly patchbayDesktop?: boolean;
    /** The call that the script inside the page has begun; absent in the desktop shell. */
    patchbayFirst?: FirstCall;
  }
}

/** The call to the core that begins with the page. */
export interface FirstCall {
  /** Null where neither a link nor a token lets the page in. */
  dialling: Promise<Dialled> | null;
}

// This file is part of the page itself (scripts/inline-first.ts), so that the core answers while the screens' code is
// still being fetched.
if (window.patchbayDesktop !== true) {
  const life = new AbortController();
  window.addEventListener("pagehide", () => life.abort());
  const dialling = readKey() === null ? null : dial(life.signal);
  // After the call, because the page waits in each of these until another process of the browser has answered. Local storage is
  // opened here, while there is nothing else to do, so that the first drawing, which reads it, need not wait for it.
  takeLink();
  void localStorage.length;
  // The call may fail before anybody awaits it; without a handler the page would report that.
  dialling?.catch(() => {});
  window.patchbayFirst = { dialling };
}
