import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PluginView, RemovedThing, Session, Snapshot } from "../../src/contract/index.ts";
import { weather } from "../agent-plugins/weather.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { codeOf } from "../support/terminal-codes.ts";

let home: string;
let folder: string;
let app: RunningApp;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-removed-home-"));
  folder = await mkdtemp(join(tmpdir(), "patchbay-removed-"));
  app = await startApp(home);
});
afterEach(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

const list = async () => (await app.rest("GET", "/removed")) as RemovedThing[];
const restore = (id: string) => app.rest("POST", `/removed/${id}/restore`);
const installed = async () =>
  ((await app.rest("GET", "/plugins")) as PluginView[]).map(({ packageName }) => packageName);

async function installWeather(name = "patchbay-fixture-weather", at = "weather"): Promise<string> {
  const dir = await writePlugin(join(folder, at), { key: "weather", name, files: { "index.js": weather } });
  await app.cli("plugin", "install", dir, "--yes");
  return dir;
}

/** The first removed thing. */
async function first(): Promise<RemovedThing> {
  const [thing] = await list();
  if (!thing) throw new Error("Nothing is removed.");
  return thing;
}

describe("an id that is none", () => {
  test.each(["..", "../agents", "..%2F..%2Fagents%2Fhelper", "removed", "%00", "__proto__"])(
    "(%s) restores and deletes nothing",
    async (id) => {
      const path = encodeURIComponent(id);
      expect(codeOf(await app.rest("DELETE", `/removed/${path}`))).toMatch(/NOT_FOUND/);
      expect(codeOf(await restore(path))).toMatch(/NOT_FOUND/);
      await expect(app.cli("removed", "delete", id, "--yes")).rejects.toThrow();
      expect(existsSync(join(home, "agents", "helper", "agent.json"))).toBe(true);
    },
  );

  test("leads out of no folder in the list itself: what somebody else wrote there is not used", async () => {
    await mkdir(join(home, "keep"));
    await app.rest("POST", "/agents", { name: "Spare" });
    await app.rest("DELETE", "/agents/spare");
    const { id } = await first();
    await app.close();
    const file = join(home, "removed.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/"room": ?"[^"]*"/g, '"room": "../keep"'));
    app = await startApp(home);
    const { notices } = (await app.rest("GET", "/snapshot")) as Snapshot;
    expect(notices.map(({ problem }) => problem.code)).toContain("STATE_TAMPERED");
    await app.rest("DELETE", `/removed/${id}`);
    expect(existsSync(join(home, "keep"))).toBe(true);
  });
});

describe("a plugin whose key is taken by now", () => {
  test("is not restored over another package, and is when that one is gone", async () => {
    await installWeather();
    await app.rest("DELETE", "/plugins/weather");
    const { id } = await first();
    await installWeather("patchbay-fixture-other-weather", "other");
    expect((await list())[0]).toMatchObject({ id, blocked: "taken" });
    expect(codeOf(await restore(id))).toBe("KEY_TAKEN");
    expect(await installed()).toEqual(["patchbay-fixture-other-weather"]);
    await app.rest("DELETE", "/plugins/weather");
    await restore(id);
    expect(await installed()).toEqual(["patchbay-fixture-weather"]);
    expect((await list()).map(({ name }) => name)).toHaveLength(1);
  });

  test("goes off the list when the same package is installed again, which has the settings", async () => {
    const dir = await installWeather();
    await app.rest("PUT", "/agents/helper/plugins/weather", { config: { tools: { city: "Rome" } } });
    await app.rest("DELETE", "/plugins/weather");
    expect(await first()).toMatchObject({
      name: "Weather",
      settingsOf: ["helper"],
      bytes: expect.any(Number),
    });
    await app.cli("plugin", "install", dir, "--yes");
    await expect.poll(list).toEqual([]);
    expect(await readdir(join(home, "plugins", "weather"))).toHaveLength(1);
    expect(await app.rest("GET", "/agents/helper/plugins/weather")).toMatchObject({
      config: { tools: { city: "Rome" } },
    });
  });
});

test("changed files of an uninstalled plugin do not come back: it is installed again, which asks", async () => {
  await installWeather();
  await app.rest("DELETE", "/plugins/weather");
  const [version = ""] = await readdir(join(home, "plugins", "weather"));
  await writeFile(join(home, "plugins", "weather", version, "index.js"), `${weather}\n// and more`);
  const { id } = await first();
  const { job } = (await restore(id)) as { job: { id: string } | null };
  expect(job).not.toBeNull();
  const asked = async () => ((await app.rest("GET", `/jobs/${job?.id}`)) as { question: string }).question;
  for (const question of ["look", "install"]) {
    await expect.poll(asked).toBe(question);
    expect(await installed()).toEqual([]);
    await app.rest("POST", `/jobs/${job?.id}/consent`, { accept: true, question });
  }
  await expect.poll(installed).toEqual(["patchbay-fixture-weather"]);
  await expect.poll(list).toEqual([]);
});

test("twice at once it is restored once, and one that is deleted meanwhile is restored or gone, never half", async () => {
  await installWeather();
  await app.rest("DELETE", "/plugins/weather");
  const plugin = await first();
  const answers = await Promise.all([restore(plugin.id), restore(plugin.id)]);
  expect(answers.map(codeOf).sort()).toEqual(["REMOVED_NOT_FOUND", undefined].sort());
  expect(await installed()).toEqual(["patchbay-fixture-weather"]);

  await app.rest("POST", "/agents", { name: "Spare" });
  await app.rest("DELETE", "/agents/spare");
  const spare = await first();
  const both = await Promise.all([app.rest("DELETE", `/removed/${spare.id}`), restore(spare.id)]);
  expect(both.map(codeOf).filter(Boolean)).toEqual(["REMOVED_NOT_FOUND"]);
  const agents = (await app.rest("GET", "/agents")) as { id: string }[];
  const isBack = agents.some(({ id }) => id === "spare");
  expect(existsSync(join(home, "agents", "spare"))).toBe(isBack);
  expect(await readdir(join(home, "removed"))).toEqual([]);
});

test("the id of a removed agent stays its own until it is restored or deleted", async () => {
  await app.rest("POST", "/agents", { name: "Writer" });
  await app.rest("PUT", "/secrets/KEY", { value: "of the writer", agentId: "writer" });
  await app.rest("DELETE", "/agents/writer");
  expect(codeOf(await app.rest("POST", "/agents", { name: "Thief", id: "writer" }))).toBe("AGENT_EXISTS");
  expect(await app.rest("POST", "/agents", { name: "Writer" })).toMatchObject({ id: "writer-2" });
  await restore((await first()).id);
  expect(await app.rest("GET", "/secrets")).toMatchObject([{ name: "KEY", agentId: "writer" }]);
  await app.rest("DELETE", "/agents/writer");
  await app.rest("DELETE", `/removed/${(await first()).id}`);
  expect(await app.rest("GET", "/secrets")).toEqual([]);
  expect(await app.rest("POST", "/agents", { name: "New", id: "writer" })).toMatchObject({ id: "writer" });
});

test("a conversation waits for its agent, and comes back with what was said", async () => {
  await app.rest("POST", "/agents", { name: "Writer" });
  const { id } = (await app.rest("POST", "/agents/writer/sessions", { title: "The talk" })) as Session;
  const lines = await app.rest("GET", `/agents/writer/sessions/${id}`);
  await app.rest("DELETE", `/agents/writer/sessions/${id}`);
  expect(await app.rest("GET", "/agents/writer/sessions")).toEqual([]);
  expect(codeOf(await app.rest("DELETE", `/agents/writer/sessions/${id}`))).toBe("SESSION_NOT_FOUND");
  const talk = await first();
  expect(talk).toMatchObject({ kind: "session", name: "The talk", agentId: "writer", blocked: null });
  await app.rest("DELETE", "/agents/writer");
  expect((await list()).find(({ kind }) => kind === "session")).toMatchObject({ blocked: "agent" });
  expect(codeOf(await restore(talk.id))).toBe("AGENT_NOT_FOUND");
  await app.cli("removed", "restore", "Writer");
  await app.cli("removed", "restore", "The talk");
  expect(await app.rest("GET", `/agents/writer/sessions/${id}`)).toEqual(lines);
  expect(await app.cli("removed", "list")).toEqual([]);
});

test("while the list cannot be read, nothing that may stand in it is deleted, and nothing is removed", async () => {
  await installWeather();
  await app.rest("DELETE", "/plugins/weather");
  await app.close();
  const file = join(home, "removed.json");
  const whole = await readFile(file, "utf8");
  for (const suffix of ["", ".bak1", ".bak2", ".bak3"]) {
    if (existsSync(`${file}${suffix}`)) await writeFile(`${file}${suffix}`, whole.slice(0, 40));
  }
  app = await startApp(home);
  const { notices } = (await app.rest("GET", "/snapshot")) as Snapshot;
  expect(notices.map(({ problem }) => problem.code)).toContain("STATE_FILE_DAMAGED");
  expect(await readdir(join(home, "plugins", "weather"))).toHaveLength(1);
  expect(codeOf(await app.rest("DELETE", "/agents/helper"))).toBe("STATE_FILE_DAMAGED");
  expect(((await app.rest("GET", "/agents")) as { id: string }[]).map(({ id }) => id)).toEqual(["helper"]);
  await app.close();
  await writeFile(file, whole);
  app = await startApp(home);
  await restore((await first()).id);
  expect(await installed()).toEqual(["patchbay-fixture-weather"]);
});

test("at the terminal it is deleted for good only with a yes", async () => {
  await app.rest("POST", "/agents", { name: "Spare" });
  await app.rest("DELETE", "/agents/spare");
  await expect(app.cli("removed", "delete", "Spare")).rejects.toMatchObject({
    stdout: expect.stringContaining("CONSENT_REFUSED"),
  });
  await app.cli("removed", "delete", "Spare", "--yes");
  expect(await app.cli("removed", "list")).toEqual([]);
  await expect(app.cli("removed", "restore", "Spare")).rejects.toMatchObject({
    stdout: expect.stringContaining("REMOVED_NOT_FOUND"),
  });
});
