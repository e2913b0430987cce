import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import {
  type Session,
  type SessionEntry,
  sessionEntrySchema,
  type Traffic,
} from "../../../contract/index.ts";

/** The summary of a session from its entries; undefined when they do not start with a session's head. */
export function summarise(entries: Iterable<SessionEntry>): Session | undefined {
  let session: Session | undefined;
  for (const entry of entries) session = addTo(session, entry);
  return session;
}

/** Summaries of session files, read line by line and remembered until the file changes. */
export class Summaries {
  private readonly known = new Map<string, { size: number; mtimeMs: number; session: Session | undefined }>();

  /** Undefined when the file is not a session. */
  async read(path: string): Promise<Session | undefined> {
    const { size, mtimeMs } = await stat(path);
    const known = this.known.get(path);
    if (known && known.size === size && known.mtimeMs === mtimeMs) return known.session;
    const session = await scan(path);
    this.known.set(path, { size, mtimeMs, session });
    return session;
  }

  forget(path: string): void {
    this.known.delete(path);
  }
}

/** Only the lines that a summary is made of are parsed; the rest are counted. */
async function scan(path: string): Promise<Session | undefined> {
  let session: Session | undefined;
  const input = createReadStream(path, { encoding: "utf8" });
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (session && !/^\{"type":"(user|heard|assistant|answer|sent|title|about|closed|turn_end)"/.test(line))
      continue;
    const entry = parse(line);
    if (entry) session = addTo(session, entry);
    else if (!session) return undefined;
  }
  return session;
}

function parse(line: string): SessionEntry | undefined {
  try {
    return sessionEntrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
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
  const next = { ...session, updatedAt: entry.at };
  if (isMessage(entry)) next.messages += 1;
  if (next.traffic) next.traffic = withTraffic(next.traffic, entry);
  if (entry.type === "title") next.title = entry.title;
  if (entry.type === "about") Object.assign(next, withAbout(next, entry));
  if (entry.type === "closed") next.status = "closed";
  return next;
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
  return { about: { ...about, ...entry.about }, source: { ...source, group: entry.group } };
}

/** Traffic after one more line. A command is kept with its answer alone, so that stands for both. */
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
