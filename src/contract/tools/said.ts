import { z } from "zod";

/**
 * What in a text may be meant to mislead. `hidden`: characters that nobody sees; `orders`: it tells a model to disregard what it
 * was told; `secrecy`: it tells it to keep something from the person; `other_tool`: it names a tool of another plugin; `long`: it is
 * longer than such texts are.
 */
export const suspicionSchema = z.object({
  kind: z.enum(["hidden", "orders", "secrecy", "other_tool", "long"]),
  /** Where it stands, with a little around it; what is not seen as an escape. Of `long` its beginning. */
  passage: z.string(),
});
export type Suspicion = z.infer<typeof suspicionSchema>;

/** What a plugin says of one thing that it offers, as it was said, without stored secrets. */
export const wordsSchema = z.object({
  /** Its description. */
  text: z.string(),
  /** The rest: its title, its schemas and what it hints at. */
  more: z.record(z.string(), z.unknown()),
  /** It was longer than what is kept. */
  cut: z.literal(true).optional(),
});
export type Words = z.infer<typeof wordsSchema>;

export const saidKindSchema = z.enum(["tool", "prompt", "instructions"]);
export type SaidKind = z.infer<typeof saidKindSchema>;

/** Something of which a plugin speaks in words that can change while it runs. */
export const saidThingSchema = z.object({
  kind: saidKindSchema,
  /** Of a tool its name on the wire, of a prompt its name, of instructions the id of their toolset. */
  name: z.string(),
  /** For the screen. */
  title: z.string(),
  words: wordsSchema,
});
export type SaidThing = z.infer<typeof saidThingSchema>;

/** A thing that is not used before the person has looked at it. */
export const heldThingSchema = z.object({
  ...saidThingSchema.shape,
  change: z.enum(["changed", "added"]),
  /** SHA-256 in hex of what it says. The answer names it, so that nothing is accepted that was not seen. */
  hash: z.string(),
  /** What the person agreed to; null for what is new. */
  before: wordsSchema.nullable(),
  suspicious: z.array(suspicionSchema),
  /** The person has looked and left it held. */
  kept: z.boolean(),
  at: z.iso.datetime(),
});
export type HeldThing = z.infer<typeof heldThingSchema>;

/** What the person is to look at of one plugin. */
export const reviewSchema = z.object({
  key: z.string(),
  version: z.string(),
  /** The version that was agreed to, where an update brought what is held. */
  from: z.string().optional(),
  held: z.array(heldThingSchema),
  /** What it no longer offers. */
  gone: z.array(saidThingSchema.omit({ words: true }).extend({ hash: z.string() })),
});
export type Review = z.infer<typeof reviewSchema>;

/** What the person decides about one thing. Of what is gone: `accept` forgets it. */
export const verdictSchema = heldThingSchema
  .pick({ kind: true, name: true, hash: true })
  .extend({ accept: z.boolean() });
export type Verdict = z.infer<typeof verdictSchema>;
