import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentPluginView, SecretInfo } from "../../src/contract/index.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** What was answered, or how it failed, as text. */
const answer = (work: Promise<unknown>) =>
  work.then(JSON.stringify, (error: Error & { stdout?: string }) => `${error.message} ${error.stdout ?? ""}`);

/** Starts with most moods, and in each of the others fails in another way. */
const moody = `export default {
  manifestVersion: 1, key: "moody", displayName: "Moody", description: "Has moods.",
  secretKeys: [{ key: "token", label: "Token" }],
  configSchema: { type: "object", properties: { channel: { type: "object", properties: {
    mood: { type: "string" }, token: { type: "string" } } } } },
  parseConfig: (config) => {
    if ((config.channel ?? config).mood === "refuses") throw new Error("not in this mood");
    return config;
  },
  channel: {
    key: "moody",
    start: async (config) => {
      if (config.mood === "crashes") process.exit(3);
      if (config.mood === "throws") throw new Error("no start today");
      if (config.mood === "hangs") await new Promise(() => setInterval(() => {}, 1_000));
      return { stop: async () => {} };
    },
  },
};`;

const path = "/agents/helper/plugins/moody";
let bench: Bench;
let folder: string;
let app: RunningApp;

beforeEach(async () => {
  bench = await openBench();
  folder = await mkdtemp(join(tmpdir(), "patchbay-refused-"));
  app = await startApp(bench.home);
  const dir = await writePlugin(join(folder, "moody"), { key: "moody", files: { "index.js": moody } });
  await app.cli("plugin", "install", dir, "--yes");
  await save("calm", "first token");
});
afterEach(async () => {
  await app.close();
  await bench.remove();
  await rm(folder, { recursive: true, force: true });
});

const save = (mood: string, token?: string) =>
  app.rest("PUT", path, {
    enabled: true,
    config: { channel: { mood } },
    ...(token && { secrets: { token } }),
  });
const view = async () => (await app.rest("GET", path)) as AgentPluginView;
const moodOf = ({ config }: Pick<AgentPluginView, "config">) => (config.channel as { mood: string }).mood;
const secrets = async () => ((await app.rest("GET", "/secrets")) as SecretInfo[]).map(({ name }) => name);

test("settings with which a plugin does not start never replace those that worked", async () => {
  await app.rest("PATCH", "/settings", { limits: { startMs: 2_000 } });
  for (const [mood, reason, code] of [
    ["refuses", "not in this mood", "CONFIG_REFUSED"],
    ["throws", "no start today", "START_FAILED"],
    ["crashes", "", "HOST_CRASHED"],
    ["hangs", "", "START_TIMEOUT"],
  ] as const) {
    const said = await answer(save(mood, `token while it ${mood}`));
    expect(said, mood).toContain("SETTINGS_REFUSED");
    expect(said).toContain(reason);
    const now = await view();
    expect(now.instance.state).toBe("running");
    expect(now.lastError).toBeNull();
    expect(moodOf(now)).toBe("calm");
    expect(now.working).toBeUndefined();
    expect(now.refusedSettings).toMatchObject({ config: { channel: { mood } }, problem: { code } });
    // The secret that works and the one that was typed now, and none of those typed before.
    expect(await secrets()).toHaveLength(2);
  }

  expect(await app.rest("PUT", path, { refused: "retry" })).toMatchObject({ code: "SETTINGS_REFUSED" });
  expect(moodOf(await view())).toBe("calm");

  await app.rest("PUT", path, { refused: "drop" });
  expect((await view()).refusedSettings).toBeUndefined();
  expect(await secrets()).toHaveLength(1);

  await save("glad", "a good token");
  expect(moodOf(await view())).toBe("glad");
  expect(await secrets()).toHaveLength(1);
});

test("the command line says why, and that the old settings are in use, with exit code 1", async () => {
  const said = await answer(
    app.cli("plugin", "config", "moody", "--agent", "helper", "--set", "mood=throws"),
  );
  expect(said).toContain("no start today");
  expect(said).toContain("The settings that worked before are in use again.");
  expect(moodOf(await view())).toBe("calm");
  const again = await answer(app.cli("plugin", "config", "moody", "--agent", "helper", "--refused", "retry"));
  expect(again).toContain("no start today");
  await app.cli("plugin", "config", "moody", "--agent", "helper", "--refused", "drop");
  expect((await view()).refusedSettings).toBeUndefined();
});

