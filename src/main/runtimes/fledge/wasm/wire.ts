import type { Grants } from "../manifest/plugin-toml.ts";

/** What the process of a wasm plugin is told first, as one line of JSON on its input. */
export interface WasmJob {
  /** Path of the module. */
  file: string;
  /** The init message, without a line end. */
  init: string;
  grants: Grants;
  /** Folders that the module can reach, each with the path under which it sees the folder. */
  mounts: Mount[];
}

export interface Mount {
  name: string;
  dir: string;
  writable: boolean;
}

/**
 * Messages from the process, each a line of JSON on its output. The app answers a `request` with one line; the process
 * reads nothing else, and waits for it.
 */
export type FromWasm =
  | { t: "message"; text: string }
  | { t: "request"; kind: "exec" | "store_set" | "store_get" | "metadata"; text: string }
  /** `base64`: bytes that it printed, at most {@link PRINTED_BYTES} of them. */
  | { t: "printed"; stream: "stdout" | "stderr"; base64: string }
  | { t: "warning"; text: string }
  | { t: "ended"; code: number }
  | { t: "failed"; message: string };

export const PRINTED_BYTES = 1024 * 1024;
