import { useCallback, useEffect, useRef, useState } from "react";
import type { TurnEvent } from "../../../contract/turn-event.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import { type Item, itemsOf, withEvent } from "./transcript.ts";

/** The conversation with an agent: its last session, what happens in it live, and what the person can do. */
export function useConversation(agentId: string) {
  const live = useMirror(isConnected);
  const [sessionId, setSessionId] = useState<string | null>(null);
  const [items, setItems] = useState<readonly Item[]>([]);
  const [running, setRunning] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  /** True while this screen runs a turn of its own: then that turn's stream is drawn and the session's is ignored. */
  const ownTurn = useRef(false);
  const queue = useRef<TurnEvent[]>([]);
  const frame = useRef<number | null>(null);

  const receive = useCallback((event: TurnEvent) => {
    if (event.type === "turn_started") setRunning(true);
    if (event.type === "turn_ended" || event.type === "command") setRunning(false);
    queue.current.push(event);
    frame.current ??= requestAnimationFrame(() => {
      frame.current = null;
      const events = queue.current;
      queue.current = [];
      setItems((before) => events.reduce<readonly Item[]>(withEvent, before));
    });
  }, []);

  const load = useCallback(
    async (id: string, signal: AbortSignal) => {
      const ref = { agentId, sessionId: id };
      const [entries, trace] = await Promise.all([
        rpc.sessions.entries(ref, { signal }),
        rpc.sessions.trace(ref, { signal }),
      ]);
      if (!signal.aborted) setItems(itemsOf(entries, trace));
    },
    [agentId],
  );

  useEffect(() => {
    if (!live || sessionId !== null) return;
    const scope = new AbortController();
    rpc.sessions.list({ agentId }, { signal: scope.signal }).then(
      (sessions) => {
        const latest = sessions
          .filter((session) => session.source.kind === "owner" && session.status !== "closed")
          .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
        if (scope.signal.aborted) return;
        if (latest) setSessionId(latest.id);
        else setLoaded(true);
      },
      (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)),
    );
    return () => scope.abort();
  }, [agentId, live, sessionId]);

  useEffect(() => {
    if (!live || sessionId === null) return;
    const scope = new AbortController();
    const follow = async () => {
      try {
        const events = await rpc.sessions.watch({ agentId, sessionId }, { signal: scope.signal });
        if (!ownTurn.current) await load(sessionId, scope.signal);
        setLoaded(true);
        for await (const event of events) if (!ownTurn.current) receive(event);
      } catch (error) {
        if (!scope.signal.aborted) setProblem(problemOf(error));
      }
    };
    void follow();
    return () => scope.abort();
  }, [agentId, live, sessionId, load, receive]);

  useEffect(
    () => () => {
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      frame.current = null;
    },
    [],
  );

  /** Draws a turn of this screen to its end; false when it did not begin. */
  const follow = async (begin: () => Promise<AsyncIterable<TurnEvent>>) => {
    setProblem(null);
    setRunning(true);
    ownTurn.current = true;
    try {
      for await (const event of await begin()) receive(event);
      return true;
    } catch (error) {
      setProblem(problemOf(error));
      return false;
    } finally {
      ownTurn.current = false;
      setRunning(false);
    }
  };

  const send = (text: string) =>
    follow(async () => {
      const id = sessionId ?? (await rpc.sessions.create({ agentId })).id;
      setSessionId(id);
      return rpc.sessions.prompt({ agentId, text, sessionId: id });
    });

  const retry = async () => {
    if (sessionId !== null) await follow(() => rpc.sessions.retry({ agentId, sessionId }));
  };

  const stop = async () => {
    if (sessionId === null) return;
    try {
      await rpc.sessions.abort({ agentId, sessionId });
    } catch (error) {
      setProblem(problemOf(error));
    }
  };

  const startNew = async () => {
    setProblem(null);
    try {
      const session = await rpc.sessions.create({ agentId });
      setItems([]);
      setSessionId(session.id);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };

  return { sessionId, items, running, loaded, problem, send, retry, stop, startNew };
}
