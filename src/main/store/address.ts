import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { GatewayFile } from "../../contract/index.ts";
import type { StoreAddress } from "../platform/platform.ts";
import { ensurePrivateFolder } from "./files/files.ts";
import { readGatewayFile } from "./files/gateway-file.ts";

// What can be known of a store before it is opened. A command at the terminal loads only this file of the store at its
// start, so the file imports little.

/** The store in a folder. A relative path counts from the folder of this process. */
export function storeAt(folder: string): StoreAddress {
  return resolve(folder) as StoreAddress;
}

/**
 * The store of this person: in the folder `PATCHBAY_HOME`, else in the platform's folder for application data. The same
 * for desktop, browser and command line.
 */
export function ownStore(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): StoreAddress {
  return storeAt(env.PATCHBAY_HOME || dataFolder(env, platform));
}

function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  switch (platform) {
    case "darwin":
      return join(homedir(), "Library", "Application Support", "Patchbay");
    case "win32":
      return join(env.APPDATA ?? join(homedir(), "AppData", "Roaming"), "Patchbay");
    default:
      return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "patchbay");
  }
}

/** How to reach the app that has the store open; undefined when no app has, or when its gateway is not open yet. */
export function whereIs(store: StoreAddress): GatewayFile | undefined {
  return readGatewayFile(store);
}

/** Absolute paths beside the store that the desktop shell uses for itself. */
export interface DesktopPlaces {
  /** A folder for Chromium's own files. */
  readonly chromium: string;
  /** A file for the place of the window. */
  readonly window: string;
}

/**
 * These paths. They are needed before the store is opened, so their folder is made here.
 * @throws PatchbayError DISK_FULL, WRITE_FAILED
 */
export function desktopPlaces(store: StoreAddress): DesktopPlaces {
  ensurePrivateFolder(store);
  return { chromium: join(store, "desktop"), window: join(store, "window.json") };
}
