import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { namedLanguages, PatchbayError } from "../../contract/index.ts";
import { watchMeddling } from "./meddling.ts";
import { forkNodeHost } from "./node-host-process.ts";
import type { Person, Platform, StoreAddress } from "./platform.ts";
import { spawnNodeHost } from "./spawned-host.ts";
import { forgetWalls, wallReport } from "./walls/start.ts";
import { watchEvents } from "./walls/traces/watcher.ts";

export interface NodePlatformOptions {
  shell: "browser" | "cli";
  store: StoreAddress;
  /** How the person is asked; absent for commands. */
  person?: Person;
}

/** The machine as plain Node sees it: for the browser shell and the command line. */
export function nodePlatform({ shell, store, person }: NodePlatformOptions): Platform {
  const { root, version } = installation();
  const bundleDir = join(root, "out", "main");
  return {
    shell,
    store,
    version,
    bundleDir,
    resourcesDir: join(root, "resources"),
    languages: () => [...namedLanguages(process.env), Intl.DateTimeFormat().resolvedOptions().locale],
    forkHost: (options) => forkNodeHost(bundleDir, options),
    spawnHost: spawnNodeHost,
    walls: wallReport,
    forgetWalls,
    wallEvents: watchEvents,
    ...(shell === "browser" && { meddling: watchMeddling }),
    openUrl,
    // Does nothing: the browser page shows notices itself, and a command prints them.
    notify() {},
    ...(person && { person }),
  };
}

/** Folder of the built screens. */
export function rendererFolder(): string {
  return join(installation().root, "out", "renderer");
}

/**
 * Patchbay's own folder and version. Bundled code lies at different depths below that folder, so the parents of this
 * file are searched for its package.json.
 */
export function installation(): { root: string; version: string } {
  for (let root = import.meta.dirname; root !== dirname(root); root = dirname(root)) {
    const found = readPackage(join(root, "package.json"));
    if (found?.name === "patchbay") return { root, version: found.version };
  }
  throw new PatchbayError("INTERNAL", "Patchbay does not find its own package.json.");
}

function readPackage(path: string): { name: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** @throws PatchbayError BAD_INPUT for anything but http(s), INTERNAL when no browser can be started */
async function openUrl(url: string): Promise<void> {
  if (!/^https?:\/\//.test(url))
    throw new PatchbayError("BAD_INPUT", "Only web addresses can be opened in the browser.");
  const [program, args] = opener(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, { stdio: "ignore", detached: true, windowsHide: true });
  child.once("spawn", resolve);
  child.once("error", (cause) =>
    reject(
      new PatchbayError("INTERNAL", "No browser could be opened.", {
        help: "Open the printed link yourself.",
        cause,
      }),
    ),
  );
  child.unref();
  return promise;
}

function opener(url: string): [program: string, args: string[]] {
  switch (process.platform) {
    case "darwin":
      return ["open", [url]];
    case "win32":
      // The address is one quoted word, so that `&` in it is not read as a second command.
      return ["cmd", ["/d", "/s", "/c", `start "" "${url.replaceAll('"', "%22")}"`]];
    default:
      return ["xdg-open", [url]];
  }
}
