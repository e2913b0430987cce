import { useEffect, useRef, useState } from "react";
import type { RecordedTurn } from "../../../../contract/procedures/debug/traces.ts";
import type { RecordEvent, RecordEventOf } from "../../../../contract/record.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** The recorded turns of a conversation, and the events of the one that is looked at. */
export interface SeenRecord {
  /** Oldest first; null until they are known. */
  turns: readonly RecordedTurn[] | null;
  turn: RecordedTurn | null;
  /** Of `turn`, in order; null until they are known. */
  events: readonly RecordEvent[] | null;
  problem: ShownProblem | null;
}

const none: readonly RecordEvent[] = [];

/** @param wanted the turn to look at; null, or one that is not there: the newest, which is followed while it runs */
export function useRecord(agentId: string, sessionId: string | null, wanted: string | null): SeenRecord {
  const live = useMirror(isConnected);
  const [turns, setTurns] = useState<readonly RecordedTurn[] | null>(null);
  const [loaded, setLoaded] = useState<{ turnId: string; events: readonly RecordEvent[] } | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  /** What has come since this screen listens, by turn. */
  const heard = useRef(new Map<string, RecordEvent[]>());
  const [, setBeat] = useState(0);

  useEffect(() => {
    setTurns(null);
    setLoaded(null);
    setProblem(null);
    heard.current = new Map();
    if (!live || sessionId === null) return;
    const scope = new AbortController();
    let frame: number | null = null;
    const take = (event: RecordEvent) => {
      if (event.type === "turn_begun") heard.current.set(event.turnId, []);
      heard.current.get(event.turnId)?.push(event);
      if (event.type === "turn_begun") setTurns((before) => withBegun(before ?? [], event));
      if (event.type === "turn_ended") setTurns((before) => (before ?? []).map((turn) => ended(turn, event)));
      frame ??= requestAnimationFrame(() => {
        frame = null;
        setBeat((beat) => beat + 1);
      });
    };
    const follow = async () => {
      try {
        const ref = { agentId, sessionId };
        const events = await rpc.traces.watch(ref, { signal: scope.signal });
        const known = await rpc.traces.turns(ref, { signal: scope.signal });
        for (const { turnId } of known) heard.current.set(turnId, []);
        if (!scope.signal.aborted) setTurns(known);
        for await (const event of events) take(event);
      } catch (error) {
        if (!scope.signal.aborted) setProblem(problemOf(error));
      }
    };
    void follow();
    return () => {
      scope.abort();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [live, sessionId, agentId]);

  const turn = turns?.find(({ turnId }) => turnId === wanted) ?? turns?.at(-1) ?? null;
  const turnId = turn?.turnId ?? null;
  const isWhole = turnId !== null && heard.current.get(turnId)?.[0]?.type === "turn_begun";
  useEffect(() => {
    if (sessionId === null || turnId === null || isWhole) return;
    const scope = new AbortController();
    rpc.traces.turn({ agentId, sessionId, turnId }, { signal: scope.signal }).then(
      (events) => setLoaded({ turnId, events }),
      (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)),
    );
    return () => scope.abort();
  }, [sessionId, agentId, turnId, isWhole]);

  const events = useJoined(
    isWhole ? none : loaded !== null && loaded.turnId === turnId ? loaded.events : null,
    turnId === null ? none : (heard.current.get(turnId) ?? none),
  );
  return { turns, turn, events, problem };
}

/** The loaded events and those that came after them, as the same array while nothing has come. */
function useJoined(
  loaded: readonly RecordEvent[] | null,
  heard: readonly RecordEvent[],
): readonly RecordEvent[] | null {
  const kept = useRef<{ loaded: unknown; heard: unknown; count: number; events: readonly RecordEvent[] }>(
    null,
  );
  if (loaded === null) return null;
  const known = kept.current;
  if (known && known.loaded === loaded && known.heard === heard && known.count === heard.length)
    return known.events;
  const last = loaded.at(-1)?.seq ?? -1;
  const events = [...loaded, ...heard.filter(({ seq }) => seq > last)];
  kept.current = { loaded, heard, count: heard.length, events };
  return events;
}

function withBegun(turns: readonly RecordedTurn[], event: RecordEventOf<"turn_begun">): RecordedTurn[] {
  const { turnId, text } = event;
  const at = new Date(event.at).toISOString();
  const begun = { turnId, text, at, outcome: null, ms: null, cut: false, events: 1 };
  return [...turns.filter((turn) => turn.turnId !== turnId), begun];
}

function ended(turn: RecordedTurn, event: RecordEventOf<"turn_ended">): RecordedTurn {
  if (turn.turnId !== event.turnId) return turn;
  const { outcome, cut } = event;
  return { ...turn, outcome, cut: cut === true, ms: event.at - Date.parse(turn.at), events: event.seq + 1 };
}
