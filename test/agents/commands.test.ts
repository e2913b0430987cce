import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Caller, RecordEvent } from "../../src/contract/index.ts";
import { whole } from "../../src/main/agents/record/read-record.ts";
import { blobsOf } from "../support/record-blobs.ts";
import { modelServer, openaiStream } from "./model-server.ts";
import { only, Workbench } from "./workbench.ts";

const stranger: Caller = { kind: "channel", channel: "telegram", userId: "7" };

async function run(bench: Workbench, text: string, caller?: Caller): Promise<string> {
  return only(await bench.prompt(text, caller ? { caller } : {}), "command").output;
}

test("help lists the built-in commands and those of plugins", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "greet", () => "hello");

  const output = await run(bench, "/help");

  expect(output.split("\n").map((line) => line.split(":")[0])).toEqual([
    "/help",
    "/new",
    "/clear",
    "/compact",
    "/greet",
  ]);
});

test("a plugin's command gets its arguments and answers; the model is not asked", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "greet", (args) => `hello ${args}`);

  const events = await bench.prompt("/greet  the whole\nworld ");

  expect(events).toMatchObject([
    { type: "command", text: "/greet  the whole\nworld ", output: "hello the whole\nworld" },
  ]);
});

test("an unknown command is answered with a sentence and never reaches the model", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "the model spoke" }]);
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("/nonsense", { sessionId: id });

  expect(only(events, "command").output).toBe("There is no command /nonsense. Type /help for the list.");
  expect(await run(bench, "/compcat now")).toBe(
    "There is no command /compcat. Did you mean /compact? Type /help for the list.",
  );
  expect((await bench.agents.sessions.entries("a", id)).map((entry) => entry.type)).toEqual([
    "session",
    "command",
  ]);
});

test("a command is found whatever its case, and one with exactly the name comes first", async () => {
  await using bench = await Workbench.open();
  bench.pool
    .command("a", "Deploy", (args) => `big ${args}`)
    .command("b", "deploy", (args) => `small ${args}`);

  expect(await run(bench, "/deploy\u00a0now")).toBe("small now");
  expect(await run(bench, "/Deploy  to  there\n")).toBe("big to  there");
  expect(await run(bench, "/DEPLOY")).toBe("big ");
  expect(await run(bench, "/HELP deploy")).toContain("/deploy:");
  expect(await run(bench, "/Hilfe")).toContain("/compact:");
});

test("built-in commands cannot be shadowed, and the earlier plugin keeps a name that two want", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("z-late", "go", () => "late").command("a-early", "go", () => "early");
  bench.pool.command("a-early", "help", () => "mine now");

  expect(await run(bench, "/go")).toBe("early");
  expect(await run(bench, "/help")).toContain("/clear");
  const listed = bench.agents.commands.list("a").filter((command) => ["go", "help"].includes(command.name));
  expect(listed.map(({ owner, description }) => [owner, description])).toEqual([
    [null, "Lists the commands; with the name of one after it, explains that one."],
    ["a-early", "runs go"],
    ["a-early", "runs help (shadowed by a built-in command)"],
    ["z-late", "runs go (shadowed by the plugin a-early)"],
  ]);
});

test("a command that fails says whose it is and why", async () => {
  await using bench = await Workbench.open();
  bench.limits.toolMs = 50;
  bench.pool.command("p", "bad", () => Promise.reject(new Error("no paper")));
  bench.pool.command("p", "slow", () => new Promise(() => undefined));

  await expect(bench.prompt("/bad")).rejects.toMatchObject({
    code: "COMMAND_FAILED",
    message: "/bad of the plugin p failed: no paper.",
  });
  await expect(bench.prompt("/slow")).rejects.toMatchObject({ code: "COMMAND_FAILED" });
});

test("help explains one command with its arguments, in a chat also what the channel understands by itself", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "wipe", () => "gone");
  expect(await run(bench, "/help help")).toBe(
    "/help: Lists the commands; with the name of one after it, explains that one.",
  );
  expect(await run(bench, "/help new")).toBe("/new: Starts a new conversation.");
  expect(await run(bench, "/help /wipe")).toBe("/wipe: runs wipe [p]");
  expect(await run(bench, "/help approve")).toBe("There is no command /approve. Type /help for the list.");
  expect(await run(bench, "/help approve", stranger)).toMatch(/^\/approve <number>: Allows the call/);
  expect(await run(bench, "/help !Refuse", stranger)).toMatch(/^\/refuse <number>: Refuses the call/);
  expect(await run(bench, "/help pair", stranger)).toBe(
    "/pair <code>: Lets in the person who was told this code. Owners only.",
  );
  expect(await run(bench, "/help wipe", stranger)).toContain("There is no command /wipe");
});

