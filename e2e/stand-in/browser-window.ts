import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { appEvents, chromiumReady } from "./lifecycle.ts";
import { gestures, recorded } from "./recorder.ts";
import { WebContents } from "./web-contents.ts";

interface WindowOptions {
  x?: number;
  y?: number;
  width: number;
  height: number;
  show?: boolean;
  backgroundColor?: string;
  webPreferences: { preload: string } & Record<string, unknown>;
}

const open = new Set<BrowserWindow>();

gestures.set("awaitWindow", async () => {
  if (open.size === 0) await once(appEvents, "browser-window-created");
  for (const window of open) await window.opened;
});

/** A window that is a page of Chromium; what the screen would show of its frame is recorded. */
export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return [...open];
  }
  static getFocusedWindow(): BrowserWindow | null {
    return [...open].find((window) => window.#record.focused) ?? null;
  }

  readonly webContents = new WebContents();
  /** Resolves when its page exists. */
  readonly opened: Promise<void>;
  readonly #record: (typeof recorded.windows)[number];
  #targetId: string | undefined;
  #closed = false;

  constructor(options: WindowOptions) {
    super();
    open.add(this);
    const { x = 0, y = 0, width, height } = options;
    this.#record = {
      bounds: { x, y, width, height },
      visible: options.show ?? true,
      focused: false,
      minimized: false,
      maximized: false,
      backgroundColor: options.backgroundColor ?? "",
      webPreferences: options.webPreferences,
      targetId: null,
    };
    recorded.windows.push(this.#record);
    appEvents.emit("web-contents-created", {}, this.webContents);
    this.webContents.once("dom-ready", () => this.emit("ready-to-show"));
    this.opened = this.#open(readFileSync(options.webPreferences.preload, "utf8"));
    appEvents.emit("browser-window-created", {}, this);
  }

  async loadURL(url: string): Promise<void> {
    await this.opened;
    await this.webContents.loadURL(url);
  }

  show(): void {
    this.#record.visible = true;
    this.focus();
  }
  hide(): void {
    this.#record.visible = false;
    this.#record.focused = false;
  }
  focus(): void {
    this.#record.focused = true;
  }
  blur(): void {
    this.#record.focused = false;
  }
  restore(): void {
    this.#record.minimized = false;
  }
  maximize(): void {
    this.#record.maximized = true;
  }
  isMinimized(): boolean {
    return this.#record.minimized;
  }
  isMaximized(): boolean {
    return this.#record.maximized;
  }
  isDestroyed(): boolean {
    return this.#closed;
  }
  getNormalBounds() {
    return this.#record.bounds;
  }
  setBackgroundColor(color: string): void {
    this.#record.backgroundColor = color;
  }
  reload(): void {
    this.webContents.reload();
  }

  close(): void {
    let prevented = false;
    this.emit("close", { preventDefault: () => (prevented = true) });
    if (!prevented) this.destroy();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    open.delete(this);
    recorded.windows.splice(recorded.windows.indexOf(this.#record), 1);
    void this.opened.then(async () => {
      const { connection } = await chromiumReady;
      await connection.send("Target.closeTarget", { targetId: this.#targetId }).catch(() => {});
    });
    this.webContents.destroy();
    this.emit("closed");
    if (open.size === 0) appEvents.emit("window-all-closed");
  }

  async #open(preload: string): Promise<void> {
    const { connection } = await chromiumReady;
    const { width, height } = this.#record.bounds;
    this.#targetId = await this.webContents.open(connection, { width, height }, preload);
    this.#record.targetId = this.#targetId;
  }
}
