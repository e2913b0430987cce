import { RECORD_VERSION } from "../../../../contract/index.ts";
import { isoOf } from "../../../base/clock.ts";
import type { Exported } from "./whole-turn.ts";

/** Version of the format; it grows when a reader of the older one would understand something wrongly. */
const TRACE_VERSION = 1;

/** Recorded turns as lines of JSON: a header, then every event. The format is described in docs/trace-format.md. */
export function jsonlOf({ agent, session, turns, version, at }: Exported): string {
  const header = {
    type: "patchbay.trace",
    v: TRACE_VERSION,
    record: RECORD_VERSION,
    patchbay: version,
    at: isoOf(at),
    agent,
    session,
    turns: turns.map(({ turnId, at: begun, outcome, cut, ms, record }) => ({
      turnId,
      at: begun,
      outcome,
      cut,
      ms,
      events: record.length,
    })),
  };
  const lines = [header, ...turns.flatMap(({ record }) => record)];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}
