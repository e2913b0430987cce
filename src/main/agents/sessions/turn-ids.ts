import type { Ids } from "../../base/ids.ts";

/**
 * The ids of one turn's stored entries. They are computed from the turn's id and a counter, so that a replay gives the
 * same ones. A continued turn counts on from its existing entries.
 */
export class TurnIds implements Ids {
  private readonly turnId: string;
  private count: number;

  constructor(turnId: string, linesBefore: number) {
    this.turnId = turnId;
    this.count = linesBefore;
  }

  next(): string {
    this.count += 1;
    return `${this.turnId}-${this.count}`;
  }
}
