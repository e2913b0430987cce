import "./base/styles/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { systemLanguage } from "../contract/languages.ts";
import { App } from "./app.tsx";
import { takeCspNonce } from "./base/client/csp-nonce.ts";
import { openPort, openSocket } from "./base/client/link.ts";
import { LinkError } from "./base/client/link-error.ts";
import { followNewLinks, takeToken } from "./base/client/token.ts";
import { startI18n } from "./base/i18n/index.ts";
import { keepInSync, type OpenLinkFn } from "./store/sync.ts";

declare global {
  interface Window {
    /** Set by the preload: this page runs in the desktop shell and is handed a port. */
    readonly patchbayDesktop?: boolean;
  }
}

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

const language = systemLanguage(navigator.languages);
document.documentElement.lang = language;
await startI18n(language);
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
