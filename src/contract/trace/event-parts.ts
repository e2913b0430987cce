import { z } from "zod";

/**
 * The position of an event in a turn. A span is a part of a turn with a beginning and an end: the turn itself, one
 * model call, one tool call, one hook. Each event of a span carries its `spanId`; `parentId` is the span that contains
 * it, null for the turn itself.
 */
export const place = {
  turnId: z.string(),
  /** Counts the events of a turn from 0. */
  seq: z.number().int().nonnegative(),
  spanId: z.string(),
  parentId: z.string().nullable(),
  /** Milliseconds since 1970, with fractions of them. How long something took is the difference of two of these. */
  at: z.number(),
};

/** Any JSON. A large part of it may be in a blob; `{"$blob": "<sha256>"}` or `{"$parts": [...]}` then takes its place. */
export const json = z.unknown();

/** An amount for each kind of token. */
export const tokens = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

/** A turn from which another one comes. `turnId`: null when only its conversation is known. */
export const turnLinkSchema = z.object({ sessionId: z.string(), turnId: z.string().nullable() });
export type TurnLink = z.infer<typeof turnLinkSchema>;
