/** What became of somebody's wish to stop. */
export type Stopped =
  /** `running`: a turn was stopped; `waiting`: how many messages will not be answered. */
  | { kind: "stopped"; running: boolean; waiting: number }
  | { kind: "nothing" }
  /** What runs or waits belongs to somebody else. */
  | { kind: "others" };

/**
 * Whether a text asks to stop: `command` (`/stop`, `!stop`) is never a message for the agent; the bare `word` is one when
 * there is nothing to stop.
 */
export function asksToStop(text: string): "command" | "word" | null {
  const [, mark] = /^([/!]?)stop(?:@\S+)?[.!]?$/i.exec(text.trim()) ?? [];
  if (mark === undefined) return null;
  return mark === "" ? "word" : "command";
}

export function stoppedText(stopped: Stopped): string {
  switch (stopped.kind) {
    case "nothing":
      return "Nothing is being answered here.";
    case "others":
      return "Only the person whose turn it is, or an owner, can stop it.";
    case "stopped": {
      const { running, waiting } = stopped;
      if (waiting === 0) return "Stopped.";
      const what = waiting === 1 ? "the message that waited" : `the ${waiting} messages that waited`;
      return running
        ? `Stopped, and ${what} will not be answered.`
        : `Stopped: ${what} will not be answered.`;
    }
  }
}
