import type { Registrar } from "../registrar.ts";
import { installAssertions } from "./assertions.ts";
import { installAssignments } from "./assignments.ts";
import { installCompileTime } from "./compile-time.ts";
import { installConditions } from "./conditions.ts";
import { installDefinitions } from "./definitions.ts";
import { installEvents } from "./events.ts";
import { coreValues } from "./forms.ts";
import { installIteration } from "./iteration.ts";
import { installMatch } from "./match.ts";
import { installScopes } from "./scopes.ts";
import { installShortFunctions } from "./short-functions.ts";
import { installThreading } from "./threading.ts";

/** All macros of the core. */
export function install(core: Registrar): void {
  const value = coreValues(core);
  installDefinitions(core, value);
  installConditions(core, value);
  installIteration(core, value);
  installThreading(core);
  installScopes(core, value);
  installMatch(core, value);
  installAssignments(core, value);
  installAssertions(core, value);
  installShortFunctions(core, value);
  installCompileTime(core, value);
  installEvents(core, value);
}
