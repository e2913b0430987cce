import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { askConfirming, codeOf, TerminalCodes } from "./terminal-codes.ts";

const bin = resolve("bin/patchbay");

/** A real `patchbay serve` over a home folder, and the two ways to talk to it. */
export interface RunningApp {
  readonly process: ChildProcess;
  readonly url: string;
  /** The token of the command line, as it lies in `gateway.json` now. */
  readonly token: string;
  /** What its terminal shows. */
  readonly codes: TerminalCodes;
  /**
   * Runs the command line with `--json` against the same home; rejects with its output when it fails. What the person has
   * to confirm is confirmed with the code at the terminal.
   */
  cli(...args: string[]): Promise<unknown>;
  /** Confirms as `cli` does. */
  rest(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts the built command and waits for the link that it prints.
 *
 * @param more variables that it gets besides those of this process
 * @param program the file that is started in the place of the built command
 */
export async function startApp(
  home: string,
  more: Record<string, string> = {},
  program = bin,
): Promise<RunningApp> {
  const child = spawn(process.execPath, [program, "--home", home, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    // Chats speak the language of the system, which differs between the machines of those who run the tests.
    env: { ...process.env, LC_ALL: "C.UTF-8", ...more },
  });
  const codes = new TerminalCodes();
  const errors: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => codes.take(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    errors.push(chunk.toString());
    codes.take(chunk);
  });
  const link = await new Promise<string>((found, failed) => {
    child.once("exit", (code) => failed(new Error(`patchbay serve ended with ${code}: ${errors.join("")}`)));
    void codes.link().then(found);
  });
  const [url] = link.split("/#") as [string];
  const token = () => JSON.parse(readFileSync(join(home, "gateway.json"), "utf8")).token as string;
  const name = randomBytes(24).toString("base64url");

  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token()}`,
        "x-patchbay-caller": name,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { ok: response.ok, value: (await response.json()) as unknown };
  };

  return {
    process: child,
    url,
    codes,
    get token() {
      return token();
    },
    async cli(...args) {
      const before = codes.count;
      const first = await run(["--home", home, "--json", ...args]);
      if (first.ok) return JSON.parse(first.stdout);
      if (codeOf(parsed(first.stdout)) !== "CONFIRMATION_NEEDED") throw first.error;
      const code = await codes.after(before);
      const again = await run(["--home", home, "--json", "--confirm", code, ...args]);
      if (again.ok) return JSON.parse(again.stdout);
      throw again.error;
    },
    async rest(method, path, body) {
      return (await askConfirming(codes, send, [method, path, body])).value;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

function run(args: string[]): Promise<{ ok: boolean; stdout: string; error: Error | null }> {
  return new Promise((ended) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [bin, ...args], options, (error, stdout, stderr) =>
      ended({
        ok: error === null,
        stdout,
        error: error && Object.assign(error, { stdout, stderr }),
      }),
    );
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
