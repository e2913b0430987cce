import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import { derivedSchema, deriveKey, newDerivation, refuseWeak } from "./keys/passphrase.ts";
import { seal, sealedSchema, unseal } from "./keys/sealing.ts";

const backupSchema = z.object({
  patchbay: z.literal("secrets"),
  version: z.literal(1),
  ...derivedSchema.shape,
  sealed: sealedSchema,
});
const contentSchema = z.array(
  z.object({ name: z.string(), agentId: z.string().nullable(), value: z.string().min(1) }),
);
export type BackedUp = z.infer<typeof contentSchema>;

const BOUND = "patchbay secrets backup 1";

/** All secrets as one text that opens with the passphrase alone, on any machine. @throws PatchbayError BAD_INPUT */
export async function writeBackup(secrets: BackedUp, passphrase: string): Promise<string> {
  refuseWeak(passphrase);
  const derivation = newDerivation();
  const key = await deriveKey(passphrase, derivation);
  const sealed = seal(key, Buffer.from(JSON.stringify(secrets)), BOUND);
  return `${JSON.stringify({ patchbay: "secrets", version: 1, ...derivation, sealed }, null, 2)}\n`;
}

/** @throws PatchbayError BACKUP_INVALID: it is no backup, is damaged, or opens with another passphrase */
export async function readBackup(text: string, passphrase: string): Promise<BackedUp> {
  const backup = backupSchema.safeParse(parsed(text));
  if (!backup.success) throw new PatchbayError("BACKUP_INVALID", "This is not a whole backup of secrets.");
  try {
    const key = await deriveKey(passphrase, backup.data);
    return contentSchema.parse(JSON.parse(unseal(key, backup.data.sealed, BOUND).toString("utf8")));
  } catch {
    throw new PatchbayError(
      "BACKUP_INVALID",
      "The backup does not open: the passphrase is another one, or the file is damaged.",
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
