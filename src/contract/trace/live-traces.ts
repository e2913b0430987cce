import { z } from "zod";

/** Where the spans of each turn are sent when it has ended. */
export const otlpSettingsSchema = z.strictObject({
  /** Address of an OTLP receiver over HTTP; `/v1/traces` is added unless it ends so. */
  endpoint: z.url({ protocol: /^https?$/ }).max(2_048),
  /** Values may refer to stored secrets: `Bearer ${NAME}`. */
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "the name of a header"),
      z.string().max(4_096),
    )
    .refine((headers) => Object.keys(headers).length <= 20, "at most 20 headers")
    .default({}),
  /** With what was said, asked and answered. */
  contents: z.boolean().default(false),
});
export type OtlpSettings = z.infer<typeof otlpSettingsSchema>;

/** Why the last attempt to send did not succeed. */
export const liveFailureSchema = z.discriminatedUnion("kind", [
  /** `closed`: nothing listens there; `slow`: it did not answer in time. */
  z.object({ kind: z.literal("unreachable"), why: z.enum(["closed", "unknown_host", "slow", "broken"]) }),
  z.object({ kind: z.literal("refused"), status: z.number().int() }),
  /** A secret that a header refers to is not stored, or cannot be read now. */
  z.object({ kind: z.literal("secret"), name: z.string() }),
]);
export type LiveFailure = z.infer<typeof liveFailureSchema>;

/** What became of the traces that are sent as they happen. */
export const liveTracesSchema = z.object({
  /** Turns that were sent since Patchbay started. */
  sent: z.number().int(),
  /** When something arrived last; null: nothing has since Patchbay started. */
  lastSentAt: z.iso.datetime().nullable(),
  /** Turns that wait to be sent. */
  waiting: z.number().int(),
  /** Turns that were given up: too many waited, or the receiver refused them. */
  dropped: z.number().int(),
  /** Null when the last attempt succeeded, or there was none. */
  failure: liveFailureSchema.nullable(),
});
export type LiveTracesView = z.infer<typeof liveTracesSchema>;
