import { expect, test } from "vitest";
import type { RepeatedCall } from "../../src/contract/index.ts";
import { repeated } from "../../src/main/agents/tools/by-hand/repeat.ts";
import { afterwards, next, Workbench } from "./workbench.ts";

const allowed = [{ tool: "p__*", effect: "allow" as const }];
const strict = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

/** A plugin with a tool, and two that would change, block and report every call of it. */
function guarded(bench: Workbench) {
  const asked: string[] = [];
  bench.pool.tool("p", "p__echo", ({ n }) => `n is ${n}`, { parameters: strict });
  bench.pool.on("rewriter", "tool.before@v1", () => {
    asked.push("before");
    return { allow: true, payload: { args: { n: 99 } } };
  });
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: false, reason: "never" }));
  bench.pool.on("redact", "tool.result@v1", () => {
    asked.push("result");
    return { content: [{ type: "text", text: "•••" }] };
  });
  return { asked, told: afterwards(bench) };
}

test("a straight call asks and tells no hook, and its trace and the audit say so", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const { asked, told } = guarded(bench);

  const { output, trace } = await bench.call("p__echo", { n: 3 }, { straight: true });

  expect(output).toEqual({ content: [{ type: "text", text: "n is 3" }] });
  expect(trace).toMatchObject({ outcome: "executed", straight: true, hooks: [], finalArguments: { n: 3 } });
  expect(asked).toEqual([]);
  expect(told).toEqual([]);
  const whole = await bench.call("p__echo", { n: 3 });
  expect(whole.trace).toMatchObject({ outcome: "vetoed" });
  expect(whole.trace).not.toHaveProperty("straight");
  await expect
    .poll(() => bench.audit.filter(({ kind }) => kind === "tool.called"))
    .toMatchObject([
      { tool: "p__echo", outcome: "executed", straight: true },
      { tool: "p__echo", outcome: "vetoed" },
    ]);
});

test("a straight call passes hooks that must agree and do not run, and still its schema and the policy hold", async () => {
  await using bench = await Workbench.open({
    policy: [...allowed, { tool: "p__shut", effect: "deny" }],
  });
  bench.pool.tool("p", "p__echo", ({ n }) => `n is ${n}`, { parameters: strict });
  bench.pool.tool("p", "p__shut", () => "ran");
  bench.pool.require("guard", ["tool.before@v1"]).setRunning("guard", false);
  const outcomeOf = async (tool: string, input: Record<string, unknown>, straight: boolean) => {
    const { trace } = await bench.call(tool, input, { straight });
    return [trace.outcome, trace.problem?.code ?? null];
  };

  expect(await outcomeOf("p__echo", { n: 3 }, false)).toEqual(["vetoed", "TOOL_VETOED"]);
  expect(await outcomeOf("p__echo", { n: 3 }, true)).toEqual(["executed", null]);
  expect(await outcomeOf("p__echo", { n: "three" }, true)).toEqual(["failed", "ARGUMENTS_INVALID"]);
  expect(await outcomeOf("p__shut", {}, true)).toEqual(["denied", "TOOL_DENIED"]);
});

test("a straight call of a tool that asks is asked about, unless it was allowed in advance", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__echo", () => "ran");
  const waiting = next(bench.agents.approvals.changes, "approval");
  const call = bench.call("p__echo", {}, { straight: true });
  const { id } = (await waiting) as { id: string };
  await bench.agents.approvals.decide(id, { decision: "deny" });
  expect((await call).trace).toMatchObject({ outcome: "rejected" });

  const { trace } = await bench.call("p__echo", {}, { straight: true, approved: true });
  expect(trace).toMatchObject({ outcome: "executed", approval: { status: "allowed", scope: "once" } });
});

test("neither a chat nor a turn of a model may leave hooks out", async () => {
  const chat = { kind: "channel" as const, channel: "chat", userId: "7" };
  const anyone = { tool: "p__*", effect: "allow" as const, callers: ["anyone" as const] };
  await using bench = await Workbench.open({ policy: [anyone] });
  const { asked } = guarded(bench);
  const refused = expect.objectContaining({ code: "TOOL_DENIED" });

  await expect(bench.call("p__echo", { n: 3 }, { straight: true, caller: chat })).rejects.toThrow(refused);
  await expect(
    bench.call("p__echo", { n: 3 }, { straight: true, caller: { ...chat, role: "owner" } }),
  ).rejects.toThrow(refused);
  await expect(bench.call("p__echo", { n: 3 }, { straight: true, turnId: "t" })).rejects.toThrow(refused);
  expect(asked).toEqual([]);
  expect(bench.pool.calls).toEqual([]);
});

test("what a model asks for is never straight, whatever it writes into its call", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const { asked } = guarded(bench);
  await bench.script([{ call: { tool: "p__echo", input: { n: 3, straight: true } } }, { say: "done" }]);
  await bench.prompt("go");
  expect(asked).toContain("before");
  expect(bench.pool.calls).toEqual([]);
});

