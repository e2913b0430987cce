import { randomUUID } from "node:crypto";

/** Makes ids that are never used twice. Tests and replays bring their own. */
export interface Ids {
  /** A new id of 36 characters. It is a UUID, except in tests and replays. */
  next(): string;
}

export const systemIds: Ids = { next: () => randomUUID() };
