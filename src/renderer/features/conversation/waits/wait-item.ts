import type { Problem } from "../../../../contract/errors.ts";
import type { TurnEvent } from "../../../../contract/turn-event.ts";

/** The model is asked again after a wait. `until`: when, in milliseconds since 1970; null: now. */
export interface WaitItem {
  kind: "wait";
  id: string;
  turnId: string;
  until: number | null;
  problem: Problem;
}

/** The conversation with what is known of a wait; it is gone as soon as anything else comes of the turn. */
export function withWait<T extends { kind: string }>(
  items: readonly (T | WaitItem)[],
  event: TurnEvent,
): (T | WaitItem)[] {
  switch (event.type) {
    case "model_waiting": {
      const { turnId, problem, until } = event;
      const id = `wait-${turnId}`;
      return [...items.filter(isNoWait), { kind: "wait", id, turnId, until: Date.parse(until), problem }];
    }
    case "model_again":
      return items.map((item) => (isNoWait(item) ? item : { ...(item as WaitItem), until: null }));
    default:
      return items.filter(isNoWait);
  }
}

const isNoWait = ({ kind }: { kind: string }) => kind !== "wait";
