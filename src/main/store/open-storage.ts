import type { StoreAddress } from "../platform/platform.ts";
import { type FileStorageOptions, openFileStorage } from "./files/file-storage.ts";
import type { Storage } from "./storage.ts";

/**
 * Opens the store at an address. Files are the only adapter today; with a second one the form of the address will
 * decide.
 */
export function openStorage(
  store: StoreAddress,
  options: Pick<FileStorageOptions, "engine" | "onNotice">,
): Storage {
  return openFileStorage({ ...options, home: store });
}
