/** What became of somebody's wish to stop. */
export type Stopped =
  /** `running`: a turn was stopped; `waiting`: how many messages will not be answered. */
  | { kind: "stopped"; running: boolean; waiting: number }
  | { kind: "nothing" }
  /** What runs or waits belongs to somebody else. */
  | { kind: "others" };

/**
 * Whether a text asks to stop: `command` (`/stop`, `!stop`, in German `stopp`) is never a message for the agent; the bare `word` is one when
 * there is nothing to stop.
 */
export function asksToStop(text: string): "command" | "word" | null {
  const [, mark] = /^([/!]?)stopp?(?:@\S+)?[.!]?$/i.exec(text.trim()) ?? [];
  if (mark === undefined) return null;
  return mark === "" ? "word" : "command";
}
