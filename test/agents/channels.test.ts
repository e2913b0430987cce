import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChannelApproval } from "@patchbay/plugin-sdk";
import { expect, test } from "vitest";
import { PatchbayError } from "../../src/contract/index.ts";
import { only, Workbench } from "./workbench.ts";

function message(text: string, more: object = {}) {
  return { conversation: "chat-1", userId: "7", text, signal: new AbortController().signal, ...more };
}

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

test("people from a channel get only the tools that a rule opens to them", async () => {
  const callers = [{ channel: "telegram", userId: "7" }];
  await using bench = await Workbench.open({
    policy: [
      { tool: "p__open", effect: "allow", callers },
      { tool: "*", effect: "allow" },
    ],
  });
  bench.pool.tool("p", "p__open", () => "opened").tool("p", "p__closed", () => "never");
  const step = {
    call: [{ tool: "p__open" }, { tool: "p__closed" }, { tool: "shell", input: { command: "id" } }],
  };
  await bench.script([step, { say: "done" }]);
  const outcomes: string[] = [];
  bench.pool.on("spy", "tool.after@v1", (payload: { toolName: string; outcome: string }) => {
    outcomes.push(`${payload.toolName} ${payload.outcome}`);
  });

  await bench.agents.channels.of("a", "telegram").prompt(message("go"));
  expect(outcomes).toEqual(["p__open executed", "p__closed denied", "shell denied"]);
  outcomes.length = 0;
  await bench.script([step, { say: "done" }]);
  await bench.agents.channels.of("a", "telegram").prompt({
    ...message("go", { userId: "8" }),
    conversation: "chat-8",
  });

  expect(outcomes).toEqual(["p__open denied", "p__closed denied", "shell denied"]);
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

test("a message is answered once: while it is worked on, afterwards, after a restart, and after a new conversation", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "first of all", delayMs: 30 }, { say: "second" }]);
  const heard: string[] = [];
  const listen = { onDelta: (text: string) => void heard.push(text) };

  const [one, other] = await Promise.all([
    bench.agents.channels.of("a", "telegram").prompt(message("hi", { messageId: "m1" })),
    bench.agents.channels.of("a", "telegram").prompt(message("hi", { messageId: "m1", ...listen })),
  ]);
  const again = await bench.agents.channels.of("a", "telegram").prompt(message("hi", { messageId: "m1" }));
  await bench.agents.sessions.close();
  const later = await bench.agents.channels.of("a", "telegram").prompt(message("hi", { messageId: "m1" }));
  await bench.agents.channels.of("a", "telegram").prompt(message("/new", { messageId: "m2" }));
  const afterNew = await bench.agents.channels.of("a", "telegram").prompt(message("hi", { messageId: "m1" }));
  const newAgain = await bench.agents.channels
    .of("a", "telegram")
    .prompt(message("/new", { messageId: "m2" }));

  expect(one).toEqual({ sessionId: one.sessionId, text: "first of all" });
  expect([other, again, later, afterNew]).toEqual([one, one, one, one]);
  expect(heard.join("")).toBe("first of all");
  const entries = await bench.agents.sessions.entries("a", one.sessionId);
  expect(entries.filter((entry) => entry.type === "user" || entry.type === "assistant")).toHaveLength(2);
  expect(await bench.agents.sessions.list("a")).toHaveLength(2);
  expect(newAgain.text).toContain(newAgain.sessionId);
});

test("a turn that was cut short goes on where it ended, without its message being stored twice", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__once", () => "done once");
  bench.agent = {
    ...bench.agent,
    policy: [{ tool: "p__once", effect: "allow", callers: [{ channel: "telegram" }] }],
  };
  await bench.script([{ call: { tool: "p__once" } }, { say: "the answer", delayMs: 200 }]);
  const stop = new AbortController();
  const asked: { role: string; text: string }[][] = [];
  bench.pool.on(
    "spy",
    "model.before@v1",
    (payload: { messages: never[] }) => void asked.push(payload.messages),
  );
  const cut = bench.agents.channels.of("a", "telegram").prompt({
    ...message("go", { messageId: "m1", signal: stop.signal }),
    onDelta: () => stop.abort(),
  });
  await expect(cut).rejects.toMatchObject({ code: "ABORTED" });
  await bench.agents.sessions.close();

  const answer = await bench.agents.channels.of("a", "telegram").prompt(message("go", { messageId: "m1" }));

  expect(answer.text).toBe("the answer");
  expect(asked.at(-1)?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  const entries = await bench.agents.sessions.entries("a", answer.sessionId);
  expect(entries.filter((entry) => entry.type === "user")).toHaveLength(1);
  expect(entries.filter((entry) => entry.type === "tool_result")).toHaveLength(1);
});

