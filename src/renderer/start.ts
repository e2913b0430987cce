import { takeCspNonce } from "./base/client/csp-nonce.ts";
import { openPort, openSocket } from "./base/client/link.ts";
import { LinkError } from "./base/client/link-error.ts";
import { followNewLinks, takeToken } from "./base/client/token.ts";
import { keepInSync, type OpenLinkFn } from "./store/sync.ts";

declare global {
  interface Window {
    /** Set by the preload: this page runs in the desktop shell and is handed a port. */
    readonly patchbayDesktop?: boolean;
  }
}

// This file is read and run before the one that draws, so that the first answers of the core are there when drawing begins.
takeCspNonce();
const token = takeToken();

const open: OpenLinkFn = (signal) => {
  if (window.patchbayDesktop === true) return openPort(signal);
  if (token === null) return Promise.reject(new LinkError("refused"));
  return openSocket(token, signal);
};

const life = new AbortController();
window.addEventListener("pagehide", () => life.abort());
followNewLinks(life.signal);
void keepInSync(open, life.signal);
