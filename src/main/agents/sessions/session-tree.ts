import { PatchbayError } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LiveSession } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** Longest label, in characters. */
const longestLabel = 200;
/** Conversations that a message names when a beginning of an id fits several. */
const mostNamed = 3;

/** Where a fork goes on: before the entry, whose text is then to be written anew, or after it. */
export type ForkAt = "before" | "at";

/**
 * Moves in the tree of a conversation, and between conversations. Each is one line of the session's file; nothing is taken out. `by`: the
 * key of the plugin that asked for it; null: the owner. They are to run within the order of the session (`session.serial`), never in the
 * middle of a turn.
 */
export class SessionMoves {
  private readonly options: { sessions: Sessions; clock: Clock; ids: Ids };

  constructor(options: SessionMoves["options"]) {
    this.options = options;
  }

  /**
   * Names an entry; null takes its name away.
   * @throws PatchbayError ENTRY_NOT_FOUND, DISK_FULL, WRITE_FAILED
   */
  async label(session: LiveSession, target: string, label: string | null, by: string | null): Promise<void> {
    entryOf(session, target);
    const name = label === null ? null : cleanLine(label).trim().slice(0, longestLabel) || null;
    await session.append({
      type: "label",
      id: this.options.ids.next(),
      target,
      label: name,
      by,
      at: this.now(),
    });
    session.publish({ type: "session_labelled", sessionId: session.id });
  }

  /**
   * Goes on from an entry.
   * @returns the text of a message before which it went, to be written anew; null otherwise
   * @throws PatchbayError ENTRY_NOT_FOUND, DISK_FULL, WRITE_FAILED
   */
  async fork(session: LiveSession, id: string, at: ForkAt, by: string | null): Promise<string | null> {
    const entry = entryOf(session, id);
    const restore = at === "before" && entry.type === "user" ? entry.text : null;
    await this.branch(session, at === "before" ? session.tree.before(id) : id, restore, by);
    return restore;
  }

  /** Goes on before an entry; nothing is given back to be written anew. @throws as {@link fork} does */
  goBefore(session: LiveSession, id: string): Promise<void> {
    entryOf(session, id);
    return this.branch(session, session.tree.before(id), null, null);
  }

  /** Goes to an entry: before a message of the person's, as {@link fork} does, and after any other. @throws as it does */
  navigate(session: LiveSession, id: string, by: string | null): Promise<string | null> {
    return this.fork(session, id, entryOf(session, id).type === "user" ? "before" : "at", by);
  }

  /** Begins a conversation that says from which it came. @throws PatchbayError SESSION_NOT_FOUND, DISK_FULL, WRITE_FAILED */
  async begin(from: LiveSession, parent: string = from.id): Promise<string> {
    const { sessions } = this.options;
    const { id } = await sessions.create(from.agentId, {
      parent: (await sessions.open(from.agentId, parent)).id,
    });
    from.publish({ type: "session_left", sessionId: from.id, to: id });
    return id;
  }

  /**
   * Shows the person another conversation of the agent.
   * @param beginning of its id; exactly one may begin so
   * @throws PatchbayError SESSION_NOT_FOUND, BAD_INPUT
   */
  async switch(from: LiveSession, beginning: string): Promise<string> {
    const found = (await this.options.sessions.list(from.agentId)).filter(({ id }) =>
      id.startsWith(beginning),
    );
    const [only] = found;
    if (beginning === "" || !only) {
      throw new PatchbayError(
        "SESSION_NOT_FOUND",
        `No conversation of this agent has an id that begins with "${beginning}".`,
      );
    }
    if (found.length > 1 && only.id !== beginning) {
      const named = found.slice(0, mostNamed).map(({ id, title }) => `${id} (${title})`);
      const more = found.length > mostNamed ? " and more" : "";
      throw new PatchbayError(
        "BAD_INPUT",
        `Several conversations begin with "${beginning}": ${named.join(", ")}${more}.`,
        {
          help: "Give more of the id.",
        },
      );
    }
    from.publish({ type: "session_left", sessionId: from.id, to: only.id });
    return only.id;
  }

  private async branch(
    session: LiveSession,
    to: string | null,
    restore: string | null,
    by: string | null,
  ): Promise<void> {
    if (session.view.status === "closed") {
      throw new PatchbayError("BAD_INPUT", "That conversation is closed.", { help: "Start a new one." });
    }
    if (to !== session.tree.end)
      await session.append({ type: "branch", id: this.options.ids.next(), to, by, at: this.now() });
    session.publish({ type: "session_branched", sessionId: session.id, restore });
  }

  private now(): string {
    return isoTime(this.options.clock);
  }
}

function entryOf(session: LiveSession, id: string) {
  const entry = session.tree.entry(id);
  if (entry) return entry;
  throw new PatchbayError("ENTRY_NOT_FOUND", `This conversation has no entry with the id ${id}.`);
}
