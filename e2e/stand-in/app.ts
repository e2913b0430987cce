import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BrowserWindow } from "./browser-window.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { appEvents, resolveChromium } from "./lifecycle.ts";
import { answerLauncher, gestures, recorded } from "./recorder.ts";
import { SingleInstanceLock } from "./single-instance.ts";

const root = packageRoot(process.argv[1] ?? ".");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  name: string;
  version: string;
};
const paths = new Map<string, string>();
const ready = Promise.withResolvers<void>();
let isReady = false;
let lock: SingleInstanceLock | undefined;
let chromium: Chromium | undefined;
let quitting = false;

export const app = Object.assign(appEvents, {
  isPackaged: false,
  isReady: () => isReady,
  whenReady: () => ready.promise,
  getVersion: () => manifest.version,
  getName: () => manifest.name,
  getAppPath: () => root,
  getPath: (name: string): string =>
    paths.get(name) ??
    (name === "downloads"
      ? join(app.getPath("userData"), "stand-in-downloads")
      : fail(`The path "${name}" was not set.`)),
  setPath: (name: string, path: string) => void paths.set(name, resolve(path)),
  getPreferredSystemLanguages: () => (process.env.STAND_IN_LANGUAGES ?? "en-US").split(","),
  setAboutPanelOptions: () => {},
  enableSandbox: () => {
    if (isReady) fail("enableSandbox() must be called before the app is ready.");
    recorded.sandboxEnforced = true;
  },
  setAsDefaultProtocolClient: (scheme: string) => {
    recorded.protocolClients.push(scheme);
    return true;
  },
  requestSingleInstanceLock(): boolean {
    lock = SingleInstanceLock.acquire(join(app.getPath("userData"), "stand-in-lock"), (argv, directory) =>
      appEvents.emit("second-instance", {}, argv, directory, undefined),
    );
    return lock !== undefined;
  },
  quit(): void {
    if (quitting) return;
    quitting = true;
    if (isPrevented("before-quit") || !closeAllWindows() || isPrevented("will-quit")) {
      quitting = false;
      return;
    }
    app.exit(0);
  },
  exit(code = 0): void {
    appEvents.emit("quit", {}, code);
    end(code);
  },
});

gestures.set("quit", () => app.quit());
gestures.set("openLink", (url = "") => appEvents.emit("open-url", { preventDefault: () => {} }, url));
gestures.set("closeWindow", () => BrowserWindow.getAllWindows()[0]?.close());
gestures.set("drop", (path = "") => BrowserWindow.getAllWindows()[0]?.webContents.drop(path));
gestures.set("lookAway", () => BrowserWindow.getFocusedWindow()?.blur());
gestures.set("activate", () => appEvents.emit("activate", {}, false));
answerLauncher(() => end(1));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => app.quit());

// The main bundle is evaluated first; what must happen before "ready" has happened then.
setImmediate(() => void becomeReady());

async function becomeReady(): Promise<void> {
  chromium = await startChromium(join(app.getPath("userData"), "stand-in-chromium"));
  recorded.webSocketUrl = chromium.webSocketUrl;
  resolveChromium(chromium);
  isReady = true;
  appEvents.emit("ready", {});
  ready.resolve();
}

function isPrevented(event: string): boolean {
  let prevented = false;
  appEvents.emit(event, { preventDefault: () => (prevented = true) });
  return prevented;
}

function closeAllWindows(): boolean {
  for (const window of BrowserWindow.getAllWindows()) window.close();
  return BrowserWindow.getAllWindows().length === 0;
}

function end(code: number): never {
  chromium?.kill();
  lock?.release();
  process.exit(code);
}

function packageRoot(from: string): string {
  let folder = dirname(resolve(from));
  while (!existsSync(join(folder, "package.json"))) {
    if (folder === dirname(folder)) return fail("No package.json above the main bundle.");
    folder = dirname(folder);
  }
  return folder;
}

function fail(message: string): never {
  throw new Error(message);
}
