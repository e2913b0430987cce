import { procedures } from "./implementer.ts";
import { type AccessNeeds, accessProcedures } from "./procedures/access.ts";
import { type AgentPluginNeeds, agentPluginProcedures } from "./procedures/agent-plugins.ts";
import { type AgentNeeds, agentProcedures } from "./procedures/agents.ts";
import { type AppNeeds, appProcedures } from "./procedures/app.ts";
import {
  type ApprovalNeeds,
  approvalProcedures,
  type DialogNeeds,
  dialogProcedures,
} from "./procedures/approvals.ts";
import { type ContextNeeds, contextProcedures } from "./procedures/debug/contexts.ts";
import { breakpointProcedures, type PauseNeeds, pauseProcedures } from "./procedures/debug/pauses.ts";
import { type PolicyNeeds, policyProcedures } from "./procedures/debug/policies.ts";
import { type ReplayNeeds, replayProcedures } from "./procedures/debug/replays.ts";
import { type TraceNeeds, traceProcedures } from "./procedures/debug/traces.ts";
import { type DiagnosticsNeeds, diagnosticsProcedures } from "./procedures/diagnostics.ts";
import { type HoldNeeds, holdProcedures } from "./procedures/holds.ts";
import { type CatalogNeeds, catalogProcedures, type JobNeeds, jobProcedures } from "./procedures/jobs.ts";
import { type LanguageNeeds, languageProcedures } from "./procedures/languages/languages.ts";
import { type ModelNeeds, modelProcedures } from "./procedures/models.ts";
import { type PlaceNeeds, placeProcedures } from "./procedures/places.ts";
import { type PluginNeeds, pluginProcedures } from "./procedures/plugins.ts";
import { type PythonNeeds, pythonProcedures } from "./procedures/python/pythons.ts";
import { type RemovedNeeds, removedProcedures } from "./procedures/removed/removed.ts";
import { type SecretNeeds, secretProcedures } from "./procedures/secrets.ts";
import { type SessionNeeds, sessionProcedures } from "./procedures/sessions.ts";
import { type SetupNeeds, setupProcedures } from "./procedures/setup.ts";
import {
  type CommandNeeds,
  commandProcedures,
  type HookNeeds,
  hookProcedures,
  type ResourceNeeds,
  resourceProcedures,
  type ShortcutNeeds,
  shortcutProcedures,
  type ToolNeeds,
  toolProcedures,
} from "./procedures/tools.ts";

/** What each area of the contract calls; each gets its own and nothing else. */
export interface AreaNeeds {
  app: AppNeeds;
  access: AccessNeeds;
  catalog: CatalogNeeds;
  places: PlaceNeeds;
  models: ModelNeeds;
  pythons: PythonNeeds;
  languages: LanguageNeeds;
  holds: HoldNeeds;
  jobs: JobNeeds;
  plugins: PluginNeeds;
  agents: AgentNeeds;
  agentPlugins: AgentPluginNeeds;
  setup: SetupNeeds;
  tools: ToolNeeds;
  hooks: HookNeeds;
  commands: CommandNeeds;
  resources: ResourceNeeds;
  shortcuts: ShortcutNeeds;
  approvals: ApprovalNeeds;
  dialogs: DialogNeeds;
  sessions: SessionNeeds;
  traces: TraceNeeds;
  pauses: PauseNeeds;
  contexts: ContextNeeds;
  policies: PolicyNeeds;
  replays: ReplayNeeds;
  secrets: SecretNeeds;
  diagnostics: DiagnosticsNeeds;
  removed: RemovedNeeds;
}

/** The whole contract; served as it is over every transport. */
export function createRouter(needs: AreaNeeds) {
  return procedures.router({
    app: appProcedures(needs.app),
    access: accessProcedures(needs.access),
    catalog: catalogProcedures(needs.catalog),
    places: placeProcedures(needs.places),
    models: modelProcedures(needs.models),
    pythons: pythonProcedures(needs.pythons),
    languages: languageProcedures(needs.languages),
    holds: holdProcedures(needs.holds),
    jobs: jobProcedures(needs.jobs),
    plugins: pluginProcedures(needs.plugins),
    agents: agentProcedures(needs.agents),
    agentPlugins: agentPluginProcedures(needs.agentPlugins),
    setup: setupProcedures(needs.setup),
    tools: toolProcedures(needs.tools),
    hooks: hookProcedures(needs.hooks),
    commands: commandProcedures(needs.commands),
    resources: resourceProcedures(needs.resources),
    shortcuts: shortcutProcedures(needs.shortcuts),
    approvals: approvalProcedures(needs.approvals),
    dialogs: dialogProcedures(needs.dialogs),
    sessions: sessionProcedures(needs.sessions),
    traces: traceProcedures(needs.traces),
    breakpoints: breakpointProcedures(needs.pauses),
    pauses: pauseProcedures(needs.pauses),
    contexts: contextProcedures(needs.contexts),
    policies: policyProcedures(needs.policies),
    replays: replayProcedures(needs.replays),
    secrets: secretProcedures(needs.secrets),
    diagnostics: diagnosticsProcedures(needs.diagnostics),
    removed: removedProcedures(needs.removed),
  });
}
export type AppRouter = ReturnType<typeof createRouter>;
