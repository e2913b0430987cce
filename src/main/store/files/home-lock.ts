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
  /** Which claim it is: never the same twice. */
  readonly token: string;
  /** Whether it is still this claim's. One that somebody has deleted is put back; one that cannot be read counts as ours. */
  isHeld(): boolean;
  /** Gives it back. May be called twice. */
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

/** How often an attempt starts over because somebody else was faster and is already gone again. */
const ATTEMPTS = 100;

/**
 * One process's attempt. A lock file appears complete, by a hard link, or not at all.
 *
 * A lock whose owner is dead has exactly one heir: the process whose record stands in `lock.heir-<token of the dead>`,
 * which only one can create. Should the heir die before it has put its record in the place of the lock, it has exactly
 * one heir itself, and so on. Who finds itself at the end of this line replaces the lock.
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

  /** False when another was faster. */
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

  /** False when something is there already. */
  #link(path: string): boolean {
    try {
      linkOrCopy(this.#draft, path);
      return true;
    } catch (error) {
      if (systemCode(error) === "EEXIST") return false;
      throw writeError(error, path);
    }
  }

  /** The owner of the lock and, while it is dead, who inherits from it; empty when there is no lock. */
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
    // Between reading the line and entering it, another heir may have replaced the lock and tidied up.
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

  /** Wills have no meaning once the lock is replaced, nor have the drafts of the dead. */
  #tidy(): void {
    for (const name of readdirSync(this.#home)) {
      const path = join(this.#home, name);
      if (name.startsWith("lock.heir-")) rmSync(path, { force: true });
      else if (name.startsWith("lock.draft-")) {
        const draft = readLock(path);
        // One that says nothing yet is being written right now.
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

/** Some shared and removable disks have no hard links. A copy is as exclusive, only not complete at once. */
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

/** Null when there is none. A lock that stays unreadable was not made by us; nobody owns it. */
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
