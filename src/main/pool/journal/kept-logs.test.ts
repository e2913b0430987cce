import { EventEmitter } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentPluginRow, LogEntry, LogLevel, Problem } from "../../../contract/index.ts";
import { openFileStorage } from "../../store/index.ts";
import type { PoolEvents } from "../ports.ts";
import { KeptLogs } from "./kept-logs.ts";
import { LogRing } from "./log-ring.ts";

let home: string;
let ticks = Date.parse("2026-01-01T00:00:00.000Z");
const folder = () => join(home, "agents", "ada", "logs");

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "kept-logs-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** One run of the app. */
function run({
  readable = true,
  setAside = [],
}: {
  readable?: boolean;
  setAside?: { agentId: string; rowId: string }[];
} = {}) {
  const changes = new EventEmitter<PoolEvents>();
  const gone = new EventEmitter<{ forgotten: [string, string] }>();
  const ring = new LogRing();
  const notices: Problem[] = [];
  const storage = openFileStorage({ home, onNotice: () => {} });
  let row: object | undefined = {};
  const clock = { now: () => ++ticks, ticks: () => ticks, after: () => () => {} };
  const kept = new KeptLogs({
    storage,
    agents: { list: () => [{ id: "ada" }] },
    agentPlugins: {
      get: () => row as AgentPluginRow | undefined,
      isReadable: () => readable,
      changes: gone,
    },
    setAside: { list: () => setAside },
    onNotice: (problem) => notices.push(problem),
    vault: { redact: (text) => text.replaceAll("hush-hush", "•••") },
    pool: () => ({ changes, logs: (_agent, _key, filter) => ring.read(filter) }),
    clock,
  });
  kept.follow();
  return {
    kept,
    notices,
    say(text: string, level: LogLevel = "info") {
      const at = new Date(++ticks).toISOString();
      changes.emit("log", "ada", "probe", ring.add({ at, level, origin: "plugin", text }));
    },
    forget({ silently = false } = {}) {
      row = undefined;
      if (!silently) gone.emit("forgotten", "ada", "probe");
    },
    texts: async (filter?: { level?: LogLevel; limit?: number; after?: number }) =>
      (await kept.read("ada", "probe", filter)).map(({ text }: LogEntry) => text),
  };
}

test("lines of earlier runs come before those of this one, with each restart between", async () => {
  for (const text of ["one", "two", "three"]) {
    const app = run();
    app.say(text, "error");
    await app.kept.close();
  }
  const app = run();
  const again = "Patchbay was started again.";
  const before = ["one", again, "two", again, "three"];
  expect(await app.texts(), "nothing was started that would have to be said").toEqual(before);
  app.say("four");
  const entries = await app.kept.read("ada", "probe");
  expect(entries.map(({ text }) => text)).toEqual([...before, again, "four"]);
  expect(entries.map(({ seq }) => seq)).toEqual([-5, -4, -3, -2, -1, 0, 1]);
  const marks = entries.filter(({ mark }) => mark === "restarted");
  expect(
    marks.map(({ text }) => text),
    "screens draw these in their own words",
  ).toEqual([again, again, again]);
  expect(await app.texts({ level: "error" })).toEqual(["one", "two", "three"]);
  expect(await app.texts({ limit: 2 })).toEqual([again, "four"]);
  expect(await app.texts({ after: 0 })).toEqual(["four"]);
});

test("a flood leaves two bounded files, its newest lines, and says how many are missing", async () => {
  for (let round = 0; round < 12; round += 1) {
    const app = run();
    for (let line = 0; line < 5_000; line += 1) app.say(`${round} ${line} ${"x".repeat(200)}`);
    await app.kept.close();
  }
  const files = await readdir(folder());
  expect(files.sort()).toEqual(["probe.1.jsonl", "probe.jsonl"]);
  for (const file of files) expect((await stat(join(folder(), file))).size).toBeLessThan(1.6 * 1024 * 1024);
  const texts = await run().texts();
  expect(texts.at(-1)).toContain("11 4999 ");
  expect(texts.join("\n")).toMatch(/\d{3,} lines came faster than they could be kept/);
});

test("a secret is in no file, and nothing is left when the plugin's data was deleted", async () => {
  const app = run();
  app.say("It is hush-hush.");
  await app.kept.close();
  const file = join(folder(), "probe.jsonl");
  expect(await readFile(file, "utf8")).toContain("It is •••.");
  app.say("Still here.");
  app.forget();
  app.say("Stopped.");
  await app.kept.close();
  await app.kept.read("ada", "probe");
  expect(await readdir(folder())).toEqual([]);
});

test("that a log cannot be written is said once, and again after it could be in between", async () => {
  const app = run();
  await mkdir(join(home, "agents", "ada"), { recursive: true });
  await writeFile(folder(), "in the way");
  for (const text of ["one", "two"]) {
    app.say(text);
    await app.kept.close();
  }
  expect(app.notices.map(({ code }) => code)).toEqual(["WRITE_FAILED"]);
  expect(app.notices[0]?.message).toContain("What plugins log is not kept: probe.jsonl could not be saved");
  await rm(folder());
  app.say("three");
  await app.kept.close();
  await rm(folder(), { recursive: true });
  await writeFile(folder(), "in the way again");
  app.say("four");
  await app.kept.close();
  expect(app.notices).toHaveLength(2);
});

test("what a kill left of a removed plugin is tidied, unless nobody can say that it was removed", async () => {
  const before = run();
  before.say("Last words.");
  await before.kept.close();
  await writeFile(join(folder(), "probe.1.jsonl"), "");
  await writeFile(join(folder(), "probe.figures.json"), "{}");
  await writeFile(join(folder(), "notes.txt"), "not ours");
  const all = ["notes.txt", "probe.1.jsonl", "probe.figures.json", "probe.jsonl"];
  const left = async () => (await readdir(folder())).sort();

  await run().kept.tidy();
  expect(await left(), "its row is there").toEqual(all);
  const aside = run({ setAside: [{ agentId: "ada", rowId: "probe" }] });
  const unreadable = run({ readable: false });
  for (const { forget, kept } of [aside, unreadable]) {
    forget({ silently: true });
    await kept.tidy();
    expect(await left()).toEqual(all);
  }
  const gone = run();
  gone.forget({ silently: true });
  await gone.kept.tidy();
  expect(await left()).toEqual(["notes.txt"]);
});
