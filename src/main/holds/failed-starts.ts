import { z } from "zod";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";

/** Starts in a row that must fail before the next one leaves the plugins off. */
const mostFailedStarts = 3;

const countSchema = z.object({
  /** Starts that began and did not come to an end since the last good one. */
  begun: z.number().int().min(0),
});
type Count = z.infer<typeof countSchema>;

const collection: Collection<Count> = { name: "starts", schema: countSchema, version: 1 };

/** Counts starts that the app did not survive. */
export class FailedStarts {
  readonly #rows: Rows<Count>;

  constructor({ storage }: { storage: Pick<Storage, "rows"> }) {
    this.#rows = storage.rows(collection);
  }

  /** Counts this start. True when so many before it failed that it should leave the plugins off. */
  async begin(): Promise<boolean> {
    let before = 0;
    await this.#rows.change(only, (count) => {
      before = count?.begun ?? 0;
      return { begun: before + 1 };
    });
    return before >= mostFailedStarts;
  }

  /** Everything has started, or was closed in good order. */
  async succeed(): Promise<void> {
    await this.#rows.change(only, (count) => (count && count.begun > 0 ? { begun: 0 } : count));
  }

  close(): Promise<void> {
    return this.#rows.close();
  }
}
