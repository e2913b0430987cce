import { spawn } from "node:child_process";
import { once } from "node:events";

/** What starting a bare process takes on two idle cores, in milliseconds, generously. */
const idleStartMs = 80;

/**
 * A second, as the time limit of an expectation; on a machine that is busy with other things as much longer as starting a
 * bare process takes there now. Measured anew at each call.
 */
export async function aSecond(): Promise<{ timeout: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  const slowdown = Math.max(1, (performance.now() - startedAt) / idleStartMs);
  return { timeout: Math.round(1_000 * slowdown) };
}
