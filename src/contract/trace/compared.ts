import { z } from "zod";
import { factKinds } from "./facts.ts";

const spanSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  kind: z.enum(["turn", "model", "hook", "tool", "approval", "run", "dialog", "pause"]),
  name: z.string(),
  owner: z.string().nullable(),
  begin: z.number(),
  end: z.number().nullable(),
  state: z.enum(["running", "done", "changed", "refused", "failed", "cut"]),
  first: z.number().int(),
  last: z.number().int().nullable(),
});

/** `missing`: the left turn alone has it; `added`: the right one alone. */
export const differenceKindSchema = z.enum(["missing", "added", ...factKinds]);
export type DifferenceKind = z.infer<typeof differenceKindSchema>;

/** What differs between two turns in one stretch. */
export const turnDifferenceSchema = z.object({
  kind: differenceKindSchema,
  /** Without ids and times. Null where a side has nothing to show. */
  left: z.unknown(),
  right: z.unknown(),
  /** Something that differs before it, or within the same stretch, explains it. */
  follows: z.boolean(),
});
export type TurnDifference = z.infer<typeof turnDifferenceSchema>;

/** A stretch of the left turn beside that of the right one, with what differs. */
export const comparedRowSchema = z.object({
  left: spanSchema.nullable(),
  right: spanSchema.nullable(),
  /** 0 for the turn itself. */
  depth: z.number().int().nonnegative(),
  differences: z.array(turnDifferenceSchema),
});
export type ComparedRow = z.infer<typeof comparedRowSchema>;

export const comparedTurnsSchema = z.object({
  /** In the order in which they began, each below what contains it. */
  rows: z.array(comparedRowSchema),
  /** How many differences there are that nothing else explains, and how many follow from those. */
  own: z.number().int().nonnegative(),
  following: z.number().int().nonnegative(),
});
export type ComparedTurns = z.infer<typeof comparedTurnsSchema>;
