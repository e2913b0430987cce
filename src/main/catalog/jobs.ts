import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type { z } from "zod";
import {
  consentAnswerSchema,
  type InstallRequest,
  installRequestSchema,
  type Job,
  PatchbayError,
  type Plugin,
  type Problem,
  toProblem,
} from "../../contract/index.ts";
import { KeyedQueue } from "../base/serial-queue.ts";
import { doPlan, installed } from "./do-plan.ts";
import type { InstallDependencies } from "./install/install.ts";
import { foldersInUse, putBack, requestFor } from "./install/put-back.ts";
import { removeFiles, uninstall } from "./install/uninstall.ts";
import { createIntegrityCheck, type IntegrityCheck } from "./integrity.ts";
import { askedAgain, JobHistory, type JobPlan, type StoredJob, withoutSecrets } from "./job-history.ts";
import { defaultPhaseLimits, JobRun, newJob, type PhaseLimits } from "./job-run.ts";
import { PluginFolders } from "./plugin-folders.ts";
import type { CatalogServices } from "./services.ts";
import { problemOfSystemError } from "./system-errors.ts";
import { updateSpec } from "./update-spec.ts";

export interface InstallJobsOptions extends CatalogServices {
  /** Called when the list of jobs cannot be written. */
  onNotice?(problem: Problem): void;
  /** The same check that the loading of plugins uses, so that files are read only once. */
  checkIntegrity?: IntegrityCheck;
  limits?: Partial<PhaseLimits>;
}

type UpdateOptions = Partial<Omit<InstallRequest, "link" | "look" | "expectedIntegrity">>;
type RollbackOptions = Pick<UpdateOptions, "yes" | "acceptRisk">;
interface Entry {
  plan: JobPlan;
  job: Job;
  run: JobRun | null;
  ended: Promise<void>;
}

const mostEndedJobs = 100;
/** The jobs that install, update or roll back plugins: those that run and those that have ended. */
export class InstallJobs {
  readonly changes = new EventEmitter<{ job: [Job]; removed: [id: string] }>();
  readonly #deps: InstallDependencies;
  readonly #limits: PhaseLimits;
  readonly #history: JobHistory;
  readonly #onNotice: (problem: Problem) => void;
  readonly #jobs = new Map<string, Entry>();
  #recovered: Promise<void> | null = null;
  #closed = false;

  constructor(options: InstallJobsOptions) {
    this.#deps = {
      ...options,
      folders: new PluginFolders(options.storage.places),
      checkIntegrity:
        options.checkIntegrity ?? createIntegrityCheck({ plugins: options.storage.places.plugins }),
      lock: new KeyedQueue(),
    };
    this.#limits = { ...defaultPhaseLimits, ...options.limits };
    this.#onNotice = (problem) => options.onNotice?.(problem);
    this.#history = new JobHistory(options.storage, this.#onNotice);
    for (const stored of this.#history.load()) this.#restore(stored);
  }

  /**
   * Removes what an earlier process left unfinished: staging folders, and installed versions that no row refers to.
   * Call it at start; jobs wait until it is done.
   */
  recover(): Promise<void> {
    this.#recovered ??= this.#sweep();
    return this.#recovered;
  }

  async install(request: z.input<typeof installRequestSchema>): Promise<Job> {
    return this.#begin({ kind: "install", request: installRequestSchema.parse(request) });
  }

  /** @throws PatchbayError PLUGIN_NOT_FOUND, UPDATE_NEEDS_FILE */
  async update(key: string, options: UpdateOptions = {}): Promise<Job> {
    const plugin = this.#plugin(key);
    const request = installRequestSchema.parse({
      ...options,
      spec: options.spec ?? updateSpec(plugin),
      link: options.spec === undefined && plugin.source.kind === "link",
      registry: options.registry ?? (plugin.source.kind === "npm" ? plugin.source.registry : undefined),
      key: plugin.declaration.ownKey === undefined ? undefined : key,
    });
    return this.#begin({ kind: "update", key, request });
  }

  /** Goes back to the version before. `answers`: consent in advance. @throws PatchbayError PLUGIN_NOT_FOUND, NO_OTHER_VERSION */
  async rollback(key: string, { yes = false, acceptRisk = false }: RollbackOptions = {}): Promise<Job> {
    const plugin = this.#plugin(key);
    if (plugin.previous.length === 0) {
      throw new PatchbayError("NO_OTHER_VERSION", `No earlier version of ${plugin.displayName} is kept.`);
    }
    return this.#begin({ kind: "rollback", key, yes, acceptRisk });
  }

  /** Installs packages that the plugin lacks, as the person agreed to. @throws PatchbayError PLUGIN_NOT_FOUND */
  async addPackages(key: string, packages: string[]): Promise<Job> {
    this.#plugin(key);
    return this.#begin({ kind: "packages", key, packages });
  }

  /** Stops the plugin everywhere and ends its sign-ins. The settings that agents have for it are kept. */
  async uninstall(key: string): Promise<void> {
    this.#plugin(key);
    await this.recover();
    await this.#deps.checks?.end(key);
    await this.#deps.lock.run(key, () => uninstall(this.#plugin(key), this.#deps));
  }

  /** Brings an uninstalled plugin back; by a job when its version has to be installed anew. Throws as `putBack`. */
  async restore(plugin: Plugin): Promise<Job | null> {
    const isBack = await this.#deps.lock.run(plugin.manifestKey, () => putBack(plugin, this.#deps));
    return isBack ? null : this.install(requestFor(plugin));
  }

  /** Removes the files of an uninstalled plugin, but for those that the one under its key has. */
  discard(plugin: Plugin): Promise<void> {
    return this.#deps.lock.run(plugin.manifestKey, () => removeFiles(plugin, this.#deps));
  }

