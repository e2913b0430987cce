import { app, BrowserWindow, dialog, Notification, type OpenDialogOptions, shell } from "electron";
import { PatchbayError, type PersonAct } from "../../contract/index.ts";
import { watchMeddling } from "../platform/meddling.ts";
import { forkNodeHost } from "../platform/node-host-process.ts";
import type { Platform, StoreAddress } from "../platform/platform.ts";
import { spawnNodeHost } from "../platform/spawned-host.ts";
import { forgetWalls, wallReport } from "../platform/walls/start.ts";
import { watchEvents } from "../platform/walls/traces/watcher.ts";
import { openKeychain } from "./keychain.ts";
import type { ShellWords } from "./outside/word-lists.ts";
import { forkUtility } from "./utility-host.ts";
import { isWebUrl } from "./window/app-address.ts";

interface ElectronPlatformOptions {
  store: StoreAddress;
  version: string;
  /** `out/main`. */
  bundleDir: string;
  resourcesDir: string;
  /** The person clicked a notification; `route` is a path of the renderer. */
  onRoute(route: string): void;
  words(): ShellWords;
}

/** The machine as the desktop app sees it. Call when Electron is ready. */
export async function createElectronPlatform(options: ElectronPlatformOptions): Promise<Platform> {
  return {
    shell: "desktop",
    store: options.store,
    version: options.version,
    bundleDir: options.bundleDir,
    resourcesDir: options.resourcesDir,
    languages: () => app.getPreferredSystemLanguages(),
    // A utility process cannot be put behind a wall, so plugin code runs in this program as plain Node.
    forkHost: (fork) =>
      fork.wall
        ? forkNodeHost(options.bundleDir, { ...fork, env: { ...fork.env, ELECTRON_RUN_AS_NODE: "1" } })
        : forkUtility(options.bundleDir, fork),
    spawnHost: spawnNodeHost,
    walls: wallReport,
    forgetWalls,
    wallEvents: watchEvents,
    meddling: watchMeddling,
    downloads: app.getPath("downloads"),
    keychain: await openKeychain(),
    async openUrl(url) {
      if (!isWebUrl(url))
        throw new PatchbayError(
          "BAD_INPUT",
          "Only web addresses (https or http) can be opened in the browser.",
        );
      await shell.openExternal(url);
    },
    async choosePlace(kind) {
      const options: OpenDialogOptions = { properties: [kind === "folder" ? "openDirectory" : "openFile"] };
      const window = BrowserWindow.getAllWindows()[0];
      const { canceled, filePaths } = await (window
        ? dialog.showOpenDialog(window, options)
        : dialog.showOpenDialog(options));
      return canceled ? null : (filePaths[0] ?? null);
    },
    person: { kind: "prompt", confirm: (act, by) => askPerson(options.words(), act, by) },
    notify({ title, body, route }) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      if (route) notification.once("click", () => options.onRoute(route));
      notification.show();
    },
  };
}

/** A dialog of the system, which no page and no program can answer. "No" is what the return key says. */
async function askPerson(words: ShellWords, act: PersonAct, by: "screen" | "program"): Promise<boolean> {
  const question = {
    type: "question" as const,
    message: words.acts[act],
    detail: by === "program" ? words.askedByProgram : words.askedByWindow,
    buttons: [words.goOn, words.doNot],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  };
  const window = BrowserWindow.getAllWindows()[0];
  const { response } = await (window
    ? dialog.showMessageBox(window, question)
    : dialog.showMessageBox(question));
  return response === 0;
}
