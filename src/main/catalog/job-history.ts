import { z } from "zod";
import { installRequestSchema, jobSchema, type Problem, toProblem } from "../../contract/index.ts";
import { withAsks } from "../registry/older-plugin-rows.ts";
import type { Collection, Rows, Storage } from "../store/index.ts";

/** What a job sets out to do; enough to start it again. */
const jobPlanSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("install"), request: installRequestSchema }),
  z.object({ kind: z.literal("update"), key: z.string(), request: installRequestSchema }),
  z.object({ kind: z.literal("rollback"), key: z.string() }),
]);
export type JobPlan = z.infer<typeof jobPlanSchema>;

const storedJobSchema = z.object({ plan: jobPlanSchema, job: jobSchema });
export type StoredJob = z.infer<typeof storedJobSchema>;

const collection: Collection<StoredJob> = {
  name: "jobs",
  schema: storedJobSchema,
  version: 2,
  migrations: { 1: withAsksInConsent },
};

/** Version 1 kept the permissions that a job asked for in a form of its own. */
function withAsksInConsent(old: unknown): unknown {
  const stored = old as { job: { consent: Record<string, unknown> | null } };
  const { consent } = stored.job;
  return { ...stored, job: { ...stored.job, consent: consent && withAsks(consent) } };
}

/** The list of jobs, so that a restart shows what became of them. */
export class JobHistory {
  readonly #rows: Rows<StoredJob>;
  readonly #onNotice: (problem: Problem) => void;

  constructor(storage: Pick<Storage, "rows">, onNotice: (problem: Problem) => void) {
    this.#rows = storage.rows(collection);
    this.#onNotice = onNotice;
  }

  load(): readonly StoredJob[] {
    return [...this.#rows.all().values()];
  }

  /** Kept when it resolves. A list that cannot be written is no reason to stop a job: it is only noticed. */
  async save(stored: StoredJob): Promise<void> {
    await this.#rows.change(stored.job.id, () => stored).catch((error: unknown) => this.#notice(error));
  }

  /** Kept within half a second. */
  saveLater(stored: StoredJob): void {
    this.#rows.putLater(stored.job.id, stored);
  }

  async remove(id: string): Promise<void> {
    await this.#rows.change(id, () => undefined).catch((error: unknown) => this.#notice(error));
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  #notice(error: unknown): void {
    this.#onNotice(toProblem(error, "WRITE_FAILED"));
  }
}
