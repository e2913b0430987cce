import { join, resolve } from "node:path";
import { app, session } from "electron";
import { linkScheme } from "../../contract/links.ts";
import { within } from "../base/limit.ts";
import { desktopPlaces } from "../store/index.ts";
import { pathOfArguments, pathOfLink } from "./deep-links.ts";
import { startCore } from "./desktop-core.ts";
import { desktopFolders } from "./folders.ts";
import { explainFailedStart, explainStop } from "./start-failure.ts";
import { lockDownPages, lockDownSession } from "./window/lockdown.ts";
import { registerAppScheme, serveRenderer } from "./window/protocol.ts";
import { MainWindow } from "./window/window.ts";

/** What closing may take, in milliseconds, before the app ends anyway. */
const closeLimitMs = 10_000;

/** The desktop app: one window over the core. Runs until the person quits. */
export function startDesktop(): void {
  const folders = desktopFolders();
  const places = desktopPlaces(folders.store);
  // Chromium's own files, and with them the single-instance lock, are kept apart for each store.
  app.setPath("userData", places.chromium);
  // Windows shows notifications only of apps that have told it who they are.
  if (process.platform === "win32") app.setAppUserModelId("patchbay");
  registerAppScheme();
  app.enableSandbox();
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }

  let quitting = false;
  const window = new MainWindow({
    bounds: places.window,
    preload: folders.preload,
    icon: join(folders.resources, "icons", "patchbay.png"),
    hidesOnClose: () => process.platform === "darwin" && !quitting,
  });
  let path = pathOfArguments(process.argv);
  let core: AsyncDisposableStack | undefined;
  let isClosing = false;

  lockDownPages();
  registerLinks();
  const show = (wanted?: string) => {
    if (core) window.show(wanted);
    else path = wanted ?? path;
  };
  app.on("second-instance", (_event, argv) => show(pathOfArguments(argv)));
  app.on("open-url", (event, url) => {
    event.preventDefault();
    show(pathOfLink(url));
  });
  app.on("activate", () => show());
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  app.on("before-quit", (event) => {
    quitting = true;
    window.remember();
    const closing = core;
    if (!closing) return;
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    void within({ ms: closeLimitMs }, () => closing.disposeAsync())
      .catch(console.error)
      .finally(() => app.exit(0));
  });

  void app
    .whenReady()
    .then(async () => {
      lockDownSession(session.defaultSession);
      serveRenderer(folders.renderer);
      core = await startCore(folders, show, (reason) => {
        void explainStop(reason).finally(() => app.quit());
      });
      if (quitting) app.quit();
      else window.show(path);
    })
    .catch(async (error: unknown) => {
      app.exit(await explainFailedStart(error, folders.store));
    });
}

/**
 * Registers the app for `patchbay:` links. Unpackaged, the program is Electron itself and needs the app's path as an
 * argument.
 */
function registerLinks(): void {
  const main = process.argv[1];
  if (app.isPackaged || main === undefined) app.setAsDefaultProtocolClient(linkScheme);
  else app.setAsDefaultProtocolClient(linkScheme, process.execPath, [resolve(main)]);
}
