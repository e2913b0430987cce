import { useCallback, useEffect, useState } from "react";
import type { ChannelTraffic } from "../../../contract/channel.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

/** Conversations that are listed. */
const listed = 20;

/** What went through a channel, read again whenever one of its conversations moves. Text only while it is asked for. */
export function useTraffic(agentId: string, key: string, text: boolean) {
  const [traffic, setTraffic] = useState<ChannelTraffic | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const live = useMirror(isConnected);
  const lastMove = useMirror(
    useCallback(
      ({ sessions }: ReturnType<typeof useMirror.getState>) => {
        let last = "";
        for (const { agentId: agent, source, updatedAt } of sessions.values()) {
          if (agent === agentId && source.channel === key && updatedAt > last) last = updatedAt;
        }
        return last;
      },
      [agentId, key],
    ),
  );

  useEffect(() => {
    if (!live) return;
    const scope = new AbortController();
    /** @param _lastMove changes when a conversation moves, which is the reason to read again */
    const read = async (_lastMove: string) => {
      try {
        setTraffic(
          await rpc.agentPlugins.traffic({ agentId, key, text, limit: listed }, { signal: scope.signal }),
        );
        setProblem(null);
      } catch (error) {
        if (!scope.signal.aborted) setProblem(problemOf(error));
      }
    };
    void read(lastMove);
    return () => scope.abort();
  }, [agentId, key, text, live, lastMove]);

  return { traffic, problem };
}
