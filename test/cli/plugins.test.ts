import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

const echo = resolve("test/fixtures/plugins/echo");

/** Without a running app: each command does its work itself, under the lock. */
describe("patchbay plugin", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);

  beforeAll(async () => {
    bench = await openBench();
    await run("plugin", "install", echo, "--yes");
  });
  afterAll(() => bench.remove());

  describe("plugin for an agent", () => {
    it("is switched on and off, in the words of the screens", async () => {
      const on = await run("plugin", "enable", "echo", "--agent", "helper");
      expect(on.code).toBe(0);
      expect(on.stdout).toMatch(/Switched on +yes/);
      expect(on.stdout).toMatch(/State +◉ Running \(ready/);
      const off = await run("plugin", "disable", "echo", "--agent", "helper", "--json");
      expect(off.json()).toMatchObject({ enabled: false, instance: { state: "stopped" } });
      expect((await run("plugin", "list", "--agent", "helper")).stdout).toMatch(/echo .* ○ Off/);
    });

    it("has settings that are set, shown and unset", async () => {
      const ref = ["plugin", "config", "echo", "--agent", "helper"];
      expect((await run(...ref, "--set", "prefix=> ", "--set", "list=[1,2]")).code).toBe(0);
      expect((await run(...ref, "--json")).json()).toMatchObject({
        config: { tools: { prefix: "> ", list: [1, 2] } },
      });
      await run(...ref, "--unset", "list");
      expect((await run(...ref, "--json")).json()).toMatchObject({ config: { tools: { prefix: "> " } } });
    });

    it("takes all settings from a file", async () => {
      const file = join(bench.folder, "settings.yaml");
      await writeFile(file, "tools:\n  prefix: 'file: '\n");
      const ended = await run("plugin", "config", "echo", "--agent", "helper", "--file", file, "--json");
      expect(ended.json()).toMatchObject({ config: { tools: { prefix: "file: " } } });
    });

    it("is restarted when it is on, and says so when it is off", async () => {
      expect((await run("plugin", "restart", "echo", "--agent", "helper", "--json")).json()).toMatchObject({
        error: { code: "PLUGIN_NOT_RUNNING" },
      });
      await run("plugin", "enable", "echo", "--agent", "helper");
      const ended = await run("plugin", "restart", "echo", "--agent", "helper", "--json");
      expect(ended.json()).toMatchObject({ instance: { state: "running" } });
    });

    it("has a log", async () => {
      const ended = await run("plugin", "logs", "echo", "--agent", "helper", "--json");
      expect(ended.code).toBe(0);
      expect(Array.isArray(ended.json())).toBe(true);
    });

    it("ends with 1 when it is switched on and does not start", async () => {
      const broken = await writePlugin(join(bench.folder, "broken"), {
        key: "broken",
        files: {
          "index.js": `export default { manifestVersion: 1, key: "broken", displayName: "Broken", description: "Fails.",
            hooks: { events: ["turn.start@v1"], start: async () => { throw new Error("no luck"); } } };`,
        },
      });
      await run("plugin", "install", broken, "--yes");
      const ended = await run("plugin", "enable", "broken", "--agent", "helper", "--json");
      expect(ended.code).toBe(1);
      expect(ended.json()).toMatchObject({
        enabled: true,
        instance: { state: "failed", reason: { message: expect.stringContaining("no luck") } },
      });
      await run("plugin", "disable", "broken", "--agent", "helper");
    });

    it("is refused for a plugin or an agent that is not there", async () => {
      expect((await run("plugin", "enable", "nope", "--agent", "helper", "--json")).json()).toMatchObject({
        error: { code: "PLUGIN_NOT_FOUND" },
      });
      expect((await run("plugin", "enable", "echo", "--agent", "nope", "--json")).json()).toMatchObject({
        error: { code: "AGENT_NOT_FOUND" },
      });
    });
  });

  describe("what becomes of a plugin", () => {
    it("is told by its key, loaded or not", async () => {
      const listed = (await run("plugin", "list", "--json")).json<{
        plugins: { key: string; mark: string }[];
      }>();
      expect(listed.plugins.find((one) => one.key === "echo")).toMatchObject({ mark: "loaded" });
      expect((await run("plugin", "info", "echo", "--json")).json()).toMatchObject({
        manifestKey: "echo",
        enabledFor: ["helper"],
      });
    });

    it("has failed to load once its files were changed", async () => {
      const other = await writePlugin(join(bench.folder, "other"), { key: "other" });
      await run("plugin", "install", other, "--yes");
      const { artifact } = (await run("plugin", "info", "other", "--json")).json<{
        artifact: { dir: string };
      }>();
      await writeFile(join(artifact.dir, "index.js"), "export default {};");
      const listed = (await run("plugin", "list", "--json")).json<{
        plugins: { key: string; mark: string }[];
      }>();
      expect(listed.plugins.find((one) => one.key === "other")).toMatchObject({ mark: "failed to load" });
      expect((await run("plugin", "list")).stdout).toMatch(/other .*✗ failed to load/);
    });

    it("is not in the catalogue once it is uninstalled; its settings come back with it", async () => {
      expect((await run("plugin", "uninstall", "echo", "--json")).json()).toMatchObject({ ok: true });
      const listed = (await run("plugin", "list", "--json")).json<{
        plugins: { key: string; mark: string }[];
      }>();
      expect(listed.plugins.find((one) => one.key === "echo")).toMatchObject({ mark: "not in catalogue" });
      expect((await run("plugin", "enable", "echo", "--agent", "helper", "--json")).json()).toMatchObject({
        error: { code: "PLUGIN_NOT_FOUND" },
      });
      await run("plugin", "install", echo, "--yes");
      expect((await run("plugin", "info", "echo", "--agent", "helper", "--json")).json()).toMatchObject({
        enabled: true,
        config: { tools: { prefix: "file: " } },
      });
    });

    it("can be updated and rolled back", async () => {
      const dir = join(bench.folder, "growing");
      await writePlugin(dir, { key: "growing", version: "1.0.0" });
      await run("plugin", "install", dir, "--yes");
      await writePlugin(dir, { key: "growing", version: "1.1.0" });
      const updated = await run("plugin", "update", "growing", "--yes", "--json");
      expect(updated.json()).toMatchObject({ status: "done", pluginVersion: "1.1.0" });
      const back = await run("plugin", "rollback", "growing", "--yes", "--json");
      expect(back.json()).toMatchObject({ status: "done", pluginVersion: "1.0.0" });
    });

    it("says when it is switched on that a tool of it has a broken schema, and not that it runs", async () => {
      const dir = join(bench.folder, "bent");
      await writePlugin(dir, {
        key: "bent",
        files: {
          "index.js": `const tool = { name: "bent", description: "", parameters: { type: "object", properties: { a: { type: "strng" } } }, execute: () => "" };
export default { manifestVersion: 1, key: "bent", displayName: "Bent", description: "Is bent.", tools: { namespace: "bent", start: async () => ({ toolsets: [{ id: "bent", description: "", tools: [tool] }], stop: async () => {} }) } };`,
        },
      });
      await run("plugin", "install", dir, "--yes");
      const ended = await run("plugin", "enable", "bent", "--agent", "helper");
      expect(ended.code).toBe(1);
      expect(ended.stdout).toContain("of the tool `bent`: `properties.a.type` must be equal to one of");
      expect(ended.stdout).not.toContain("Running");
    });

    it("goes by the old name channel too, with a note", async () => {
      const ended = await run("channel", "list");
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain("patchbay plugin");
    });
  });
});
