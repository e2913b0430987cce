import { z } from "zod";
import { problemSchema } from "./problem.ts";

export const vaultStatusSchema = z.object({
  /** Where the vault's key is kept, in words. */
  backend: z.string(),
  open: z.boolean(),
  /** It is closed, and a passphrase opens it. */
  canUnlock: z.boolean(),
  /** Why it is closed. */
  problem: problemSchema.nullable(),
  /** Everything that opens it. */
  keys: z.array(
    z.object({
      kind: z.enum(["keychain", "keyfile", "passphrase", "unknown"]),
      name: z.string(),
      /** Whether it does so here; null: only the person can tell. */
      opens: z.boolean().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** A keychain that is worth the name is there. */
  hasKeychain: z.boolean(),
});
export type VaultStatus = z.infer<typeof vaultStatusSchema>;

export const secretInfoSchema = z.object({
  name: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      "a secret's name: letters, digits and underscores, not starting with a digit",
    ),
  /** Null: shared by all agents; else only this agent may use it. */
  agentId: z.string().nullable(),
  usedBy: z.array(z.object({ agentId: z.string(), pluginKey: z.string().nullable() })),
  updatedAt: z.iso.datetime(),
});
export type SecretInfo = z.infer<typeof secretInfoSchema>;

/** A name without a value: who needs it. */
export const missingSecretSchema = z.object({
  name: z.string(),
  neededBy: z.array(z.object({ agentId: z.string(), pluginKey: z.string().nullable() })),
});
export type MissingSecret = z.infer<typeof missingSecretSchema>;
