import { expect, test } from "vitest";
import type { SessionEntry } from "../../src/contract/index.ts";
import { message, only, Workbench } from "./workbench.ts";

const received = "session.message.received@v1";

/** The texts that the model was sent, a list for each time that it was asked. */
function askedOf(bench: Workbench): string[][] {
  const asked: string[][] = [];
  bench.pool.on("spy", "model.before@v1", ({ messages }: { messages: { text: string }[] }) => {
    asked.push(messages.map(({ text }) => text));
  });
  return asked;
}

function typesOf(entries: readonly SessionEntry[]): string[] {
  return entries.map(({ type }) => type);
}

test("a message that a plugin drops stays in the conversation, and the model never gets it", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const asked = askedOf(bench);
  const told: string[] = [];
  for (const event of ["turn.start@v1", "turn.end@v1", "run.end@v1"] as const)
    bench.pool.on("spy", event, () => void told.push(event));
  bench.pool.on("filter", received, ({ text }: { text: string }) =>
    text.includes("spam") ? { drop: true, reason: "it is spam" } : undefined,
  );
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("buy spam", { sessionId: id });

  const aside = { kind: "dropped", by: "filter", reason: "it is spam" };
  expect(events).toMatchObject([
    { type: "turn_started", text: "buy spam", aside },
    { type: "turn_ended", outcome: "done", text: "", problem: null },
  ]);
  expect([asked, told]).toEqual([[], []]);
  await bench.prompt("hi", { sessionId: id });
  expect(asked).toEqual([["hi"]]);
  await bench.agents.sessions.close();
  const entries = await bench.agents.sessions.entries("a", id);
  expect(entries.find(({ type }) => type === "user")).toMatchObject({ text: "buy spam", aside });
  const trace = await bench.agents.sessions.trace("a", id);
  expect(trace.flatMap((entry) => (entry.type === "hook" ? [entry.hook] : []))).toContainEqual(
    expect.objectContaining({ owner: "filter", decision: "dropped", reason: "it is spam" }),
  );
  await expect(
    bench.agents.retry("a", { sessionId: id, caller: { kind: "owner" } }).next(),
  ).rejects.toMatchObject({ code: "NOTHING_TO_RETRY" });
});

test("the first drop counts: later hooks are not asked, and a reason may be missing", async () => {
  await using bench = await Workbench.open();
  const asked: string[] = [];
  bench.pool.on("a", received, () => ({ drop: true }), { priority: 1 });
  bench.pool.on("b", received, () => void asked.push("b"), { priority: 2 });

  const events = await bench.prompt("hi");

  expect(only(events, "turn_started").aside).toEqual({ kind: "dropped", by: "a", reason: "" });
  expect(asked).toEqual([]);
});

test("a guard of messages that fails blocks the turn, and is no drop", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  bench.pool.on("guard", received, () => Promise.reject(new Error("out of order")), { failureMode: "fail" });

  const events = await bench.prompt("hi");

  expect(only(events, "turn_started").aside).toBeUndefined();
  expect(only(events, "turn_ended")).toMatchObject({ outcome: "failed", problem: { code: "HOOK_BLOCKED" } });
});

test("a chat gets no answer to a dropped message, also when the platform sends it again", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const asked = askedOf(bench);
  bench.pool.on("filter", received, () => ({ drop: true, reason: "no" }));
  const chat = bench.agents.channels.of("a", "telegram");

  const first = await chat.prompt(message("hi", { messageId: "m1" }));
  await bench.agents.sessions.close();
  const again = await chat.prompt(message("hi", { messageId: "m1" }));

  expect([first, again]).toMatchObject([{ silent: true }, { silent: true }]);
  expect(asked).toEqual([]);
  const entries = await bench.agents.sessions.entries("a", first.sessionId);
  expect(entries.filter(({ type }) => type === "user")).toHaveLength(1);
});

test("a message that a plugin makes a command runs as one, once, and is not rewritten again", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const asked = askedOf(bench);
  const heard: string[] = [];
  bench.pool.command("p", "status", (args) => `all is well ${args}`);
  bench.pool.on("rewriter", received, ({ text }: { text: string }) => {
    heard.push(text);
    return text === "how are you" ? { text: "/status now" } : undefined;
  });
  const { id } = await bench.agents.createSession("a");

  const events = await bench.prompt("how are you", { sessionId: id });

  expect(events).toMatchObject([
    { type: "turn_started", text: "how are you", aside: { kind: "command", by: "rewriter" } },
    { type: "turn_ended", outcome: "done" },
    { type: "command", text: "/status now", output: "all is well now" },
  ]);
  expect(heard).toEqual(["how are you"]);
  await bench.prompt("hi", { sessionId: id });
  expect(asked).toEqual([["hi"]]);
  const types = typesOf(await bench.agents.sessions.entries("a", id));
  expect(types.slice(0, 5)).toEqual(["session", "user", "title", "turn_end", "command"]);
});

test("a chat is answered by the command, with the rights of whoever wrote", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "status", () => "all is well");
  bench.pool.on("rewriter", received, () => ({ text: "/STATUS" }));
  bench.roles.set("8", "owner");
  const chat = bench.agents.channels.of("a", "telegram");

  const stranger = await chat.prompt(message("how are you"));
  const owner = await chat.prompt(message("how are you", { userId: "8" }));

  expect(stranger.text).toBe("Only the owner of the agent may use /status.");
  expect(owner.text).toBe("all is well");
});

test("/clear and /new work as the outcome of a rewriting", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }]);
  const asked = askedOf(bench);
  bench.pool.on("rewriter", received, ({ text }: { text: string }) =>
    text.startsWith("please ") ? { text: `/${text.slice(7)}` } : undefined,
  );
  const { id } = await bench.agents.createSession("a");
  await bench.prompt("first", { sessionId: id });

  const cleared = await bench.prompt("please clear", { sessionId: id });
  await bench.prompt("second", { sessionId: id });
  const anew = await bench.agents.channels.of("a", "telegram").prompt(message("please new"));

  expect(cleared.map(({ type }) => type)).toEqual([
    "turn_started",
    "turn_ended",
    "session_cleared",
    "command",
  ]);
  expect(asked).toEqual([["first"], ["second"]]);
  expect(anew.text).toMatch(/^Started a new conversation: /);
});

test("a command that fails says so to whoever wrote, and the conversation goes on", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  bench.pool.command("p", "boom", () => Promise.reject(new Error("it broke")));
  bench.pool.on("rewriter", received, ({ text }: { text: string }) =>
    text === "boom" ? { text: "/boom" } : undefined,
  );
  const { id } = await bench.agents.createSession("a");

  await expect(bench.prompt("boom", { sessionId: id })).rejects.toMatchObject({ code: "COMMAND_FAILED" });
  const after = await bench.prompt("hi", { sessionId: id });

  expect(only(after, "turn_ended")).toMatchObject({ outcome: "done", text: "Hello." });
});

test("a text that only looks like a command goes to the model", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const asked = askedOf(bench);
  bench.pool.on("rewriter", received, () => ({ text: "/etc/hosts is what I mean" }));

  await bench.prompt("the hosts file");

  expect(asked).toEqual([["/etc/hosts is what I mean"]]);
});