  /**
   * Answers the question of a waiting job.
   * @throws PatchbayError BAD_INPUT when it waits for no answer, or for the answer to another question
   */
  consent(id: string, answer: z.input<typeof consentAnswerSchema>): Job {
    const entry = this.#entry(id);
    if (!entry.run?.answer(consentAnswerSchema.parse(answer))) {
      throw new PatchbayError("BAD_INPUT", "This installation is not waiting for this answer.", {
        help: "Look at its state, and answer the question that is open.",
      });
    }
    return entry.job;
  }

  /** Stops a running job and removes what it has fetched; not one that has ended or can no longer be stopped. */
  cancel(id: string): Job {
    const entry = this.#entry(id);
    const help = entry.plan.kind === "install" ? "Nothing was installed." : "The plugin is as it was.";
    entry.run?.stop(new PatchbayError("ABORTED", "The installation was stopped.", { help }));
    return entry.job;
  }

  /**
   * Starts an ended job again, in its place in the list; it asks all anew. `key`: it is then installed under this key.
   */
  async retry(id: string, key?: string): Promise<Job> {
    const entry = this.#entry(id);
    if (entry.run) throw new PatchbayError("BAD_INPUT", "This installation is still running.");
    return this.#start(id, askedAgain(entry.plan, key));
  }

  /** Takes an ended job off the list. */
  async remove(id: string): Promise<void> {
    const entry = this.#entry(id);
    if (entry.run) {
      throw new PatchbayError("BAD_INPUT", "This installation is still running.", { help: "Stop it first." });
    }
    this.#jobs.delete(id);
    await this.#history.remove(id);
    this.changes.emit("removed", id);
  }

  list(): Job[] {
    return [...this.#jobs.values()].map((entry) => entry.job);
  }

  get(id: string): Job {
    return this.#entry(id).job;
  }

  /** Resolves with the job once it has ended. */
  async ended(id: string): Promise<Job> {
    const entry = this.#entry(id);
    await entry.ended;
    return entry.job;
  }

  /** Stops all jobs and waits until nothing of them is left running. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const entry of this.#jobs.values()) entry.run?.stop(closed());
    await Promise.all([...this.#jobs.values()].map((entry) => entry.ended));
    await this.#recovered;
    await this.#history.close();
  }

  #begin(plan: JobPlan): Promise<Job> {
    return this.#start(randomUUID(), plan);
  }

  /** Starts a job. It is stored before it begins, so that it is listed even after a crash. */
  async #start(id: string, plan: JobPlan): Promise<Job> {
    if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
    const spec = "key" in plan && plan.kind !== "update" ? plan.key : plan.request.spec;
    const run = new JobRun(newJob(id, plan.kind, { spec }), this.#limits, (job) => this.#changed(id, job));
    const entry: Entry = { plan, job: run.job, run, ended: Promise.resolve() };
    this.#jobs.set(id, entry);
    this.#dropOldest();
    const kept = this.#save(entry);
    entry.ended = kept.then(() => this.#execute(entry, run));
    this.changes.emit("job", run.job);
    await kept;
    return entry.job;
  }

  async #execute(entry: Entry, run: JobRun): Promise<void> {
    try {
      await this.recover();
      await doPlan(entry.plan, run, this.#deps);
      entry.run = null;
      run.succeed();
    } catch (error) {
      entry.run = null;
      run.fail(error);
    }
    await this.#save(entry);
  }

  #changed(id: string, job: Job): void {
    const entry = this.#jobs.get(id);
    if (!entry) return;
    const before = entry.job;
    entry.job = job;
    if (before.phase !== job.phase || before.status !== job.status)
      this.#history.saveLater(withoutSecrets(entry));
    this.changes.emit("job", job);
  }

  #restore(stored: StoredJob): void {
    const wasRunning = stored.job.endedAt === null;
    const job: Job = wasRunning
      ? {
          ...stored.job,
          question: null,
          status: "failed",
          problem: closed().toProblem(),
          endedAt: new Date().toISOString(),
        }
      : stored.job;
    this.#jobs.set(job.id, { plan: stored.plan, job, run: null, ended: Promise.resolve() });
    if (wasRunning) this.#history.saveLater({ plan: stored.plan, job });
  }

  /** Never rejects. */
  #save(entry: Entry): Promise<void> {
    return this.#history.save(withoutSecrets(entry));
  }

  #dropOldest(): void {
    const ended = [...this.#jobs.entries()].filter(([, entry]) => entry.run === null);
    for (const [id] of ended.slice(0, Math.max(0, ended.length - mostEndedJobs))) {
      this.#jobs.delete(id);
      void this.#history.remove(id);
      this.changes.emit("removed", id);
    }
  }

  /**
   * Removes leftovers. A folder that cannot be removed does not stop installations and is only reported as a notice.
   */
  async #sweep(): Promise<void> {
    try {
      await this.#deps.folders.sweep(foldersInUse(this.#deps));
    } catch (error) {
      this.#onNotice(problemOfSystemError(error)?.toProblem() ?? toProblem(error, "WRITE_FAILED"));
    }
  }

  #plugin(key: string): Plugin {
    return installed(key, this.#deps);
  }

  #entry(id: string): Entry {
    const entry = this.#jobs.get(id);
    if (!entry) throw new PatchbayError("JOB_NOT_FOUND", "That installation is no longer in the list.");
    return entry;
  }
}

function closed(): PatchbayError {
  return new PatchbayError("SHUTTING_DOWN", "Patchbay was closed before this was finished.", {
    help: "Retry. Nothing half-installed was kept.",
  });
}
