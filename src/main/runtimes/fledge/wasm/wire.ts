import type { Grants } from "../manifest/plugin-toml.ts";

/** What the worker of a wasm plugin is started with. */
export interface WasmJob {
  /** Path of the module. */
  file: string;
  /** The init message, without a line end. */
  init: string;
  grants: Grants;
  /** Folders that the module can reach, each with the path under which it sees the folder. */
  mounts: Mount[];
  /** Shared with the worker, which sleeps on it: set to 1, with a wake-up, when a reply was posted to its port. */
  bell: SharedArrayBuffer;
}

export interface Mount {
  name: string;
  dir: string;
  writable: boolean;
}

/**
 * Messages from the worker. The app answers a `request` with one message to the worker's port; the worker sleeps until
 * then.
 */
export type FromWasm =
  | { t: "message"; text: string }
  | { t: "request"; kind: "exec" | "store_set" | "store_get" | "metadata"; text: string }
  | { t: "printed"; stream: "stdout" | "stderr"; bytes: Uint8Array }
  | { t: "warning"; text: string }
  | { t: "ended"; code: number }
  | { t: "failed"; message: string };
