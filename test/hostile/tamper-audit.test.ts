import { execFile } from "node:child_process";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditVerdict, Problem } from "../../src/contract/index.ts";
import { IntegrityKey, Vault } from "../../src/main/secrets/index.ts";
import { hashOf } from "../../src/main/store/audit/chain.ts";
import { AuditLog, openFileStorage } from "../../src/main/store/index.ts";
import { TestHome } from "../support/test-home.ts";

let home: TestHome;
let notices: Problem[];
let folder: string;
const entries = 8;

/** What a start of the app does: opens the vault, the key and the log, and once signs what is there. */
async function start() {
  const onNotice = (problem: Problem) => void notices.push(problem);
  const storage = openFileStorage({ home: home.path, onNotice });
  const vault = await Vault.open({ storage, onNotice });
  const signer = await IntegrityKey.open(vault);
  const audit = new AuditLog({ storage, redact: (value) => value, onNotice, signer });
  if (signer.mode === "adopting") {
    await audit.record({ kind: "state.adopted" });
    await audit.seal();
    await signer.adopted();
  }
  const close = async () => {
    await audit.close();
    await vault.close();
  };
  return { audit, close };
}

/** A start, a look at the log, and the end. */
async function verdict(): Promise<AuditVerdict> {
  const app = await start();
  const found = await app.audit.verify();
  await app.close();
  return found;
}

const day = async () =>
  join(
    folder,
    (await readdir(folder))
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .at(-1) as string,
  );
const lines = async () => (await readFile(await day(), "utf8")).trimEnd().split("\n");
const put = async (changed: string[]) => writeFile(await day(), changed.map((line) => `${line}\n`).join(""));

beforeEach(async () => {
  home = await TestHome.open();
  notices = [];
  folder = join(home.path, "audit");
  const app = await start();
  for (let at = 1; at < entries; at += 1)
    await app.audit.record({ kind: "tool.called", target: `call-${at}` });
  await app.close();
});
afterEach(() => home.close());

test("an untouched log is unbroken, also after further starts", async () => {
  const app = await start();
  await app.audit.record({ kind: "tool.called", target: "later" });
  await app.close();
  const found = await verdict();
  expect(found).toMatchObject({ ok: true, entries: entries + 1, unchained: 0, faults: [], notes: [] });
  expect(notices).toEqual([]);
});

test("a changed line is named with its day, its number and its time", async () => {
  const all = await lines();
  await put(all.with(3, (all[3] as string).replace("call-3", "call-x")));
  const found = await verdict();
  expect(found.ok).toBe(false);
  const { at } = JSON.parse(all[3] as string);
  expect(found.faults).toEqual([expect.objectContaining({ line: 4, at, day: expect.any(String) })]);
});

test("a line that is taken out of the middle is missed", async () => {
  await put((await lines()).toSpliced(4, 1));
  expect((await verdict()).faults[0]).toMatchObject({ line: 5, text: "1 entries are missing before it." });
});

test("a line that is put in is seen, with and without a number", async () => {
  const all = await lines();
  await put(all.toSpliced(4, 0, JSON.stringify({ at: new Date().toISOString(), kind: "tool.called" })));
  expect((await verdict()).faults[0]).toMatchObject({ line: 5, text: expect.stringContaining("put in") });
  await put(all.toSpliced(4, 0, all[4] as string));
  expect((await verdict()).faults[0]).toMatchObject({
    line: 6,
    text: expect.stringContaining("wrong place"),
  });
});

test("two lines that change places are seen", async () => {
  const all = await lines();
  await put(all.with(2, all[3] as string).with(3, all[2] as string));
  expect((await verdict()).ok).toBe(false);
});

test("lines cut off at the end are missed, and stay missed when the log goes on", async () => {
  await put((await lines()).slice(0, -3));
  const app = await start();
  expect((await app.audit.verify()).faults[0]?.text).toBe(
    "The newest 3 entries are missing: the log was cut at its end.",
  );
  await app.audit.record({ kind: "tool.called", target: "after" });
  await app.close();
  expect(notices.map(({ code }) => code)).toEqual(["AUDIT_BROKEN"]);
  const texts = (await verdict()).faults.map(({ text }) => text);
  expect(texts).toContain("3 entries are missing before it.");
  expect(texts).toContain(
    `Lines had been removed at the end of the log: it should have reached entry ${entries}.`,
  );
});

