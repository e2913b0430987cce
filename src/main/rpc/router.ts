import { agentPluginProcedures } from "./agent-plugins.ts";
import { agentProcedures } from "./agents.ts";
import { appProcedures } from "./app.ts";
import { approvalProcedures, dialogProcedures } from "./approvals.ts";
import { diagnosticsProcedures } from "./diagnostics.ts";
import { holdProcedures } from "./holds.ts";
import { procedures } from "./implementer.ts";
import { catalogProcedures, jobProcedures } from "./jobs.ts";
import { modelProcedures } from "./models.ts";
import { placeProcedures } from "./places.ts";
import { pluginProcedures } from "./plugins.ts";
import { secretProcedures } from "./secrets.ts";
import type { Services } from "./services.ts";
import { sessionProcedures } from "./sessions.ts";
import { setupProcedures } from "./setup.ts";
import { commandProcedures, hookProcedures, toolProcedures } from "./tools.ts";

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