test("a host that crashed leaves the turn, and the next one gets its answer", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "kept for you", delayMs: 100 }]);
  const crash = new AbortController();
  const lost = bench.agents.channels.of("a", "telegram").prompt({
    ...message("hi", { messageId: "m1", signal: crash.signal }),
    onDelta: () => crash.abort(new PatchbayError("HOST_CRASHED", "It ended.")),
  });
  await expect(lost).rejects.toMatchObject({ code: "HOST_CRASHED" });

  const answer = await bench.agents.channels.of("a", "telegram").prompt(message("hi", { messageId: "m1" }));

  expect(answer.text).toBe("kept for you");
  const entries = await bench.agents.sessions.entries("a", answer.sessionId);
  expect(entries.filter((entry) => entry.type === "turn_end")).toMatchObject([{ outcome: "done" }]);
});

test("in a group names stand before what is said, what nobody asked is only heard, and silence is not sent", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "<NO_REPLY>" }, { say: "I do. <NO_REPLY>" }]);
  const group = { group: true, userName: "Ada\nLovelace" };
  const seen: { role: string; text: string }[][] = [];
  bench.pool.on(
    "spy",
    "model.before@v1",
    (payload: { messages: never[] }) => void seen.push(payload.messages),
  );
  const deltas: string[] = [];
  const { sessionId } = await bench.agents.channels.conversations.append("a", "telegram", {
    ...message("Nice weather.", { ...group, messageId: "m1" }),
  });
  await bench.agents.channels.conversations.append(
    "a",
    "telegram",
    message("Nice weather.", { ...group, messageId: "m1" }),
  );

  const silent = await bench.agents.channels.of("a", "telegram").prompt({
    ...message("Well?", { ...group, messageId: "m2" }),
    onDelta: (text) => void deltas.push(text),
  });
  const loud = await bench.agents.channels.of("a", "telegram").prompt(message("Bot?", group));

  expect(silent).toEqual({ sessionId, text: "", silent: true });
  expect(deltas).toEqual([]);
  expect(loud.text).toBe("I do.");
  expect(seen[0]?.map(({ text }) => text)).toEqual(["Ada Lovelace: Nice weather.", "Ada Lovelace: Well?"]);
});

test("attachments lie beside the session and in the workspace, and pictures of tools go out", async () => {
  await using bench = await Workbench.open({
    policy: [{ tool: "p__draw", effect: "allow", callers: [{ channel: "telegram", role: "friend" }] }],
  });
  bench.agent = { ...bench.agent, workspace: join(bench.home, "work") };
  await mkdir(bench.agent.workspace);
  bench.pool.tool("p", "p__draw", () => ({
    content: [{ type: "image", data: "aGk=", mimeType: "image/png" }],
  }));
  bench.roles.set("7", "friend");
  await bench.script([{ call: { tool: "p__draw" } }, { say: "Here." }]);
  const data = Buffer.from("two,three").toString("base64");
  const attachments = [
    { name: "../../numbers.csv", mimeType: "text/csv; charset=utf-8", data },
    { name: "numbers.csv", mimeType: "nonsense", data },
  ];

  const answer = await bench.agents.channels.of("a", "telegram").prompt({
    ...message("", { attachments, messageId: "m1", role: "friend" }),
  });
  const again = await bench.agents.channels
    .of("a", "telegram")
    .prompt(message("", { attachments, messageId: "m1" }));

  expect(answer).toMatchObject({
    text: "Here.",
    attachments: [{ name: "picture-1.png", mimeType: "image/png", data: "aGk=" }],
  });
  expect(again).toEqual(answer);
  const [user] = (await bench.agents.sessions.entries("a", answer.sessionId)).filter(
    ({ type }) => type === "user",
  );
  expect(user).toMatchObject({
    text: "[Attached file: attachments/numbers.csv (text/csv, 9 B)]\n[Attached file: attachments/numbers-2.csv (application/octet-stream, 9 B)]",
    attachments: [{ file: "numbers.csv" }, { file: "numbers-2.csv", bytes: 9 }],
  });
  expect(await readFile(join(bench.agent.workspace, "attachments", "numbers-2.csv"), "utf8")).toBe(
    "two,three",
  );
});

