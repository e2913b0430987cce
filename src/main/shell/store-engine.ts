import ElectronStore from "electron-store";
import type { StoreEngine } from "../store/index.ts";

/** In the desktop the store's files are opened through electron-store; its engine `conf` writes the same files elsewhere. */
export const electronStoreEngine: StoreEngine = (options) =>
  new ElectronStore<Record<string, unknown>>(options);
