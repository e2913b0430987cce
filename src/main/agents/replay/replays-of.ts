import { systemClock } from "../../base/clock.ts";
import { systemIds } from "../../base/ids.ts";
import type { Agents, AgentsOptions } from "../index.ts";
import { readyModel } from "../models/index.ts";
import { modelName } from "../models/model.ts";
import { modelNamed } from "../models/named-model.ts";
import type { OtherVersions } from "../ports.ts";
import { shellJudges } from "../tools/builtin/shell-network.ts";
import { Replays } from "./replays.ts";

/** The replays of agents at work. `options` are what they were made of. */
export function replaysOf(
  work: Pick<Agents, "sessions" | "approvals" | "dialogs" | "commands" | "activate">,
  options: AgentsOptions,
  versions: OtherVersions,
): Replays {
  const { pool, agents, settings, vault: secrets, registry, storage, audit } = options;
  const { clock = systemClock, ids = systemIds } = options;
  const { sessions, approvals, dialogs, commands } = work;
  return new Replays({
    agents,
    versions,
    pool,
    dialogs,
    secrets,
    trust: registry,
    approvals,
    audit,
    clock,
    ids,
    limits: () => settings.get().limits,
    modelName: (agent) => modelName(agent.model),
    modelNamed: (agent, name) => modelNamed(agent, name, secrets, clock),
    readyModel: (agent, entries) => readyModel(agent, secrets, entries, clock),
    isCommand: (agentId, text) => commands.has(agentId, text),
    tools: {
      root: storage.places.root,
      networkOf: shellJudges({ ...options, dialogs }),
      refusedHost: options.refusedHost,
    },
    open: async (agentId, sessionId) => {
      await work.activate(agentId);
      return sessions.open(agentId, sessionId);
    },
  });
}
