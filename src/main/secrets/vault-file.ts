import { join } from "node:path";
import { z } from "zod";
import type { Problem } from "../../contract/errors.ts";
import { openStateFile, type StateFile } from "../store/index.ts";
import { slotSchema } from "./key-slots.ts";
import { seal, sealedSchema, unseal } from "./sealing.ts";

const entrySchema = z.object({
  name: z.string(),
  agentId: z.string().nullable(),
  sealed: sealedSchema,
  updatedAt: z.iso.datetime(),
});
/** One secret: its name in plain text, its value sealed. */
export type Entry = z.infer<typeof entrySchema>;

const vaultSchema = z.object({ slots: z.array(slotSchema), entries: z.array(entrySchema) });
export type VaultFile = StateFile<z.infer<typeof vaultSchema>>;

/** `<home>/vault.json`. One that is damaged is never replaced by an empty one. @throws PatchbayError STATE_FILE_DAMAGED, STATE_FILE_NEWER, READ_FAILED */
export function openVaultFile(home: string, onNotice: (problem: Problem) => void): VaultFile {
  return openStateFile({
    path: join(home, "vault.json"),
    schema: vaultSchema,
    version: 1,
    initial: () => ({ slots: [], entries: [] }),
    onNotice,
    whenLost: "refuse",
  });
}

export function sealEntry(dataKey: Buffer, name: string, agentId: string | null, value: string): Entry {
  const sealed = seal(dataKey, Buffer.from(value), placeOf({ name, agentId }));
  return { name, agentId, sealed, updatedAt: new Date().toISOString() };
}

/** @throws when it was damaged, or moved from the place that it was sealed for */
export function unsealEntry(dataKey: Buffer, entry: Entry): string {
  return unseal(dataKey, entry.sealed, placeOf(entry)).toString("utf8");
}

/** What a value is bound to: it cannot be passed off as that of another name or agent. */
export function placeOf({ name, agentId }: Pick<Entry, "name" | "agentId">): string {
  return JSON.stringify(["patchbay secret", name, agentId]);
}
