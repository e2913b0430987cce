import type { ConversationCost, ModelCost, RecordEvent } from "../../../../contract/index.ts";
import type { LiveSession } from "../../sessions/session.ts";
import { compactionsOf } from "./compactions.ts";
import { callsOfTurn, sharesOf } from "./context.ts";

/** What a turn and the conversation around it cost, by model, and what plugins put into the turn's requests. */
export async function costOf(
  session: Pick<LiveSession, "entries" | "events">,
  turnId: string,
): Promise<ConversationCost> {
  const all = await session.events.readEvents();
  return {
    turn: byModel(all.filter((event) => event.turnId === turnId)),
    conversation: byModel(all),
    shares: sharesOf(await callsOfTurn(session, turnId)),
    compactions: await compactionsOf(session),
  };
}

/** Calls that were answered, those for plugins included, by model. A call without a price counts as unpriced, and never as free. */
export function byModel(events: readonly RecordEvent[]): ModelCost[] {
  const models = new Map<string, ModelCost>();
  for (const event of events) {
    if ((event.type !== "model_answered" && event.type !== "model_lent") || !event.usage) continue;
    const { model, usage, cost } = event;
    const known = models.get(model) ?? { model, calls: 0, input: 0, output: 0, cost: 0, unpriced: 0 };
    models.set(model, {
      model,
      calls: known.calls + 1,
      input: known.input + usage.input + usage.cacheRead + usage.cacheWrite,
      output: known.output + usage.output,
      cost: known.cost + (cost?.total ?? 0),
      unpriced: known.unpriced + (cost ? 0 : 1),
    });
  }
  return [...models.values()].sort((one, other) => other.cost - one.cost || other.input - one.input);
}
