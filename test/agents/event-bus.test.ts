import type { AgentEventName, SubscribeOptions } from "@patchbay/plugin-sdk";
import { expect, test } from "vitest";
import { type HookTrace, PatchbayError } from "../../src/contract/index.ts";
import { hookTraceOf } from "../../src/main/agents/record/project-tool.ts";
import { TurnRecorder } from "../../src/main/agents/record/recorder.ts";
import { systemClock } from "../../src/main/base/clock.ts";
import { next, Workbench } from "./workbench.ts";

function scope(trace: HookTrace[] = []) {
  return {
    sessionId: "s",
    caller: { kind: "owner" as const },
    signal: new AbortController().signal,
    span: new TurnRecorder({
      turnId: null,
      clock: systemClock,
      sink: {
        take: (event, turn) => {
          if (event.type === "hook_answered") trace.push(hookTraceOf(turn, event));
        },
        stream: () => {},
      },
    }).root,
  };
}

const mine = { caller: null, channel: null };
const call = { agentId: "a", sessionId: "s", toolCallId: "1", toolName: "t", args: { x: 1 }, caller: null };
const message = { agentId: "a", sessionId: "s", text: "hello", ...mine };

test("hooks run by priority, then in the order of registration, one after the other", async () => {
  await using bench = await Workbench.open();
  const order: string[] = [];
  const subscribe = (key: string, name: string, options: SubscribeOptions = {}) =>
    bench.pool.on(
      key,
      "turn.start@v1",
      async () => {
        order.push(`${name} begins`);
        await new Promise(setImmediate);
        order.push(`${name} ends`);
      },
      options,
    );
  subscribe("p1", "late", { priority: 200 });
  subscribe("p1", "first of the middle");
  subscribe("p1", "second of the middle");
  subscribe("p2", "early", { priority: 1 });

  await bench.agents
    .busOf("a")
    .emit(
      "turn.start@v1",
      { agentId: "a", sessionId: "s", turnId: "t", text: "", model: "m", ...mine },
      scope(),
    );

  expect(order).toEqual([
    "early begins",
    "early ends",
    "first of the middle begins",
    "first of the middle ends",
    "second of the middle begins",
    "second of the middle ends",
    "late begins",
    "late ends",
  ]);
});

test("a hook that unsubscribes while an event is delivered skips nobody", async () => {
  await using bench = await Workbench.open();
  const ran: string[] = [];
  const off = bench.pool.on("p", "turn.start@v1", () => {
    ran.push("a");
    off();
  });
  bench.pool.on("p", "turn.start@v1", () => void ran.push("b"));
  bench.pool.on("p", "turn.start@v1", () => void ran.push("c"));
  const payload = { agentId: "a", sessionId: "s", turnId: "t", text: "", model: "m", ...mine };

  await bench.agents.busOf("a").emit("turn.start@v1", payload, scope());
  await bench.agents.busOf("a").emit("turn.start@v1", payload, scope());

  expect(ran).toEqual(["a", "b", "c", "b", "c"]);
});

test.each([
  ["throws", () => Promise.reject(new Error("my rules are broken")), "my rules are broken"],
  ["returns nothing", () => undefined, "it did not say whether it allows the call"],
  ["returns a wrong shape", () => ({ allow: "yes" }), "it did not say whether it allows the call"],
  ["returns true", () => true, "it did not say whether it allows the call"],
  ["rewrites into nonsense", () => ({ allow: true, payload: { args: "rm" } }), "args"],
  ["hangs", () => new Promise(() => undefined), "it did not answer within 30 ms"],
])("a guard that %s blocks, and is named", async (_what, handler, reason) => {
  await using bench = await Workbench.open();
  const trace: HookTrace[] = [];
  bench.pool.on("guard", "tool.before@v1", handler, { timeoutMs: 30 });

  const result = await bench.agents.busOf("a").veto("tool.before@v1", call, scope(trace));

  expect(result).toMatchObject({ allowed: false, owner: "guard" });
  expect(!result.allowed && result.reason).toContain(reason);
  expect(trace).toHaveLength(1);
  expect(trace[0]?.decision).toMatch(/^(failed|timed_out)$/);
  expect(bench.reports).toMatchObject([{ key: "guard", lastError: { code: "HOOK_BLOCKED" } }]);
});

test("a guard that fails with words of the host's own blocks as well", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("guard", "tool.before@v1", () => {
    throw new PatchbayError("EVENT_UNKNOWN", "The plugin has unsubscribed in the meantime.");
  });

  expect(await bench.agents.busOf("a").veto("tool.before@v1", call, scope())).toMatchObject({
    allowed: false,
  });
});

