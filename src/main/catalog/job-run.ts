import {
  type Consent,
  type ConsentAnswer,
  type ConsentQuestion,
  type FirstLook,
  type InstallRequest,
  type Job,
  type JobPhase,
  jobPhases,
  PatchbayError,
  type Problem,
  toProblem,
} from "../../contract/index.ts";
import { type PausableLimit, untilAborted, within } from "../base/limit.ts";
import { withoutCredentials } from "./spec/spec.ts";
import { problemOfSystemError } from "./system-errors.ts";

/** The argument for the work of one phase. */
export interface Step {
  /**
   * Aborted when the job is cancelled, when the phase takes too long, and when Patchbay closes. Its reason is the error
   * that the work must throw.
   */
  readonly signal: AbortSignal;
  log(text: string): void;
  /** 0 to 1, or null when it cannot be known. */
  progress(done: number | null): void;
}

/** Milliseconds each phase may take. Waiting for the person in `consent` has no limit. */
export type PhaseLimits = Record<JobPhase, number>;

export const defaultPhaseLimits: PhaseLimits = {
  resolve: 60_000,
  download: 600_000,
  verify: 600_000,
  inspect: 60_000,
  consent: Number.POSITIVE_INFINITY,
  place: 300_000,
  check: 300_000,
};

/** Milliseconds that a stopped phase gets to end by itself. */
const graceMs = 2_000;
const mostLogLines = 500;
const longestLogLine = 2_000;

/**
 * One run of one job: its phases with their time limits, its log, and the ways to stop it. `onChange` is called for
 * each change of the job.
 */
export class JobRun {
  #job: Job;
  readonly #limits: PhaseLimits;
  readonly #onChange: (job: Job) => void;
  readonly #controller = new AbortController();
  #answer: ((answer: ConsentAnswer) => void) | null = null;
  #clock: PausableLimit | null = null;
  #committed = false;
  readonly #leaving = new AbortController();

  constructor(job: Job, limits: PhaseLimits, onChange: (job: Job) => void) {
    this.#job = job;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  get job(): Job {
    return this.#job;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborted when the job is stopped after {@link commit}: what it is still at then is of use and not needed. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Does the work of one phase within its time limit; throws what the work throws, or why it was stopped. */
  async phase<T>(phase: JobPhase, work: (step: Step) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const started = performance.now();
    const limit = this.#limits[phase];
    this.#update({ phase, progress: null, phases: this.#withPhase(phase, "running", null) });
    try {
      // Stopped work gets time to end by itself, so that it does not write files while they are being removed.
      const result = await within(
        {
          ms: limit,
          signal: this.signal,
          graceMs,
          late: () => timedOut(phase, limit),
          watch: (running) => this.#clockOf(running),
        },
        ({ signal }) => work(this.#step(signal)),
      );
      this.#update({ progress: null, phases: this.#withPhase(phase, "done", performance.now() - started) });
      return result;
    } catch (error) {
      const status = wasCalledOff(error) ? "skipped" : "failed";
      this.#update({ phases: this.#withPhase(phase, status, performance.now() - started) });
      throw error;
    }
  }

  skip(...phases: JobPhase[]): void {
    let next = this.#job.phases;
    for (const phase of phases)
      next = next.map((row) => (row.phase === phase ? { ...row, status: "skipped" } : row));
    this.#update({ phases: next });
  }

  /** Adds to the job what a phase found out about the package. */
  learn(
    known: Partial<
      Pick<Job, "sourceKind" | "pluginKey" | "pluginVersion" | "upToDate" | "skippedScripts" | "check">
    >,
  ): void {
    this.#update(known);
  }

  log(text: string): void {
    const line = { at: new Date().toISOString(), text: withoutCredentials(text).slice(0, longestLogLine) };
    this.#update({ log: [...this.#job.log.slice(1 - mostLogLines), line] });
  }

  /** Asks whether the package may be started for a look, and waits for {@link answer}. */
  askFirstLook(firstLook: FirstLook, signal: AbortSignal): Promise<ConsentAnswer> {
    return this.#ask("look", { firstLook }, signal);
  }

  /** Shows the question of consent and waits for {@link answer}. */
  askConsent(
    consent: Consent,
    signal: AbortSignal,
    question: "install" | "more" = "install",
  ): Promise<ConsentAnswer> {
    return this.#ask(question, { consent }, signal);
  }

  showConsent(consent: Consent): void {
    this.#update({ consent });
  }

  /** Answers the question that is open. False when none is, or another one. */
  answer(answer: ConsentAnswer): boolean {
    if (this.#answer === null || this.#job.question !== answer.question) return false;
    this.#answer(answer);
    return true;
  }

  async #ask(
    question: ConsentQuestion,
    shown: Pick<Partial<Job>, "firstLook" | "consent">,
    signal: AbortSignal,
  ): Promise<ConsentAnswer> {
    const answered = new Promise<ConsentAnswer>((resolve) => {
      this.#answer = resolve;
    });
    this.#update({ ...shown, question, status: "waiting" });
    try {
      return await untilAborted(answered, signal);
    } finally {
      this.#answer = null;
      this.#update({ question: null, ...(this.#job.status === "waiting" && { status: "running" as const }) });
    }
  }

  /** Ends the job with `reason`; once {@link commit} has begun, only what may be left out. */
  stop(reason: PatchbayError): void {
    (this.#committed ? this.#leaving : this.#controller).abort(reason);
  }

  /** Runs work that must not be left half done: from here on the job cannot be stopped. */
  async commit<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    this.#committed = true;
    this.#clock?.stop();
    return work();
  }

  succeed(): void {
    this.#update({ status: "done", problem: null, progress: null, endedAt: new Date().toISOString() });
  }

  fail(error: unknown): void {
    const problem = problemOf(error);
    this.log(problem.message);
    this.#update({
      status: wasCalledOff(error) ? "cancelled" : "failed",
      problem,
      progress: null,
      endedAt: new Date().toISOString(),
    });
  }

