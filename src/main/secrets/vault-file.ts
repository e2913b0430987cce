import { z } from "zod";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";
import { slotSchema } from "./keys/key-slots.ts";
import { seal, sealedSchema, unseal } from "./keys/sealing.ts";

const entrySchema = z.object({
  name: z.string(),
  agentId: z.string().nullable(),
  sealed: sealedSchema,
  updatedAt: z.iso.datetime(),
});
/** One secret: its name in plain text, its value sealed. */
export type Entry = z.infer<typeof entrySchema>;

/** Names of what Patchbay keeps for itself. No secret can have one, as the names of secrets have no colon. */
export type OwnName = `patchbay:${string}`;

export function isOwn(name: string): name is OwnName {
  return name.startsWith("patchbay:");
}

const vaultSchema = z.object({
  slots: z.array(slotSchema),
  entries: z.array(entrySchema),
  /** What is still to be done: kept copies of the file hold what must go (`copies`), the data key is to be made anew (`key`). */
  due: z.enum(["copies", "key"]).optional(),
});
export type VaultContent = z.infer<typeof vaultSchema>;

const collection: Collection<VaultContent> = {
  name: "vault",
  schema: vaultSchema,
  // Version 2: slots hold a private key. Version 1 is read as it is.
  version: 2,
  migrations: { 1: (old) => old },
  whenLost: "refuse",
};
const empty: VaultContent = { slots: [], entries: [] };

/** All secrets are one document: several change together or not at all. */
export class VaultFile {
  readonly #rows: Rows<VaultContent>;
  readonly #storage: Pick<Storage, "forgetVaultCopies">;

  /**
   * Reads the stored vault. A damaged one is never replaced by an empty one: the person may still have a copy.
   * @throws PatchbayError STATE_FILE_DAMAGED, STATE_FILE_NEWER, READ_FAILED
   */
  constructor(storage: Pick<Storage, "rows" | "forgetVaultCopies">) {
    this.#storage = storage;
    this.#rows = storage.rows(collection);
  }

  get(): VaultContent {
    return this.#rows.get(only) ?? empty;
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async update(change: (current: VaultContent) => VaultContent): Promise<void> {
    await this.#rows.change(only, (current) => change(current ?? empty));
  }

  /** Adds entries, each in the place of an older one of the same name and agent. Throws as `update`. */
  put(added: readonly Entry[]): Promise<void> {
    const places = new Set(added.map(placeOf));
    return this.update((vault) => ({
      ...vault,
      entries: [...vault.entries.filter((old) => !places.has(placeOf(old))), ...added],
    }));
  }

  /** Removes the kept copies of the file, which hold what it held before. The next write makes one again. */
  forgetCopies(): Promise<void> {
    return this.#storage.forgetVaultCopies();
  }

  async close(): Promise<void> {
    await this.#rows.close();
  }
}

/** The same entries under another data key. One that does not unseal stays as it is: it was damaged before. */
export function resealed(entries: readonly Entry[], old: Buffer, fresh: Buffer): Entry[] {
  return entries.map((entry) => {
    try {
      const value = unsealEntry(old, entry);
      const sealed = seal(fresh, value, placeOf(entry));
      value.fill(0);
      return { ...entry, sealed };
    } catch {
      return entry;
    }
  });
}

export function sealEntry(dataKey: Buffer, name: string, agentId: string | null, value: Buffer): Entry {
  const sealed = seal(dataKey, value, placeOf({ name, agentId }));
  return { name, agentId, sealed, updatedAt: new Date().toISOString() };
}

/**
 * The value in UTF-8; the caller wipes it.
 * @throws when the entry was damaged, or belongs to another name or agent than it was sealed for
 */
export function unsealEntry(dataKey: Buffer, entry: Entry): Buffer {
  return unseal(dataKey, entry.sealed, placeOf(entry));
}

/**
 * The text that a value is sealed with: its name and agent. A value that is copied to another name or agent does not
 * unseal.
 */
export function placeOf({ name, agentId }: Pick<Entry, "name" | "agentId">): string {
  return JSON.stringify(["patchbay secret", name, agentId]);
}
