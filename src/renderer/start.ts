import { takeCspNonce } from "./base/client/csp-nonce.ts";
import { dial } from "./base/client/dial.ts";
import { renewWhileOpen } from "./base/client/let-in.ts";
import { openPort, openSocket } from "./base/client/link.ts";
import { followNewLinks } from "./base/client/token.ts";
import { tellWholeTexts } from "./base/whole-titles.ts";
import type {} from "./first.ts";
import { keepInSync, type OpenLinkFn, showFirst } from "./store/sync.ts";

takeCspNonce();
// Loading begins now, so that the fonts are there when the first text is drawn: otherwise the page would be laid out
// twice, first in the system's font.
for (const family of ["Inter Variable", "JetBrains Mono Variable"])
  document.fonts.load(`1em "${family}"`).catch(() => {});
const first = window.patchbayFirst;
let begun = first?.dialling ?? null;

const open: OpenLinkFn = (signal) => {
  if (!first) return openPort(signal);
  const dialling = begun ?? dial(signal);
  begun = null;
  return openSocket(dialling, signal);
};

const life = new AbortController();
window.addEventListener("pagehide", () => life.abort());
followNewLinks(life.signal);
tellWholeTexts(life.signal);
if (first) renewWhileOpen(life.signal);
void begin();

async function begin(): Promise<void> {
  const snapshot = await begun?.then((dialled) => dialled.snapshot).catch(() => null);
  if (snapshot) await showFirst(snapshot);
  await keepInSync(open, life.signal);
}