test("a guard that really unsubscribed in the meantime does not block", async () => {
  await using bench = await Workbench.open();
  const off = bench.pool.on("guard", "tool.before@v1", () => {
    off();
    throw new PatchbayError("EVENT_UNKNOWN", "The plugin has unsubscribed in the meantime.");
  });

  expect(await bench.agents.busOf("a").veto("tool.before@v1", call, scope())).toMatchObject({
    allowed: true,
  });
});

test("a guard that asked to be skipped when it fails lets the call through", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("guard", "tool.before@v1", () => Promise.reject(new Error("no")), { failureMode: "skip" });

  const result = await bench.agents.busOf("a").veto("tool.before@v1", call, scope());

  expect(result).toMatchObject({ allowed: true, payload: { args: { x: 1 } } });
});

test("the first refusal wins, and arguments are rewritten from guard to guard", async () => {
  await using bench = await Workbench.open();
  const seen: unknown[] = [];
  bench.pool.on("one", "tool.before@v1", (payload: { args: { x: number } }) => ({
    allow: true,
    payload: { ...payload, args: { x: payload.args.x + 1 } },
  }));
  bench.pool.on("two", "tool.before@v1", (payload: { args: unknown }) => {
    seen.push(payload.args);
    return { allow: false, reason: "two is too much" };
  });
  bench.pool.on("three", "tool.before@v1", () => {
    seen.push("never");
    return { allow: true };
  });

  const result = await bench.agents.busOf("a").veto("tool.before@v1", call, scope());

  expect(seen).toEqual([{ x: 2 }]);
  expect(result).toEqual({ allowed: false, owner: "two", reason: "two is too much", changedBy: ["one"] });
});

test("a required hook blocks what it guards while its plugin is not running", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: true }));
  bench.pool.require("guard", ["tool.before@v1", "session.message.received@v1"]);
  const bus = bench.agents.busOf("a");
  expect(await bus.veto("tool.before@v1", call, scope())).toMatchObject({ allowed: true });

  bench.pool.setRunning("guard", false);

  const trace: HookTrace[] = [];
  expect(await bus.veto("tool.before@v1", call, scope(trace))).toMatchObject({
    allowed: false,
    owner: "guard",
  });
  expect(trace).toMatchObject([{ owner: "guard", decision: "not_running" }]);
  await expect(bus.transform("session.message.received@v1", message, scope())).rejects.toMatchObject({
    code: "HOOK_BLOCKED",
    message: expect.stringContaining("guard"),
  });
});

test("a required veto that its running plugin never subscribed to blocks what it guards", async () => {
  await using bench = await Workbench.open();
  bench.pool.require("guard", ["tool.before@v1", "session.message.received@v1"]);
  const bus = bench.agents.busOf("a");
  const trace: HookTrace[] = [];
  expect(await bus.veto("tool.before@v1", call, scope(trace))).toMatchObject({
    allowed: false,
    owner: "guard",
    reason: expect.stringContaining("has not subscribed to this"),
  });
  expect(trace).toMatchObject([{ owner: "guard", decision: "not_running" }]);
  expect(await bus.transform("session.message.received@v1", message, scope())).toMatchObject({
    changedBy: [],
  });
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: true }));
  expect(await bus.veto("tool.before@v1", call, scope())).toMatchObject({ allowed: true });
});

test("payloads are copies: what a hook does to its own changes nothing", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "session.message.received@v1", (payload: { text: string }) => {
    payload.text = "changed in place";
  });
  const payload = { ...message };

  const result = await bench.agents.busOf("a").transform("session.message.received@v1", payload, scope());

  expect(result).toEqual({ payload: message, dropped: null, isChanged: false, changedBy: [] });
  expect(payload).toEqual(message);
});

test("only the fields that an event opens are taken over", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("p", "session.message.received@v1", () => ({
    text: "hi",
    agentId: "another",
    caller: { kind: "owner" },
  }));

  const result = await bench.agents
    .busOf("a")
    .transform("session.message.received@v1", { ...message, caller: "somebody" }, scope());

  expect(result.payload).toEqual({
    agentId: "a",
    sessionId: "s",
    text: "hi",
    caller: "somebody",
    channel: null,
  });
  expect(result.changedBy).toEqual(["p"]);
});

test("a transform that answers nonsense is skipped, or stops everything when it asked to", async () => {
  await using bench = await Workbench.open();
  const bus = bench.agents.busOf("a");
  const off = bench.pool.on("p", "session.message.received@v1", () => ({ text: 7 }));
  expect((await bus.transform("session.message.received@v1", message, scope())).payload).toEqual(message);
  off();

  bench.pool.on("strict", "session.message.received@v1", () => ({ text: 7 }), { failureMode: "fail" });

  await expect(bus.transform("session.message.received@v1", message, scope())).rejects.toMatchObject({
    code: "HOOK_BLOCKED",
    details: { owner: "strict" },
  });
});

