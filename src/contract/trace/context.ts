import { z } from "zod";

/** Characters of a text that are sent with a context; the whole of one is asked for by itself. */
export const contextTextLimit = 2_000;

/**
 * What a part of a request is. `section`: of the system prompt; `summary`: what stands for a conversation that was
 * compacted; `user`, `assistant`, `result`: messages.
 */
export const contextKindSchema = z.enum(["section", "tool", "summary", "user", "assistant", "result"]);
export type ContextKind = z.infer<typeof contextKindSchema>;

/** Where it belongs. `history`: from before this turn. */
export const contextGroupSchema = z.enum(["system", "tools", "history", "turn", "results"]);
export type ContextGroup = z.infer<typeof contextGroupSchema>;

const cut = { text: z.string(), characters: z.number().int() };

/** What a hook made of a part. `before` is null for what was not there. */
export const contextChangeSchema = z.object({
  owner: z.string(),
  before: z.string().nullable(),
  after: z.string(),
});

export const contextPartSchema = z.object({
  /** Its place in the request, to ask for its whole text. */
  index: z.number().int(),
  kind: contextKindSchema,
  group: contextGroupSchema,
  /** A section's key, a tool's name on the screen; empty for messages. */
  title: z.string(),
  /** Key of the plugin whose words these are; null: Patchbay's, the person's or the model's. */
  owner: z.string().nullable(),
  /** At most `contextTextLimit` characters of it, and how many it has. */
  ...cut,
  pictures: z.number().int(),
  /** Estimated; together what the provider counted, where it did. */
  tokens: z.number().int(),
  changes: z.array(contextChangeSchema),
});
export type ContextPart = z.infer<typeof contextPartSchema>;

/** What a hook on `model.before@v1` put into the messages and took out of them, each at most `contextTextLimit` characters. */
export const messageChangeSchema = z.object({
  owner: z.string(),
  removed: z.array(z.object({ role: z.string(), ...cut })),
  added: z.array(z.object({ role: z.string(), ...cut })),
});
export type MessageChange = z.infer<typeof messageChangeSchema>;

/** Tokens and what they cost in dollars; null where no price is known. */
export const shareSchema = z.object({
  /** Key of a plugin; null: Patchbay, the person and the model. */
  owner: z.string().nullable(),
  tokens: z.number().int(),
  cost: z.number().nullable(),
});
export type ContextShare = z.infer<typeof shareSchema>;

/** What the model was sent in one call. */
export const modelContextSchema = z.object({
  /** Counted from 1; and how many the turn has. */
  call: z.number().int(),
  calls: z.number().int(),
  model: z.string(),
  /** The model's context window in tokens; null: not known. */
  window: z.number().int().nullable(),
  /** Tokens of the request: `counted` by the provider, or else estimated. */
  tokens: z.number().int(),
  counted: z.boolean(),
  /** Tokens of the answer; null: not known. */
  answer: z.number().int().nullable(),
  /** What the request cost in dollars, without the answer; null: no price is known. */
  cost: z.number().nullable(),
  parts: z.array(contextPartSchema),
  changes: z.array(messageChangeSchema),
  /** By plugin, the most first. */
  shares: z.array(shareSchema),
});
export type ModelContext = z.infer<typeof modelContextSchema>;

/** What calls of one model took. */
export const modelCostSchema = z.object({
  model: z.string(),
  calls: z.number().int(),
  input: z.number().int(),
  output: z.number().int(),
  /** Dollars of the calls whose price is known. */
  cost: z.number(),
  /** Calls of which nothing says what they cost. */
  unpriced: z.number().int(),
});
export type ModelCost = z.infer<typeof modelCostSchema>;

/** A summary that took the place of what had been said. */
export const compactionSchema = z.object({
  at: z.iso.datetime(),
  /** At most `contextTextLimit` characters of it. */
  ...cut,
  /** What wrote it; null: no model did, it is the end of the conversation. */
  model: z.string().nullable(),
  /** Tokens of what was summarised, and of the summary, as the model counted them; null: it did not. */
  before: z.number().int().nullable(),
  after: z.number().int().nullable(),
  /** A hook put another text in the place of the model's. */
  changed: z.boolean(),
});
export type Compaction = z.infer<typeof compactionSchema>;

export const costSchema = z.object({
  /** By model. `conversation` has every recorded call, also those that wrote summaries. */
  turn: z.array(modelCostSchema),
  conversation: z.array(modelCostSchema),
  /** What was sent in all calls of the turn, by plugin. */
  shares: z.array(shareSchema),
  /** Of the conversation, oldest first. */
  compactions: z.array(compactionSchema),
});
export type ConversationCost = z.infer<typeof costSchema>;
