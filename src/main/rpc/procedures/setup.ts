import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { Setups } from "../../setup/setups.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface SetupNeeds {
  setups: Pick<Setups, "get" | "begin" | "poll" | "submit" | "cancel">;
  owner: Pick<AgentPluginService, "signOut">;
  views: Pick<Views, "agentPluginByKey">;
}

export function setupProcedures({ setups, owner, views }: SetupNeeds) {
  const area = procedures.setup;
  return {
    get: area.get.handler(({ input: { agentId, key } }) => setups.get(agentId, key)),
    begin: area.begin.handler(({ input: { agentId, key, ...request } }) =>
      setups.begin(agentId, key, request),
    ),
    poll: area.poll.handler(({ input: { agentId, key, sessionId } }) => setups.poll(agentId, key, sessionId)),
    submit: area.submit.handler(({ input: { agentId, key, sessionId, stepId, answer } }) =>
      setups.submit(agentId, key, sessionId, stepId, answer),
    ),
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
