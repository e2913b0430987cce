import type { Registrar } from "../registrar.ts";
import { installCombinators } from "./combinators.ts";
import { installDynamics } from "./dynamics.ts";
import { installEngine } from "./engine.ts";
import { installHelpers } from "./helpers.ts";
import { installReports } from "./reports.ts";
import { installSandbox } from "./sandbox.ts";
import { installUnsupported } from "./unsupported.ts";

/** Functions over functions, helpers of macros, and the names of dynamic bindings. */
export function install(core: Registrar): void {
  installCombinators(core);
  installHelpers(core);
  installDynamics(core);
  installEngine(core);
  installReports(core);
  installSandbox(core);
  installUnsupported(core);
}
