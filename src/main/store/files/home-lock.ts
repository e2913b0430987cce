import { randomUUID } from "node:crypto";
import {
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PatchbayError } from "../../../contract/errors.ts";
import { isAlive, ownIdentity } from "../../platform/process-identity.ts";
import { ensurePrivateFolder, PRIVATE_FILE, readError, systemCode, writeError } from "./files.ts";

/** The right to write in a home folder. One process has it at a time. */
export interface HomeLock {
  readonly home: string;
  /** Id of this claim, different each time. */
  readonly token: string;
  /**
   * Whether this claim still has the lock. A lock file that was deleted is written again; one that cannot be read
   * counts as ours.
   */
  isHeld(): boolean;
  /** Releases the lock. May be called twice. */
  release(): void;
}

/**
 * Takes the lock of a home folder; makes the folder when it is not there. The lock of a process that has ended is taken
 * over; of several that try at once exactly one succeeds.
 *
 * @throws PatchbayError HOME_IN_USE with `details: {pid, url}` (url null while the owner has no gateway), WRITE_FAILED
 */
export function acquireHomeLock(home: string): HomeLock {
  ensurePrivateFolder(home);
  const claim = new Claim(home);
  try {
    claim.win();
  } finally {
    claim.clear();
  }
  return { home, token: claim.token, isHeld: () => claim.isHeld(), release: () => claim.release() };
}

const lockSchema = z.object({
  token: z.string(),
  pid: z.number().int(),
  started: z.string().nullable(),
  takenAt: z.number(),
});
type LockRecord = z.infer<typeof lockSchema>;

/** How many times an attempt starts again because another process took the lock first and released it already. */
const ATTEMPTS = 100;

/**
 * One process's attempt. A lock file appears complete, by a hard link, or not at all.
 *
 * A lock whose owner has ended is inherited by exactly one process: the one that creates the file `lock.heir-<token of
 * the owner>`, which only one can. If that heir ends before it has replaced the lock by its own record, it is itself
 * inherited from in the same way, and so on. The process at the end of this line replaces the lock.
 */
class Claim {
  readonly #home: string;
  readonly #lock: string;
  readonly #draft: string;
  readonly #record: LockRecord;

  constructor(home: string) {
    this.#home = home;
    this.#lock = join(home, "lock");
    this.#record = { token: randomUUID(), ...ownIdentity(), takenAt: Date.now() };
    this.#draft = join(home, `lock.draft-${this.#record.token}`);
  }

  get token(): string {
    return this.#record.token;
  }

  win(): void {
    this.#write();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (this.#link(this.#lock)) return;
      const line = this.#lineOfHeirs();
      const last = line.at(-1);
      if (!last) continue;
      if (isAlive(last, last.takenAt)) throw this.#inUse(last.pid);
      if (this.#inherit(last)) return;
    }
    throw new PatchbayError("HOME_IN_USE", `Patchbay's folder ${this.#home} is being opened by others.`, {
      details: { pid: null, url: null },
    });
  }

  clear(): void {
    rmSync(this.#draft, { force: true });
  }

  isHeld(): boolean {
    try {
      const found = readLock(this.#lock);
      return found ? found.token === this.#record.token : this.#putBack();
    } catch {
      return true;
    }
  }

  release(): void {
    if (readLock(this.#lock)?.token === this.#record.token) rmSync(this.#lock, { force: true });
  }

  /** Writes the deleted lock file again. False when another process has written one first. */
  #putBack(): boolean {
    try {
      this.#write();
      return this.#link(this.#lock);
    } finally {
      this.clear();
    }
  }

  #write(): void {
    try {
      writeFileSync(this.#draft, JSON.stringify(this.#record), { mode: PRIVATE_FILE, flag: "wx" });
    } catch (error) {
      throw writeError(error, this.#draft);
    }
  }

  /** Puts the record at `path`. False when there is a file already. */
  #link(path: string): boolean {
    try {
      linkOrCopy(this.#draft, path);
      return true;
    } catch (error) {
      if (systemCode(error) === "EEXIST") return false;
      throw writeError(error, path);
    }
  }

  /** The owner of the lock, and, as long as each has ended, its heir; empty when there is no lock. */
  #lineOfHeirs(): LockRecord[] {
    const line: LockRecord[] = [];
    let next = readLock(this.#lock);
    while (next) {
      line.push(next);
      if (isAlive(next, next.takenAt)) break;
      next = readLock(this.#heirOf(next));
    }
    return line;
  }

  #inherit(dead: LockRecord): boolean {
    const will = this.#heirOf(dead);
    if (!this.#link(will)) return false;
    // Since the line was read, another heir may have replaced the lock and removed the heir files; then this attempt is
    // void.
    if (this.#lineOfHeirs().at(-1)?.token !== this.#record.token) {
      rmSync(will, { force: true });
      return false;
    }
    renameSync(this.#draft, this.#lock);
    this.#tidy();
    return true;
  }

  #heirOf(record: LockRecord): string {
    return join(this.#home, `lock.heir-${record.token}`);
  }

  /**
   * Removes files that are no longer needed once the lock is replaced: heir files, and drafts of processes that have
   * ended.
   */
  #tidy(): void {
    for (const name of readdirSync(this.#home)) {
      const path = join(this.#home, name);
      if (name.startsWith("lock.heir-")) rmSync(path, { force: true });
      else if (name.startsWith("lock.draft-")) {
        const draft = readLock(path);
        // An empty draft is being written by another process now: leave it.
        if (draft && draft.pid > 0 && !isAlive(draft, draft.takenAt)) rmSync(path, { force: true });
      }
    }
  }

  #inUse(pid: number): PatchbayError {
    const url = readUrl(this.#home);
    const where = url ? ` It is at ${url}.` : "";
    return new PatchbayError(
      "HOME_IN_USE",
      `Patchbay already runs with the folder ${this.#home} (process ${pid}).${where}`,
      { details: { pid, url } },
    );
  }
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * Links a file, or copies it where the disk has no hard links (some shared and removable ones). A copy also fails when
 * the file exists, but a reader may see it incomplete.
 */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error) ?? "")) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

const READS = 5;
const BETWEEN_READS_MS = 20;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Reads a lock file; null when there is none. One that stays unreadable was not made by Patchbay and counts as having
 * no owner.
 */
function readLock(path: string): LockRecord | null {
  for (let read = 1; ; read += 1) {
    const text = readIfThere(path);
    if (text === null) return null;
    try {
      return lockSchema.parse(JSON.parse(text));
    } catch {
      if (read === READS) return { token: `unreadable-${text.length}`, pid: 0, started: null, takenAt: 0 };
      Atomics.wait(pause, 0, 0, BETWEEN_READS_MS);
    }
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw readError(error, path);
  }
}

const gatewaySchema = z.object({ url: z.string() });

function readUrl(home: string): string | null {
  try {
    return gatewaySchema.parse(JSON.parse(readFileSync(join(home, "gateway.json"), "utf8"))).url;
  } catch {
    return null;
  }
}
