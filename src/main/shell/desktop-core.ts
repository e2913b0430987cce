import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { app, BrowserWindow, nativeTheme } from "electron";
import { createApp } from "../app/create-app.ts";
import { callerHere } from "../authority/index.ts";
import { openGateway } from "../gateway/server.ts";
import { rpcHandlerOptions } from "../rpc/handler.ts";
import { watchCore } from "./core-watch.ts";
import { createElectronPlatform } from "./electron-platform.ts";
import type { DesktopFolders } from "./folders.ts";
import { installMenu } from "./outside/menu.ts";
import { NeedsYou } from "./outside/needs-you.ts";
import { AgentTray } from "./outside/tray.ts";
import { shellWords } from "./outside/words.ts";
import { electronStoreEngine } from "./store-engine.ts";
import { handOverPorts } from "./window/port-handover.ts";

/**
 * Starts the core with everything of the desktop that talks to it: the gateway for the command line, the pages' ports,
 * the tray. Disposing of the result ends them in the opposite order. Call when Electron is ready.
 * @param show brings the window to the front, on a screen if one is given
 * @param onLost told when another Patchbay has taken over; what this returns is to be disposed of then
 * @throws PatchbayError as `createApp` and `openGateway`; nothing is left running then
 */
export async function startCore(
  folders: DesktopFolders,
  show: (path?: string) => void,
  onLost: (reason: unknown) => void,
): Promise<AsyncDisposableStack> {
  const parts = new AsyncDisposableStack();
  try {
    await assemble(folders, show, onLost, parts);
    return parts;
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function assemble(
  folders: DesktopFolders,
  show: (path?: string) => void,
  onLost: (reason: unknown) => void,
  parts: AsyncDisposableStack,
): Promise<void> {
  let words = shellWords();
  const platform = await createElectronPlatform({
    store: folders.store,
    version: folders.version,
    bundleDir: folders.bundles,
    resourcesDir: folders.resources,
    onRoute: show,
    words: () => words,
  });
  const start = { safe: process.argv.includes("--safe"), engine: electronStoreEngine };
  const patchbay = parts.adopt(await createApp(platform, start), (core) => core.close());
  patchbay.lost.addEventListener("abort", () => onLost(patchbay.lost.reason));
  const client = createRouterClient(patchbay.router, { context: { caller: callerHere() } });
  // The theme is needed before the window exists, so that its first colour is right.
  const settings = await client.app.settings();
  nativeTheme.themeSource = settings.theme;
  words = shellWords(settings.language);
  installMenu(folders, words);

  parts.adopt(await openGateway(patchbay, { rendererDir: folders.renderer }), (gateway) => gateway.close());

  const caller = patchbay.authority.confirmations.callerOf({ kind: "window" });
  const handler = new RPCHandler(patchbay.router, rpcHandlerOptions());
  parts.adopt(
    handOverPorts((link) => handler.upgrade(link, { context: { caller } })),
    (closePorts) => closePorts(),
  );

  const tray = new AgentTray({
    icon: join(folders.resources, "icons", process.platform === "darwin" ? "trayTemplate.png" : "tray.png"),
    words,
    onShow: show,
    onQuit: () => app.quit(),
  });
  parts.defer(() => tray.close());

  const needsYou = new NeedsYou({
    notify: (notification) => platform.notify(notification),
    isLookedAt: () => BrowserWindow.getFocusedWindow() !== null,
    words: () => words,
  });
  const watching = new AbortController();
  const watched = watchCore(
    client,
    {
      onAgents: (agents) => tray.setAgents(agents),
      onSnapshot: (snapshot) => needsYou.begin(snapshot),
      onChange: (change) => needsYou.take(change),
      onSettings: ({ theme, language }) => {
        nativeTheme.themeSource = theme;
        const chosen = shellWords(language);
        if (chosen === words) return;
        words = chosen;
        installMenu(folders, words);
        tray.setWords(words);
      },
    },
    watching.signal,
  ).catch((error: unknown) => {
    if (!watching.signal.aborted) console.error("The tray no longer follows the agents:", error);
  });
  parts.defer(() => {
    watching.abort();
    return watched;
  });
}
