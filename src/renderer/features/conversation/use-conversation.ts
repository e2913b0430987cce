import { useCallback, useEffect, useRef, useState } from "react";
import type { Attached } from "../../../contract/conversation/attached.ts";
import type { Session } from "../../../contract/turn.ts";
import type { TurnEvent } from "../../../contract/turn-event.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { chooseSession, useChosenSession } from "../../store/chosen-session.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import { restoreDraft } from "./composer/message-drafts.ts";
import { attachmentsOf } from "./composer/send-files.ts";
import { detachAll, moveAttached } from "./files/attached-files.ts";
import type { Item } from "./items.ts";
import { useLeaveRemoved } from "./list/use-leave-removed.ts";
import type { MessageActs } from "./messages/message-acts.ts";
import { useVersions } from "./messages/use-versions.ts";
import { itemsOf, withEvent } from "./transcript.ts";

/** The conversation with an agent: its last session, what happens in it live, and what the person can do. */
export function useConversation(agentId: string) {
  const live = useMirror(isConnected);
  const sessionId = useChosenSession(agentId);
  const setSessionId = (id: string) => chooseSession(agentId, id);
  const [items, setItems] = useState<readonly Item[]>([]);
  const [running, setRunning] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  /** Conversations in which this screen runs a turn: that turn's stream is drawn, and the session's is ignored. */
  const ownTurns = useRef(new Set<string>());
  /** Conversations that this screen takes back to write a message anew. */
  const goingBack = useRef(new Set<string>());
  /** Turns that plugins began: nobody's own stream has them. */
  const pluginTurns = useRef(new Set<string>());
  const shown = useRef<string | null>(null);
  /** The conversation that was made for the message that is being sent: there is nothing to load. */
  const fresh = useRef<string | null>(null);
  const queue = useRef<TurnEvent[]>([]);
  const frame = useRef<number | null>(null);
  /** Stops the files of a message on their way. */
  const sending = useRef<AbortController | null>(null);
  /** Rises with each thing that the person asks for: its answer is looked at from its beginning. */
  const [asked, setAsked] = useState(0);
  const { versions, ask: askVersions } = useVersions(agentId, sessionId);

  const receive = useCallback(
    (event: TurnEvent) => {
      if (event.type === "turn_started") setRunning(true);
      if (event.type === "turn_ended" || event.type === "command") setRunning(false);
      if (event.type === "turn_started" || event.type === "turn_ended") void askVersions(shown.current);
      queue.current.push(event);
      frame.current ??= requestAnimationFrame(() => {
        frame.current = null;
        const events = queue.current;
        queue.current = [];
        setItems((before) => events.reduce<readonly Item[]>(withEvent, before));
      });
    },
    [askVersions],
  );

  const load = useCallback(
    async (id: string, signal: AbortSignal) => {
      const ref = { agentId, sessionId: id };
      const [entries, trace] = await Promise.all([
        rpc.sessions.entries(ref, { signal }),
        rpc.sessions.trace(ref, { signal }),
      ]);
      if (signal.aborted) return;
      setItems(itemsOf(entries, trace));
      void askVersions(id);
    },
    [agentId, askVersions],
  );

  useLeaveRemoved(agentId, sessionId);

  useEffect(() => {
    if (!live || sessionId !== null) return;
    shown.current = null;
    setItems([]);
    const scope = new AbortController();
    rpc.sessions.list({ agentId }, { signal: scope.signal }).then(
      (sessions) => {
        const latest = sessions
          .filter((session) => session.source.kind === "owner" && session.status !== "closed")
          .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
        if (scope.signal.aborted) return;
        if (latest) chooseSession(agentId, latest.id);
        else setLoaded(true);
      },
      (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)),
    );
    return () => scope.abort();
  }, [agentId, live, sessionId]);

  useEffect(() => {
    if (!live || sessionId === null) return;
    const scope = new AbortController();
    const isOwn = ownTurns.current.has(sessionId);
    if (shown.current !== sessionId) {
      shown.current = sessionId;
      queue.current = [];
      setItems([]);
      setLoaded(false);
      setProblem(null);
    }
    setRunning(isOwn || isBusy(useMirror.getState().sessions.get(sessionId)));
    const follow = async () => {
      try {
        const events = await rpc.sessions.watch({ agentId, sessionId }, { signal: scope.signal });
        if (fresh.current !== sessionId) await load(sessionId, scope.signal);
        fresh.current = null;
        setLoaded(true);
        for await (const event of events) {
          if (event.type === "session_left") chooseSession(agentId, event.to);
          else if (event.type === "session_branched") {
            if (event.restore !== null) restoreDraft(`${agentId}/${sessionId}`, event.restore);
            // This screen went back itself, and draws what comes now.
            else if (goingBack.current.delete(sessionId)) continue;
            await load(sessionId, scope.signal);
          } else if (!ownTurns.current.has(sessionId) || isOfPlugin(event, pluginTurns.current))
            receive(event);
        }
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
  const follow = async (id: string, begin: () => Promise<AsyncIterable<TurnEvent>>, onBegun?: () => void) => {
    ownTurns.current.add(id);
    setRunning(true);
    setAsked((before) => before + 1);
    try {
      const events = await begin();
      let isBegun = false;
      for await (const event of events) {
        if (!isBegun) onBegun?.();
        isBegun = true;
        // The person may look at another conversation meanwhile.
        if (shown.current === id) receive(event);
      }
      return true;
    } catch (error) {
      // What was stopped before it began is in the field again, and that is all.
      if (!isStopped(error)) setProblem(problemOf(error));
      return false;
    } finally {
      ownTurns.current.delete(id);
      if (shown.current === id) setRunning(pluginTurns.current.size > 0);
    }
  };

  const send = async (text: string) => {
    setProblem(null);
    let id = sessionId;
    let attachments: Attached[];
    try {
      setRunning(true);
      if (id === null) {
        id = (await rpc.sessions.create({ agentId })).id;
        // Its own stream is drawn from the first event on.
        ownTurns.current.add(id);
        shown.current = id;
        fresh.current = id;
        moveAttached(`${agentId}/new`, `${agentId}/${id}`);
        setSessionId(id);
      }
      sending.current = new AbortController();
      attachments = await attachmentsOf({ agentId, sessionId: id }, sending.current.signal);
    } catch (error) {
      if (id !== null) ownTurns.current.delete(id);
      setRunning(false);
      if (!isStopped(error)) setProblem(problemOf(error));
      return false;
    }
    const to = id;
    const message = { agentId, text, sessionId: to, ...(attachments.length > 0 && { attachments }) };
    return follow(
      to,
      () => rpc.sessions.prompt(message),
      () => detachAll(`${agentId}/${to}`),
    );
  };

  const retry = async () => {
    setProblem(null);
    if (sessionId !== null) await follow(sessionId, () => rpc.sessions.retry({ agentId, sessionId }));
  };

  const rewrite: MessageActs["rewrite"] = (instead, text, attachments) => {
    if (sessionId === null) return;
    setProblem(null);
    const message = { agentId, sessionId, text, instead, attachments: [...attachments] };
    // What stands after it belongs to the version that is left.
    setItems((before) => upTo(before, instead));
    goingBack.current.add(sessionId);
    void follow(sessionId, () => rpc.sessions.prompt(message)).then(async (isBegun) => {
      if (isBegun) return;
      goingBack.current.delete(sessionId);
      await load(sessionId, new AbortController().signal).catch(() => {});
    });
  };

  const goTo: MessageActs["goTo"] = (entryId) => {
    if (sessionId === null) return;
    setProblem(null);
    rpc.sessions
      .fork({ agentId, sessionId, entryId, at: "at" })
      .catch((error: unknown) => setProblem(problemOf(error)));
  };

  const compactAndAsk = async () => {
    const last = items.findLast((item) => item.kind === "user");
    if (last?.kind === "user" && (await send("/compact"))) await send(last.text);
  };

  const stop = async () => {
    sending.current?.abort();
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
      setSessionId(session.id);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };

  /** They stay the same, so that what was said long ago is not drawn again. */
  const latest = useRef({ rewrite, goTo, compactAndAsk, stop });
  latest.current = { rewrite, goTo, compactAndAsk, stop };
  const [acts] = useState<MessageActs>(() => ({
    rewrite: (...given) => latest.current.rewrite(...given),
    goTo: (leaf) => latest.current.goTo(leaf),
    compactAndAsk: () => void latest.current.compactAndAsk(),
    stop: () => void latest.current.stop(),
  }));

  return { sessionId, items, running, loaded, problem, versions, asked, acts, send, retry, stop, startNew };
}

/** Whether an event belongs to a turn that a plugin began, or to none. @param begun those that run, which it keeps */
function isOfPlugin(event: TurnEvent, begun: Set<string>): boolean {
  if (!("turnId" in event)) return false;
  if (event.turnId === null) return true;
  if (event.type === "turn_started" && event.by !== undefined) begun.add(event.turnId);
  const isOne = begun.has(event.turnId);
  if (event.type === "turn_ended") begun.delete(event.turnId);
  return isOne;
}

function isBusy(session: Session | undefined): boolean {
  return session?.status === "running" || session?.status === "awaiting_approval";
}

/** What stands before the message of a turn. */
function upTo(items: readonly Item[], turnId: string): readonly Item[] {
  const index = items.findIndex((item) => item.kind === "user" && item.turnId === turnId);
  return index === -1 ? items : items.slice(0, index);
}

function isStopped(error: unknown): boolean {
  return (
    (error instanceof DOMException && error.name === "AbortError") || problemOf(error).code === "ABORTED"
  );
}
