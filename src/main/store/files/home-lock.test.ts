import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PatchbayError } from "../../../contract/index.ts";
import { acquireHomeLock } from "./home-lock.ts";

const PROGRAM = resolve(import.meta.dirname, "../../../../test/fixtures/store/take-the-lock.ts");

let folder: string;
let home: string;
let contenders: Contender[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-lock-"));
  home = join(folder, "home");
  contenders = [];
});
afterEach(async () => {
  await Promise.all(contenders.map((contender) => contender.kill()));
  rmSync(folder, { recursive: true, force: true });
});

/** A real process that tries to get the lock. */
class Contender {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#child = spawn(process.execPath, [PROGRAM], { stdio: "pipe" });
    this.#closed = once(this.#child, "close");
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    contenders.push(this);
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  async ready(): Promise<void> {
    expect(await this.#next()).toBe("ready");
  }

  take(place = home): Promise<string> {
    this.#child.stdin.write(`${place}\n`);
    return this.#next();
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  async #next(): Promise<string> {
    const { value } = await this.#lines.next();
    return value ?? "";
  }
}

function refusal(): PatchbayError {
  try {
    acquireHomeLock(home).release();
  } catch (error) {
    if (error instanceof PatchbayError) return error;
    throw error;
  }
  throw new Error("the lock was free");
}

describe("the lock of a home folder", () => {
  it("that somebody deletes is put back, and lost only when another has it", () => {
    const lock = acquireHomeLock(home);
    const path = join(home, "lock");
    const before = readFileSync(path, "utf8");
    rmSync(path);
    expect(lock.isHeld()).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(before);
    rmSync(path);
    const other = acquireHomeLock(home);
    expect(lock.isHeld()).toBe(false);
    lock.release();
    expect(other.isHeld()).toBe(true);
    other.release();
    expect(readdirSync(home)).toEqual([]);
  });

  it("is had by one at a time, and free again when released", () => {
    const lock = acquireHomeLock(home);
    expect(refusal().code).toBe("HOME_IN_USE");
    lock.release();
    lock.release();
    acquireHomeLock(home).release();
    expect(existsSync(join(home, "lock"))).toBe(false);
  });

  it("says who has it and where that one can be reached", async () => {
    const owner = new Contender();
    await owner.ready();
    expect(await owner.take()).toBe("won");
    expect(refusal().details).toEqual({ pid: owner.pid, url: null });
    writeFileSync(
      join(home, "gateway.json"),
      JSON.stringify({ url: "http://127.0.0.1:4321", token: "secret" }),
    );
    const error = refusal();
    expect(error.details).toEqual({ pid: owner.pid, url: "http://127.0.0.1:4321" });
    expect(error.message).toContain("http://127.0.0.1:4321");
    expect(JSON.stringify(error.toProblem())).not.toContain("secret");
  });

  it("is taken over when its owner was killed", async () => {
    const owner = new Contender();
    await owner.ready();
    await owner.take();
    await owner.kill();
    acquireHomeLock(home).release();
    expect(readdirSync(home)).toEqual([]);
  });

  it("is taken over when another process was given the pid of its owner", () => {
    const lock = acquireHomeLock(home);
    const record = JSON.parse(readFileSync(join(home, "lock"), "utf8"));
    // A record with a living pid but of an earlier process: its start time is another one, or, on systems without start
    // times, it was written long ago.
    const other = record.started === null ? { takenAt: 0 } : { started: `${record.started}1` };
    writeFileSync(join(home, "lock"), JSON.stringify({ ...record, ...other, token: "of-the-dead" }));
    const next = acquireHomeLock(home);
    lock.release();
    expect(refusal().code).toBe("HOME_IN_USE");
    next.release();
  });

  it.each(["", "not a lock", "{}"])(
    "is taken over when it holds nothing that Patchbay wrote (%j)",
    (text) => {
      acquireHomeLock(home).release();
      writeFileSync(join(home, "lock"), text);
      acquireHomeLock(home).release();
    },
  );

  it("goes to the next when the heir of a dead owner died before it could take over", () => {
    const lock = acquireHomeLock(home);
    const alive = JSON.parse(readFileSync(join(home, "lock"), "utf8"));
    const dead = { ...alive, pid: 2 ** 22 + 1 };
    writeFileSync(join(home, "lock"), JSON.stringify({ ...dead, token: "first" }));
    writeFileSync(join(home, "lock.heir-first"), JSON.stringify({ ...dead, token: "second" }));
    const next = acquireHomeLock(home);
    expect(refusal().code).toBe("HOME_IN_USE");
    expect(readdirSync(home)).toEqual(["lock"]);
    next.release();
    lock.release();
  });

  it("goes to exactly one of 20 processes that try at once, whoever died before", {
    timeout: 300_000,
  }, async () => {
    const dead = { pid: 2 ** 22 + 1, started: "long ago", takenAt: 0 };
    const racers = Array.from({ length: 20 }, () => new Contender());
    await Promise.all(racers.map((racer) => racer.ready()));
    for (let round = 0; round < 60; round += 1) {
      const place = join(folder, `home-${round}`);
      mkdirSync(place);
      // In turn: no lock, the lock of a dead owner, and one whose first heir is dead, too.
      if (round % 3 > 0) writeFileSync(join(place, "lock"), JSON.stringify({ ...dead, token: "a" }));
      if (round % 3 > 1) writeFileSync(join(place, "lock.heir-a"), JSON.stringify({ ...dead, token: "b" }));
      const answers = await Promise.all(racers.map((racer) => racer.take(place)));
      expect(answers.toSorted()).toEqual([...Array(19).fill("lost: HOME_IN_USE"), "won"]);
      expect(readdirSync(place)).toEqual(["lock"]);
    }
  });
});
