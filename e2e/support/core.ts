import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..");
const startTimeoutMs = 30_000;

/** A running `patchbay serve`. */
export class ServedCore {
  readonly link: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, link: string) {
    this.#child = child;
    this.link = link;
  }

  /** Starts it on `home` and waits for the link that it prints. */
  static start(home: string, options: string[] = [], env: Record<string, string> = {}): Promise<ServedCore> {
    return ServedCore.run([join(root, "bin", "patchbay"), "serve", "--home", home, ...options], home, env);
  }

  /** Starts a program of a spec that serves `home` and prints its link as the command does. */
  static async run(args: string[], home: string, env: Record<string, string> = {}): Promise<ServedCore> {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, PATCHBAY_HOME: home, ...env },
    });
    let output = "";
    child.stderr?.on("data", (chunk) => (output += chunk));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    createInterface({ input: child.stdout }).on("line", (line) => {
      output += `${line}\n`;
      const link = /https?:\/\/\S+#token=\S+/.exec(line)?.[0];
      if (link) resolve(link);
    });
    child.once("exit", (code) => reject(new Error(`patchbay serve ended with ${code}.\n${output}`)));
    const timer = setTimeout(
      () => reject(new Error(`patchbay serve printed no link.\n${output}`)),
      startTimeoutMs,
    );
    try {
      return new ServedCore(child, await promise);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it as Ctrl+C does. */
  stop(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** Ends it without warning. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops the process with SIGSTOP: it keeps its connections and answers nothing, until {@link resume}. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill(signal);
    await exited;
  }
}

/** Asks the running app over REST, whichever shell it runs in. */
export async function ask<T>(home: string, method: string, path: string, body?: unknown): Promise<T> {
  const gateway = JSON.parse(readFileSync(join(home, "gateway.json"), "utf8")) as {
    url: string;
    token: string;
  };
  const answer = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${gateway.token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const value: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value as T;
}
