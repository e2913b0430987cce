import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function setupProcedures({
  setups,
  agentPluginService: owner,
  views,
}: Needs<"setups" | "agentPluginService" | "views">) {
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