test("people from a channel may not use plugins' commands", async () => {
  await using bench = await Workbench.open();
  let ran = false;
  bench.pool.command("p", "wipe", () => {
    ran = true;
    return "gone";
  });
  expect(await run(bench, "/wipe", stranger)).toBe("Only the owner of the agent may use /wipe.");
  expect(ran).toBe(false);
});

test("clear starts the context afresh and keeps the history", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }]);
  const { sessionId } = only(await bench.prompt("first"), "turn_started");
  const seen: unknown[] = [];
  bench.pool.on(
    "spy",
    "model.before@v1",
    (payload: { messages: unknown }) => void seen.push(payload.messages),
  );

  const events = await bench.prompt("/clear", { sessionId });
  await bench.prompt("second", { sessionId });

  expect(events.map((event) => event.type)).toEqual(["session_cleared", "command"]);
  expect(seen).toEqual([[{ role: "user", text: "second" }]]);
  const texts = (await bench.agents.sessions.entries("a", sessionId)).flatMap((e) =>
    "text" in e ? [e.text] : [],
  );
  expect(texts).toEqual(["first", "one", "/clear", "second", "two"]);
});

test("compact without a model keeps the end of what was said, and hooks may change it", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }]);
  const { sessionId } = only(await bench.prompt("first"), "turn_started");
  const told: unknown[] = [];
  bench.pool.on(
    "p",
    "compact.before@v1",
    (payload: { messages: number }) => void told.push(payload.messages),
  );
  bench.pool.on("p", "compact.summary@v1", (payload: { summary: string }) => ({
    summary: `<${payload.summary}>`,
  }));
  const seen: unknown[] = [];
  bench.pool.on("p", "model.before@v1", (payload: { messages: unknown }) => void seen.push(payload.messages));

  await bench.prompt("/compact", { sessionId });
  const next = only(await bench.prompt("second", { sessionId }), "turn_ended");

  expect(told).toEqual([2]);
  expect(next.text).toBe("two");
  expect(seen).toEqual([
    [
      { role: "user", text: "Summary of the conversation so far:\n\n<User: first\nAssistant: one>" },
      { role: "user", text: "second" },
    ],
  ]);
});

test("what the model is sent for a summary, and what it answers, is in the record and nowhere else", async () => {
  await using server = await modelServer([
    { events: openaiStream({ text: ["Good morning."] }) },
    { events: openaiStream({ text: ["They greeted each other."] }) },
  ]);
  const model = { kind: "openai-compatible", model: "local", baseUrl: `${server.url}/v1` } as const;
  await using bench = await Workbench.open({ model });
  const { sessionId } = only(await bench.prompt("hello"), "turn_started");

  const events = await bench.prompt("/compact", { sessionId });

  expect(events.map(({ type }) => type)).toEqual(["command"]);
  expect(only(events, "command").output).toContain("They greeted each other.");
  await bench.agents.close();
  const file = join(bench.home, "agents", "a", "sessions", `${sessionId}.record.jsonl`);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  const blobs = blobsOf(bench.home, "a", sessionId);
  const record = await whole(
    lines.map((line) => JSON.parse(line) as RecordEvent),
    (address) => blobs.get(address),
  );
  const turnId = record[0]?.turnId;
  const beside = record.filter((event) => event.turnId !== turnId);
  expect(beside).toMatchObject([
    {
      type: "model_asked",
      tools: 0,
      request: {
        model: { id: "local", reasoning: false, maxTokens: 0 },
        options: {},
        messages: [
          { role: "user", content: "hello" },
          { role: "assistant" },
          { role: "user", content: expect.stringMatching(/^Summarise this conversation/) },
        ],
      },
    },
    {
      type: "model_answered",
      stopReason: "stop",
      problem: null,
      response: { content: [{ type: "text", text: "They greeted each other." }] },
    },
  ]);
});

test("new opens another conversation and says which", async () => {
  await using bench = await Workbench.open();
  const { id } = await bench.agents.createSession("a");

  const output = only(await bench.prompt("/new", { sessionId: id }), "command").output;

  const ids = (await bench.agents.sessions.list("a")).map((session) => session.id);
  expect(ids).toHaveLength(2);
  expect(output).toContain(ids.find((one) => one !== id));
});
