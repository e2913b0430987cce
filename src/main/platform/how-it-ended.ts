import { readFileSync } from "node:fs";
import type { HostExit } from "./platform.ts";

/** Signals that a process gets for what it did itself: a fault in it, or in what it is made of. */
const ofItsOwn: readonly string[] = [
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGILL",
  "SIGSEGV",
  "SIGSYS",
  "SIGTRAP",
  "SIGXCPU",
  "SIGXFSZ",
];

/**
 * How a process ended, to follow its name in a sentence: `was ended by Patchbay: it did not answer for 10 seconds`. What
 * Patchbay and the system are known to have done comes first; of a signal alone nobody can tell who sent it.
 */
export function howItEnded({ code, signal, error, endedFor, memory }: HostExit): string {
  if (error !== undefined) return `could not be started: ${error}`;
  if (endedFor !== undefined) return `was ended by Patchbay: ${endedFor}`;
  if (memory === "machine") return `was ended by the system, which had no memory left (signal ${signal})`;
  if (memory !== undefined) return `ran out of memory: it may use ${memory.limitMb} MB`;
  if (signal !== null && ofItsOwn.includes(signal)) return `crashed (signal ${signal})`;
  if (signal !== null) return `was killed, but not by Patchbay (signal ${signal})`;
  return code === null ? "could not be started" : `ended by itself (exit code ${code})`;
}

/**
 * How many processes the system has ended since it runs because it had no memory left; null where it does not tell.
 * Only Linux tells.
 */
export function endedForMemory(): number | null {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "latin1"))?.[1];
    return count === undefined ? null : Number(count);
  } catch {
    return null;
  }
}

/** What V8 prints before it aborts a process that is out of memory. */
const outOfMemory = /^(?:FATAL ERROR|#?\s*Fatal).*out of memory/im;

/** Looks out, in what a Node process prints to its error output, for its word that its memory is full. */
export class MemoryWatch {
  #said = "";
  isFull = false;

  read(chunk: Buffer): void {
    if (this.isFull) return;
    this.#said = (this.#said + chunk.toString("latin1")).slice(-4_096);
    this.isFull = outOfMemory.test(this.#said);
  }
}
