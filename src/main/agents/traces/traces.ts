import { PatchbayError, type RecordEvent, type RecordedTurn } from "../../../contract/index.ts";
import { turnOf, whole, withoutExchange, withPayloads } from "../record/read-record.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { WholeTurn } from "./export/whole-turn.ts";
import { turnsIn } from "./turns-in.ts";

/** What a conversation knows of its turns. */
type Recorded = Pick<LiveSession, "events">;

/** The recorded turns of a conversation, oldest first. */
export async function recordedTurns({ events }: Recorded): Promise<RecordedTurn[]> {
  const counts = new Map<string, number>();
  const ends = await events.readEvents((json) => {
    const isEnd = /"type":"turn_(?:begun|ended)"/.test(json);
    const turnId = /"turnId":"([^"]*)"/.exec(json)?.[1] ?? "";
    // A turn that was gone on with begins anew.
    counts.set(turnId, isEnd && json.includes('"type":"turn_begun"') ? 1 : (counts.get(turnId) ?? 0) + 1);
    return isEnd;
  });
  return turnsIn(ends).map((turn) => ({ ...turn, events: counts.get(turn.turnId) ?? turn.events }));
}

/** Only the lines of the record that may be events of this turn. */
function linesOf(turnId: string): (json: string) => boolean {
  const own = `"turnId":${JSON.stringify(turnId)}`;
  return (json) => json.includes(own);
}

/**
 * A turn, or all turns of a conversation, with all that is kept of them, oldest first.
 * @throws PatchbayError TURN_NOT_FOUND
 */
export async function readWhole({ events }: Recorded, turnId?: string): Promise<WholeTurn[]> {
  const all = await events.readEvents(turnId === undefined ? undefined : linesOf(turnId));
  const turns = turnsIn(all).filter((turn) => turnId === undefined || turn.turnId === turnId);
  if (turnId !== undefined && turns.length === 0) throw notRecorded(turnId);
  return Promise.all(
    turns.map(async (turn) => ({
      ...turn,
      record: await whole(turnOf(all, turn.turnId), (address) => events.getBlob(address)),
    })),
  );
}

/** The events of a turn with their payloads and results, without what the model was sent. @throws PatchbayError TURN_NOT_FOUND */
export async function readTurn({ events }: Recorded, turnId: string): Promise<RecordEvent[]> {
  const turn = found(turnOf(await events.readEvents(linesOf(turnId)), turnId), turnId);
  return withPayloads(turn.map(withoutExchange), (address) => events.getBlob(address));
}

/** One event with all that is kept of it. @throws PatchbayError TURN_NOT_FOUND */
export async function readEvent({ events }: Recorded, turnId: string, seq: number): Promise<RecordEvent> {
  const turn = turnOf(await events.readEvents(linesOf(turnId)), turnId).filter((event) => event.seq === seq);
  const [event] = await whole(found(turn, turnId), (address) => events.getBlob(address));
  if (!event) throw notRecorded(turnId);
  return event;
}

function found(turn: RecordEvent[], turnId: string): RecordEvent[] {
  if (turn.length === 0) throw notRecorded(turnId);
  return turn;
}

function notRecorded(turnId: string): PatchbayError {
  return new PatchbayError("TURN_NOT_FOUND", `There is no record of the turn ${turnId}.`);
}
