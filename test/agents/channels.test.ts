import { expect, test } from "vitest";
import { message, only, Workbench } from "./workbench.ts";

test("a message from a channel runs a turn in the conversation's own session", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one two three four five" }, { say: "again" }]);
  const deltas: string[] = [];

  const first = await bench.agents.channels.of("a", "telegram").prompt({
    ...message("hi"),
    onDelta: (text) => deltas.push(text),
  });
  const second = await bench.agents.channels.of("a", "telegram").prompt(message("hi again"));
  await bench.script([{ say: "another" }]);
  const other = await bench.agents.channels.of("a", "telegram").prompt({
    ...message("hi"),
    conversation: "chat-2",
  });

  expect(first.text).toBe("one two three four five");
  expect(deltas.join("")).toBe("one two three four five");
  expect(second).toEqual({ sessionId: first.sessionId, text: "again" });
  expect(other.text).toBe("another");
  expect(other.sessionId).not.toBe(first.sessionId);
  expect(await bench.agents.sessions.list("a")).toMatchObject([
    { id: other.sessionId, source: { kind: "channel", channel: "telegram", conversation: "chat-2" } },
    { id: first.sessionId, source: { kind: "channel", channel: "telegram", conversation: "chat-1" } },
  ]);
});

test("a conversation is found again after a restart, and two first messages at once make one session", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }, { say: "two" }, { say: "three" }]);
  const both = await Promise.all([
    bench.agents.channels.of("a", "telegram").prompt(message("1")),
    bench.agents.channels.of("a", "telegram").prompt(message("2")),
  ]);
  await bench.agents.sessions.close();
  const third = await bench.agents.channels.of("a", "telegram").prompt(message("3"));

  expect(new Set([...both, third].map((answer) => answer.sessionId)).size).toBe(1);
  expect(third.text).toBe("three");
});

test("messages are changed on their way in and out, and may be dropped", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "answer" }]);
  bench.pool.on("p", "channel.message.in@v1", (payload: { text: string }) =>
    payload.text === "spam" ? { drop: true } : { text: `${payload.text}!` },
  );
  bench.pool.on("p", "channel.message.out@v1", (payload: { text: string }) => ({
    text: `<${payload.text}>`,
  }));

  const answer = await bench.agents.channels.of("a", "telegram").prompt(message("hi"));
  const dropped = await bench.agents.channels.of("a", "telegram").prompt(message("spam"));

  expect(answer.text).toBe("<answer>");
  expect(dropped).toEqual({ sessionId: answer.sessionId, text: "", silent: true });
  const entries = await bench.agents.sessions.entries("a", answer.sessionId);
  expect(entries.filter((entry) => entry.type === "user").map((entry) => entry.text)).toEqual(["hi!"]);
});

test("a turn that fails rejects with its reason, and one that is stopped ends", async () => {
  await using bench = await Workbench.open();
  await expect(bench.agents.channels.of("a", "telegram").prompt(message("hi"))).rejects.toMatchObject({
    code: "MODEL_NOT_SET",
  });
  await bench.script([{ say: "one two three four five six seven", delayMs: 60_000 }]);
  const stop = new AbortController();
  bench.pool.on("spy", "model.before@v1", () => void setImmediate(() => stop.abort()));

  await expect(
    bench.agents.channels.of("a", "telegram").prompt({ ...message("hi"), signal: stop.signal }),
  ).rejects.toMatchObject({ code: "ABORTED" });
});

test("a conversation whose person is gone is over: its turn stops, its question is withdrawn, nothing of it is told", async () => {
  await using bench = await Workbench.open({
    policy: [{ tool: "p__pay", effect: "ask", callers: [{ channel: "irc" }] }],
  });
  bench.pool.tool("p", "p__pay", () => "paid");
  await bench.script([{ call: { tool: "p__pay", input: { to: "eve" } } }, { say: "paid" }]);
  const channel = bench.agents.channels.of("a", "irc");
  const asked = new Promise<void>((resolve) =>
    bench.agents.approvals.changes.once("approval", () => resolve()),
  );
  const first = channel.prompt({ ...message("my secret is xyzzy"), messageId: "1" });
  first.catch(() => {});
  await asked;

  await channel.end("chat-1");

  await expect(first).rejects.toMatchObject({ code: "ABORTED" });
  expect(bench.agents.approvals.list().map(({ status }) => status)).toEqual(["cancelled"]);
  await bench.script([{ say: "two" }]);
  const next = await channel.prompt({ ...message("what is my secret"), messageId: "2" });
  const entries = await bench.agents.sessions.entries("a", next.sessionId);
  expect(JSON.stringify(entries)).not.toContain("xyzzy");
  await channel.end("chat-unknown");
});

test("new in a channel closes the conversation and opens the next", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "one" }]);
  const closed: string[] = [];
  bench.pool.on(
    "spy",
    "session.closed@v1",
    (payload: { sessionId: string }) => void closed.push(payload.sessionId),
  );
  const before = await bench.agents.channels.of("a", "telegram").prompt(message("hi"));

  const answer = await bench.agents.channels.of("a", "telegram").prompt(message("/new"));
  const after = await bench.agents.channels.of("a", "telegram").prompt(message("hi"));

  expect(answer.text).toContain(after.sessionId);
  expect(after).toMatchObject({ text: "one" });
  expect(after.sessionId).not.toBe(before.sessionId);
  expect(closed).toEqual([before.sessionId]);
  await expect(bench.prompt("hi", { sessionId: before.sessionId })).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  expect(only(await bench.prompt("/help", { sessionId: after.sessionId }), "command").output).toContain(
    "/new",
  );
});
