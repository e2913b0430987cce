import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import { type Outcome, runCase } from "./cases.ts";

/** What was started; in a thread it serves cases (see main.ts). */
const entry = process.argv[1] as string;
/** Milliseconds that a case gets beyond its limit before its thread is ended. */
const GRACE = 1_000;
/** Megabytes that the cases of a thread may hold. */
const MEMORY = 1_024;

interface Order {
  code: string;
  millis: number;
}

/**
 * Runs cases in a thread beside this one, so that one that uses up all memory, or never comes back from a native function, ends
 * only that thread. The next case then gets a new one.
 */
export class CaseRunner {
  private worker: Worker | null = null;

  async run(code: string, millis: number): Promise<Outcome> {
    this.worker ??= new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
    const { worker } = this;
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(() => void worker.terminate(), millis + GRACE);
    try {
      const answered = once(worker, "message", { signal }).then(([outcome]) => outcome as Outcome);
      const ended = once(worker, "exit", { signal }).then((): Outcome => {
        this.worker = null;
        return { phase: "run", error: "the time is up" };
      });
      worker.postMessage({ code, millis } satisfies Order);
      return await Promise.race([answered, ended]);
    } catch (error) {
      this.worker = null;
      return { phase: "run", error: (error as Error).message };
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }
}

/**
 * Runs the `code` of each case of a parsed JSON file, an array or `{cases: […]}`, and prints one JSON array with the outcomes in
 * their order.
 */
export async function runCases(content: unknown, millis: number): Promise<void> {
  const list = Array.isArray(content) ? content : (content as { cases?: unknown } | null)?.cases;
  if (!Array.isArray(list)) {
    process.stderr.write("The file holds no array of cases.\n");
    process.exitCode = 1;
    return;
  }
  const runner = new CaseRunner();
  const outcomes: Outcome[] = [];
  for (const each of list) {
    const code = (each as { code?: unknown } | null)?.code;
    if (typeof code !== "string") outcomes.push({ phase: "run", error: "the case has no code" });
    else outcomes.push(await runner.run(code, millis));
  }
  process.stdout.write(`${JSON.stringify(outcomes, null, 1)}\n`);
  await runner.close();
}

/** The thread's side of it. */
export function serveCases(): void {
  parentPort?.on("message", ({ code, millis }: Order) => {
    runCase(code, millis)
      .catch((error: unknown): Outcome => ({ phase: "run", error: `the engine failed: ${String(error)}` }))
      .then((outcome) => parentPort?.postMessage(outcome));
  });
}
