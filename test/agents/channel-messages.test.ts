import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PatchbayError } from "../../src/contract/index.ts";
import { message, Workbench } from "./workbench.ts";

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
