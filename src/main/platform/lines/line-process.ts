import type { HostExit, HostProcess, SpawnedHost } from "../platform.ts";
import { LineSplitter } from "./byte-lines.ts";

export interface LineLimits {
  /** Most bytes of one line; the rest of a longer one is dropped. */
  lineBytes: number;
  /** Most bytes that may wait for a process that does not read; with more it is killed. */
  unsentBytes: number;
  /** Most lines that are no messages; with more the process is killed. */
  refused: number;
}

const usual: LineLimits = {
  lineBytes: 64 * 1024 * 1024,
  unsentBytes: 64 * 1024 * 1024,
  refused: 1_000,
};

/** Passed to the message listener in place of a line that is no message. */
export class RefusedLine {
  readonly reason: "malformed" | "too_long";
  /** Its beginning. */
  readonly head: string;

  constructor(reason: RefusedLine["reason"], head: string) {
    this.reason = reason;
    this.head = head;
  }
}

/** A process of any program whose wire carries one JSON value a line, both ways. */
export function lineProcess(host: SpawnedHost, limits: Partial<LineLimits> = {}): HostProcess {
  return new LineProcess(host, { ...usual, ...limits });
}

class LineProcess implements HostProcess {
  readonly #host: SpawnedHost;
  readonly #limits: LineLimits;
  #refused = 0;
  /** Why Patchbay killed the process; undefined while it did not. */
  #fault: string | undefined;

  constructor(host: SpawnedHost, limits: LineLimits) {
    this.#host = host;
    this.#limits = limits;
  }

  get pid(): number | undefined {
    return this.#host.pid;
  }

  post(message: unknown): void {
    this.#host.write(`${JSON.stringify(message)}\n`);
    if (this.#host.unsentBytes > this.#limits.unsentBytes) this.#end("it does not read what it is sent");
  }

  onMessage(listener: (message: unknown) => void): void {
    const splitter = new LineSplitter(this.#limits.lineBytes);
    this.#host.onData((chunk) => {
      for (const line of splitter.push(chunk)) {
        if (this.#fault !== undefined) return;
        const message = "text" in line ? parsed(line.text) : new RefusedLine("too_long", line.head);
        if (message instanceof RefusedLine) this.#count();
        if (message !== undefined) listener(message);
      }
    });
  }

  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void {
    this.#host.onOutput(listener);
  }

  onExit(listener: (exit: HostExit) => void): void {
    this.#host.onExit((exit) =>
      listener(this.#fault === undefined ? exit : { ...exit, endedFor: this.#fault }),
    );
  }

  kill(): void {
    this.#host.kill();
  }

  #count(): void {
    this.#refused += 1;
    if (this.#refused >= this.#limits.refused)
      this.#end(`it sent ${this.#refused} lines that are no messages`);
  }

  #end(fault: string): void {
    this.#fault ??= fault;
    this.#host.kill();
  }
}

/** The JSON value of a line; undefined for an empty line, which is ignored. */
function parsed(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return new RefusedLine("malformed", text.slice(0, 200));
  }
}
