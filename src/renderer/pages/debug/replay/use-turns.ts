import { useEffect, useState } from "react";
import type { RecordedTurn } from "../../../../contract/procedures/debug/traces.ts";
import type { RecordEvent } from "../../../../contract/record.ts";
import type { Session } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** The recorded turns of a conversation that have ended, newest first; null until they are known. */
export function useTurns(agentId: string, sessionId: string | null): readonly RecordedTurn[] | null {
  const [turns, setTurns] = useState<{ sessionId: string; turns: readonly RecordedTurn[] } | null>(null);
  useEffect(() => {
    if (sessionId === null) return;
    const scope = new AbortController();
    const { signal } = scope;
    const load = async () => {
      const known = await rpc.traces.turns({ agentId, sessionId }, { signal });
      if (signal.aborted) return;
      setTurns({ sessionId, turns: known.filter(({ outcome }) => outcome !== null).reverse() });
    };
    const follow = async () => {
      try {
        const events = await rpc.traces.watch({ agentId, sessionId }, { signal });
        await load();
        for await (const { type } of events) if (type === "turn_ended") await load();
      } catch {
        // The connection is gone, or the screen; whoever shows the turns asks again then.
        if (!signal.aborted) setTurns({ sessionId, turns: [] });
      }
    };
    void follow();
    return () => scope.abort();
  }, [agentId, sessionId]);
  return turns !== null && turns.sessionId === sessionId ? turns.turns : null;
}

/** Every conversation of an agent, newest first. */
export function useConversations(agentId: string): readonly Session[] {
  const live = useMirror(isConnected);
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  useEffect(() => {
    if (!live) return;
    const scope = new AbortController();
    rpc.sessions.list({ agentId }, { signal: scope.signal }).then(
      (found) => !scope.signal.aborted && setSessions(found),
      // The turns of the open conversation can be compared all the same.
      () => {},
    );
    return () => scope.abort();
  }, [agentId, live]);
  return sessions;
}

/** What took part in a turn: the plugins, and how often each tool was run. */
export interface Parts {
  owners: readonly string[];
  ran: readonly { tool: string; count: number }[];
}

const nobody: Parts = { owners: [], ran: [] };

export function useParts(agentId: string, sessionId: string | null, turnId: string | null): Parts {
  const [parts, setParts] = useState<{ turnId: string; parts: Parts } | null>(null);
  useEffect(() => {
    if (sessionId === null || turnId === null) return;
    const scope = new AbortController();
    rpc.traces.turn({ agentId, sessionId, turnId }, { signal: scope.signal }).then(
      (events) => !scope.signal.aborted && setParts({ turnId, parts: partsOf(events) }),
      // The same failure is shown by what runs or compares the turn.
      () => {},
    );
    return () => scope.abort();
  }, [agentId, sessionId, turnId]);
  return parts !== null && parts.turnId === turnId ? parts.parts : nobody;
}

function partsOf(events: readonly RecordEvent[]): Parts {
  const owners = new Set<string>();
  const ran = new Map<string, number>();
  const titles = new Map<string, string>();
  for (const event of events) {
    if (event.type === "hook_asked") owners.add(event.owner);
    if (event.type === "tool_judged" && event.owner !== null) owners.add(event.owner);
    if (event.type === "tool_called") titles.set(event.toolCallId, event.title);
    if (event.type !== "tool_started") continue;
    const tool = titles.get(event.toolCallId) ?? event.toolCallId;
    ran.set(tool, (ran.get(tool) ?? 0) + 1);
  }
  return { owners: [...owners].sort(), ran: [...ran].map(([tool, count]) => ({ tool, count })) };
}
