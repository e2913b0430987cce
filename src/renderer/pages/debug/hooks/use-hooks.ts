import { useEffect } from "react";
import { rpc } from "../../../base/client/rpc.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";
import { useAsked } from "../by-hand/use-asked.ts";
import { useContributionsVersion } from "../by-hand/use-contributions-version.ts";

/** Who listens to the agent's events, with counts and times; asked again when that changes and after each turn. */
export function useHooks(agentId: string) {
  const version = useContributionsVersion(agentId);
  const asked = useAsked(version, (signal) => rpc.hooks.list({ agentId }, { signal }));
  const { again } = asked;
  const live = useMirror(isConnected);
  const sessionId = useChosenSession(agentId);

  useEffect(() => {
    if (!live || sessionId === null) return;
    const scope = new AbortController();
    const follow = async () => {
      try {
        const events = await rpc.sessions.watch({ agentId, sessionId }, { signal: scope.signal });
        for await (const event of events)
          if (event.type === "turn_ended" || event.type === "command") again();
      } catch {
        // The list itself shows that the core cannot be reached.
      }
    };
    void follow();
    return () => scope.abort();
  }, [live, sessionId, agentId, again]);

  return asked;
}

export type ListedHook = NonNullable<ReturnType<typeof useHooks>["answer"]>[number];
