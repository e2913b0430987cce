import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);
const bin = resolve("bin/patchbay");

/** A real `patchbay serve` over a home folder, and the two ways to talk to it. */
export interface RunningApp {
  readonly process: ChildProcess;
  readonly url: string;
  readonly token: string;
  /** Runs the command line with `--json` against the same home; rejects with its output when it fails. */
  cli(...args: string[]): Promise<unknown>;
  rest(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts the built command and waits for the link that it prints.
 *
 * @param more variables that it gets besides those of this process
 */
export async function startApp(home: string, more: Record<string, string> = {}): Promise<RunningApp> {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, [bin, "--home", home, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const link = await new Promise<string>((found, failed) => {
    child.once("exit", (code) => failed(new Error(`patchbay serve ended with ${code}: ${errors.join("")}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/.exec(line);
      if (match) found(match[0]);
    });
  });
  const [url, token] = link.split("/#token=") as [string, string];

  return {
    process: child,
    url,
    token,
    async cli(...args) {
      const { stdout } = await run(process.execPath, [bin, "--home", home, "--json", ...args], {
        maxBuffer: 64 * 1024 * 1024,
        env,
      });
      return JSON.parse(stdout);
    },
    async rest(method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return response.json();
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}
