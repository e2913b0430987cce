import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { recordEventSchema } from "../../record.ts";
import { oc, sessionRef } from "../refs.ts";

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
  /** The events of the conversation's turns as they happen. */
  watch: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/record" })
    .input(sessionRef)
    .output(eventIterator(recordEventSchema)),
};
