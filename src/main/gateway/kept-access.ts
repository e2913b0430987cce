import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";

const accessSchema = z.object({
  token: z.string().regex(/^[\w-]{43}$/),
  /** Where the gateway answered last; 0: nowhere yet. */
  port: z.number().int().min(0).max(65_535),
});
/** Token and port for the screens: kept from one start to the next, so that an open page can reconnect by itself. */
export type Access = z.infer<typeof accessSchema>;

const collection: Collection<Access> = { name: "access", schema: accessSchema, version: 1 };

/** How pages got in at the last start, and get in now. */
export class KeptAccess {
  readonly #rows: Rows<Access>;

  constructor(storage: Pick<Storage, "rows">) {
    this.#rows = storage.rows(collection);
  }

  /**
   * The access of the last start. The token is new when there is none, or when `renew` asks for one. The store drops a
   * row that others than the owner could have read, so then it is new as well.
   */
  read({ renew = false } = {}): Access {
    const kept = this.#rows.get(only);
    return { token: (!renew && kept?.token) || randomBytes(32).toString("base64url"), port: kept?.port ?? 0 };
  }

  /** @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async keep(access: Access): Promise<void> {
    await this.#rows.change(only, (kept) =>
      kept?.token === access.token && kept.port === access.port ? kept : access,
    );
  }
}
