import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { Caller } from "../../authority/index.ts";
import { hostsIn } from "../../permissions/settings-hosts.ts";
import { findReferences } from "../../secrets/index.ts";
import type { Setups } from "../../setup/setups.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";
import { wordOfPrograms } from "../person-only.ts";

export interface SetupNeeds {
  setups: Pick<Setups, "get" | "begin" | "poll" | "submit" | "cancel">;
  owner: Pick<AgentPluginService, "signOut">;
  views: Pick<Views, "agentPluginByKey">;
}

export function setupProcedures({ setups, owner, views }: SetupNeeds) {
  const area = procedures.setup;
  return {
    get: area.get.handler(({ input: { agentId, key } }) => setups.get(agentId, key)),
    begin: area.begin.handler(async ({ input: { agentId, key, ...request }, context: { caller } }) => {
      await proveGift(caller, request.input);
      return setups.begin(agentId, key, request);
    }),
    poll: area.poll.handler(({ input: { agentId, key, sessionId } }) => setups.poll(agentId, key, sessionId)),
    submit: area.submit.handler(async ({ input, context: { caller } }) => {
      const { agentId, key, sessionId, stepId, answer } = input;
      await proveGift(caller, answer);
      return setups.submit(agentId, key, sessionId, stepId, answer);
    }),
    cancel: area.cancel.handler(async ({ input: { agentId, key, sessionId } }) => {
      await setups.cancel(agentId, key, sessionId);
      return done;
    }),
    signOut: area.signOut.handler(async ({ input: { agentId, key } }) => {
      await owner.signOut(agentId, key);
      return views.agentPluginByKey(agentId, key);
    }),
  };
}

/** A host or a stored secret that is typed into a setup is given to the plugin by that. */
async function proveGift(caller: Caller, typed: unknown): Promise<void> {
  if (hostsIn(typed).length + findReferences(typed).length > 0) await wordOfPrograms(caller, "grant")?.();
}
