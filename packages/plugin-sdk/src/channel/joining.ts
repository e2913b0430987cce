import type { InboxEntry } from "./journal.ts";

/** Bounds of what becomes one turn. */
const MOST_MESSAGES = 10;
const MOST_CHARACTERS = 20_000;
const MOST_FILES = 10;
/** A person who does not stop writing waits no longer than this many times the pause. */
const MOST_PAUSES = 5;

/** A message in the queue of its conversation, with the time (milliseconds) at which it came; absent: long ago. */
export interface Waiting {
  entry: InboxEntry;
  at?: number;
}

/**
 * How many messages at the head of a queue become one turn: those of one person, each within `pauseMs` of the one before.
 * Commands stand alone, and so does what an earlier process has left, since its turn may have begun.
 */
export function togetherAtHead(queue: readonly Waiting[], pauseMs: number): number {
  const [first] = queue;
  if (!first || !joins(first)) return Math.min(queue.length, 1);
  let count = 1;
  let characters = first.entry.text.length;
  let files = first.entry.files?.length ?? 0;
  for (const next of queue.slice(1, MOST_MESSAGES)) {
    const before = queue[count - 1] as Waiting;
    characters += next.entry.text.length;
    files += next.entry.files?.length ?? 0;
    const together =
      joins(next) &&
      next.entry.userId === first.entry.userId &&
      (next.at ?? 0) - (before.at ?? 0) <= pauseMs &&
      characters <= MOST_CHARACTERS &&
      files <= MOST_FILES;
    if (!together) break;
    count += 1;
  }
  return count;
}

/** Milliseconds until the head of a queue may begin, because its person may not have finished; 0: now. */
export function waitAtHead(queue: readonly Waiting[], pauseMs: number, now: number): number {
  const [first] = queue;
  if (pauseMs === 0 || first?.at === undefined || !joins(first)) return 0;
  const count = togetherAtHead(queue, pauseMs);
  // Something else follows already, so nothing can be joined any more.
  if (count < queue.length) return 0;
  const last = queue[count - 1]?.at ?? first.at;
  return Math.max(0, Math.min(last + pauseMs, first.at + MOST_PAUSES * pauseMs) - now);
}

/** Several messages as one, under the key and the id of the first. */
export function joined(entries: readonly [InboxEntry, ...InboxEntry[]]): InboxEntry {
  const [first, ...more] = entries;
  const files = entries.flatMap((entry) => entry.files ?? []);
  const replyTo = entries.findLast((entry) => entry.replyTo !== undefined)?.replyTo;
  return {
    ...first,
    alsoIds: more.map(({ messageId }) => messageId),
    text: entries
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    ...(files.length > 0 && { files }),
    ...(entries.some(({ spoken }) => spoken) && { spoken: true }),
    ...(replyTo !== undefined && { replyTo }),
  };
}

function joins({ entry, at }: Waiting): boolean {
  return at !== undefined && entry.what === "answer" && !entry.text.startsWith("/");
}
