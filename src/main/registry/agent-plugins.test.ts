import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AgentPluginRow, PatchbayError, type Problem } from "../../contract/index.ts";
import { openFileStorage } from "../store/index.ts";
import { AgentPlugins } from "./index.ts";

let home: string;
let notices: Problem[];
let rows: AgentPlugins;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-rows-"));
  for (const id of ["one", "two"]) mkdirSync(join(home, "agents", id), { recursive: true });
  notices = [];
  rows = openRows();
});
afterEach(async () => {
  vi.useRealTimers();
  await rows.close();
  rmSync(home, { recursive: true, force: true });
});

const openRows = () => {
  const onNotice = (problem: Problem) => notices.push(problem);
  return new AgentPlugins({ storage: openFileStorage({ home, onNotice }), onNotice });
};
const file = (agentId: string) => join(home, "agents", agentId, "agent-plugins.json");
const onDisk = (agentId: string): AgentPluginRow[] =>
  JSON.parse(readFileSync(file(agentId), "utf8")).data.rows;
const broken: Problem = { code: "PLUGIN_REPORTED", message: "The key is wrong." };

async function failure(work: () => unknown): Promise<PatchbayError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PatchbayError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("what the person sets", () => {
  it("makes a row when there is none, switched off and empty but for what was set", async () => {
    expect(rows.get("one", "http")).toBeUndefined();
    const row = await rows.set("one", "http", { config: { tools: { a: 1 } } });
    expect(row).toMatchObject({
      pluginKey: "http",
      enabled: false,
      config: { tools: { a: 1 } },
      revision: 1,
    });
    expect(rows.get("one", "http")).toEqual(row);
    expect(rows.list("one")).toEqual([row]);
  });

  it("is on disk when set returns, and there after a restart", async () => {
    const row = await rows.set("one", "http", { enabled: true });
    expect(onDisk("one")).toEqual([row]);
    await rows.close();
    rows = openRows();
    expect(rows.get("one", "http")).toEqual(row);
  });

  it("raises the revision with every change, and with nothing else", async () => {
    expect((await rows.set("one", "http", { enabled: true })).revision).toBe(1);
    expect((await rows.set("one", "http", { enabled: true })).revision).toBe(1);
    expect((await rows.set("one", "http", { config: { a: 1 } })).revision).toBe(2);
    rows.report("one", "http", { runtimeState: { connected: true }, lastError: broken });
    expect(rows.get("one", "http")?.revision).toBe(2);
  });

  it("is refused with both values when somebody else saved in the meantime", async () => {
    await rows.set("one", "http", { config: { by: "me" } });
    await rows.set("one", "http", { config: { by: "you" }, revision: 1 });
    const error = await failure(() => rows.set("one", "http", { config: { by: "me again" }, revision: 1 }));
    expect(error.code).toBe("STALE_REVISION");
    expect(error.details?.yours).toEqual({ config: { by: "me again" }, revision: 1 });
    expect(error.details?.current).toEqual(rows.get("one", "http"));
    expect(rows.get("one", "http")?.config).toEqual({ by: "you" });
  });

  it("may say that it expects no row yet", async () => {
    await rows.set("one", "http", { enabled: true, revision: 0 });
    expect((await failure(() => rows.set("one", "http", { enabled: false, revision: 0 }))).code).toBe(
      "STALE_REVISION",
    );
  });

  it("for one agent is not seen by another", async () => {
    await rows.set("one", "http", { config: { secret: "of one" } });
    await rows.set("two", "http", { config: { secret: "of two" } });
    expect(rows.get("one", "http")?.config).toEqual({ secret: "of one" });
    expect(readFileSync(file("two"), "utf8")).not.toContain("of one");
  });

  it("leaves memory and events alone when the disk refuses", async () => {
    await rows.set("one", "http", { enabled: true });
    const changes = vi.fn();
    rows.changes.on("row", changes);
    rmSync(join(home, "agents", "one"), { recursive: true });
    mkdirSync(file("one"), { recursive: true });
    expect((await failure(() => rows.set("one", "http", { enabled: false }))).code).toBe("WRITE_FAILED");
    expect(rows.get("one", "http")?.enabled).toBe(true);
    expect(changes).not.toHaveBeenCalled();
  });

  it.each(["nobody", "../one", "a/b", "", "One"])(
    "is refused for the agent %j, which does not exist",
    async (agentId) => {
      expect((await failure(() => rows.set(agentId, "http", { enabled: true }))).code).toBe(
        "AGENT_NOT_FOUND",
      );
    },
  );

  it("is refused for a key that cannot be one", async () => {
    expect((await failure(() => rows.set("one", "../x", { enabled: true }))).code).toBe("BAD_INPUT");
  });
});

