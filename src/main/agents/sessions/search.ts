import type { FoundSession, Session, SessionEntry } from "../../../contract/index.ts";

/** Conversations in one answer, and bytes that are read for it at most. */
const mostFound = 50;
const mostRead = 256 * 1024 * 1024;

/** The types of lines that hold what was said and what tools answered, and those that end a turn. */
export const spokenTypes = [
  "session",
  "user",
  "heard",
  "assistant",
  "tool_result",
  "command",
  "sent",
  "turn_end",
];

interface Shelf {
  /** Newest first. */
  list(agentId: string): Promise<Session[]>;
  /** The lines of a conversation of {@link spokenTypes}, at least. */
  spoken(agentId: string, id: string): Promise<{ entries: readonly SessionEntry[]; bytes: number }>;
}

/**
 * The conversations of an agent whose title has these words, or in which they were said or a tool answered with them, also in a version that
 * was left: first the pinned ones, each part newest first; without words all of them. Large and small letters are the same. An answer that
 * broke off and was asked for again does not count.
 */
export async function searchSessions(shelf: Shelf, agentId: string, words: string): Promise<FoundSession[]> {
  const wanted = words.trim().toLocaleLowerCase();
  const sessions = pinnedFirst(await shelf.list(agentId));
  if (wanted === "") return sessions.map((session) => ({ session, excerpt: null }));
  const found: FoundSession[] = [];
  let left = mostRead;
  for (const session of sessions) {
    if (found.length === mostFound) break;
    if (session.title.toLocaleLowerCase().includes(wanted)) {
      found.push({ session, excerpt: null });
      continue;
    }
    if (left <= 0) continue;
    const { entries, bytes } = await shelf.spoken(agentId, session.id);
    left -= bytes;
    const excerpt = excerptWith(wanted, entries);
    if (excerpt !== null) found.push({ session, excerpt });
  }
  return found;
}

function pinnedFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false));
}

/** A piece of the newest message that has the words; null when none has. */
function excerptWith(wanted: string, entries: readonly SessionEntry[]): string | null {
  const setAside = setAsideIn(entries);
  for (const entry of entries.toReversed()) {
    const text = setAside.has(entry) ? "" : textOf(entry);
    const at = text.toLocaleLowerCase().indexOf(wanted);
    if (at === -1) continue;
    const begin = Math.max(0, at - 40);
    const piece = text
      .slice(begin, at + wanted.length + 80)
      .replaceAll(/\s+/g, " ")
      .trim();
    return `${begin > 0 ? "…" : ""}${piece}${at + wanted.length + 80 < text.length ? "…" : ""}`;
  }
  return null;
}

/** Answers that were cut off in a turn that was tried again. */
function setAsideIn(entries: readonly SessionEntry[]): Set<SessionEntry> {
  const setAside = new Set<SessionEntry>();
  /** The last answer of each turn that has ended. */
  const last = new Map<string, SessionEntry>();
  const ended = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "turn_end" && entry.outcome !== "done") ended.add(entry.turnId);
    if (entry.type !== "assistant") continue;
    const before = last.get(entry.turnId);
    if (before?.type === "assistant" && ended.delete(entry.turnId) && before.toolCalls.length === 0)
      setAside.add(before);
    last.set(entry.turnId, entry);
  }
  return setAside;
}

function textOf(entry: SessionEntry): string {
  switch (entry.type) {
    case "user":
    case "heard":
    case "assistant":
    case "sent":
      return entry.text;
    case "command":
      return `${entry.text}\n${entry.output}`;
    case "tool_result":
      return entry.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    default:
      return "";
  }
}