test("what is no message is refused before anything is stored, and strange characters are taken out", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "ok" }, { say: "long" }]);
  const prompt = (text: string, more: object = {}) =>
    bench.agents.channels.of("a", "telegram").prompt(message(text, more));
  const large = { name: "a", mimeType: "a/b", data: "A".repeat(36 * 1024 * 1024) };

  await expect(prompt(" \n ")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(prompt("\u0000\u0007")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(prompt("x".repeat(100_001))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  await expect(prompt("x", { attachments: [large] })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect(await bench.agents.sessions.list("a")).toEqual([]);
  const { sessionId } = await prompt("a\ud800b\u0000c");
  await prompt("é".repeat(100_000));

  const users = (await bench.agents.sessions.entries("a", sessionId)).filter(
    (entry) => entry.type === "user",
  );
  expect(users.map(({ text }) => text)).toEqual(["a\ufffdbc", "é".repeat(100_000)]);
});

test("a flood of 1,000 messages in one conversation is answered in order or told to wait, and nothing is lost of what was taken", async () => {
  await using bench = await Workbench.open();
  await bench.script(Array.from({ length: 201 }, (_, number) => ({ say: `answer ${number}` })));

  const all = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, number) =>
      bench.agents.channels.of("a", "telegram").prompt(message(`m${number}`, { messageId: `m${number}` })),
    ),
  );

  const answered = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.text] : []));
  const refused = all.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(answered).toEqual(Array.from({ length: 200 }, (_, number) => `answer ${number}`));
  expect(new Set(refused)).toEqual(new Set(["RATE_LIMITED"]));
});

test("approvals are followed, and an owner's word from a chat decides exactly that call", async () => {
  await using bench = await Workbench.open({
    policy: [{ tool: "p__pay", effect: "ask", callers: [{ channel: "telegram" }] }],
  });
  bench.pool.tool("p", "p__pay", () => "paid");
  await bench.script([
    {
      call: [
        { tool: "p__pay", input: { to: "eve" } },
        { tool: "p__pay", input: { to: "bob" } },
      ],
    },
    { say: "done" },
  ]);
  const outcomes: string[] = [];
  bench.pool.on("spy", "tool.after@v1", (payload: { args: { to: string }; outcome: string }) => {
    outcomes.push(`${payload.args.to} ${payload.outcome}`);
  });
  bench.deciding.add("telegram").add("p");
  bench.roles.set("7", "owner");
  const { approvals } = bench.agents.channels;
  const told: string[] = [];
  const later: ((approval: ChannelApproval) => void)[] = [];
  const asked = () => new Promise<ChannelApproval>((resolve) => void later.push(resolve));
  const first = asked();
  const second = asked();
  const stop = approvals.follow("a", "telegram", {
    asked: (approval) => later.shift()?.(approval),
    settled: (_id, outcome) => void told.push(outcome),
  });
  const turn = bench.agents.channels.of("a", "telegram").prompt(message("pay"));
  const eve = await first;
  const by = { userId: "7", role: "owner" };

  expect(eve).toMatchObject({ tool: "p.pay", arguments: '{"to":"eve"}', conversation: "chat-1" });
  const review = (more: object) =>
    approvals.review("a", "telegram", { request: eve.requestId, decision: "allow", ...by, ...more });
  await expect(review({ userId: "8" })).rejects.toThrow(expect.objectContaining({ code: "NOT_THE_OWNER" }));
  bench.deciding.delete("telegram");
  await expect(review({})).rejects.toThrow(expect.objectContaining({ code: "DECIDING_NOT_GRANTED" }));
  bench.deciding.add("telegram");
  await expect(
    approvals.review("a", "p", { request: eve.shortId, decision: "allow", ...by }),
  ).rejects.toThrow(expect.objectContaining({ code: "NOT_THE_OWNER" }));
  await expect(
    approvals.review("other", "telegram", { request: eve.shortId, decision: "allow", ...by }),
  ).rejects.toThrow(expect.objectContaining({ code: "APPROVAL_NOT_FOUND" }));
  expect(outcomes).toEqual([]);
  expect(await review({})).toEqual({ outcome: "allowed" });
  const bob = await second;
  expect(await review({ request: bob.shortId, decision: "refuse" })).toEqual({ outcome: "refused" });
  expect(await review({ request: bob.shortId })).toEqual({ outcome: "refused" });
  await turn;
  stop();

  expect(outcomes).toEqual(["eve executed", "bob rejected"]);
  expect(told).toEqual(["allowed", "refused"]);
  expect(bench.agents.approvals.list().map(({ decidedBy }) => decidedBy)).toEqual([
    { kind: "channel", channel: "telegram", ...by },
    { kind: "channel", channel: "telegram", ...by },
  ]);
});

test("commands of plugins are for owners, also of a channel; others are not even told of them", async () => {
  await using bench = await Workbench.open();
  bench.pool.command("p", "flip", () => "Heads");
  const channel = bench.agents.channels.of("a", "telegram");
  const say = async (text: string, role?: string) => {
    bench.roles.clear();
    if (role) bench.roles.set("7", role);
    return (await channel.prompt(message(text))).text;
  };

  expect(await say("/flip")).toBe("Only the owner of the agent may use /flip.");
  expect(await say("/help")).not.toContain("/flip");
  expect(await say("/flip", "owner")).toBe("Heads");
  expect(await say("/help", "owner")).toContain("/flip");
});
