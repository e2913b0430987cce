import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

const echo = resolve("test/fixtures/plugins/echo");
const sieve = resolve("test/fixtures/plugins/sieve");
const trio = resolve("test/fixtures/plugins/base-trio");

/** Without a running app: each command does its work itself, under the lock. */
describe("patchbay at work", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);

  beforeAll(async () => {
    bench = await openBench();
    for (const plugin of [echo, trio]) await run("plugin", "install", plugin, "--yes");
    await run("plugin", "config", "echo", "--agent", "helper", "--set", "prefix=> ");
    await run("plugin", "enable", "echo", "--agent", "helper");
  });
  afterAll(() => bench.remove());

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
        // It slept, and was woken to try what was saved.
        instance: { state: "running" },
      });
      // A new value lies under a new name until the row refers to it; then the old name goes.
      const written = await run(...ref, "--set", "apiKey=hush-hush-2");
      expect(written.json()).toMatchObject({ config: { tools: { apiKey: "${KEYED_API_KEY_2}" } } });
      expect(stored.stdout + written.stdout).not.toContain("hush-hush");
      expect((await run("secret", "list", "--json")).json()).toMatchObject([
        { name: "KEYED_API_KEY_2", agentId: "helper", usedBy: [{ agentId: "helper", pluginKey: "keyed" }] },
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
      expect((await run(...args)).stdout).toBe("> hi\n");
      expect((await run(...args, "--json")).json()).toMatchObject({
        content: [{ type: "text", text: "> hi" }],
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

    it("says who dropped a message and why, and what became a command", async () => {
      await run("plugin", "install", sieve, "--yes");
      await run("agent", "create", "Sorted", "--model", `scripted:${join(bench.folder, "script.yaml")}`);
      await run("plugin", "enable", "sieve", "--agent", "sorted");

      const dropped = await run("agent", "prompt", "sorted", "You won the lottery");
      expect(dropped).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("sieve dropped this message: It is about a lottery."),
      });
      const told = (await run("agent", "prompt", "sorted", "Go silently", "--json")).json();
      expect(told).toMatchObject({ outcome: "done", text: "", dropped: { by: "sieve", reason: "" } });
      const command = await run("agent", "prompt", "sorted", "What did you sort?");
      expect(command.stdout).toMatch(/sieve made this a command\.\n[\s\S]*Nothing was sorted today\.\n/);
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
      const python = { ok: true, text: expect.stringMatching(/^3\.\d+\.\d+ \(.+\)$/) };
      expect(checks.find((check) => check.name === "Python")).toMatchObject(python);
    });
  });
});
