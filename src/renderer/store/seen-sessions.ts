import { create } from "zustand";
import type { Session } from "../../contract/turn.ts";

const key = "patchbay.seenSessions";
/** Conversations that are remembered; those that were seen longest ago are forgotten first. */
const most = 500;

interface Seen {
  /** Time of the last change that the person has seen, by conversation, the latest seen last. */
  until: Record<string, string>;
  /** When this was first asked: what was said before counts as read. */
  since: string;
}

function read(): Seen {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof kept === "object" && kept !== null && "until" in kept && "since" in kept) return kept as Seen;
  } catch {
    // What cannot be read is begun anew.
  }
  return { until: {}, since: new Date().toISOString() };
}

const useSeen = create<Seen>()(() => read());

type Changed = Pick<Session, "id" | "updatedAt">;

/** The person looks at a conversation. */
export function noteSeen({ id, updatedAt }: Changed): void {
  const { until, since } = useSeen.getState();
  if (until[id] === updatedAt) return;
  const { [id]: _before, ...others } = until;
  const entries = Object.entries({ ...others, [id]: updatedAt }).slice(-most);
  const next = { until: Object.fromEntries(entries), since };
  useSeen.setState(next);
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // The browser's storage is full: it is remembered until the page is closed.
  }
}

/** Whether something was said in a conversation that the person has not looked at since. */
export function useIsUnread({ id, updatedAt, messages }: Changed & Pick<Session, "messages">): boolean {
  return useSeen(({ until, since }) => messages > 0 && updatedAt > (until[id] ?? since));
}
