import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";

/**
 * Most processes and most memory of everything behind one wall, in bytes. Shared pages count with each process, and files
 * without a name with what is kept in memory: a look at folders does not find them.
 */
const usualLimits = { processes: 400, memory: 4 * 1024 ** 3 };

/** One look in so many is at open files, which takes longer. */
const FILES_EVERY = 4;

/** Bytes of a page. All systems that we know of have this size or count in it. */
const PAGE = 4_096;

/** A look at everything that runs behind one wall, from outside. Only Linux tells. */
export class InsideWatch {
  readonly #leader: number;
  readonly #limits: typeof usualLimits;
  #counters: number[] = [];
  #looks = 0;
  #nameless = 0;

  /** @param leader process id of the sandbox' first process, that of bubblewrap itself */
  constructor(leader: number, limits = usualLimits) {
    this.#leader = leader;
    this.#limits = limits;
  }

  /** What it has too much of, in words; null when all is well. */
  excess(): string | null {
    const most = this.#limits;
    const inside = this.processes();
    if (inside.length > most.processes) return `more than ${most.processes} processes`;
    if (this.#looks++ % FILES_EVERY === 0) this.#nameless = namelessBytes(inside);
    let memory = this.#nameless;
    for (const pid of inside) memory += residentBytes(pid);
    return memory > most.memory ? `more than ${most.memory / 1024 ** 3} GB of memory` : null;
  }

  /** The processes of the sandbox without bubblewrap's own two, as ids of the system outside. */
  processes(): number[] {
    const found: number[] = [];
    const pending = childrenOf(this.#leader).flatMap(childrenOf);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      found.push(next);
      if (found.length > this.#limits.processes) break;
      pending.push(...childrenOf(next));
    }
    return found;
  }

  /**
   * A text that changes when any of the sandbox' processes has run, or when there are others; null when that cannot be
   * told. Who did not run since the last look has tried nothing and is not more than it was.
   */
  activity(): string | null {
    const ran = this.processes().map((pid) => `${pid} ${runTimes(pid)}`);
    return ran.length === 0 || ran.some((each) => each.endsWith(" ")) ? null : ran.join("\n");
  }

  /** The process that it is all about; undefined before it has begun, or when it has ended. */
  first(): number | undefined {
    const [pid] = childrenOf(this.#leader).flatMap(childrenOf);
    return pid !== undefined && commandOf(pid) !== "bwrap" ? pid : undefined;
  }

  /**
   * Begins to count packets that the sandbox' processes tried to send past their proxy. Open files keep the counters
   * readable when the processes are gone.
   */
  countPackets(): void {
    const [first] = childrenOf(this.#leader);
    if (first === undefined || this.#counters.length > 0) return;
    try {
      for (const name of ["snmp", "snmp6"]) this.#counters.push(openSync(`/proc/${first}/net/${name}`, "r"));
    } catch {
      // It has ended already.
    }
  }

  /** Packets that found no way out so far. */
  strayPackets(): number {
    return this.#counters.reduce((sum, file) => sum + noRoutes(textOf(file)), 0);
  }

  close(): void {
    for (const file of this.#counters.splice(0)) closeSync(file);
  }
}

/** What a process started, by any of its threads: the kernel lists children by the thread that made them. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Nanoseconds for which each thread of a process has run; empty when the system does not say or the process is gone. */
function runTimes(pid: number): string {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ", 1)[0])
      .join(",");
  } catch {
    return "";
  }
}

/** Bytes in files that processes have open and that no folder names: deleted ones, and those that are made in memory. */
function namelessBytes(pids: readonly number[]): number {
  const found = new Map<string, number>();
  for (const pid of pids) {
    for (const number of namesIn(`/proc/${pid}/fd`)) {
      const file = statSync(`/proc/${pid}/fd/${number}`, { throwIfNoEntry: false });
      if (file?.isFile() && file.nlink === 0) found.set(`${file.dev} ${file.ino}`, file.blocks * 512);
    }
  }
  return [...found.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "latin1").trim();
  } catch {
    return "bwrap";
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE;
  } catch {
    return 0;
  }
}

function textOf(file: number): string {
  const buffer = Buffer.alloc(32 * 1024);
  try {
    return buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return "";
  }
}

/** The counter of the kernel for packets without a route: a column of the line `Ip:`, or a line of its own for IPv6. */
function noRoutes(text: string): number {
  const six = /^Ip6OutNoRoutes\s+(\d+)/m.exec(text)?.[1];
  if (six !== undefined) return Number(six);
  const [names, values] = text.split("\n").filter((line) => line.startsWith("Ip: "));
  const at = names?.split(" ").indexOf("OutNoRoutes") ?? -1;
  return at < 0 ? 0 : Number(values?.split(" ")[at] ?? 0);
}
