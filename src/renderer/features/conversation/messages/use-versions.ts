import { useCallback, useEffect, useRef, useState } from "react";
import type { Versions } from "../../../../contract/conversation/attached.ts";
import { rpc } from "../../../base/client/rpc.ts";

const none: ReadonlyMap<string, Versions> = new Map();

/** The other versions of what stands in a conversation, by turn. `ask` asks for them anew: call it when that may have changed. */
export function useVersions(agentId: string, sessionId: string | null) {
  const [versions, setVersions] = useState(none);
  const shown = useRef(sessionId);
  shown.current = sessionId;
  const ask = useCallback(
    async (of: string | null) => {
      if (of === null) return;
      // Where they cannot be had there are no arrows; the conversation itself says what is wrong.
      const heard = await rpc.sessions.versions({ agentId, sessionId: of }).catch(() => null);
      if (heard && shown.current === of) setVersions(new Map(heard.map((one) => [one.turnId, one])));
    },
    [agentId],
  );
  useEffect(() => {
    setVersions(none);
    void sessionId;
  }, [sessionId]);
  return { versions, ask };
}
