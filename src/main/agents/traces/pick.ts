import type { RecordEvent, RecordEventOf } from "../../../contract/index.ts";

/** The first event of a kind. */
export function pick<T extends RecordEvent["type"]>(
  events: readonly RecordEvent[],
  type: T,
): RecordEventOf<T> | undefined {
  return events.find((event): event is RecordEventOf<T> => event.type === type);
}
