import type { Grants } from "../manifest/plugin-toml.ts";

/** What the worker of a wasm plugin is started with. */
export interface WasmJob {
  /** Path of the module. */
  file: string;
  /** The init message, without a line end. */
  init: string;
  grants: Grants;
  /** Folders that it sees, by the name that it sees them under. */
  mounts: Mount[];
  /** Set to 1, with a wake-up, when a reply lies in the port. */
  bell: SharedArrayBuffer;
}

export interface Mount {
  name: string;
  dir: string;
  writable: boolean;
}

/** From the worker. A `request` is answered by one message to its port; the worker stands still until then. */
export type FromWasm =
  | { t: "message"; text: string }
  | { t: "request"; kind: "exec" | "store_set" | "store_get" | "metadata"; text: string }
  | { t: "printed"; stream: "stdout" | "stderr"; bytes: Uint8Array }
  | { t: "warning"; text: string }
  | { t: "ended"; code: number }
  | { t: "failed"; message: string };
