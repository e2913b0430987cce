import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const bin = resolve("bin/patchbay");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Stdout as the one document that it must be. */
  json<T = Record<string, unknown>>(): T;
}

export interface RunOptions {
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
}

/** A folder of its own with a home in it, and the real command over that home. */
export async function openBench() {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-cli-"));
  const home = join(folder, "home");
  return {
    folder,
    home,
    patchbay: (args: string[], options?: RunOptions) => patchbay(home, args, options),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
export type Bench = Awaited<ReturnType<typeof openBench>>;

/** Runs the real command to its end. */
export async function patchbay(home: string, args: string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: "1", ...options.env, PATCHBAY_HOME: home },
    stdio: ["pipe", "pipe", "pipe"],
    signal: options.signal,
  });
  child.stdin.end(options.input ?? "");
  const code = new Promise<number | null>((ended, failed) => {
    child.once("exit", ended);
    child.once("error", failed);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr, json: () => JSON.parse(stdout) };
}
