import { z } from "zod";
import { letInProgramSchema } from "../../contract/index.ts";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";

const keptScreenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The digest of its secret. */
  key: z.string(),
  /** That of the secret before: good until the new one was shown, because its page may never have got it. */
  earlier: z.string().nullable(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
});
export type KeptScreen = z.infer<typeof keptScreenSchema>;

const keptProgramSchema = letInProgramSchema.extend({
  /** The digest of its secret. */
  key: z.string(),
});
export type KeptProgram = z.infer<typeof keptProgramSchema>;

const accessSchema = z.object({
  /** Where the gateway answered last; 0: nowhere yet. */
  port: z.number().int().min(0).max(65_535),
  screens: z.array(keptScreenSchema),
  /** Absent in rows of before there were any. */
  programs: z.array(keptProgramSchema).default([]),
});
type Access = z.infer<typeof accessSchema>;

const collection: Collection<Access> = {
  name: "access",
  schema: accessSchema,
  version: 2,
  // Version 1 had one token for everything and for ever. It opens nothing any more.
  migrations: { 1: (old) => ({ port: portSchema.parse(old).port, screens: [], programs: [] }) },
};
const portSchema = z.object({ port: z.number() });

/**
 * Port and screens, kept from one start to the next, so that an open page can reconnect by itself. The store drops a
 * row that others than the owner could have read.
 */
export class KeptAccess {
  readonly #rows: Rows<Access>;

  constructor(storage: Pick<Storage, "rows">) {
    this.#rows = storage.rows(collection);
  }

  get port(): number {
    return this.#rows.get(only)?.port ?? 0;
  }

  get screens(): readonly KeptScreen[] {
    return this.#rows.get(only)?.screens ?? [];
  }

  get programs(): readonly KeptProgram[] {
    return this.#rows.get(only)?.programs ?? [];
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async keepPort(port: number): Promise<void> {
    await this.#rows.change(only, (kept) =>
      kept?.port === port ? kept : { screens: [], programs: [], ...kept, port },
    );
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async changeScreens(change: (screens: readonly KeptScreen[]) => KeptScreen[]): Promise<void> {
    await this.#rows.change(only, (kept) => ({
      port: 0,
      programs: [],
      ...kept,
      screens: change(kept?.screens ?? []),
    }));
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED, and what `change` throws */
  async changePrograms(change: (programs: readonly KeptProgram[]) => KeptProgram[]): Promise<void> {
    await this.#rows.change(only, (kept) => ({
      port: 0,
      screens: [],
      ...kept,
      programs: change(kept?.programs ?? []),
    }));
  }

  close(): Promise<void> {
    return this.#rows.close();
  }
}
