import type { StoreAddress } from "../platform/platform.ts";
import { type FileStorageOptions, openFileStorage } from "./files/file-storage.ts";
import type { Storage } from "./storage.ts";

/** Opens the store at an address, with the adapter that the address is of: files, the only one today. */
export function openStorage(
  store: StoreAddress,
  options: Pick<FileStorageOptions, "engine" | "onNotice">,
): Storage {
  return openFileStorage({ ...options, home: store });
}
