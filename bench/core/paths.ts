import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
/** The bundled core, written by build.ts. */
export const coreBundle = join(root, "out/bench/core.js");
