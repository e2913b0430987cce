import { access } from "./procedures/access.ts";
import { agents, approvals, dialogs } from "./procedures/agents.ts";
import { app, diagnostics, holds, places, pythons, secrets } from "./procedures/app.ts";
import { contexts } from "./procedures/debug/contexts.ts";
import { breakpoints, pauses } from "./procedures/debug/pauses.ts";
import { policies } from "./procedures/debug/policies.ts";
import { replays } from "./procedures/debug/replays.ts";
import { traces } from "./procedures/debug/traces.ts";
import { languages } from "./procedures/languages.ts";
import { models } from "./procedures/models.ts";
import { agentPlugins, catalog, jobs, plugins, setup } from "./procedures/plugins.ts";
import { removed } from "./procedures/removed.ts";
import { resources } from "./procedures/resources.ts";
import { sessions } from "./procedures/sessions.ts";
import { shortcuts } from "./procedures/shortcuts.ts";
import { commands, hooks, tools } from "./procedures/tools.ts";

/** The one contract between the core and whoever talks to it: screens, the command line, scripts. */
export const contract = {
  app,
  access,
  catalog,
  places,
  models,
  pythons,
  languages,
  holds,
  jobs,
  plugins,
  agents,
  agentPlugins,
  setup,
  tools,
  hooks,
  commands,
  resources,
  shortcuts,
  approvals,
  dialogs,
  sessions,
  traces,
  breakpoints,
  pauses,
  contexts,
  policies,
  replays,
  secrets,
  diagnostics,
  removed,
};
export type Contract = typeof contract;
