import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Problem } from "../../../contract/index.ts";
import type { Log } from "../storage.ts";
import { openJsonLines } from "./json-lines.ts";

const schema = z.object({ n: z.number(), text: z.string().optional() });
type Entry = z.infer<typeof schema>;

let folder: string;
let path: string;
let notices: Problem[];
let open: Log<Entry>[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-lines-"));
  path = join(folder, "sessions", "a.jsonl");
  notices = [];
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((lines) => lines.close()));
  rmSync(folder, { recursive: true, force: true });
});

function openLines(): Log<Entry> {
  const lines = openJsonLines(path, schema, { onNotice: (problem) => notices.push(problem) });
  open.push(lines);
  return lines;
}

async function written(...entries: Entry[]): Promise<void> {
  const lines = openLines();
  for (const entry of entries) await lines.append(entry);
  await lines.close();
}

describe("a file of lines", () => {
  it("does not exist before something is appended, and reads as empty", async () => {
    const lines = openLines();
    expect(await lines.readAll()).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  it("holds a line when append resolves", async () => {
    await openLines().append({ n: 1, text: "line\nbreak" });
    expect(readFileSync(path, "utf8")).toBe('{"n":1,"text":"line\\nbreak"}\n');
  });

  it("keeps the order of the calls, whoever waits for them", async () => {
    const lines = openLines();
    const entries = Array.from({ length: 500 }, (_, n) => ({ n, text: "x".repeat((n * 37) % 2_000) }));
    const appended = entries.map((entry) => lines.append(entry));
    expect(await lines.readAll()).toEqual(entries);
    await Promise.all(appended);
  });

  it("goes on where an earlier one ended", async () => {
    await written({ n: 1 });
    await written({ n: 2 });
    expect(await openLines().readAll()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it.runIf(process.platform !== "win32")("can be read by this person alone", async () => {
    await written({ n: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("finishes what was begun, and takes nothing new, once closed", async () => {
    const lines = openLines();
    const last = lines.append({ n: 1 });
    const closed = lines.close();
    await expect(lines.append({ n: 2 })).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    await Promise.all([last, closed]);
    expect(readFileSync(path, "utf8")).toBe('{"n":1}\n');
  });

  it("rejects, and goes on, when a line cannot be written", async () => {
    writeFileSync(join(folder, "sessions"), "a file in the place of the folder");
    const lines = openLines();
    await expect(lines.append({ n: 1 })).rejects.toMatchObject({ code: "WRITE_FAILED" });
    rmSync(join(folder, "sessions"));
    await lines.append({ n: 2 });
    expect(await lines.readAll()).toEqual([{ n: 2 }]);
  });
});

describe("a last line that was cut short", () => {
  it.each([
    ["reading", (lines: Log<Entry>) => lines.readAll()],
    ["appending", (lines: Log<Entry>) => lines.append({ n: 9 })],
  ])("is cut off before %s, and kept in a notice", async (_, use) => {
    await written({ n: 1 });
    appendFileSync(path, '{"n":2,"text":"Grü');
    const lines = openLines();
    await use(lines);
    const [first, ...rest] = await lines.readAll();
    expect(first).toEqual({ n: 1 });
    expect(rest.every(({ n }) => n === 9)).toBe(true);
    expect(readFileSync(path, "utf8")).not.toContain("Gr");
    expect(notices).toHaveLength(1);
    expect(notices[0]?.message).toContain("a.jsonl");
    expect(notices[0]?.details?.line).toContain('{"n":2,"text":"Gr');
  });

  it("is completed when only its end is missing", async () => {
    await written({ n: 1 });
    appendFileSync(path, '{"n":2}');
    const lines = openLines();
    await lines.append({ n: 3 });
    expect(await lines.readAll()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(notices).toEqual([]);
  });

  it("is found however long it is", async () => {
    await written({ n: 1 });
    appendFileSync(path, `{"n":2,"text":"${"x".repeat(300_000)}`);
    expect(await openLines().readAll()).toEqual([{ n: 1 }]);
    expect(statSync(path).size).toBe('{"n":1}\n'.length);
  });
});

it("lines that cannot be read are left out, reported once and stay in the file", async () => {
  await written({ n: 1 });
  appendFileSync(path, 'not json\n{"n":"two"}\n{"n":3}\n');
  const before = readFileSync(path, "utf8");
  const lines = openLines();
  expect(await lines.readAll()).toEqual([{ n: 1 }, { n: 3 }]);
  expect(await lines.readAll()).toEqual([{ n: 1 }, { n: 3 }]);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(notices.map(({ details }) => details?.lines)).toEqual([[2, 3]]);
});
