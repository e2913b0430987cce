import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { askConfirming, TerminalCodes } from "../../test/support/terminal-codes.ts";
import { confirmAsPerson } from "./confirm.ts";

const root = join(import.meta.dirname, "..", "..");
const startTimeoutMs = 30_000;

/** A running `patchbay serve`. */
export class ServedCore {
  /** The link that it printed at its start. It opens one page. */
  readonly link: string;
  /** What its terminal shows. */
  readonly codes: TerminalCodes;
  readonly #child: ChildProcess;
  #given = 0;

  private constructor(child: ChildProcess, link: string, codes: TerminalCodes) {
    this.#child = child;
    this.link = link;
    this.codes = codes;
  }

  /** Opens a page by a link, and confirms there what only the person may do, as whoever reads the terminal. */
  async openIn(page: Page, link: string = this.link): Promise<void> {
    await confirmAsPerson(page, this.codes);
    await page.goto(link);
  }

  /** A link for one more page than those that this gave a link to. */
  freshLink(): Promise<string> {
    this.#given += 1;
    return this.codes.link(this.#given);
  }

  /** The newest link in its terminal, for one more page, once `opened` pages were opened. */
  nextLink(opened = 1): Promise<string> {
    return this.codes.link(opened + 1);
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
    const codes = new TerminalCodes();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        output += chunk;
        codes.take(chunk);
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    void codes.link().then(resolve);
    child.once("exit", (code) => reject(new Error(`patchbay serve ended with ${code}.\n${output}`)));
    const timer = setTimeout(
      () => reject(new Error(`patchbay serve printed no link.\n${output}`)),
      startTimeoutMs,
    );
    try {
      const core = new ServedCore(child, await promise, codes);
      terminals.set(home, codes);
      return core;
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

/** The terminal of the newest core of each home folder. A desktop app has none: it asks in a dialog. */
const terminals = new Map<string, TerminalCodes>();
const noTerminal = new TerminalCodes();

export function terminalOf(home: string): TerminalCodes {
  return terminals.get(home) ?? noTerminal;
}

/** The name of these specs as a program; what is confirmed holds for it. */
const name = randomBytes(24).toString("base64url");

/**
 * Asks the running app over REST, whichever shell it runs in. What the person has to confirm is confirmed with the code
 * in its terminal.
 */
export async function ask<T>(home: string, method: string, path: string, body?: unknown): Promise<T> {
  const send = async (method: string, path: string, body?: unknown) => {
    const gateway = JSON.parse(readFileSync(join(home, "gateway.json"), "utf8")) as {
      url: string;
      token: string;
    };
    const answer = await fetch(`${gateway.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${gateway.token}`,
        "x-patchbay-caller": name,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { ok: answer.ok, value: (await answer.json()) as unknown };
  };
  const { ok, value } = await askConfirming(terminalOf(home), send, [method, path, body]);
  if (!ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value as T;
}