describe("what an instance reports", () => {
  it("is seen at once and on disk within half a second", async () => {
    vi.useFakeTimers();
    await rows.set("one", "http", { enabled: true });
    rows.report("one", "http", { runtimeState: { bot: "@x" } });
    expect(rows.get("one", "http")?.runtimeState).toEqual({ bot: "@x" });
    expect(onDisk("one")[0]?.runtimeState).toBeNull();
    await vi.advanceTimersByTimeAsync(500);
    expect(onDisk("one")[0]?.runtimeState).toEqual({ bot: "@x" });
  });

  it("at 1,000 a second for 10 s takes at most 2 writes a second and keeps the last value", async () => {
    vi.useFakeTimers();
    await rows.set("one", "http", { enabled: true });
    const versions = new Set<string>();
    for (let n = 0; n < 10_000; n += 1) {
      rows.report("one", "http", { runtimeState: { n } });
      await vi.advanceTimersByTimeAsync(1);
      if (n % 10 === 0) versions.add(readFileSync(file("one"), "utf8"));
    }
    await vi.advanceTimersByTimeAsync(500);
    expect(onDisk("one")[0]?.runtimeState).toEqual({ n: 9_999 });
    expect(versions.size).toBeLessThanOrEqual(21);
  });

  it("is not lost when the app closes, nor by a change of the person in between", async () => {
    await rows.set("one", "http", { enabled: true });
    rows.report("one", "http", { runtimeState: { n: 1 } });
    await rows.set("one", "http", { enabled: false });
    expect(onDisk("one")[0]).toMatchObject({ enabled: false, runtimeState: { n: 1 } });
    rows.report("one", "http", { runtimeState: { n: 2 } });
    await rows.close();
    expect(onDisk("one")[0]?.runtimeState).toEqual({ n: 2 });
  });

  it("as an error has a time, which goes when the error goes", async () => {
    await rows.set("one", "http", { enabled: true });
    rows.report("one", "http", { lastError: broken });
    expect(rows.get("one", "http")).toMatchObject({ lastError: broken, lastErrorAt: expect.any(String) });
    rows.report("one", "http", { lastError: null });
    expect(rows.get("one", "http")).toMatchObject({ lastError: null, lastErrorAt: null });
  });

  it("is announced once for each change, and not when nothing is new", async () => {
    await rows.set("one", "http", { enabled: true });
    const changes = vi.fn();
    rows.changes.on("row", changes);
    rows.report("one", "http", { runtimeState: { n: 1 } });
    rows.report("one", "http", { runtimeState: { n: 1 } });
    rows.report("one", "http", { lastError: null });
    expect(changes.mock.calls).toEqual([["one", "http"]]);
  });

  it("for a row that is gone is dropped", () => {
    rows.report("one", "http", { runtimeState: { n: 1 } });
    expect(rows.get("one", "http")).toBeUndefined();
  });
});

