import type { TurnEvent } from "../../../contract/index.ts";
import type { CommandEnd } from "../commands.ts";
import type { LiveSession } from "../sessions/session.ts";

/** A command that has run. */
export interface Ran extends CommandEnd {
  id: string;
  text: string;
}

/** What those who follow a message are told of the command that it was. */
export function* commandEvents(
  { id, text, output, cleared }: Ran,
  session: LiveSession | null,
): Generator<TurnEvent> {
  if (cleared && session) yield { type: "session_cleared", sessionId: session.id };
  yield { type: "command", id, text, output };
}

/** Passes on what happens in one turn, to its end. */
export async function forward(
  session: LiveSession,
  turnId: string,
  onEvent: (event: TurnEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of session.feed.read(signal)) {
    if (!("turnId" in event) || event.turnId !== turnId) continue;
    onEvent(event);
    if (event.type === "turn_ended") return;
  }
}
