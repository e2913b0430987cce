import type { LogEntry } from "../../contract/index.ts";
import type { KeptLogs } from "../pool/journal/kept-logs.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";

export interface FollowedLogs {
  pool: Pick<PluginPool, "changes">;
  keptLogs: Pick<KeptLogs, "read">;
}

// Most lines of one answer; as many as the log of a plugin keeps.
const MOST_ENTRIES = 10_000;
/**
 * After each bunch, new lines are gathered for this many milliseconds. The first line after a pause is sent at once.
 */
const GATHER_MS = 16;

/** What was logged since `after`, then what is being logged, in bunches, until `signal` aborts. */
export async function* followLogs(
  { pool, keptLogs }: FollowedLogs,
  agentId: string,
  key: string,
  after: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LogEntry[], void> {
  let waiting: LogEntry[] = [];
  let wake: () => void = () => {};
  const add = (ofAgent: string, ofKey: string, entry: LogEntry) => {
    if (ofAgent !== agentId || ofKey !== key) return;
    waiting.push(entry);
    // A reader this slow loses the oldest waiting lines, which the log itself has dropped by then.
    if (waiting.length > 2 * MOST_ENTRIES) waiting = waiting.slice(-MOST_ENTRIES);
    wake();
  };
  const abort = () => wake();
  pool.changes.on("log", add);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const backlog = await keptLogs.read(agentId, key, { after, limit: MOST_ENTRIES });
    yield backlog;
    let last = backlog.at(-1)?.seq ?? after ?? Number.NEGATIVE_INFINITY;
    while (!signal?.aborted) {
      const bunch = waiting.filter(({ seq }) => seq > last);
      waiting = [];
      if (bunch.length > 0) {
        last = bunch.at(-1)?.seq ?? last;
        yield bunch;
        await pause(GATHER_MS, signal);
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    pool.changes.off("log", add);
    signal?.removeEventListener("abort", abort);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
  });
}