describe("forgetting", () => {
  it("removes the row and what the plugin stored, for this agent alone", async () => {
    for (const agentId of ["one", "two"]) {
      await rows.set(agentId, "http", { enabled: true });
      await rows.storage(agentId, "http").set("k", agentId);
    }
    await rows.flush();
    const forgotten = vi.fn();
    rows.changes.on("forgotten", forgotten);
    await rows.forget("one", "http");
    await rows.forget("one", "http");
    expect(forgotten.mock.calls).toEqual([["one", "http"]]);
    expect(onDisk("one")).toEqual([]);
    expect(await rows.storage("one", "http").get("k")).toBeUndefined();
    expect(await rows.storage("two", "http").get("k")).toBe("two");
  });

  it("an agent's files lets its folder go, whatever was still to be written", async () => {
    vi.useFakeTimers();
    await rows.set("one", "http", { enabled: true });
    rows.report("one", "http", { runtimeState: { n: 1 } });
    await rows.removeAgent("one");
    rmSync(join(home, "agents", "one"), { recursive: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(existsSync(join(home, "agents", "one"))).toBe(false);
  });
});

it("a damaged file of one agent harms no other, and its own newest copy is used", async () => {
  await rows.set("one", "http", { enabled: true });
  await rows.set("two", "http", { enabled: true });
  await rows.close();
  writeFileSync(file("one"), readFileSync(file("one"), "utf8").slice(0, 60));
  rows = openRows();
  expect(rows.get("two", "http")?.enabled).toBe(true);
  expect(notices).toEqual([]);
  expect(rows.get("one", "http")?.enabled).toBe(true);
  expect(notices.map(({ code }) => code)).toEqual(["STATE_FILE_DAMAGED"]);
});

it("what comes after the app has closed changes nothing", async () => {
  vi.useFakeTimers();
  await rows.set("one", "http", { enabled: true });
  const storage = rows.storage("one", "http");
  await rows.close();
  const before = readFileSync(file("one"), "utf8");
  rows.report("one", "http", { runtimeState: { late: true } });
  expect((await failure(() => rows.set("one", "http", { enabled: false }))).code).toBe("SHUTTING_DOWN");
  expect((await failure(() => rows.forget("one", "http"))).code).toBe("SHUTTING_DOWN");
  await expect(storage.set("k", 1)).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(readFileSync(file("one"), "utf8")).toBe(before);
});

it("nothing brings the folder of a removed agent back", async () => {
  const storage = rows.storage("one", "http");
  await rows.removeAgent("one");
  rmSync(join(home, "agents", "one"), { recursive: true });
  rows.report("one", "http", { runtimeState: { late: true } });
  await expect(storage.set("k", 1)).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  expect((await failure(() => rows.storage("one", "http"))).code).toBe("AGENT_NOT_FOUND");
  expect((await failure(() => rows.set("one", "http", { enabled: true }))).code).toBe("AGENT_NOT_FOUND");
  expect(existsSync(join(home, "agents", "one"))).toBe(false);
});

describe("what a plugin keeps", () => {
  it("is a copy of JSON, there after a restart", async () => {
    const value = { list: [1, { deep: true }], text: "ü" };
    await rows.storage("one", "http").set("k", value);
    value.text = "changed later";
    const read = (await rows.storage("one", "http").get("k")) as typeof value;
    expect(read.text).toBe("ü");
    read.text = "changed too";
    await rows.close();
    rows = openRows();
    expect(await rows.storage("one", "http").get("k")).toEqual({ list: [1, { deep: true }], text: "ü" });
    await rows.storage("one", "http").delete("k");
    expect(await rows.storage("one", "http").get("k")).toBeUndefined();
  });

  it("is not seen by another agent or plugin", async () => {
    await rows.storage("one", "http").set("k", 1);
    expect(await rows.storage("two", "http").get("k")).toBeUndefined();
    expect(await rows.storage("one", "guard").get("k")).toBeUndefined();
  });

  it("is at most 1 MB in all; what is too much is refused and changes nothing", async () => {
    const storage = rows.storage("one", "http");
    await storage.set("a", "x".repeat(600 * 1024));
    const refused = storage.set("b", "x".repeat(600 * 1024));
    await expect(refused).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await expect(refused).rejects.toThrow(/http .*1024 KiB.*"b"/);
    expect(await storage.get("b")).toBeUndefined();
    await storage.set("a", "small");
    await storage.set("b", "x".repeat(600 * 1024));
    await rows.close();
    rows = openRows();
    await expect(rows.storage("one", "http").set("c", "x".repeat(600 * 1024))).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
  });

  it.each([
    ["a function", () => 1],
    ["nothing", undefined],
    [
      "a cycle",
      (() => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      })(),
    ],
    ["a bigint", 5n],
  ])("cannot be %s", async (_, value) => {
    await expect(rows.storage("one", "http").set("k", value)).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  it("may have any name for a key", async () => {
    const storage = rows.storage("one", "http");
    for (const key of ["__proto__", "constructor", "a/b", ""]) await storage.set(key, key);
    for (const key of ["__proto__", "constructor", "a/b", ""]) expect(await storage.get(key)).toBe(key);
    expect(await storage.get("toString")).toBeUndefined();
  });
});

describe("an agent whose file cannot be read", () => {
  it("has no rows, is told of once, is not overwritten, and leaves the others alone", async () => {
    const newer = JSON.stringify({ schemaVersion: 999, version: 999, data: { rows: [] } });
    writeFileSync(file("one"), newer);
    expect(rows.list("one")).toEqual([]);
    expect(rows.get("one", "http")).toBeUndefined();
    rows.report("one", "http", { lastError: broken });
    expect(notices.map((problem) => problem.code)).toEqual(["STATE_FILE_NEWER"]);
    expect((await failure(() => rows.set("one", "http", { enabled: true }))).code).toBe("STATE_FILE_NEWER");
    expect(readFileSync(file("one"), "utf8")).toBe(newer);
    expect(await rows.set("two", "http", { enabled: true })).toMatchObject({ enabled: true });
  });
});
