import type { RecordEvent } from "../../../../contract/index.ts";
import type { Agents } from "../../../agents/index.ts";
import { readEvent, readTurn, recordedTurns } from "../../../agents/traces/traces.ts";
import type { Views } from "../../../views/views.ts";
import { procedures } from "../../implementer.ts";

export interface TraceNeeds {
  sessions: Pick<Agents["sessions"], "open">;
  views: Pick<Views, "agentById">;
}

export function traceProcedures({ sessions, views }: TraceNeeds) {
  const area = procedures.traces;
  const open = ({ agentId, sessionId }: { agentId: string; sessionId: string }) => {
    views.agentById(agentId);
    return sessions.open(agentId, sessionId);
  };
  return {
    turns: area.turns.handler(async ({ input }) => recordedTurns(await open(input))),
    turn: area.turn.handler(async ({ input }) => readTurn(await open(input), input.turnId)),
    event: area.event.handler(async ({ input }) => readEvent(await open(input), input.turnId, input.seq)),
    watch: area.watch.handler(async ({ input, signal }) => relay((await open(input)).recorded.read(signal))),
  };
}

/** The caller passes events that are subscribed already; a generator would subscribe only at its first `next()`. */
async function* relay(events: AsyncIterable<RecordEvent>): AsyncGenerator<RecordEvent, void> {
  yield* events;
}
