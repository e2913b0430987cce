import { join } from "node:path";
import { z } from "zod";
import type { Problem } from "../../contract/index.ts";
import { openStateFile, type StateFile } from "../store/index.ts";

/** Starts in a row that must fail before the next one leaves the plugins off. */
const mostFailedStarts = 3;

const fileSchema = z.object({
  /** Starts that began and did not come to an end since the last good one. */
  begun: z.number().int().min(0),
});

/** Counts starts that the app did not survive: `<home>/starts.json`. */
export class FailedStarts {
  readonly #file: StateFile<z.infer<typeof fileSchema>>;

  constructor(options: { home: string; onNotice(problem: Problem): void }) {
    this.#file = openStateFile({
      path: join(options.home, "starts.json"),
      schema: fileSchema,
      version: 1,
      initial: () => ({ begun: 0 }),
      onNotice: options.onNotice,
    });
  }

  /** Counts this start. True when so many before it failed that it should leave the plugins off. */
  async begin(): Promise<boolean> {
    const { begun } = this.#file.get();
    this.#file.update(() => ({ begun: begun + 1 }));
    return begun >= mostFailedStarts;
  }

  /** Everything has started, or was closed in good order. */
  async succeed(): Promise<void> {
    if (this.#file.get().begun > 0) this.#file.update(() => ({ begun: 0 }));
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}