  #clockOf(running: PausableLimit): () => void {
    this.#clock = running;
    if (this.#committed) running.stop();
    return () => {
      this.#clock = null;
    };
  }

  #step(signal: AbortSignal): Step {
    return {
      signal,
      log: (text) => this.log(text),
      progress: (done) => this.#showProgress(done),
    };
  }

  /** Announces the progress when it differs by at least 0.01 from the last announced one. */
  #showProgress(done: number | null): void {
    const before = this.#job.progress;
    if (done !== null && before !== null && done < 1 && Math.abs(done - before) < 0.01) return;
    if (done !== before) this.#update({ progress: done });
  }

  #withPhase(phase: JobPhase, status: Job["phases"][number]["status"], ms: number | null): Job["phases"] {
    return this.#job.phases.map((row) => (row.phase === phase ? { phase, status, ms } : row));
  }

  #update(patch: Partial<Job>): void {
    this.#job = { ...this.#job, ...patch };
    this.#onChange(this.#job);
  }
}

export function newJob(id: string, kind: Job["kind"], request: Pick<InstallRequest, "spec">): Job {
  return {
    id,
    kind,
    spec: withoutCredentials(request.spec),
    sourceKind: null,
    status: "running",
    phase: "resolve",
    progress: null,
    phases: jobPhases.map((phase) => ({ phase, status: "pending", ms: null })),
    question: null,
    firstLook: null,
    consent: null,
    problem: null,
    pluginKey: null,
    pluginVersion: null,
    log: [],
    createdAt: new Date().toISOString(),
    endedAt: null,
  };
}

function problemOf(error: unknown): Problem {
  return toProblem(error instanceof PatchbayError ? error : (problemOfSystemError(error) ?? error));
}

function timedOut(phase: JobPhase, limit: number): PatchbayError {
  return new PatchbayError(
    "JOB_TIMEOUT",
    `The phase “${phase}” took longer than ${Math.round(limit / 1000)} seconds and was stopped.`,
    { details: { phase, limitMs: limit } },
  );
}

/** The person stopped it or said no, which is no failure. */
function wasCalledOff(error: unknown): boolean {
  const { code } = problemOf(error);
  return code === "ABORTED" || code === "CONSENT_REFUSED";
}
