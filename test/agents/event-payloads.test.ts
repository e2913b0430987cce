import { setTimeout as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { message, Workbench } from "./workbench.ts";

const chat = { channel: "telegram" };

function told(bench: Workbench, ...events: Parameters<Workbench["pool"]["on"]>[1][]) {
  const payloads = new Map<string, Record<string, unknown>[]>();
  for (const event of events) {
    payloads.set(event, []);
    bench.pool.on(
      "spy",
      event,
      (payload: Record<string, unknown>) => void payloads.get(event)?.push(payload),
    );
  }
  return (event: string) => payloads.get(event) ?? [];
}

test("a turn of the owner says the model, the caller and that no chat is behind it", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const of = told(bench, "session.message.received@v1", "turn.start@v1", "model.before@v1", "turn.end@v1");

  await bench.prompt("hi");

  const mine = { caller: { kind: "owner" }, channel: null };
  expect(of("session.message.received@v1")).toEqual([
    { agentId: "a", sessionId: expect.any(String), text: "hi", ...mine },
  ]);
  expect(of("turn.start@v1")).toMatchObject([{ text: "hi", model: "script.json", ...mine }]);
  expect(of("model.before@v1")).toMatchObject([{ model: "script.json" }]);
  expect(of("turn.end@v1")).toMatchObject([
    { outcome: "done", text: "Hello.", model: "script.json", ...mine },
  ]);
});

test("a model is named as the person wrote it, and an agent without one says so by an empty name", async () => {
  await using bench = await Workbench.open();
  const of = told(bench, "turn.start@v1");

  await bench.prompt("hi");
  bench.agent = {
    ...bench.agent,
    model: { kind: "openai-compatible", model: "llama3.2:3b", baseUrl: "http://127.0.0.1:1/v1" },
  };
  await bench.prompt("hi");

  expect(of("turn.start@v1").map(({ model }) => model)).toEqual(["", "llama3.2:3b"]);
});

test("a turn of a chat says which chat it is and who wrote", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "Hello." }]);
  const of = told(
    bench,
    "channel.message.in@v1",
    "session.message.received@v1",
    "turn.start@v1",
    "turn.end@v1",
  );

  const sent = message("hi", { group: true, userId: "77", conversation: "c-5" });
  await bench.agents.channels.of("a", "telegram").prompt(sent);

  expect(of("channel.message.in@v1")).toMatchObject([
    { channel: "telegram", text: "hi", metadata: { userId: "77", conversation: "c-5" } },
  ]);
  const theirs = {
    caller: { kind: "channel", ...chat, userId: "77" },
    channel: { name: "telegram", group: true },
  };
  for (const event of ["session.message.received@v1", "turn.start@v1", "turn.end@v1"])
    expect(of(event)).toMatchObject([theirs]);
});

test("a result says how long the tool took, without the time of hooks", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  bench.pool.tool("p", "p__slow", async () => {
    await later(60);
    return "done";
  });
  bench.pool.tool("p", "p__bad", () => Promise.reject(new Error("no")));
  bench.pool.on("guard", "tool.before@v1", async () => {
    await later(150);
    return { allow: true };
  });
  const of = told(bench, "tool.result@v1");

  const { trace } = await bench.call("p__slow");
  await bench.call("p__bad");

  const [slow, bad] = of("tool.result@v1");
  expect(slow?.durationMs).toBeGreaterThanOrEqual(55);
  expect(slow?.durationMs).toBe(trace.executeMs);
  expect(bad).toMatchObject({ isError: true, durationMs: expect.any(Number) });
});
