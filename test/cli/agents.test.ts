import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "./support.ts";

/** Without a running app: each command does its work itself, under the lock. */
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
      ["openai-compatible:llama3@localhost:11434", { model: "llama3", baseUrl: "http://localhost:11434/v1" }],
      ["openai-compatible:big@models.example/v2", { model: "big", baseUrl: "https://models.example/v2" }],
      [
        "google:gemini-2.5-pro",
        { kind: "provider", provider: "google", model: "gemini-2.5-pro", apiKey: "${GEMINI_API_KEY}" },
      ],
    ])("takes the model %s", async (text, model) => {
      const id = text.replace(/[^a-z0-9]+/g, "-");
      const created = await run("agent", "create", id, "--model", text, "--json");
      expect(created.json()).toMatchObject({ model });
    });

    it("is changed, each rule for a tool once", async () => {
      await run("agent", "create", "Changing", "--instructions", "Stay.");
      await run("agent", "update", "changing", "--deny", "shell", "--ask", "echo__*");
      const changed = await run(
        "agent",
        "update",
        "changing",
        "--allow",
        "shell",
        "--name",
        "Changed",
        "--json",
      );
      expect(changed.json()).toMatchObject({
        name: "Changed",
        instructions: "Stay.",
        policy: [
          { tool: "echo__*", effect: "ask" },
          { tool: "shell", effect: "allow" },
        ],
      });
    });

    it("says why a tool may be used or not, and by whom", async () => {
      await run("agent", "create", "Asked", "--instructions", "Stay.");
      await run("agent", "update", "asked", "--deny", "sh*", "--allow", "shell");
      const mine = await run("agent", "why", "asked", "shell");
      expect(mine.stdout).toBe(
        "shell, when you ask for it: allowed without a question.\n" +
          "The rule “shell: allow” decides.\n" +
          "The rule “sh*: deny” does not: another one names the tool more exactly.\n",
      );
      const theirs = await run("agent", "why", "asked", "shell", "--as", "telegram:7", "--role", "user");
      expect(theirs.stdout).toContain("shell, when 7 (user) on telegram asks for it: refused.");
      expect(theirs.stdout).toContain("The rule “shell: allow” does not: it is for somebody else.");
      const json = await run("agent", "why", "asked", "read_file", "--as", "telegram:", "--json");
      expect(json.json()).toMatchObject({
        judgement: { effect: "deny", decided: { by: "default", why: "chats" } },
      });
      expect((await run("agent", "why", "asked", "shell", "--as", "telegram")).code).toBe(2);
      expect((await run("agent", "why", "asked", "nothing", "--json")).json()).toMatchObject({
        error: { code: "TOOL_NOT_FOUND" },
      });
    });

    it("cannot be created twice under one id", async () => {
      const ended = await run("agent", "create", "Helper", "--id", "helper", "--json");
      expect(ended.code).toBe(1);
      expect(ended.json()).toMatchObject({ error: { code: "AGENT_EXISTS" } });
    });
  });
});
