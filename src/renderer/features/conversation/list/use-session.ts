import { useEffect, useState } from "react";
import type { Session } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";

/** What is known of a conversation. The core announces conversations when they change; others are asked for once. */
export function useSession(agentId: string, sessionId: string | null): Session | null {
  const announced = useMirror((state) => (sessionId === null ? undefined : state.sessions.get(sessionId)));
  const [asked, setAsked] = useState<Session | null>(null);
  const isKnown = announced !== undefined;
  useEffect(() => {
    if (sessionId === null || isKnown) return;
    const scope = new AbortController();
    rpc.sessions.list({ agentId }, { signal: scope.signal }).then(
      (sessions) => setAsked(sessions.find(({ id }) => id === sessionId) ?? null),
      // The conversation itself says what is wrong.
      () => {},
    );
    return () => scope.abort();
  }, [agentId, sessionId, isKnown]);
  if (sessionId === null) return null;
  return announced ?? (asked?.id === sessionId ? asked : null);
}
