import { join } from "node:path";
import { z } from "zod";
import { installRequestSchema, jobSchema, type Problem, toProblem } from "../../contract/index.ts";
import { withAsks } from "../registry/older-plugin-rows.ts";
import { openStateFile, type StateFile } from "../store/index.ts";

/** What a job sets out to do; enough to start it again. */
const jobPlanSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("install"), request: installRequestSchema }),
  z.object({ kind: z.literal("update"), key: z.string(), request: installRequestSchema }),
  z.object({ kind: z.literal("rollback"), key: z.string() }),
]);
export type JobPlan = z.infer<typeof jobPlanSchema>;

const storedJobSchema = z.object({ plan: jobPlanSchema, job: jobSchema });
export type StoredJob = z.infer<typeof storedJobSchema>;

const historySchema = z.object({ jobs: z.array(storedJobSchema) });

/** Version 1 kept the permissions that a job asked for in a form of its own. */
function withAsksInConsents(old: unknown): unknown {
  const { jobs } = old as { jobs: { job: { consent: Record<string, unknown> | null } }[] };
  return {
    jobs: jobs.map((stored) => {
      const { consent } = stored.job;
      return { ...stored, job: { ...stored.job, consent: consent && withAsks(consent) } };
    }),
  };
}

/** The list of jobs in `<home>/jobs.json`, so that a restart shows what became of them. */
export class JobHistory {
  readonly #file: StateFile<z.infer<typeof historySchema>>;
  readonly #onNotice: (problem: Problem) => void;

  constructor(home: string, onNotice: (problem: Problem) => void) {
    this.#onNotice = onNotice;
    this.#file = openStateFile({
      path: join(home, "jobs.json"),
      schema: historySchema,
      version: 2,
      migrations: { 1: withAsksInConsents },
      initial: () => ({ jobs: [] }),
      onNotice,
    });
  }

  load(): readonly StoredJob[] {
    return this.#file.get().jobs;
  }

  /** Kept when it resolves. A list that cannot be written is no reason to stop a job: it is only noticed. */
  async save(jobs: StoredJob[]): Promise<void> {
    try {
      this.#file.update(() => ({ jobs }));
    } catch (error) {
      this.#onNotice(toProblem(error, "WRITE_FAILED"));
    }
  }

  /** On disk within half a second. */
  saveLater(jobs: StoredJob[]): void {
    this.#file.updateLater(() => ({ jobs }));
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}
