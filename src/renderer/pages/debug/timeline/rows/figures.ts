import type { RecordEvent } from "../../../../../contract/record.ts";
import type { SpanKind, TurnTrace } from "../../../../../contract/trace/spans.ts";

/** What stands above the timeline. Times in milliseconds. */
export interface Figures {
  turnMs: number;
  modelMs: number;
  /** Sent and answered together; null where no provider has counted. */
  tokens: number | null;
  /** Dollars; null where no price is known. */
  cost: number | null;
  calls: number;
  toolMs: number;
  waitedMs: number;
}

/** @param now the end of what still runs, milliseconds since 1970 */
export function figuresOf({ spans }: TurnTrace, events: readonly RecordEvent[], now: number): Figures {
  const lengths = (...kinds: SpanKind[]) =>
    spans.filter(({ kind }) => kinds.includes(kind)).map(({ begin, end }) => [begin, end ?? now] as const);
  let tokens: number | null = null;
  let cost: number | null = null;
  for (const event of events) {
    if ((event.type !== "model_answered" && event.type !== "model_lent") || !event.usage) continue;
    if (event.cost) cost = (cost ?? 0) + event.cost.total;
    const { input, output, cacheRead, cacheWrite } = event.usage;
    tokens = (tokens ?? 0) + input + output + cacheRead + cacheWrite;
  }
  return {
    turnMs: covered(lengths("turn")),
    modelMs: covered(lengths("model")),
    tokens,
    cost,
    calls: spans.filter(({ kind }) => kind === "tool").length,
    toolMs: covered(lengths("run")),
    waitedMs: covered(lengths("approval", "dialog", "pause")),
  };
}

/** How long at least one of the stretches lasted. */
function covered(stretches: (readonly [begin: number, end: number])[]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [begin, end] of stretches.sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, end - Math.max(begin, until));
    until = Math.max(until, end);
  }
  return total;
}
