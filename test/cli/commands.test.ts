import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

const echo = resolve("test/fixtures/plugins/echo");
const trio = resolve("test/fixtures/plugins/base-trio");

/** The commands without a running app: each does its work itself, under the lock. */
describe("patchbay", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);

  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.remove());

  describe("used wrongly", () => {
    it.each([
      [["nonsense"], "unknown command"],
      [["plugin", "enable", "echo"], "--agent"],
      [["agent", "create", "X", "--model", "magic:1"], "--model expects"],
      [["tool", "call", "echo__say", "--agent", "helper", "--input", "no json"], "--input expects JSON"],
      [["serve", "--port", "many"], "--port expects"],
      [["plugin", "config", "echo", "--agent", "helper", "--set", "novalue"], "--set expects"],
      [["plugin", "logs", "echo", "--agent", "helper", "--follow", "--json"], ""],
    ])("%j ends with 2 and says why", async (args, why) => {
      const ended = await run(...args);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(why);
    });

    it("answers with one document, also then, when it is asked for JSON", async () => {
      const ended = await run("nonsense", "--json");
      expect(ended.code).toBe(2);
      expect(ended.json()).toMatchObject({ error: { code: "BAD_INPUT", message: expect.any(String) } });
      expect(ended.stderr).toBe("");
    });

    it("shows its commands with --help and ends with 0", async () => {
      const ended = await run("--help");
      expect(ended.code).toBe(0);
      expect(ended.stdout).toContain("plugin");
    });
  });

  it("starts with one agent, Helper", async () => {
    const agents = (await run("agent", "list", "--json")).json<{ id: string; name: string }[]>();
    expect(agents).toMatchObject([{ id: "helper", name: "Helper" }]);
  });

  describe("agent", () => {
    it("is created, shown, listed and removed", async () => {
      const created = await run("agent", "create", "Second One", "--instructions", "Be brief.", "--json");
      expect(created.json()).toMatchObject({ id: "second-one", instructions: "Be brief." });
      expect((await run("agent", "show", "second-one")).stdout).toContain("Be brief.");
      expect((await run("agent", "list")).stdout).toContain("Second One");
      expect((await run("agent", "remove", "second-one", "--yes", "--json")).json()).toMatchObject({
        ok: true,
      });
      expect((await run("agent", "show", "second-one", "--json")).json()).toMatchObject({
        error: { code: "AGENT_NOT_FOUND" },
      });
    });

    it.each([
      ["openai:gpt-5", { kind: "openai", model: "gpt-5", apiKey: "${OPENAI_API_KEY}" }],
      ["anthropic:claude", { kind: "anthropic", model: "claude", apiKey: "${ANTHROPIC_API_KEY}" }],
      [
        "openai-compatible:llama3@http://127.0.0.1:11434/v1",
        { kind: "openai-compatible", model: "llama3", baseUrl: "http://127.0.0.1:11434/v1" },
      ],
    ])("takes the model %s", async (text, model) => {
      const id = text.split(":")[0] as string;
      const created = await run("agent", "create", id, "--model", text, "--json");
      expect(created.json()).toMatchObject({ model });
    });

    it("cannot be created twice under one id", async () => {
      const ended = await run("agent", "create", "Helper", "--id", "helper", "--json");
      expect(ended.code).toBe(1);
      expect(ended.json()).toMatchObject({ error: { code: "AGENT_EXISTS" } });
    });
  });

  describe("plugin install", () => {
    it("wants consent, and says how to give it where nobody can be asked", async () => {
      const ended = await run("plugin", "install", echo);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain("--yes");
      expect((await run("plugin", "list", "--json")).json()).toEqual({ plugins: [] });
    });

    it("says what is wrong with a folder that is not there", async () => {
      const ended = await run("plugin", "install", "./nowhere", "--yes", "--json");
      expect(ended.code).toBe(1);
      expect(ended.json()).toMatchObject({ error: { code: "SOURCE_MISSING" } });
    });

    it("names the field that a manifest gets wrong", async () => {
      const bad = await writePlugin(join(bench.folder, "bad"), {
        key: "bad",
        manifest: { manifestVersion: 7 },
      });
      const ended = await run("plugin", "install", bad, "--yes", "--json");
      expect(ended.json()).toMatchObject({
        error: { code: "MANIFEST_INVALID", message: expect.stringContaining("manifestVersion") },
      });
    });

    it("shows its phases to a person and ends with what is installed", async () => {
      const ended = await run("plugin", "install", echo, "--yes");
      expect(ended.code).toBe(0);
      for (const phase of ["resolve", "verify", "inspect", "place", "check"])
        expect(ended.stdout).toContain(`✓ ${phase}`);
      expect(ended.stdout).toContain("echo 1.0.0 is installed");
    });

    it("prints nothing but the job with --json", async () => {
      const ended = await run("plugin", "install", trio, "--yes", "--json");
      expect(ended.json()).toMatchObject({ status: "done", pluginKey: "base-trio" });
    });

    it("takes a path that is relative to where it is called", async () => {
      const ended = await bench.patchbay(["plugin", "install", "./echo", "--yes", "--json"], {
        cwd: resolve("test/fixtures/plugins"),
      });
      expect(ended.json()).toMatchObject({ status: "done", pluginKey: "echo" });
    });
  });

  describe("plugin for an agent", () => {
    it("is switched on and off, in the words of the screens", async () => {
      const on = await run("plugin", "enable", "echo", "--agent", "helper");
      expect(on.code).toBe(0);
      expect(on.stdout).toMatch(/Switched on +yes/);
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

  describe("secrets", () => {
    it("are stored from stdin, listed without values, and removed", async () => {
      const stored = await bench.patchbay(["secret", "set", "TOKEN", "--json"], { input: "s3cret-value\n" });
      expect(stored.json()).toMatchObject({ ok: true, name: "TOKEN" });
      const listed = await run("secret", "list", "--json");
      expect(listed.json()).toMatchObject([{ name: "TOKEN", agentId: null }]);
      expect(listed.stdout).not.toContain("s3cret-value");
      expect((await run("secret", "remove", "TOKEN")).code).toBe(0);
      expect((await run("secret", "remove", "TOKEN", "--json")).json()).toMatchObject({
        error: { code: "SECRET_NOT_FOUND" },
      });
    });

    it("must have a value and a name that can be referred to", async () => {
      expect((await run("secret", "set", "EMPTY", "--json")).json()).toMatchObject({
        error: { code: "BAD_INPUT" },
      });
      const named = await run("secret", "set", "not a name", "--value", "x", "--json");
      expect(named.json()).toMatchObject({
        error: { code: "BAD_INPUT", message: expect.stringContaining("name") },
      });
    });

    it("that a plugin declares go to the vault and never come back", async () => {
      const keyed = await writePlugin(join(bench.folder, "keyed"), {
        key: "keyed",
        manifest: { secretKeys: [{ key: "apiKey", label: "API key" }] },
      });
      await run("plugin", "install", keyed, "--yes");
      const missing = await run("plugin", "enable", "keyed", "--agent", "helper", "--json");
      expect(missing.code).toBe(0);
      expect(missing.json()).toMatchObject({
        secretsSet: { apiKey: false },
        instance: { state: "needs_setup" },
      });
      const ref = ["plugin", "config", "keyed", "--agent", "helper", "--json"];
      const stored = await bench.patchbay([...ref, "--secret", "apiKey"], { input: "hush-hush-1\n" });
      expect(stored.json()).toMatchObject({
        config: { tools: { apiKey: "${KEYED_API_KEY}" } },
        secretsSet: { apiKey: true },
        instance: { state: "stopped", startsOnUse: true },
      });
      const written = await run(...ref, "--set", "apiKey=hush-hush-2");
      expect(written.json()).toMatchObject({ config: { tools: { apiKey: "${KEYED_API_KEY}" } } });
      expect(stored.stdout + written.stdout).not.toContain("hush-hush");
      expect((await run("secret", "list", "--json")).json()).toMatchObject([
        { name: "KEYED_API_KEY", agentId: "helper", usedBy: [{ agentId: "helper", pluginKey: "keyed" }] },
      ]);
    });
  });

  describe("tool", () => {
    it("is listed with its owner", async () => {
      const tools = (await run("tool", "list", "--agent", "helper", "--json")).json<
        { name: string; owner: string }[]
      >();
      expect(tools.find((tool) => tool.name === "echo__say")).toMatchObject({ owner: "echo" });
      expect(tools.find((tool) => tool.name === "read_file")).toMatchObject({ owner: null });
    });

    it("is called with consent, with the agent's own settings", async () => {
      const args = ["tool", "call", "echo__say", "--agent", "helper", "--input", '{"text":"hi"}', "--yes"];
      expect((await run(...args)).stdout).toBe("file: hi\n");
      expect((await run(...args, "--json")).json()).toMatchObject({
        content: [{ type: "text", text: "file: hi" }],
        trace: { outcome: "executed" },
      });
    });

    it("is refused at once where nobody can be asked", async () => {
      const ended = await run(
        "tool",
        "call",
        "echo__say",
        "--agent",
        "helper",
        "--input",
        '{"text":"hi"}',
        "--json",
      );
      expect(ended.code).toBe(1);
      expect(ended.json()).toMatchObject({ error: { code: "TOOL_REJECTED" } });
    });

    it("says which argument is wrong, and which tool is missing", async () => {
      const wrong = await run(
        "tool",
        "call",
        "echo__say",
        "--agent",
        "helper",
        "--input",
        '{"text":1}',
        "--yes",
        "--json",
      );
      expect(wrong.json()).toMatchObject({
        error: { code: "ARGUMENTS_INVALID", message: expect.stringContaining("text") },
      });
      const missing = await run("tool", "call", "no__tool", "--agent", "helper", "--json");
      expect(missing.json()).toMatchObject({ error: { code: "TOOL_NOT_FOUND" } });
    });
  });

  describe("agent prompt", () => {
    beforeAll(async () => {
      const script = join(bench.folder, "script.yaml");
      await writeFile(script, "- call: {tool: echo__say, input: {text: hello}}\n- say: It said hello.\n");
      await run("agent", "create", "Scripted", "--model", `scripted:${script}`);
      await run("plugin", "enable", "echo", "--agent", "scripted");
    });

    it("streams the turn with a line for each tool call", async () => {
      const ended = await run("agent", "prompt", "scripted", "Say hello", "--yes");
      expect(ended.code).toBe(0);
      expect(ended.stdout).toMatch(/→ echo\.say .*\n✓ echo\.say done .*\nIt said hello\.\n/);
    });

    it("tells the turn as one document with --json", async () => {
      const ended = await run("agent", "prompt", "scripted", "Say hello", "--yes", "--json");
      expect(ended.json()).toMatchObject({
        outcome: "done",
        text: "It said hello.",
        tools: [{ tool: "echo__say", outcome: "executed" }],
      });
    });

    it("goes on with a conversation", async () => {
      const first = (await run("agent", "prompt", "scripted", "Say hello", "--yes", "--json")).json();
      const ended = await run(
        "agent",
        "prompt",
        "scripted",
        "/help",
        "--session",
        String(first.sessionId),
        "--json",
      );
      expect(ended.json()).toMatchObject({
        sessionId: first.sessionId,
        text: expect.stringContaining("/clear"),
      });
    });

    it("says what to do when the agent has no model", async () => {
      const ended = await run("agent", "prompt", "helper", "Hi", "--json");
      expect(ended.code).toBe(1);
      expect(ended.json()).toMatchObject({ error: { code: "MODEL_NOT_SET" } });
    });
  });

  describe("commands, hooks and checks", () => {
    it("runs a slash command", async () => {
      const ended = await run("command", "run", "/help", "--agent", "helper", "--json");
      expect(ended.json()).toMatchObject({ output: expect.stringContaining("/help") });
      expect((await run("command", "list", "--agent", "helper")).stdout).toContain("/help");
    });

    it("fires an event by hand and shows what each hook did", async () => {
      await run("plugin", "enable", "base-trio", "--agent", "scripted");
      const listed = (await run("hook", "list", "--agent", "scripted", "--json")).json<{ event: string }[]>();
      expect(listed.length).toBeGreaterThan(0);
      const event = listed[0]?.event as string;
      const fired = await run("hook", "fire", event, "--agent", "scripted", "--input", "{}", "--json");
      expect(fired.json()).toMatchObject({ hooks: [{ owner: "base-trio" }] });
      await run("plugin", "disable", "base-trio", "--agent", "scripted");
    });

    it("names an event that does not exist", async () => {
      const ended = await run("hook", "fire", "no.such@v1", "--agent", "helper", "--json");
      expect(ended.json()).toMatchObject({ error: { code: "EVENT_UNKNOWN" } });
    });

    it("lists approvals, and knows which it does not have", async () => {
      expect((await run("approval", "list", "--json")).json()).toEqual([]);
      expect((await run("approval", "review", "nope", "--allow", "--json")).json()).toMatchObject({
        error: { code: "APPROVAL_NOT_FOUND" },
      });
    });

    it("checks what it needs", async () => {
      const { checks } = (await run("doctor", "--json")).json<{ checks: { name: string; ok: boolean }[] }>();
      expect(checks.find((check) => check.name === "Folder")).toMatchObject({ ok: true });
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
        enabledFor: ["helper", "scripted"],
      });
    });

    it("has failed to load once its files were changed", async () => {
      const { dir } = (await run("plugin", "info", "keyed", "--json")).json<{ dir: string }>();
      await writeFile(join(dir, "index.js"), "export default {};");
      const listed = (await run("plugin", "list", "--json")).json<{
        plugins: { key: string; mark: string }[];
      }>();
      expect(listed.plugins.find((one) => one.key === "keyed")).toMatchObject({ mark: "failed to load" });
      expect((await run("plugin", "list")).stdout).toMatch(/keyed .*✗ failed to load/);
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
      const back = await run("plugin", "rollback", "growing", "--json");
      expect(back.json()).toMatchObject({ status: "done", pluginVersion: "1.0.0" });
    });

    it("goes by the old name channel too, with a note", async () => {
      const ended = await run("channel", "list");
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain("patchbay plugin");
    });
  });
});
