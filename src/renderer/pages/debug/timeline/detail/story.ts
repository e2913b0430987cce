import type { TFunction } from "i18next";
import type { Problem } from "../../../../../contract/errors.ts";
import type { RecordEvent } from "../../../../../contract/record.ts";
import type { TimelineRow } from "../rows/rows.ts";

/** What the card says of a row, in the order in which it stands there. */
export interface Story {
  /** In the person's words. */
  sentences: string[];
  /** A value that became another. */
  change?: { before: unknown; after: unknown };
  /** In somebody's own words: a reason, a log line, a message. */
  quote?: string;
  /** Calls and results: values under their names. */
  values?: { label: string; value: unknown }[];
  /** What the person was asked meanwhile, and the answer; null: none came. */
  asked?: { question: string; answer: string | null }[];
  /** What failed, with the next step. */
  problem?: Problem;
  /** A line in the log of the row's plugin: when it was written (milliseconds since 1970), and its text where that is known. */
  logLine?: { at: number; text: string | null };
  /** Texts that may name the place in the code at which it happened, the most telling first. */
  code?: string[];
}

/** What a story is told from. */
export interface Telling {
  row: TimelineRow;
  rows: readonly TimelineRow[];
  events: readonly RecordEvent[];
  t: TFunction;
  nameOf(key: string): string;
}
