import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { languages } from "../../languages.ts";
import { recordEventSchema } from "../../record.ts";
import { liveTracesSchema } from "../../trace/live-traces.ts";
import { outsideCallSchema } from "../../trace/outside-calls.ts";
import { agentRef, oc, sessionRef } from "../refs.ts";

export const turnRef = sessionRef.extend({ turnId: z.string() });

/** A turn of which there is a record. */
export const recordedTurnSchema = z.object({
  turnId: z.string(),
  /** The message, before any hook. */
  text: z.string(),
  at: z.iso.datetime(),
  /** Null while it runs. */
  outcome: z.enum(["done", "failed", "aborted"]).nullable(),
  /** Milliseconds; null while it runs. */
  ms: z.number().nullable(),
  /** Patchbay ended during it. */
  cut: z.boolean(),
  events: z.number().int(),
});
export type RecordedTurn = z.infer<typeof recordedTurnSchema>;

/** `otlp`: OpenTelemetry's spans in JSON. */
export const traceFormats = ["jsonl", "otlp", "html"] as const;
export type TraceFormat = (typeof traceFormats)[number];

/** A file to be saved. */
export const traceExportSchema = z.object({ fileName: z.string(), mimeType: z.string(), text: z.string() });
export type TraceExport = z.infer<typeof traceExportSchema>;

const exportSchema = sessionRef.extend({
  /** Absent: all turns of the conversation. */
  turnId: z.string().optional(),
  as: z.enum(traceFormats),
  /** For `otlp`: with what was said, asked and answered; else only names, numbers and decisions. The others have all. */
  contents: z.boolean().default(false),
  /** Of the words on an `html` page. */
  language: z.enum(languages).default("en"),
});

const turnPath = "/agents/{agentId}/sessions/{sessionId}/turns/{turnId}";

export const traces = {
  /** The recorded turns of a conversation, oldest first. */
  turns: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/turns" })
    .input(sessionRef)
    .output(z.array(recordedTurnSchema)),
  /**
   * Every event of a turn, in order; while it runs those so far. Large values may be `{"$blob": …}` or `{"$parts": …}`
   * in them: `event` has the whole of one.
   */
  turn: oc.route({ method: "GET", path: turnPath }).input(turnRef).output(z.array(recordEventSchema)),
  /** One event with all that is kept of it, what the model was sent and answered too. */
  event: oc
    .route({ method: "GET", path: `${turnPath}/events/{seq}` })
    .input(turnRef.extend({ seq: z.coerce.number().int().nonnegative() }))
    .output(recordEventSchema),
  /** A turn, or a conversation's turns, as a file for others. Stored secrets are taken out. */
  export: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/turns/export" })
    .input(exportSchema)
    .output(traceExportSchema),
  /** The same, written to the person's downloads folder, where this shell has one. */
  save: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/turns/save" })
    .input(exportSchema)
    .output(z.object({ path: z.string() })),
  /** What becomes of the traces that are sent to the address in the settings (`otlp`): now, and at each change. */
  live: oc.route({ method: "GET", path: "/live-traces" }).output(eventIterator(liveTracesSchema)),
  /** Calls of the agent's tools outside of turns, oldest first, as far as they are kept. */
  outside: oc
    .route({ method: "GET", path: "/agents/{agentId}/calls" })
    .input(agentRef)
    .output(z.array(outsideCallSchema)),
  /** Every event of such a call, in order; while it runs those so far. Stored secrets are taken out. */
  outsideCall: oc
    .route({ method: "GET", path: "/agents/{agentId}/calls/{id}" })
    .input(agentRef.extend({ id: z.string() }))
    .output(z.array(recordEventSchema)),
  /** Such a call whenever it begins, asks, is answered or ends. */
  watchOutside: oc
    .route({ method: "GET", path: "/agents/{agentId}/watched-calls" })
    .input(agentRef)
    .output(eventIterator(outsideCallSchema)),
  /** The events of the conversation's turns as they happen. */
  watch: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/record" })
    .input(sessionRef)
    .output(eventIterator(recordEventSchema)),
};
