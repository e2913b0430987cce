import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { PatchbayError, type Problem } from "../../../contract/index.ts";
import { openStateFile, type StateFile, type StateFileOptions } from "./state-file.ts";

const schema = z.object({ count: z.number(), note: z.string() });
type Value = z.infer<typeof schema>;

let folder: string;
let path: string;
let notices: Problem[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-state-"));
  path = join(folder, "inner", "things.json");
  notices = [];
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function openFile(options: Partial<StateFileOptions<Value>> = {}): StateFile<Value> {
  return openStateFile<Value>({
    path,
    schema,
    version: 1,
    initial: () => ({ count: 0, note: "" }),
    onNotice: (problem) => notices.push(problem),
    ...options,
  });
}

const setCount = (count: number) => (value: Readonly<Value>) => ({ ...value, count });
const onDisk = () => JSON.parse(readFileSync(path, "utf8"));

function failure(work: () => unknown): PatchbayError {
  try {
    work();
  } catch (error) {
    if (error instanceof PatchbayError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("a state file", () => {
  it("writes nothing until something changes", () => {
    expect(openFile().get()).toEqual({ count: 0, note: "" });
    expect(existsSync(path)).toBe(false);
  });

  it("is on disk, with its schema version, when update returns", () => {
    openFile().update(setCount(7));
    expect(onDisk()).toEqual({ schemaVersion: 1, data: { count: 7, note: "" } });
  });

  it("reads back what was written", () => {
    openFile().update(() => ({ count: 3, note: 'Grüße\n"quoted" \u2028' }));
    expect(openFile().get()).toEqual({ count: 3, note: 'Grüße\n"quoted" \u2028' });
    expect(notices).toEqual([]);
  });

  it.runIf(process.platform !== "win32")("can be read by this person alone, as can its copies", () => {
    const file = openFile();
    file.update(setCount(1));
    chmodSync(path, 0o644);
    file.update(setCount(2));
    const modes = readdirSync(join(folder, "inner")).map(
      (name) => statSync(join(folder, "inner", name)).mode,
    );
    expect(modes.map((mode) => mode & 0o777)).toEqual(modes.map(() => 0o600));
    expect(statSync(join(folder, "inner")).mode & 0o777).toBe(0o700);
  });

  it("refuses a value that would not be read back, and keeps the old one", () => {
    const file = openFile();
    file.update(setCount(1));
    const error = failure(() => file.update(() => ({ count: "two", note: "" }) as unknown as Value));
    expect(error.code).toBe("INTERNAL");
    expect(error.message).toContain("count");
    expect(file.get().count).toBe(1);
    expect(onDisk().data.count).toBe(1);
  });

  it("leaves memory and disk as they were when the disk refuses, and works again afterwards", () => {
    const file = openFile();
    file.update(setCount(1));
    renameSync(join(folder, "inner"), join(folder, "moved"));
    writeFileSync(join(folder, "inner"), "a file in the place of the folder");
    const error = failure(() => file.update(setCount(2)));
    expect(error.code).toBe("WRITE_FAILED");
    expect(error.message).toContain("things.json");
    expect(file.get().count).toBe(1);
    rmSync(join(folder, "inner"));
    renameSync(join(folder, "moved"), join(folder, "inner"));
    expect(onDisk().data.count).toBe(1);
    file.update(setCount(3));
    expect(onDisk().data.count).toBe(3);
  });
});

describe("rewrite", () => {
  it("is on disk when it returns, and in memory", () => {
    const file = openFile();
    file.rewrite({ count: 5, note: "" });
    expect(file.get().count).toBe(5);
    expect(onDisk().data.count).toBe(5);
  });

  it("leaves memory as it was when the disk refuses, and works again afterwards", () => {
    const file = openFile();
    writeFileSync(join(folder, "inner"), "in the way");
    expect(failure(() => file.rewrite({ count: 4, note: "" })).code).toBe("WRITE_FAILED");
    expect(file.get().count).toBe(0);
    rmSync(join(folder, "inner"));
    file.rewrite({ count: 4, note: "" });
    expect(onDisk().data.count).toBe(4);
  });
});

describe("a damaged state file", () => {
  const quarantined = () => readdirSync(join(folder, "inner")).filter((name) => name.includes(".damaged-"));

  function written(count: number): void {
    const file = openFile();
    file.update(setCount(count - 1));
    file.update(setCount(count));
  }

  it("that was cut in half is renamed aside, and nothing that was confirmed is lost", () => {
    written(42);
    const half = Math.floor(statSync(path).size / 2);
    truncateSync(path, half);
    expect(openFile().get().count).toBe(42);
    const [aside = ""] = quarantined();
    expect(aside).toMatch(/^things\.damaged-.*\.json$/);
    expect(statSync(join(folder, "inner", aside)).size).toBe(half);
    expect(notices).toHaveLength(1);
    expect(notices[0]?.code).toBe("STATE_FILE_DAMAGED");
    expect(notices[0]?.message).toContain("things.json");
    expect(notices[0]?.message).toContain(aside);
  });

  it.each([
    ["is empty", ""],
    ["holds other JSON", "[1,2,3]"],
    ["has no version", '{"data":{"count":1,"note":""}}'],
    ["does not fit the schema", '{"schemaVersion":1,"data":{"count":"one","note":""}}'],
    ["holds zeros", "\0".repeat(300)],
  ])("that %s is set aside too", (_, text) => {
    written(42);
    writeFileSync(path, text);
    expect(openFile().get().count).toBe(42);
    expect(quarantined()).toHaveLength(1);
  });

  it("is whole again for the next start", () => {
    written(42);
    writeFileSync(path, "{");
    openFile();
    notices.length = 0;
    expect(openFile().get().count).toBe(42);
    expect(notices).toEqual([]);
  });

  it("falls back to an older copy when the newest is damaged too", () => {
    written(42);
    writeFileSync(path, "{");
    writeFileSync(`${path}.bak1`, "{");
    expect(openFile().get().count).toBe(41);
  });

  it("starts empty, and says so, when no good copy is left", () => {
    written(42);
    for (const name of ["", ".bak1", ".bak2", ".bak3"]) writeFileSync(`${path}${name}`, "{");
    expect(openFile().get().count).toBe(0);
    expect(notices[0]?.message).toContain("no good copy");
  });

  it("stays where it is, and is refused, where starting empty would lose too much", () => {
    written(42);
    for (const name of ["", ".bak1", ".bak2", ".bak3"]) writeFileSync(`${path}${name}`, "{");
    expect(failure(() => openFile({ whenLost: "refuse" })).code).toBe("STATE_FILE_DAMAGED");
    expect(readFileSync(path, "utf8")).toBe("{");
    expect(quarantined()).toEqual([]);
  });

  it("that is gone altogether is restored from its newest copy", () => {
    written(42);
    rmSync(path);
    expect(openFile().get().count).toBe(42);
    expect(notices[0]?.message).toContain("was gone");
  });

  it("whose writer was cut off between two versions is restored from the one before", () => {
    written(42);
    renameSync(path, `${path}.previous`);
    for (const name of [".bak1", ".bak2", ".bak3"]) rmSync(`${path}${name}`, { force: true });
    writeFileSync(path, readFileSync(`${path}.previous`, "utf8").slice(0, 20));
    expect(openFile().get().count).toBe(42);
  });

  it("keeps three copies at most, and the newest is the last confirmed value", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const file = openFile();
    for (let count = 1; count <= 8; count += 1) {
      file.update(setCount(count));
      vi.setSystemTime(Date.now() + 120_000);
    }
    const copies = readdirSync(join(folder, "inner")).filter((name) => name.includes(".bak"));
    expect(copies.sort()).toEqual(["things.json.bak1", "things.json.bak2", "things.json.bak3"]);
    const counts = copies.map(
      (name) => JSON.parse(readFileSync(join(folder, "inner", name), "utf8")).data.count,
    );
    expect(counts).toEqual([8, 7, 6]);
  });

  it("is not made by frequent writes pushing good copies out", () => {
    vi.useFakeTimers();
    const file = openFile();
    file.update(setCount(1));
    for (let second = 0; second < 30; second += 1) {
      file.rewrite({ count: 1, note: `${second}` });
      vi.advanceTimersByTime(1_000);
    }
    const newest = JSON.parse(readFileSync(`${path}.bak1`, "utf8"));
    expect(newest.data).toEqual({ count: 1, note: "" });
  });
});

describe("versions of a state file", () => {
  const write = (schemaVersion: number, data: unknown) => {
    openFile().update(setCount(1));
    for (const name of readdirSync(join(folder, "inner"))) rmSync(join(folder, "inner", name));
    writeFileSync(path, JSON.stringify({ schemaVersion, data }));
  };
  const migrations = {
    1: (old: unknown) => ({ amount: (old as { n: number }).n }),
    2: (old: unknown) => ({ count: (old as { amount: number }).amount, note: "migrated" }),
  };

  it("go through every migration in order", () => {
    write(1, { n: 12 });
    const file = openFile({ version: 3, migrations });
    expect(file.get()).toEqual({ count: 12, note: "migrated" });
    file.update(setCount(13));
    expect(onDisk()).toEqual({ schemaVersion: 3, data: { count: 13, note: "migrated" } });
  });

  it("that a migration cannot read count as damaged", () => {
    write(1, null);
    expect(openFile({ version: 3, migrations }).get().count).toBe(0);
    expect(notices[0]?.code).toBe("STATE_FILE_DAMAGED");
  });

  it("written by a newer Patchbay are refused and not touched", () => {
    write(9, { anything: true });
    const before = readFileSync(path, "utf8");
    const error = failure(() => openFile({ version: 3, migrations }));
    expect(error.code).toBe("STATE_FILE_NEWER");
    expect(error.details).toMatchObject({ found: 9, known: 3 });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(join(folder, "inner"))).toEqual(["things.json"]);
  });
});

describe("any sequence of changes, reopenings and damages", () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))("keeps what was confirmed (seed %i)", (seed) => {
    const random = generator(seed);
    let file = openFile();
    let confirmed = 0;
    for (let step = 1; step <= 40; step += 1) {
      switch (Math.floor(random() * 5)) {
        case 0:
        case 1:
          confirmed = file.update(setCount(step)).count;
          break;
        case 2:
          file.rewrite({ count: step, note: "" });
          confirmed = step;
          break;
        case 3:
          file.rewrite({ count: step, note: "" });
          confirmed = step;
          file = openFile();
          break;
        default: {
          // Damage by truncation keeps every value that `update` confirmed.
          file.update(setCount(step));
          confirmed = step;
          truncateSync(path, Math.floor(random() * statSync(path).size));
          file = openFile();
        }
      }
      expect(file.get().count).toBe(confirmed);
    }
  });
});

/** Mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
