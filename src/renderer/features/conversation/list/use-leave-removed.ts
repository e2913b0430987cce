import { useEffect, useRef } from "react";
import { rpc } from "../../../base/client/rpc.ts";
import { chooseSession } from "../../../store/chosen-session.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** Leaves the open conversation when it was removed, here or at another screen; the newest one is opened then. */
export function useLeaveRemoved(agentId: string, sessionId: string | null): void {
  const live = useMirror(isConnected);
  const known = useMirror((state) => sessionId !== null && state.sessions.has(sessionId));
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (known) announced.current = sessionId;
    if (known || !live || sessionId === null || announced.current !== sessionId) return;
    const scope = new AbortController();
    // After a reconnection nothing is announced yet: whether it is gone is asked.
    rpc.sessions.list({ agentId }, { signal: scope.signal }).then(
      (sessions) => {
        if (!scope.signal.aborted && !sessions.some(({ id }) => id === sessionId))
          chooseSession(agentId, null);
      },
      // The conversation itself says what is wrong.
      () => {},
    );
    return () => scope.abort();
  }, [agentId, sessionId, known, live]);
}
