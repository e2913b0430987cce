import type { Ids } from "../../base/ids.ts";

/**
 * Names for what is stored of one turn: they follow from the turn's own, so that the turn run again gives the same ones. A
 * turn that is gone on with counts on from the lines there are.
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
