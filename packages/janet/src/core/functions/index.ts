import type { Registrar } from "../registrar.ts";
import { installCombinators } from "./combinators.ts";
import { installDynamics } from "./dynamics.ts";
import { installEngine } from "./engine.ts";
import { installHelpers } from "./helpers.ts";

/** Functions over functions, helpers of macros, and the names of dynamic bindings. */
export function install(core: Registrar): void {
  installCombinators(core);
  installHelpers(core);
  installDynamics(core);
  installEngine(core);
}
