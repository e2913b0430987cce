import { z } from "zod";

/** A chord or a sequence of chords, as the plugin writes it: `ctrl-g`, `ctrl-x ctrl-s`. */
const keys = z.string().min(1).max(100);

/** A key that calls the plugin. */
export const shortcutInfoSchema = z.object({
  /** With which a call of the kind `shortcut` names it. Begins anew with each start of the plugin. */
  id: z.string().min(1).max(200),
  /** One chord. */
  keys,
  /** Empty: it says nothing. */
  description: z.string().max(500),
});
export type ShortcutInfo = z.infer<typeof shortcutInfoSchema>;

/** A key that a plugin gives a command of the app, which comes after the person's own choice and before the usual keys. */
export const keyBindingInfoSchema = z.object({
  keys,
  /** The command, by the name that the plugin's system has for it; null: the key does nothing any more. */
  command: z.string().min(1).max(100).nullable(),
});
export type KeyBindingInfo = z.infer<typeof keyBindingInfoSchema>;

/** What the plugin draws itself: its entries, or its messages, of one type. The lines come with each of them. */
export const rendererInfoSchema = z.object({
  of: z.enum(["entry", "message"]),
  type: z.string().min(1).max(128),
});
export type RendererInfo = z.infer<typeof rendererInfoSchema>;

/** An address at which models answer. Its models are then named `name/model`. */
export const providerInfoSchema = z.object({
  name: z.string().min(1).max(64),
  /** What it speaks, as the plugin writes it: `openai`, `anthropic`, … */
  speaks: z.string().min(1).max(64),
  baseUrl: z.string().min(1).max(2_000),
  /** The environment variable with its key; null: it wants none. */
  keyVariable: z.string().min(1).max(128).nullable(),
});
export type ProviderInfo = z.infer<typeof providerInfoSchema>;

/** What a server that runs says of itself, in its own words. */
export const serverFactsSchema = z.object({
  name: z.string().max(1_000),
  version: z.string().max(1_000),
  title: z.string().max(1_000).nullable(),
  /** An https address. */
  website: z.string().nullable(),
  /** A `data:` address of a small PNG, JPEG or WebP. */
  icon: z.string().max(90_000).nullable().optional(),
  /** The revision of the protocol that is spoken with it. */
  protocol: z.string().nullable(),
  /** It is spoken with in the way of 2026-07-28 and later, without a handshake. */
  isModern: z.boolean(),
  /** What it tells agents about its tools; empty: nothing. */
  instructions: z.string(),
  /** Names of its prompts. */
  prompts: z.array(z.string()),
});
export type ServerFacts = z.infer<typeof serverFactsSchema>;

/** What a started plugin offers to the screens beside what an agent uses. Absent: nothing of the kind. */
export const screenOffersSchema = z
  .object({
    shortcuts: z.array(shortcutInfoSchema).max(200),
    keyBindings: z.array(keyBindingInfoSchema).max(200),
    renderers: z.array(rendererInfoSchema).max(200),
    providers: z.array(providerInfoSchema).max(50),
    server: serverFactsSchema,
  })
  .partial();
export type ScreenOffers = z.infer<typeof screenOffersSchema>;
