import type { Client, Element } from "@xmpp/client";
import { NS } from "../namespaces.ts";

/**
 * Mends how the library counts what comes in (XEP-0198), and tells the server only what is safe here.
 *
 * The library does not count answers to its own questions as received. The server keeps every stanza that was not counted,
 * until it has too many, so they are counted here.
 *
 * Two kinds of elements are held back, and everything behind them. `<r/>` asks what has arrived: it waits until the messages
 * before it are stored. `<enabled/>` starts the counting: a moment later the library sets its count to zero, so anything
 * handled before that would not be counted.
 *
 * @param storing messages that are being stored
 * @param seen called with each element at once, also when it is held back
 */
export function countWhatIsSafe(
  xmpp: Client,
  storing: ReadonlySet<Promise<void>>,
  seen: (element: Element) => void,
): void {
  const original = xmpp._onElement.bind(xmpp);
  const pass = (element: Element) => {
    const { id = "", type } = element.attrs;
    const uncounted =
      element.name === "iq" && type !== "get" && type !== "set" && xmpp.iqCaller.handlers.has(id);
    original(element);
    if (uncounted && xmpp.streamManagement.enabled) xmpp.streamManagement.inbound += 1;
  };
  let elements: Promise<void> = Promise.resolve();
  let held = 0;
  xmpp._onElement = (element) => {
    seen(element);
    const asks = element.is("r", NS.sm);
    const counts = element.is("enabled", NS.sm);
    if (held === 0 && !counts && !(asks && storing.size > 0)) {
      pass(element);
      return;
    }
    held += 1;
    elements = elements.then(async () => {
      try {
        if (asks) await Promise.allSettled(storing);
        pass(element);
        if (counts) await new Promise((resolve) => setImmediate(resolve));
      } finally {
        held -= 1;
      }
    });
  };
}
