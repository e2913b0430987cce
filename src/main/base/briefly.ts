import { createContext, Script } from "node:vm";

/** How often work is tried, unless said otherwise, when its time passed while this process hardly ran. */
const TRIES = 10;

const script = new Script("work()");
const nothing = () => undefined;
const arena: { work: () => unknown } = { work: nothing };
createContext(arena);
let running = false;

/** Work took longer than it may. */
export class TookTooLong extends Error {}

/**
 * Does synchronous work that strangers have a say in (a regular expression, a schema), and ends it when it takes longer
 * than `ms` milliseconds: regular expressions and endless loops as well. It costs about 0.15 ms, and the work must have no
 * effects that could be left half done. Within such work the limit of the whole holds: two timers at once can lose one.
 *
 * @param most how often it is tried on a machine that is too busy to run it at all
 * @throws TookTooLong, and what the work throws
 */
export function briefly<T>(ms: number, work: () => T, most = TRIES): T {
  if (running) return work();
  for (let tries = 1; ; tries += 1) {
    const cpu = process.cpuUsage();
    running = true;
    arena.work = work;
    try {
      return script.runInContext(arena, { timeout: ms }) as T;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      // On a busy machine the time may pass while this process did not run. So processor time decides: half of the limit
      // (in microseconds) was really used, or it was tried often enough.
      const { user } = process.cpuUsage(cpu);
      if (user > ms * 500 || tries === most) throw new TookTooLong();
    } finally {
      running = false;
      arena.work = nothing;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** Keywords of JSON Schema that take more time than the size of schema and value says. */
const COSTLY = /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems|contains)"\s*:/;
/** Characters of a schema from which it may take long without them. */
const LARGE = 16 * 1024;

/** Whether checking a value against a schema may take long. */
export function mayTakeLong(schema: unknown): boolean {
  const text = JSON.stringify(schema);
  return text.length > LARGE || COSTLY.test(text);
}
