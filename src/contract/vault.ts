import { z } from "zod";
import { problemSchema } from "./problem.ts";

export const vaultStatusSchema = z.object({
  /** Where the vault's key is kept, in words. */
  backend: z.string(),
  open: z.boolean(),
  /** The vault is closed and a passphrase opens it. */
  canUnlock: z.boolean(),
  /** Why it is closed. */
  problem: problemSchema.nullable(),
  /** The ways to open the vault. */
  keys: z.array(
    z.object({
      kind: z.enum(["keychain", "keyfile", "passphrase", "unknown"]),
      name: z.string(),
      /** Whether it opens the vault on this machine; null for a passphrase, which only the person can try. */
      opens: z.boolean().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** The system has a keychain that protects the key. */
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
