import {
  type Caller,
  type PluginSaid,
  type TreeRequest,
  type TurnLink,
  toProblem,
} from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { AfterTurn, PluginText } from "./turn-effects.ts";

/** Most runs that plugins may begin in a conversation, one after the other, before a person writes again. */
const MOST_RUNS = 20;

/** The tree of a conversation, and the way to others. `by`: key of the plugin that asks. */
export interface SessionTreePort {
  label(session: LiveSession, target: string, label: string | null, by: string): Promise<unknown>;
  fork(session: LiveSession, id: string, at: "before" | "at", by: string): Promise<unknown>;
  navigate(session: LiveSession, id: string, by: string): Promise<unknown>;
  begin(from: LiveSession, parent?: string): Promise<unknown>;
  switch(from: LiveSession, beginning: string): Promise<unknown>;
}

/** A turn whose message is a plugin's. `from`: the turn in which it asked for it; absent: it asked outside of turns. */
export interface PluginTurn {
  text: string;
  by: string;
  caller: Caller;
  from: TurnLink | undefined;
}

/** Does what plugins asked for that is not part of a turn: runs of their own, and moves in the tree of a conversation. */
export class Aftermath {
  private readonly options: {
    tree: SessionTreePort;
    clock: Clock;
    ids: Ids;
    /** Runs a turn whose message is the plugin's. */
    run(session: LiveSession, turn: PluginTurn): Promise<unknown>;
  };
  /** How many runs plugins have begun since a person wrote. */
  private readonly begun = new WeakMap<LiveSession, number>();

  constructor(options: Aftermath["options"]) {
    this.options = options;
  }

  /** A person wrote: plugins may begin runs again. */
  personWrote(session: LiveSession): void {
    this.begun.delete(session);
  }

  /** Does what is left of the turn `turnId`. To be called within the order of the session; the runs wait for their place in it. */
  async finish(
    session: LiveSession,
    { runs, tree }: AfterTurn,
    { turnId, caller }: { turnId: string; caller: Caller },
  ): Promise<void> {
    for (const { owner, request } of tree) await this.move(session, owner, request);
    for (const one of runs) await this.run(session, one, caller, { sessionId: session.id, turnId });
  }

  /** Moves in the tree. A failure is told in the conversation. To be called within the order of the session. */
  async move(session: LiveSession, owner: string, request: TreeRequest): Promise<void> {
    try {
      await this.asked(session, owner, request);
    } catch (error) {
      const problem = toProblem(error, "BAD_INPUT");
      await this.say(session, owner, {
        kind: "refused",
        effect: "session",
        why: { kind: "failed", problem },
      });
    }
  }

  /** Begins a run that answers a plugin's text, when those before it in the conversation have ended. */
  async run(
    session: LiveSession,
    { owner, text }: PluginText,
    caller: Caller,
    from?: TurnLink,
  ): Promise<void> {
    if (session.view.status === "closed") return;
    const count = (this.begun.get(session) ?? 0) + 1;
    this.begun.set(session, count);
    if (count > MOST_RUNS) {
      await this.say(session, owner, { kind: "refused", effect: "run", why: { kind: "too_many_runs" } });
      return;
    }
    // Whoever waits for the turn before this one does not wait for this one, too. It reports its own end.
    void this.options.run(session, { text, by: owner, caller, from }).catch(() => {});
  }

  /** Leaves something in the conversation outside of turns, and tells those who watch. */
  async say(session: LiveSession, owner: string, said: PluginSaid): Promise<void> {
    if (session.view.status === "closed") return;
    const { ids, clock } = this.options;
    const id = ids.next();
    await session.append({ type: "plugin", id, turnId: null, owner, said, at: isoTime(clock) });
    session.publish({ type: "plugin_said", turnId: null, id, owner, said });
  }

  private asked(session: LiveSession, owner: string, request: TreeRequest): Promise<unknown> {
    const { tree } = this.options;
    switch (request.op) {
      case "label":
        return tree.label(session, request.id, request.label, owner);
      case "fork":
        return tree.fork(session, request.id, request.position, owner);
      case "navigate":
        return tree.navigate(session, request.id, owner);
      case "new":
        return tree.begin(session, request.parent);
      case "switch":
        return tree.switch(session, request.prefix);
    }
  }
}