/** Makes the same call many times; the ends of the calls. */
async function repeat(
  bench: Workbench,
  times: number,
  more: { straight?: boolean; signal?: AbortSignal } = {},
) {
  const calls: RepeatedCall[] = [];
  const request = {
    agentId: "a",
    sessionId: "s",
    turnId: null,
    tool: "p__echo",
    input: { n: 1 },
    caller: { kind: "owner" as const },
    signal: new AbortController().signal,
    ...more,
    ...(more.straight && { approved: true }),
  };
  await repeated(bench.agents.tools, request, times, (call) => calls.push(call));
  return calls;
}

test("an allowed call is made a hundred times, and each end is told", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  let ran = 0;
  bench.pool.tool("p", "p__echo", () => {
    ran += 1;
    if (ran % 10 === 0) throw new Error("every tenth fails");
    return "ran";
  });
  const calls = await repeat(bench, 100);
  expect(calls.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(calls.filter(({ outcome }) => outcome === "failed")).toHaveLength(10);
  expect(calls[9]).toMatchObject({ problem: { message: "every tenth fails" }, ms: expect.any(Number) });
  expect(bench.agents.approvals.list()).toEqual([]);
});

test("a tool that asks is called many times only straight, and never becomes many questions", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__echo", () => "ran");
  const asked: unknown[] = [];
  bench.agents.approvals.changes.on("approval", (approval) => void asked.push(approval));

  expect(await repeat(bench, 50)).toMatchObject([{ outcome: "rejected", problem: { code: "TOOL_ASKS" } }]);
  expect(bench.pool.calls).toEqual([]);
  expect(await repeat(bench, 50, { straight: true })).toHaveLength(50);
  expect(asked).toEqual([]);
});

test("a rule that is taken back in the middle ends the repetition", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  let ran = 0;
  bench.pool.tool("p", "p__echo", () => {
    ran += 1;
    if (ran === 3) bench.agent = { ...bench.agent, policy: [] };
    return "ran";
  });
  const calls = await repeat(bench, 50);
  expect(calls.map(({ outcome }) => outcome)).toEqual(["executed", "executed", "executed", "rejected"]);
});

test("a repetition that is stopped makes no further call", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  const stop = new AbortController();
  let ran = 0;
  bench.pool.tool("p", "p__echo", () => {
    ran += 1;
    if (ran === 5) stop.abort();
    return "ran";
  });
  expect(await repeat(bench, 1_000, { signal: stop.signal })).toHaveLength(4);
  expect(ran).toBe(5);
});

test("an event fired by hand says of each hook what it changed, asked for and wrote", async () => {
  await using bench = await Workbench.open();
  const args = { command: "rm -rf build" };
  bench.pool.on("rewriter", "tool.before@v1", (_payload, scope) => {
    bench.pool.log("rewriter", "rewriting", scope);
    return { allow: true, payload: { args: { command: "rm -r build/old" } } };
  });
  bench.pool.on("guard", "tool.before@v1", (_payload, scope) => {
    bench.pool.log("guard", "looking", scope);
    return { allow: false, reason: "build is sacred" };
  });
  const fired = await bench.agents.fire("a", "tool.before@v1", { toolName: "shell", args });
  expect(fired).toMatchObject({
    denied: { owner: "guard", reason: "build is sacred" },
    hooks: [
      {
        owner: "rewriter",
        decision: "rewrote",
        before: { args },
        after: { args: { command: "rm -r build/old" } },
        logs: [{ level: "info", origin: "plugin", text: "rewriting" }],
      },
      { owner: "guard", decision: "denied", reason: "build is sacred", logs: [{ text: "looking" }] },
    ],
  });
});

test("when a hook that must agree fails, what the others did until then is in the error", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("upper", "session.message.received@v1", ({ text }: never) => ({
    text: (text as string).toUpperCase(),
  }));
  bench.pool.on("filter", "session.message.received@v1", () => Promise.reject(new Error("no list")), {
    failureMode: "fail",
  });
  const fired = bench.agents.fire("a", "session.message.received@v1", { text: "hello" });
  await expect(fired).rejects.toThrow(
    expect.objectContaining({
      code: "HOOK_BLOCKED",
      details: expect.objectContaining({
        hooks: [
          expect.objectContaining({ owner: "upper", decision: "replaced" }),
          expect.objectContaining({ owner: "filter", decision: "failed", reason: "no list" }),
        ],
      }),
    }),
  );
});

test("the list of hooks has how long they took", async () => {
  await using bench = await Workbench.open();
  bench.pool.on("spy", "turn.start@v1", () => {});
  expect(bench.agents.busOf("a").list()).toMatchObject([{ calls: 0, p50Ms: null, p95Ms: null }]);
  await bench.agents.fire("a", "turn.start@v1", {});
  expect(bench.agents.busOf("a").list()).toMatchObject([
    { owner: "spy", calls: 1, failures: 0, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
  ]);
});
