import { z } from "zod";

/** Lines of a session file that say where the conversation goes on, and how it and its places are marked. */
export const placeEntries = [
  /** The conversation went back: what follows comes after the entry `to`; null: it begins anew. `by`: a plugin's key; null: the owner. */
  z.object({
    type: z.literal("branch"),
    id: z.string(),
    to: z.string().nullable(),
    by: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  /** The entry `target` was given a name; null takes it away. */
  z.object({
    type: z.literal("label"),
    id: z.string(),
    target: z.string(),
    label: z.string().nullable(),
    by: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  /** The person put the conversation to the top of lists, or took it down from there. */
  z.object({ type: z.literal("pin"), pinned: z.boolean(), at: z.iso.datetime() }),
] as const;
