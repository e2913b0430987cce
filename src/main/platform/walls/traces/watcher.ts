import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { WallNote } from "../../../../contract/index.ts";
import { watchedNumbers } from "../seccomp.ts";
import { hasPerl, isAtLeast, perl } from "../starter.ts";
import type { WallEvents } from "../wall.ts";
import { watcherScript } from "./watcher-script.ts";

/**
 * Milliseconds that an answer, or the last line about processes that have ended, is waited for. Long, since who takes a
 * busy machine for one that cannot tell sees nothing from then on.
 */
const ANSWER_MS = 10_000;

/** Numbers of `seccomp`, `ioctl`, `ppoll` and `process_vm_readv`. */
const calls = { x64: [317, 16, 271, 310], arm64: [277, 29, 73, 270] } as const;

/** What the watcher has to know of a wall. Absolute paths. */
export interface Watched {
  /** Whether the processes see all files, apart from what is hidden. */
  all: boolean;
  /** The person's home folder. */
  home: string;
  hidden: readonly string[];
  /** What they see because somebody granted it, or because they need it. */
  shown: readonly string[];
  /** Those of them that somebody granted for reading alone. */
  readOnly: readonly string[];
  /** What was installed, of what they see: nobody but an attack or a mistake wants to change it. */
  code: readonly string[];
  /** Folders that are theirs to write in, but not to remove or replace. */
  fixed: readonly string[];
}

/** One wall that is watched. */
export interface Watch {
  /** Whether a listener in the process with this id (as this machine counts) can be taken over. */
  try(pid: number): Promise<boolean>;
  /** Takes over the listener that the process has as this file. */
  take(pid: number, file: number): Promise<boolean>;
  /** Resolves when everything was told that its processes tried, and all of them are gone. */
  gone(): Promise<void>;
}

interface Entry {
  tell(words: string[]): void;
  lost(): void;
  answer: PromiseWithResolvers<string> | undefined;
  gone: PromiseWithResolvers<void>;
  isTaken: boolean;
}

let found: { problem: WallNote | null } | undefined;
/** Whether a listener was taken over once: then it works on this machine. */
let isSure = false;
let running: { child: ChildProcess; entries: Map<string, Entry>; next: number } | undefined;

/** What happens to watching by itself. */
export const watchEvents = new EventEmitter<WallEvents>();

/** Why not all attempts can be seen on this machine; null when they can. Tried once, in about 10 ms. */
export function watchProblem(): WallNote | null {
  found ??= { problem: tryOut() };
  return found.problem;
}

/** Tries again at the next question. */
export function forgetWatch(): void {
  found = undefined;
}

/** Whether it was seen to work, so that nobody has to try. */
export function watchIsSure(): boolean {
  return isSure;
}

/**
 * Prepares to watch one wall. Starts the watcher when none runs.
 *
 * @param tell gets the words of each line about it
 * @param lost the watcher has ended: the processes of the wall can open no files any more
 */
export function watch(what: Watched, tell: (words: string[]) => void, lost: () => void): Watch {
  running ??= start();
  const { child, entries } = running;
  const id = String(running.next++);
  const entry: Entry = { tell, lost, answer: undefined, gone: Promise.withResolvers(), isTaken: false };
  entries.set(id, entry);
  const ask = async (...words: string[]) => {
    entry.answer = Promise.withResolvers();
    if (entries.get(id) !== entry) return "lost";
    child.stdin?.write(`${words.join("\t")}\n`);
    return inTime(entry.answer.promise, "lost");
  };
  const list = (paths: readonly string[]) => hex(paths.join("\0"));
  return {
    async try(pid) {
      const can = (await ask("try", id, String(pid))) === "can";
      if (!can) {
        found = { problem: { code: "notListening" } };
        watchEvents.emit("report");
      }
      return can;
    },
    async take(pid, file) {
      const lists = [what.hidden, what.shown, what.readOnly, what.code, what.fixed].map(list);
      const about = [what.all ? "1" : "0", hex(what.home), ...lists];
      entry.isTaken = (await ask("watch", id, String(pid), String(file), ...about)) === "went";
      isSure ||= entry.isTaken;
      return entry.isTaken;
    },
    async gone() {
      const isHeard = entry.isTaken;
      // What has ended does not miss the watcher.
      entry.isTaken = false;
      if (isHeard) await inTime(entry.gone.promise, undefined);
      entries.delete(id);
    },
  };
}

function start(): NonNullable<typeof running> {
  const child = spawn(perl, options(false), {
    // In a group of its own it does not end by the Ctrl+C with which a person ends Patchbay: plugins that stop need it.
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
    cwd: "/",
    env: {},
  });
  const entries = new Map<string, Entry>();
  const over = () => {
    if (running?.child === child) running = undefined;
    const missing = [...entries.values()].filter(({ isTaken }) => isTaken);
    for (const { answer, gone } of entries.values()) {
      answer?.resolve("lost");
      gone.resolve();
    }
    entries.clear();
    if (missing.length > 0) watchEvents.emit("watcherLost");
    for (const { lost } of missing) lost();
  };
  child.once("error", over);
  child.once("exit", over);
  child.stdin?.on("error", () => {});
  // It must not keep Patchbay alive; its own input ends with Patchbay.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
  const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess["stdout"]> });
  lines.on("line", (line) => {
    const [id = "", ...words] = line.split("\t");
    const entry = entries.get(id);
    const [what = ""] = words;
    if (["can", "cannot", "went", "lost"].includes(what)) entry?.answer?.resolve(what);
    else if (what === "gone") entry?.gone.resolve();
    else entry?.tell(words);
  });
  return { child, entries, next: 1 };
}

function options(isTrial: boolean): string[] {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const numbers = [...calls[arch], watchedNumbers(arch), isTrial ? 1 : 0].map(String);
  return ["-e", watcherScript, "--", ...numbers];
}

function tryOut(): WallNote | null {
  if (process.arch !== "x64" && process.arch !== "arm64") return { code: "processorUnknown" };
  if (!hasPerl()) return { code: "perlMissing", name: perl };
  if (!isAtLeast(5, 9)) return { code: "linuxOld" };
  if (yama() === "3") return { code: "tracingForbidden" };
  const { status } = spawnSync(perl, options(true), { timeout: 15_000, env: {}, cwd: "/" });
  return status === 0 ? null : { code: "noNotifications" };
}

function yama(): string {
  try {
    return readFileSync("/proc/sys/kernel/yama/ptrace_scope", "latin1").trim();
  } catch {
    return "0";
  }
}

async function inTime<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  const late = new AbortController();
  const waiting = once(late.signal, "abort").then(() => otherwise);
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  try {
    return await Promise.race([promise, waiting]);
  } finally {
    clearTimeout(timer);
  }
}

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}
