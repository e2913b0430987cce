import { ipcMain, MessageChannelMain, type MessagePortMain, type WebContents } from "electron";
import { isAppUrl } from "./app-address.ts";

/** The one message between a page's preload and the app; the answer carries the port. */
const portChannel = "patchbay:port";

/** Main's end of a page's connection, in the shape that the RPC library listens to. */
export interface PortLink {
  on(event: string, listener: (event?: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/**
 * Gives every page of Patchbay that asks one MessagePort, and each reload a fresh one; the page's older port is closed
 * then. Nothing else is ever handed to a page.
 * @returns the function that closes all ports and stops answering
 */
export function handOverPorts(connect: (link: PortLink) => void): () => void {
  const links = new Map<WebContents, ClosableLink>();

  const listener = (event: Electron.IpcMainEvent) => {
    const { senderFrame: frame, sender } = event;
    if (!frame || frame.parent !== null || !isAppUrl(frame.url)) return;
    if (links.has(sender)) links.get(sender)?.close();
    else
      sender.once("destroyed", () => {
        links.get(sender)?.close();
        links.delete(sender);
      });
    const { port1, port2 } = new MessageChannelMain();
    const link = new ClosableLink(port1);
    links.set(sender, link);
    connect(link);
    port1.start();
    sender.postMessage(portChannel, null, [port2]);
  };

  ipcMain.on(portChannel, listener);
  return () => {
    ipcMain.off(portChannel, listener);
    for (const link of links.values()) link.close();
    links.clear();
  };
}

/** Electron reports only that the other end has closed; whoever serves a port must hear of our own closing too. */
class ClosableLink implements PortLink {
  readonly #port: MessagePortMain;
  readonly #onClose: (() => void)[] = [];
  #open = true;

  constructor(port: MessagePortMain) {
    this.#port = port;
    port.once("close", () => this.close());
  }

  on(event: string, listener: (event?: { data: unknown }) => void): void {
    if (event === "close") this.#onClose.push(listener);
    else if (event === "message") this.#port.on("message", listener);
  }

  postMessage(message: unknown): void {
    if (this.#open) this.#port.postMessage(message);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#port.close();
    for (const listener of this.#onClose) listener();
  }
}
