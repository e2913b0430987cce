import type { Registrar } from "../core/registrar.ts";
import { install as context } from "./context.ts";
import { install as find } from "./find.ts";
import { install as load } from "./load.ts";

/** Modules: finding, loading and merging them, and running sources. */
export function install(core: Registrar): void {
  find(core);
  context(core);
  load(core);
}
