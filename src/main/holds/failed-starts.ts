import { z } from "zod";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";

/** After this many failed starts in a row, the next start of the app leaves the plugins off. */
const mostFailedStarts = 3;

const countSchema = z.object({
  /** Starts of the app since the last good one that began and did not finish. */
  begun: z.number().int().min(0),
});
type Count = z.infer<typeof countSchema>;

const collection: Collection<Count> = { name: "starts", schema: countSchema, version: 1 };

/** Counts starts of the app that ended in a crash, so that a plugin that crashes the app cannot do so for ever. */
export class FailedStarts {
  readonly #rows: Rows<Count>;

  constructor({ storage }: { storage: Pick<Storage, "rows"> }) {
    this.#rows = storage.rows(collection);
  }

  /**
   * Counts this start as begun. Resolves with true when the starts before it failed so often that plugins should stay
   * off.
   */
  async begin(): Promise<boolean> {
    let before = 0;
    await this.#rows.change(only, (count) => {
      before = count?.begun ?? 0;
      return { begun: before + 1 };
    });
    return before >= mostFailedStarts;
  }

  /** Sets the count to 0: this start has finished, or the app was closed in order. */
  async succeed(): Promise<void> {
    await this.#rows.change(only, (count) => (count && count.begun > 0 ? { begun: 0 } : count));
  }

  close(): Promise<void> {
    return this.#rows.close();
  }
}