test("a log written anew, with every hash in order, is not the one that was sealed", async () => {
  const forged: string[] = [];
  for (const line of await lines()) {
    const entry = { ...JSON.parse(line), target: "nothing happened", prev: hashOf(forged.at(-1) ?? "") };
    if (forged.length === 0) entry.prev = "";
    forged.push(JSON.stringify(entry));
  }
  await put(forged);
  const app = await start();
  expect((await app.audit.verify()).faults[0]).toMatchObject({
    line: entries,
    text: `Entry ${entries} is not the one that was sealed.`,
  });
  await app.audit.record({ kind: "tool.called" });
  await app.close();
  expect((await verdict()).ok).toBe(false);
  expect(notices.map(({ code }) => code)).toEqual(["AUDIT_BROKEN"]);
});

test("a log without its chain, its seal removed too, does not pass for an old one", async () => {
  const bare = (await lines()).map((line) => {
    const { n: _n, prev: _prev, ...rest } = JSON.parse(line);
    return JSON.stringify(rest);
  });
  await put(bare);
  await rm(join(folder, "head.json"));
  expect((await verdict()).faults[0]?.text).toContain("seal of the log");
  const app = await start();
  await app.audit.record({ kind: "tool.called" });
  await app.close();
  expect((await verdict()).ok).toBe(false);
});

test("a seal that somebody makes is no seal", async () => {
  const kept = (await lines()).slice(0, 3);
  await put(kept);
  const head = {
    n: 3,
    hash: hashOf(kept[2] as string),
    day: (await day()).slice(-16, -6),
    breaks: [],
    mac: "AAAA",
  };
  await writeFile(join(folder, "head.json"), JSON.stringify(head));
  expect((await verdict()).faults[0]?.text).toContain("seal of the log (head.json) was changed");
});

test("a line torn by a kill is mended and is no tampering", async () => {
  await appendFile(await day(), '{"at":"2026-01-01T00:00:00.000Z","ki');
  const app = await start();
  await app.audit.record({ kind: "tool.called", target: "after" });
  await app.close();
  expect(await verdict()).toMatchObject({ ok: true, entries: entries + 1, faults: [] });
  expect(notices.map(({ code }) => code)).toEqual(["STATE_FILE_DAMAGED"]);
});

test("lines that came after the last seal, because of a kill, are no tampering", async () => {
  const head = await readFile(join(folder, "head.json"), "utf8");
  const app = await start();
  await app.audit.record({ kind: "tool.called" }, { kind: "tool.called" });
  await app.close();
  await writeFile(join(folder, "head.json"), head);
  expect(await verdict()).toMatchObject({
    ok: true,
    entries: entries + 2,
    notes: ["The newest 2 entries are not sealed yet."],
  });
});

test("a log of an older Patchbay is taken up to the first line of the chain, and that is said", async () => {
  const older = await TestHome.open();
  const first = home;
  home = older;
  await older.options.storage
    .log({
      place: { kind: "audit", day: "2026-01-01" },
      schema: (await import("zod")).z.looseObject({}),
    })
    .append({ at: "2026-01-01T10:00:00.000Z", kind: "tool.called" });
  const found = await verdict();
  expect(found).toMatchObject({ ok: true, entries: 1, unchained: 1 });
  expect(found.notes[0]).toContain("before there was a chain");
  await older.close();
  home = first;
});

test("`patchbay audit verify` says where in words and ends with 1", async () => {
  const all = await lines();
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((done) => {
      execFile(
        process.execPath,
        [resolve("bin/patchbay"), "--home", home.path, ...args],
        (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
      );
    });
  const good = await run("audit", "verify");
  expect(good).toMatchObject({
    code: 0,
    out: expect.stringMatching(/✓ \d+ entries from .* to .*: unbroken/),
  });
  await put((await lines()).with(3, (all[3] as string).replace("call-3", "call-x")));
  const bad = await run("audit", "verify");
  expect(bad).toMatchObject({ code: 1, out: expect.stringMatching(/broken.*jsonl line 4/s) });
  const doctor = await run("--json", "doctor");
  expect(JSON.parse(doctor.out).checks).toContainEqual(
    expect.objectContaining({ name: "Audit log", ok: false }),
  );
});
