import { z } from "zod";
import { problemSchema } from "../problem.ts";
import { modelThinkingSchema } from "./thinking.ts";

/** A model as a provider or an address offers it. Null: not known. */
export const listedModelSchema = z.object({
  /** As the provider calls it, and as it is stored. */
  id: z.string(),
  name: z.string(),
  /** Tokens. */
  contextWindow: z.number().nullable(),
  /** Whether it takes pictures. */
  pictures: z.boolean().nullable(),
  /** The levels that it can be set to; empty: it does not think, or nothing is known of it. */
  thinking: z.array(modelThinkingSchema),
  /** US dollars for a million tokens. */
  price: z.object({ input: z.number(), output: z.number() }).nullable(),
});
export type ListedModel = z.infer<typeof listedModelSchema>;

/**
 * What was heard when a provider or an address was asked for its models. `source`: `provider`: it answered with this list;
 * `catalogue`: it has no list, or does not give it, and this is what Patchbay knows. `keySeen`: the answer shows that the key is
 * good. `baseUrl`: the address that answered, which may be longer than the one that was given.
 */
export const modelListSchema = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    models: z.array(listedModelSchema),
    source: z.enum(["provider", "catalogue"]),
    keySeen: z.boolean(),
    baseUrl: z.string(),
    ms: z.number(),
  }),
  z.object({ ok: z.literal(false), problem: problemSchema, baseUrl: z.string() }),
]);
export type ModelList = z.infer<typeof modelListSchema>;
