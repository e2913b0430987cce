import { randomUUID } from "node:crypto";

/** Makes names for things that have to be told apart for ever. Tests and replays bring their own. */
export interface Ids {
  /** A new one: 36 characters, a UUID outside of tests and replays. */
  next(): string;
}

export const systemIds: Ids = { next: () => randomUUID() };
