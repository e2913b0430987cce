import { z } from "zod";
import { installRequestSchema, jobSchema, type Problem, toProblem } from "../../contract/index.ts";
import { withAsks } from "../registry/older-plugin-rows.ts";
import type { Collection, Rows, Storage } from "../store/index.ts";
import { askingAnew } from "./install/requests.ts";
import { withoutCredentials } from "./spec/spec.ts";

/** What a job is to do. It is stored, so that an ended job can be started again. */
const jobPlanSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("install"), request: installRequestSchema }),
  z.object({ kind: z.literal("update"), key: z.string(), request: installRequestSchema }),
  z.object({
    kind: z.literal("rollback"),
    key: z.string(),
    yes: z.boolean().default(false),
    acceptRisk: z.boolean().default(false),
  }),
  z.object({ kind: z.literal("packages"), key: z.string(), packages: z.array(z.string()) }),
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

/** Upgrades a job of version 1, which stored the permissions in another form. */
function withAsksInConsent(old: unknown): unknown {
  const stored = old as { job: { consent: Record<string, unknown> | null } };
  const { consent } = stored.job;
  return { ...stored, job: { ...stored.job, consent: consent && withAsks(consent) } };
}

/** The stored list of jobs, so that the screens still show them after a restart of the app. */
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

  /**
   * Stores a job; on disk when the promise resolves. Never rejects: a list that cannot be written does not stop a job
   * and is only reported as a notice.
   */
  async save(stored: StoredJob): Promise<void> {
    await this.#rows.change(stored.job.id, () => stored).catch((error: unknown) => this.#notice(error));
  }

  /** Stores a job; on disk within half a second. A list that cannot be written is only reported, as in `save`. */
  saveLater(stored: StoredJob): void {
    void this.#rows.putLater(stored.job.id, stored);
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

/**
 * A job without passwords in addresses, to be stored: they stay in memory only. A retry after a restart therefore
 * fails, and the person has to give them again. Answers in advance are not stored either.
 */
export function withoutSecrets(stored: StoredJob): StoredJob {
  const { job } = stored;
  const plan = withoutAnswers(stored.plan);
  if (plan.kind === "rollback" || plan.kind === "packages") return { plan, job };
  const { spec, registry } = plan.request;
  const request = { ...plan.request, spec: withoutCredentials(spec) };
  if (registry) request.registry = withoutCredentials(registry);
  return { plan: { ...plan, request }, job };
}

/** The same plan, which asks everything anew: an answer in advance holds for one run. */
function withoutAnswers(plan: JobPlan): JobPlan {
  switch (plan.kind) {
    case "rollback":
      return { ...plan, yes: false, acceptRisk: false };
    case "packages":
      return plan;
    case "install":
    case "update":
      return { ...plan, request: askingAnew(plan.request) };
  }
}

/** The plan of a job that is tried again: it asks anew, and an installation goes under the key that the person gave, if any. */
export function askedAgain(plan: JobPlan, key: string | undefined): JobPlan {
  const asking = withoutAnswers(plan);
  if (key === undefined || asking.kind !== "install") return asking;
  return { ...asking, request: { ...asking.request, key } };
}
