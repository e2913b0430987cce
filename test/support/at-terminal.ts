import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

/** What is left when the command has ended. */
export interface Left {
  /** The exit code; negative: the number of the signal that ended it. */
  code: number;
  /** Whether the terminal is as it was: it reads whole lines, and shows what is typed. */
  lines: boolean;
  echo: boolean;
}

/** A person at a real pseudo-terminal (`pty.py`) in which one command runs. */
export class AtTerminal implements AsyncDisposable {
  readonly ended: Promise<Left>;
  readonly #window: ChildProcess;
  #shown = "";
  #read = 0;
  #over = false;
  #change = Promise.withResolvers<void>();

  constructor(command: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
    this.#window = spawn("python3", [join(import.meta.dirname, "pty.py"), ...command], {
      cwd: options.cwd,
      env: { ...process.env, TERM: "xterm", NO_COLOR: "1", ...options.env },
      stdio: ["pipe", "pipe", "inherit", "pipe"],
    });
    this.#window.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      this.#shown += piece;
      this.#changed();
    });
    this.ended = text(this.#window.stdio[3] as Readable).then((state) => {
      this.#over = true;
      this.#changed();
      return JSON.parse(state) as Left;
    });
  }

  /** Everything that was shown so far, byte for byte. */
  get raw(): string {
    return this.#shown;
  }

  /** The same without colours and moves of the cursor. */
  get screen(): string {
    return stripVTControlCharacters(this.#shown).replaceAll("\r", "");
  }

  /** Waits until the screen shows `words` after what was seen before. Fails when the command ends without. */
  async sees(words: string): Promise<void> {
    for (;;) {
      const at = this.screen.indexOf(words, this.#read);
      if (at >= 0) {
        this.#read = at + words.length;
        return;
      }
      if (this.#over) throw new Error(`The command ended, and nothing says “${words}”:\n${this.screen}`);
      await this.#change.promise;
    }
  }

  /** Types keys; `\r` is Enter, `\u0003` Ctrl+C, `\u0004` Ctrl+D. */
  types(keys: string): void {
    this.#window.stdin?.write(keys);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#window.stdin?.end();
    await this.ended;
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
