import { procedures } from "./implementer.ts";
import { agentPluginProcedures } from "./procedures/agent-plugins.ts";
import { agentProcedures } from "./procedures/agents.ts";
import { appProcedures } from "./procedures/app.ts";
import { approvalProcedures, dialogProcedures } from "./procedures/approvals.ts";
import { diagnosticsProcedures } from "./procedures/diagnostics.ts";
import { holdProcedures } from "./procedures/holds.ts";
import { catalogProcedures, jobProcedures } from "./procedures/jobs.ts";
import { modelProcedures } from "./procedures/models.ts";
import { placeProcedures } from "./procedures/places.ts";
import { pluginProcedures } from "./procedures/plugins.ts";
import { secretProcedures } from "./procedures/secrets.ts";
import { sessionProcedures } from "./procedures/sessions.ts";
import { setupProcedures } from "./procedures/setup.ts";
import { commandProcedures, hookProcedures, toolProcedures } from "./procedures/tools.ts";
import type { Services } from "./services.ts";

/** The whole contract over the services; served as it is over every transport. */
export function createRouter(services: Services) {
  return procedures.router({
    app: appProcedures(services),
    catalog: catalogProcedures(services),
    places: placeProcedures(services),
    models: modelProcedures(services),
    holds: holdProcedures(services),
    jobs: jobProcedures(services),
    plugins: pluginProcedures(services),
    agents: agentProcedures(services),
    agentPlugins: agentPluginProcedures(services),
    setup: setupProcedures(services),
    tools: toolProcedures(services),
    hooks: hookProcedures(services),
    commands: commandProcedures(services),
    approvals: approvalProcedures(services),
    dialogs: dialogProcedures(services),
    sessions: sessionProcedures(services),
    secrets: secretProcedures(services),
    diagnostics: diagnosticsProcedures(services),
  });
}
export type AppRouter = ReturnType<typeof createRouter>;
