import { z } from "zod";
import { pluginKeySchema } from "../plugin.ts";
import { cleanLine } from "../shown/clean-text.ts";

/** One argument of a prompt of a plugin; its value is a text. */
export const promptArgumentSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  required: z.boolean(),
});
export type PromptArgument = z.infer<typeof promptArgumentSchema>;

/** The prompt of a plugin that a slash command fills in. `name`: as the plugin calls it. */
export const promptOfCommandSchema = z.object({ name: z.string(), arguments: z.array(promptArgumentSchema) });

/**
 * A message that was made of a prompt. `line`: the command as it was typed. `before`: what the prompt says before the
 * message itself; the model is sent it as if it had been said.
 */
export const filledPromptSchema = z.object({
  owner: z.string(),
  line: z.string(),
  before: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() })).optional(),
});
export type FilledPrompt = z.infer<typeof filledPromptSchema>;

/** An address that is shown as it is, so that nobody takes it for another one. */
export const resourceAddressSchema = z
  .string()
  .min(1)
  .max(8_000)
  .refine((uri) => cleanLine(uri) === uri);

/** What a tool's result points to, of its own plugin. */
export const resourceLinkSchema = z.object({ uri: resourceAddressSchema, name: z.string().max(300) });
export type ResourceLink = z.infer<typeof resourceLinkSchema>;

/** Something that a plugin can read for a message, by its address. */
export const resourceInfoSchema = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  mimeType: z.string().optional(),
  bytes: z.number().int().nonnegative().optional(),
  /** For whom it is, as the plugin says. Absent: it does not say. */
  audience: z.array(z.enum(["user", "assistant"])).optional(),
});
export type ResourceInfo = z.infer<typeof resourceInfoSchema>;

/** Addresses of one form (RFC 6570), with variables to be filled in. */
export const resourceTemplateSchema = resourceInfoSchema
  .pick({ name: true, description: true, mimeType: true })
  .extend({ uriTemplate: z.string(), variables: z.array(z.string()).min(1) });
export type ResourceTemplate = z.infer<typeof resourceTemplateSchema>;

/** Most resources that are told at once. */
export const mostFound = 200;

const owned = { owner: pluginKeySchema };
/** What the plugins of an agent can read. `total`: how many fit the words, of which the first are here. */
export const foundResourcesSchema = z.object({
  resources: z.array(resourceInfoSchema.extend(owned)),
  total: z.number().int(),
  templates: z.array(resourceTemplateSchema.extend(owned)),
  /** Plugins that did not tell what they have, with the reason in English. */
  silent: z.array(z.object({ ...owned, why: z.string() })),
});
export type FoundResources = z.infer<typeof foundResourcesSchema>;

/** A field whose values a plugin suggests: `of` names the prompt or template, `others` holds what the other fields say. */
export const suggestionInput = z.object({
  owner: pluginKeySchema,
  of: z.union([z.object({ prompt: z.string() }).strict(), z.object({ template: z.string() }).strict()]),
  field: z.string(),
  value: z.string().max(10_000),
  others: z.record(z.string(), z.string()).default({}),
});
export type SuggestionRequest = z.infer<typeof suggestionInput>;

/** Most values that are suggested at once. */
export const mostSuggestions = 100;

/**
 * Where an attached file came from. `inText`: how many characters of it stand in the message's own text, between lines with a seal
 * that the text itself cannot have.
 */
export const takenFromSchema = z.object({
  owner: z.string(),
  uri: z.string(),
  inText: z.object({ chars: z.number().int(), seal: z.string() }).optional(),
});
