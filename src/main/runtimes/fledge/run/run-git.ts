import { Program } from "../../../platform/program.ts";
import type { Cell } from "../cell.ts";

const LIMIT_MS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * What git prints, or null when it fails. git asks for no password and runs no program that the repository configures.
 */
export async function runGit(
  args: string[],
  cwd: string,
  env: Record<string, string>,
  cell: Cell = {},
): Promise<string | null> {
  const quiet = { ...env, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const child = new Program({
    file: "git",
    args: [...settings, ...args],
    cwd,
    env: quiet,
    input: false,
    ...cell,
  });
  const kept: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_BYTES) kept.push(chunk);
  });
  child.stderr.resume();
  child.signalAfter(LIMIT_MS, "SIGKILL");
  try {
    const { code } = await child.ended;
    return code === 0 ? Buffer.concat(kept).toString("utf8") : null;
  } catch {
    return null;
  }
}