test("a kill while it is not known whether the plugin starts leaves the settings that worked, and the new ones beside", async () => {
  const gone = once(app.process, "exit");
  const saving = answer(save("hangs", "second token"));
  await expect.poll(async () => (await view()).working !== undefined, { timeout: 10_000 }).toBe(true);
  app.process.kill("SIGKILL");
  await gone;
  await saving;
  app = await startApp(bench.home);
  const now = await view();
  expect(moodOf(now)).toBe("calm");
  expect(now.working).toBeUndefined();
  expect(now.refusedSettings).toMatchObject({
    config: { channel: { mood: "hangs" } },
    problem: { code: "SETTINGS_UNTRIED" },
  });
  await expect.poll(async () => (await view()).instance.state, { timeout: 10_000 }).toBe("running");
  expect(await secrets()).toHaveLength(2);
  await app.rest("PUT", path, { refused: "drop" });
  expect(await secrets()).toHaveLength(1);
});

test("settings without any that worked before them stay as they were saved", async () => {
  await app.rest("PUT", path, { enabled: false });
  await save("throws", "another token");
  expect(await view()).toMatchObject({
    config: { channel: { mood: "throws" } },
    lastError: { code: "START_FAILED" },
    instance: { state: "failed" },
  });
});

/** Has nothing but tools, so it sleeps until one is used. */
const drowsy = `export default {
  manifestVersion: 1, key: "drowsy", displayName: "Drowsy", description: "Sleeps.",
  configSchema: { type: "object", properties: { tools: { type: "object", properties: { mood: { type: "string" } } } } },
  tools: {
    namespace: "drowsy", names: ["nod"],
    start: async (config) => {
      if (config?.mood === "throws") throw new Error("no start today");
      return {
        toolsets: [{ id: "drowsy", description: "nods", tools: [
          { name: "nod", label: "Nod", description: "Nods.", parameters: { type: "object" }, execute: async () => "nods" },
        ] }],
        stop: async () => {},
      };
    },
  },
};`;

test("settings of a plugin that sleeps are tried when they are saved, with the way back", async () => {
  const at = "/agents/helper/plugins/drowsy";
  const dir = await writePlugin(join(folder, "drowsy"), { key: "drowsy", files: { "index.js": drowsy } });
  await app.cli("plugin", "install", dir, "--yes");
  await app.rest("PUT", at, { enabled: true, config: { tools: { mood: "calm" } } });
  const row = async () => (await app.rest("GET", at)) as AgentPluginView;
  const restarted = async () => {
    await app.close();
    app = await startApp(bench.home);
    expect((await row()).instance).toMatchObject({ state: "stopped", startsOnUse: true });
  };
  const kept = { config: { tools: { mood: "calm" } }, instance: { state: "running" } };

  await restarted();
  const said = await answer(app.rest("PUT", at, { config: { tools: { mood: "throws" } } }));
  expect(said).toContain("SETTINGS_REFUSED");
  expect(said).toContain("no start today");
  expect(await row()).toMatchObject({
    ...kept,
    refusedSettings: { config: { tools: { mood: "throws" } }, problem: { code: "START_FAILED" } },
  });

  await restarted();
  expect(await answer(app.rest("PUT", at, { refused: "retry" }))).toContain("SETTINGS_REFUSED");
  expect(await row()).toMatchObject({ ...kept, refusedSettings: { problem: { code: "START_FAILED" } } });

  await restarted();
  await app.rest("PUT", at, { config: { tools: { mood: "glad" } } });
  expect(await row()).toMatchObject({ config: { tools: { mood: "glad" } }, instance: { state: "running" } });

  await app.close();
  const alone = ["plugin", "config", "drowsy", "--agent", "helper", "--set", "mood=throws", "--json"];
  expect((await bench.patchbay(alone)).json()).toMatchObject({ error: { code: "SETTINGS_REFUSED" } });
  app = await startApp(bench.home);
  expect((await row()).config).toEqual({ tools: { mood: "glad" } });
});