test("a channel message may be dropped", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("filter", "channel.message.in@v1", () => ({ drop: true, reason: " spam\n" }));

  const result = await bench.agents
    .busOf("a")
    .transform(
      "channel.message.in@v1",
      { agentId: "a", sessionId: "s", channel: "c", text: "spam" },
      scope(),
    );

  expect(result.dropped).toEqual({ by: "filter", reason: "spam" });
});

test("a failing hook is announced to those who listen for it, and a failing listener of that ends there", async () => {
  await using bench = await Workbench.open();
  const told: unknown[] = [];
  bench.pool.on("watcher", "plugin.error@v1", (payload: unknown) => {
    told.push(payload);
    throw new Error("the watcher fails too");
  });
  bench.pool.on("p", "turn.start@v1", () => {
    throw new Error("boom");
  });
  const bus = bench.agents.busOf("a");

  await bus.emit(
    "turn.start@v1",
    { agentId: "a", sessionId: "s", turnId: "t", text: "", model: "m", ...mine },
    scope(),
  );
  await bus.settle();

  expect(told).toEqual([
    {
      agentId: "a",
      pluginKey: "p",
      event: "turn.start@v1",
      message: "A hook of the plugin p failed at turn.start@v1: boom.",
    },
  ]);
  expect(bench.reports.map((report) => report.key)).toEqual(["p", "watcher"]);
});

test("a hook's clock stands still while a dialog of its plugin waits", async () => {
  await using bench = await Workbench.open();
  bench.pool.on(
    "guard",
    "tool.before@v1",
    async () => {
      const answer = await bench.agents.dialogs.ask(
        "a",
        "guard",
        { kind: "confirm", message: "Really?" },
        "tool.before",
      );
      return answer === true ? { allow: true } : { allow: false, reason: "the person said no" };
    },
    { timeoutMs: 40 },
  );
  // Another hook of the same length proves that 40 ms have gone by.
  bench.pool.on("slow", "turn.start@v1", () => new Promise(() => undefined), { timeoutMs: 80 });
  const opened = next<{ id: string }>(bench.agents.changes, "dialog");

  const pending = bench.agents.busOf("a").veto("tool.before@v1", call, scope());
  const dialog = await opened;
  await bench.agents
    .busOf("a")
    .emit(
      "turn.start@v1",
      { agentId: "a", sessionId: "s", turnId: "t", text: "", model: "m", ...mine },
      scope(),
    );
  bench.agents.dialogs.answer(dialog.id, true);

  expect(await pending).toMatchObject({ allowed: true });
});

test("counters tell how often a hook ran and failed", async () => {
  await using bench = await Workbench.open();
  let healthy = true;
  bench.pool.on("p", "turn.start@v1", () => {
    if (!healthy) throw new Error("sick");
  });
  const bus = bench.agents.busOf("a");
  const payload = { agentId: "a", sessionId: "s", turnId: "t", text: "", model: "m", ...mine };
  expect(bus.list()).toMatchObject([
    { owner: "p", event: "turn.start@v1", calls: 0, failures: 0, p50Ms: null },
  ]);

  await bus.emit("turn.start@v1", payload, scope());
  healthy = false;
  await bus.emit("turn.start@v1", payload, scope());

  expect(bus.list()).toMatchObject([{ calls: 2, failures: 1, p50Ms: expect.any(Number) }]);
});

test("an event can be fired by hand", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: false, reason: "not today" }));

  const fired = await bench.agents.fire("a", "tool.before@v1", { toolName: "shell", args: {} });

  expect(fired).toMatchObject({
    payload: { agentId: "a", toolName: "shell", args: {} },
    denied: { owner: "guard", reason: "not today" },
    hooks: [{ owner: "guard", decision: "denied", reason: "not today" }],
  });
  await expect(bench.agents.fire("a", "no.such@v1" as AgentEventName, {})).rejects.toMatchObject({
    code: "EVENT_UNKNOWN",
  });
});

test("those who subscribe late are told that the agent has started, once", async () => {
  await using bench = await Workbench.open();
  await bench.agents.activate("a");
  let told = 0;
  const first = new Promise<void>((resolve) => {
    bench.pool.on("late", "agent.started@v1", () => {
      told += 1;
      resolve();
    });
  });
  await first;
  bench.pool.on("other", "turn.start@v1", () => undefined);
  await bench.agents.busOf("a").settle();
  await bench.agents.activate("a");

  expect(told).toBe(1);
});
