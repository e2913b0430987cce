import { join, resolve } from "node:path";
import { createRouterClient } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { app, nativeTheme, session } from "electron";
import { type App, createApp } from "../app.ts";
import { type Gateway, openGateway } from "../gateway/server.ts";
import { rpcHandlerOptions } from "../rpc/handler.ts";
import { ensurePrivateFolder } from "../store/files.ts";
import { watchCore } from "./core-watch.ts";
import { findDeepLink, linkScheme, parseDeepLink } from "./deep-links.ts";
import { createElectronPlatform } from "./electron-platform.ts";
import { desktopFolders } from "./folders.ts";
import { lockDownPages, lockDownSession } from "./lockdown.ts";
import { installMenu } from "./menu.ts";
import { handOverPorts } from "./port-handover.ts";
import { registerAppScheme, serveRenderer } from "./protocol.ts";
import { deepLinkPath } from "./screen-paths.ts";
import { explainFailedStart } from "./start-failure.ts";
import { AgentTray } from "./tray.ts";
import { MainWindow } from "./window.ts";

/** What closing may take, in milliseconds, before the app ends anyway. */
const closeLimitMs = 10_000;

/** The desktop app: one window over the core. Runs until the person quits. */
export function startDesktop(): void {
  const folders = desktopFolders();
  ensurePrivateFolder(folders.home);
  // Chromium's own files, and with them the single-instance lock, are kept apart for each home folder.
  app.setPath("userData", join(folders.home, "desktop"));
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
    home: folders.home,
    preload: folders.preload,
    icon: join(folders.resources, "icons", "patchbay.png"),
    hidesOnClose: () => process.platform === "darwin" && !quitting,
  });
  let path = pathOf(process.argv);
  let core: RunningCore | undefined;
  let isClosing = false;

  lockDownPages();
  registerLinks();
  const show = (wanted?: string) => {
    if (core) window.show(wanted);
    else path = wanted ?? path;
  };
  app.on("second-instance", (_event, argv) => show(pathOf(argv)));
  app.on("open-url", (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link) show(deepLinkPath(link));
  });
  app.on("activate", () => show());
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  app.on("before-quit", (event) => {
    quitting = true;
    window.remember();
    if (!core) return;
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    void withinLimit(core.close()).finally(() => app.exit(0));
  });

  void app
    .whenReady()
    .then(async () => {
      lockDownSession(session.defaultSession);
      serveRenderer(folders.renderer);
      installMenu(folders);
      core = await startCore(folders, show);
      if (quitting) app.quit();
      else window.show(path);
    })
    .catch(async (error: unknown) => {
      app.exit(await explainFailedStart(error, folders.home));
    });
}

interface RunningCore {
  close(): Promise<void>;
}

/** The core with everything of the desktop that talks to it. */
async function startCore(
  folders: ReturnType<typeof desktopFolders>,
  show: (path?: string) => void,
): Promise<RunningCore> {
  const platform = await createElectronPlatform({
    home: folders.home,
    version: folders.version,
    bundleDir: folders.bundles,
    resourcesDir: folders.resources,
    onRoute: show,
  });
  const patchbay: App = await createApp(platform);
  const client = createRouterClient(patchbay.router);
  // Before the window exists, so that its first colour is the right one.
  nativeTheme.themeSource = (await client.app.settings()).theme;
  const gateway: Gateway = await openGateway(patchbay, { rendererDir: folders.renderer });
  const handler = new RPCHandler(patchbay.router, rpcHandlerOptions());
  const closePorts = handOverPorts((link) => handler.upgrade(link));
  const tray = new AgentTray({
    icon: join(folders.resources, "icons", trayIcon()),
    onShow: show,
    onQuit: () => app.quit(),
  });
  const watching = new AbortController();
  const watched = watchCore(
    client,
    {
      onAgents: (agents) => tray.setAgents(agents),
      onSettings: ({ theme }) => {
        nativeTheme.themeSource = theme;
      },
    },
    watching.signal,
  ).catch((error: unknown) => {
    if (!watching.signal.aborted) console.error("The tray no longer follows the agents:", error);
  });
  return {
    async close() {
      watching.abort();
      closePorts();
      tray.close();
      await gateway.close();
      await patchbay.close();
      await watched;
    },
  };
}

/** Without a package of its own, the app is Electron's program with a path as its argument. */
function registerLinks(): void {
  const main = process.argv[1];
  if (app.isPackaged || main === undefined) app.setAsDefaultProtocolClient(linkScheme);
  else app.setAsDefaultProtocolClient(linkScheme, process.execPath, [resolve(main)]);
}

function pathOf(argv: readonly string[]): string | undefined {
  const link = findDeepLink(argv);
  return link && deepLinkPath(link);
}

function trayIcon(): string {
  return process.platform === "darwin" ? "trayTemplate.png" : "tray.png";
}

async function withinLimit(closing: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, closeLimitMs);
  await Promise.race([closing.catch((error: unknown) => console.error(error)), promise]);
  clearTimeout(timer);
}
