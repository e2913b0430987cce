import {
  type Session,
  type SessionEntry,
  sessionEntrySchema,
  type Traffic,
} from "../../../contract/index.ts";
import type { Storage } from "../../store/index.ts";
import { spokenTypes } from "./search.ts";

/** The summary of a session from its entries; undefined when they do not start with a session's head. */
export function summarise(entries: Iterable<SessionEntry>): Session | undefined {
  let session: Session | undefined;
  for (const entry of entries) session = addTo(session, entry);
  return session;
}

/** The types of entries that change a summary; the others are skipped while reading. */
const telling = [
  "session",
  "user",
  "heard",
  "assistant",
  "answer",
  "sent",
  "title",
  "pin",
  "about",
  "closed",
  "turn_end",
  "branch",
];

interface Known {
  size: number;
  /** The position in the log up to which it was read. */
  next: number;
  session: Session | undefined;
}

/** Summaries of sessions that are not open. What was read is remembered, so that only newer lines are read later. */
export class Summaries {
  private readonly storage: Pick<Storage, "log">;
  private readonly known = new Map<string, Known>();

  constructor(storage: Pick<Storage, "log">) {
    this.storage = storage;
  }

  /** The lines that tell what was said, and how many bytes were read for that. */
  async spoken(agentId: string, sessionId: string): Promise<{ entries: SessionEntry[]; bytes: number }> {
    const place = { kind: "session" as const, agentId, sessionId };
    const log = this.storage.log({ place, schema: sessionEntrySchema });
    try {
      const { entries, next } = await log.glance(0, spokenTypes);
      return { entries, bytes: next };
    } finally {
      await log.close();
    }
  }

  /** Undefined when it does not begin as a conversation does. */
  async read(agentId: string, sessionId: string): Promise<Session | undefined> {
    const place = { kind: "session" as const, agentId, sessionId };
    const log = this.storage.log({ place, schema: sessionEntrySchema });
    try {
      const name = `${agentId}/${sessionId}`;
      const size = await log.size();
      let known = this.known.get(name);
      if (known?.size === size) return known.session;
      // A log that became shorter is not the same log any more.
      if (known && known.next > size) known = undefined;
      const { entries, next } = await log.glance(known?.next ?? 0, telling);
      let session = known?.session;
      for (const entry of entries) session = addTo(session, entry);
      this.known.set(name, { size, next, session });
      return session;
    } finally {
      await log.close();
    }
  }
}

function addTo(session: Session | undefined, entry: SessionEntry): Session | undefined {
  if (entry.type === "session") {
    const { id, agentId, title, source, at } = entry;
    const traffic = source.kind === "channel" ? { traffic: noTraffic } : {};
    return {
      id,
      agentId,
      title,
      source,
      status: "idle",
      messages: 0,
      ...traffic,
      createdAt: at,
      updatedAt: at,
    };
  }
  if (!session) return undefined;
  // A new name is no news.
  const next = { ...session, updatedAt: isName(entry) ? session.updatedAt : entry.at };
  if (isMessage(entry)) next.messages += 1;
  if (next.traffic) next.traffic = withTraffic(next.traffic, entry);
  if (entry.type === "pin") next.pinned = entry.pinned;
  if (entry.type === "title") next.title = entry.title;
  if (entry.type === "about") Object.assign(next, withAbout(next, entry));
  if (entry.type === "closed") next.status = "closed";
  return next;
}

/** A name of the conversation or of a place in it, or its place in lists. */
export function isName({ type }: SessionEntry): boolean {
  return type === "title" || type === "label" || type === "pin";
}

/** Something that a person or the agent said. */
export function isMessage({ type }: SessionEntry): boolean {
  return type === "user" || type === "heard" || type === "assistant";
}

/** What an `about` line changes of a session. */
export function withAbout(
  { about, source }: Pick<Session, "about" | "source">,
  entry: Extract<SessionEntry, { type: "about" }>,
): Pick<Session, "about" | "source"> {
  const { group, room = source.room } = entry;
  return {
    about: { ...about, ...entry.about },
    source: { ...source, group, ...(room !== undefined && { room }) },
  };
}

/** The traffic after one more line. A slash command is stored only with its answer, so that line counts for both. */
export function withTraffic(traffic: Traffic, entry: SessionEntry): Traffic {
  const isCommand = entry.type === "answer" && entry.turnId === null && !entry.silent;
  const isIn = entry.type === "user" || entry.type === "heard" || isCommand;
  const isOut = entry.type === "sent" || (entry.type === "answer" && !entry.silent);
  if (!isIn && !isOut) return traffic;
  return {
    received: traffic.received + (isIn ? 1 : 0),
    sent: traffic.sent + (isOut ? 1 : 0),
    lastInAt: isIn ? entry.at : traffic.lastInAt,
    lastOutAt: isOut ? entry.at : traffic.lastOutAt,
  };
}

const noTraffic: Traffic = { received: 0, sent: 0, lastInAt: null, lastOutAt: null };
