import { z } from "zod";
import { modelAddressSchema } from "./address.ts";
import { providerIds, providerOptions } from "./providers.ts";

/** The name under which a plugin offered the address; its models are called `name/model`. The address is the one that the person saw. */
const viaSchema = z.string().min(1).max(64).optional();

/** A secret of the vault, never the key itself. */
const keyReferenceSchema = z
  .string()
  .regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, "the name of a secret, as ${NAME}");

/** Part of a provider's address; nothing in it can lead to another host than one of that provider. */
const placeSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, "a name of letters, digits and dashes");

const providerConfigSchema = z.object({
  kind: z.literal("provider"),
  provider: z.enum(providerIds),
  model: z.string().min(1),
  apiKey: keyReferenceSchema.optional(),
  /** In place of the provider's own: a proxy, or a gateway that speaks as it does. */
  baseUrl: modelAddressSchema.optional(),
  options: z.partialRecord(z.enum(providerOptions), placeSchema).optional(),
});

const anthropicConfigSchema = z.object({
  kind: z.literal("anthropic"),
  model: z.string().min(1),
  apiKey: z.string().min(1),
  baseUrl: modelAddressSchema.optional(),
  via: viaSchema,
});

/** OpenAI by its chat completions, as it was stored before `provider` came, which uses its responses. */
const openaiConfigSchema = z.object({
  kind: z.literal("openai"),
  model: z.string().min(1),
  apiKey: z.string().min(1),
  baseUrl: modelAddressSchema.optional(),
});

/** Any URL that speaks OpenAI's chat completions: Ollama, LM Studio, … The key is a secret reference or absent. */
const addressConfigSchema = z.object({
  kind: z.literal("openai-compatible"),
  model: z.string().min(1),
  baseUrl: modelAddressSchema,
  apiKey: z.string().optional(),
  via: viaSchema,
});

export const modelConfigSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  /** Answers from a YAML or JSON file of steps: the same each time, and without a network. */
  z.object({ kind: z.literal("scripted"), file: z.string().min(1) }),
  anthropicConfigSchema,
  openaiConfigSchema,
  addressConfigSchema,
  providerConfigSchema,
]);

/** Where a model is to be looked for: a configuration of which the model's name is still open. */
export const modelPlaceSchema = z.discriminatedUnion("kind", [
  anthropicConfigSchema.omit({ model: true }),
  openaiConfigSchema.omit({ model: true }),
  addressConfigSchema.omit({ model: true }),
  providerConfigSchema.omit({ model: true }),
]);
export type ModelPlace = z.infer<typeof modelPlaceSchema>;

export type ModelConfig = z.infer<typeof modelConfigSchema>;

/** A model that is reached over the network. */
export type HttpModelConfig = Exclude<ModelConfig, { kind: "none" | "scripted" }>;
