import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { basename } from "node:path";
import { fromChromiumUrl, toChromiumUrl } from "./addresses.ts";
import type { CdpConnection, CdpSession } from "./cdp.ts";
import { ipcMain } from "./ipc-main.ts";
import {
  bindingName,
  droppedName,
  isolatedWorldSource,
  mainWorldSource,
  receiverName,
  worldName,
} from "./isolated-world.ts";
import type { MessagePortMain, PortCarrier } from "./message-ports.ts";
import { registeredSchemes } from "./protocol.ts";
import { interceptRequests } from "./requests.ts";
import { applyPermissions } from "./session.ts";
import { decodeValue, encodeValue, type FromPage, type ToPage } from "./wire.ts";

type OpenHandler = (details: { url: string; frameName: string }) => { action: "deny" | "allow" };

/** One page: Electron's `webContents` over a Chromium target. */
export class WebContents extends EventEmitter {
  readonly mainFrame = new MainFrame();
  #session: CdpSession | undefined;
  #openHandler: OpenHandler | undefined;
  #isolatedContext: number | undefined;
  #ports = new Map<number, MessagePortMain>();
  #queue: ToPage[] = [];
  #flushing = false;
  #destroyed = false;
  /** Addresses that the app itself asked for; they are not the page's navigation. */
  readonly #expected = new Set<string>();

  async open(
    connection: CdpConnection,
    size: { width: number; height: number },
    preload: string,
  ): Promise<string> {
    const { targetId, session } = await connection.openPage(size);
    this.#session = session;
    this.#listen(session);
    const secret = randomUUID();
    await Promise.all([
      session.send("Page.enable"),
      session.send("Runtime.enable"),
      session.send("Inspector.enable"),
      session.send("Runtime.addBinding", { name: bindingName, executionContextName: worldName }),
      session.send("Page.addScriptToEvaluateOnNewDocument", { source: mainWorldSource(secret) }),
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: isolatedWorldSource(secret, preload),
        worldName,
      }),
      interceptRequests(session, this, (url) => this.#expected.delete(url)),
      applyPermissions(connection, this),
    ]);
    return targetId;
  }

  async loadURL(url: string): Promise<void> {
    const target = toChromiumUrl(url, registeredSchemes());
    this.#expected.add(target.split("#", 1)[0] ?? target);
    const answer = await this.#session?.send("Page.navigate", { url: target });
    if (answer?.errorText) throw new Error(`${answer.errorText} loading ${url}`);
  }

  reload(): void {
    void this.#session?.send("Page.reload").catch(() => {});
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  /** A person drops a file or folder of this machine in the middle of the page. */
  async drop(path: string): Promise<void> {
    const where = JSON.stringify({ [basename(path)]: path });
    await this.#session?.send("Runtime.evaluate", {
      expression: `globalThis.${droppedName} = ${where}`,
      contextId: this.#isolatedContext,
    });
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"])
      await this.#session?.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  postMessage(channel: string, message: unknown, transfer: MessagePortMain[] = []): void {
    const ports = transfer.map((given) => this.#adopt(given));
    this.#post({ kind: "ipc", channel, args: [encodeValue(message)], ports });
  }

  /** The window has closed. */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#pageGone();
    this.emit("destroyed");
  }

  #listen(session: CdpSession): void {
    session.on<{ frame: { parentId?: string; url: string; urlFragment?: string } }>(
      "Page.frameNavigated",
      ({ frame }) => {
        if (!frame.parentId) this.mainFrame.url = fromChromiumUrl(frame.url + (frame.urlFragment ?? ""));
      },
    );
    session.on<{ url: string }>("Page.navigatedWithinDocument", ({ url }) => {
      this.mainFrame.url = fromChromiumUrl(url);
    });
    session.on("Page.loadEventFired", () => this.emit("did-finish-load"));
    session.on("Page.domContentEventFired", () => this.emit("dom-ready"));
    session.on<{ url: string; windowName: string }>("Page.windowOpen", ({ url, windowName }) => {
      const answer = this.#openHandler?.({ url: fromChromiumUrl(url), frameName: windowName });
      if (answer?.action !== "deny") throw new Error("The stand-in opens no second window from a page.");
    });
    session.on("Inspector.targetCrashed", () => {
      this.#pageGone();
      this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 1 });
    });
    session.on<{ context: { id: number; name: string } }>(
      "Runtime.executionContextCreated",
      ({ context }) => {
        if (context.name !== worldName) return;
        this.#pageGone();
        this.#isolatedContext = context.id;
      },
    );
    session.on<{ executionContextId: number }>(
      "Runtime.executionContextDestroyed",
      ({ executionContextId }) => {
        if (executionContextId === this.#isolatedContext) this.#pageGone();
      },
    );
    session.on("Runtime.executionContextsCleared", () => this.#pageGone());
    session.on<{ name: string; payload: string; executionContextId: number }>(
      "Runtime.bindingCalled",
      (call) => {
        if (call.name === bindingName && call.executionContextId === this.#isolatedContext)
          this.#receive(JSON.parse(call.payload) as FromPage);
      },
    );
  }

  #receive(message: FromPage): void {
    switch (message.kind) {
      case "port":
        this.#ports.get(message.port)?.receive(message.data);
        return;
      case "port-closed":
        this.#ports.get(message.port)?.disconnected();
        this.#ports.delete(message.port);
        return;
      case "ipc": {
        const event = { sender: this, senderFrame: this.mainFrame, ports: [], type: "frame" };
        ipcMain.emit(message.channel, event, ...message.args.map(decodeValue));
      }
    }
  }

  /** Takes the partner of a port that goes to the page; returns the id by which both sides know the pair. */
  #adopt(given: MessagePortMain): number {
    const kept = given.partner;
    if (!kept) throw new Error("Only a port of a MessageChannelMain can be transferred.");
    this.#ports.set(kept.id, kept);
    const carrier: PortCarrier = {
      post: (port, data) => this.#post({ kind: "port", port, data }),
      close: (port) => {
        this.#ports.delete(port);
        this.#post({ kind: "close-port", port });
      },
    };
    // What was sent before the transfer must follow the transfer.
    queueMicrotask(() => kept.carry(carrier));
    return kept.id;
  }

  #post(message: ToPage): void {
    this.#queue.push(message);
    if (!this.#flushing) void this.#flush();
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const messages = JSON.stringify(this.#queue.splice(0));
      const contextId = this.#isolatedContext;
      if (contextId === undefined) continue;
      // A page that goes away loses what was on its way to it.
      await this.#session
        ?.send("Runtime.evaluate", { expression: `${receiverName}(${messages})`, contextId })
        .catch(() => {});
    }
    this.#flushing = false;
  }

  #pageGone(): void {
    this.#isolatedContext = undefined;
    const ports = [...this.#ports.values()];
    this.#ports.clear();
    for (const port of ports) port.disconnected();
  }
}

class MainFrame {
  url = "about:blank";
  readonly parent = null;
}
