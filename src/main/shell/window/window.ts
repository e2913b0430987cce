import { app, BrowserWindow, nativeTheme, screen } from "electron";
import { screenUrl } from "./app-address.ts";
import { readWindowBounds, writeWindowBounds } from "./window-bounds.ts";

/** The page's own background (tokens of the renderer), so that no white flash precedes it. */
const backgrounds = { light: "#f5f2eb", dark: "#14120e" };

/** A page that crashed is loaded again, unless it was already loaded again within this many milliseconds. */
const recoveryGapMs = 10_000;

interface MainWindowOptions {
  /** The file that keeps its place. */
  bounds: string;
  preload: string;
  icon: string;
  /** True while closing means hiding (macOS, until the person quits). */
  hidesOnClose(): boolean;
}

/** The one window: opened when wanted, kept while hidden. */
export class MainWindow {
  readonly #options: MainWindowOptions;
  #window: BrowserWindow | undefined;
  #recoveredAt = 0;

  constructor(options: MainWindowOptions) {
    this.#options = options;
    nativeTheme.on("updated", () => this.#window?.setBackgroundColor(background()));
  }

  /** Brings the window to the front, opens it if there is none, and leads it to a screen if one is given. */
  show(path?: string): void {
    const window = this.#window;
    if (!window) {
      this.#window = this.#open(path ?? "/");
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    // Only the fragment differs, so the page stays as it is and changes its screen.
    if (path !== undefined) load(window, path);
  }

  /** Keeps the window's place for the next start. */
  remember(): void {
    const window = this.#window;
    if (window)
      writeWindowBounds(this.#options.bounds, {
        ...window.getNormalBounds(),
        maximized: window.isMaximized(),
      });
  }

  #open(path: string): BrowserWindow {
    const bounds = readWindowBounds(this.#options.bounds, workAreas());
    const window = new BrowserWindow({
      ...(bounds ?? { width: 1280, height: 800 }),
      minWidth: 640,
      minHeight: 480,
      show: false,
      title: "Patchbay",
      icon: this.#options.icon,
      backgroundColor: background(),
      webPreferences: {
        preload: this.#options.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        nodeIntegrationInWorker: false,
        webviewTag: false,
        webSecurity: true,
        spellcheck: true,
        devTools: !app.isPackaged,
      },
    });
    if (bounds?.maximized) window.maximize();
    window.once("ready-to-show", () => window.show());
    window.on("close", (event) => {
      this.remember();
      if (!this.#options.hidesOnClose()) return;
      event.preventDefault();
      window.hide();
    });
    window.on("closed", () => {
      this.#window = undefined;
    });
    window.webContents.on("render-process-gone", (_event, { reason }) => {
      if (reason !== "clean-exit" && reason !== "killed") this.#recover(window);
    });
    load(window, path);
    return window;
  }

  /** Loads a crashed page again; the core is not affected by the crash. A page that keeps crashing is left as it is. */
  #recover(window: BrowserWindow): void {
    const now = Date.now();
    if (now - this.#recoveredAt < recoveryGapMs) return;
    this.#recoveredAt = now;
    window.reload();
  }
}

function load(window: BrowserWindow, path: string): void {
  // A load that a newer one replaces is rejected too; the page shows what there is to see either way.
  window.loadURL(screenUrl(path)).catch((error: unknown) => console.error("The page was not loaded:", error));
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light;
}

function workAreas() {
  return screen.getAllDisplays().map((display) => display.workArea);
}
