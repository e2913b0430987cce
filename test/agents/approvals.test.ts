import { afterEach, expect, test, vi } from "vitest";
import type { Approval } from "../../src/contract/index.ts";
import { afterwards, next, Workbench } from "./workbench.ts";

afterEach(() => void vi.useRealTimers());

test.each([
  ["desk__open__top__drawer", "desk.open__top__drawer"],
  ["my__space__open__it", "my__space.open__it"],
  ["mcp__files__read_all", "mcp__files.read_all"],
  ["__odd__", "__odd__"],
])(
  "%s is asked about, told to chats and traced under the name that its plugin gives it",
  async (tool, title) => {
    await using bench = await Workbench.open();
    bench.pool.tool("p", tool, () => "done", { title });
    const told = Promise.withResolvers<string>();
    bench.deciding.add("telegram");
    bench.agents.channels.approvals.follow("a", "telegram", {
      asked: (approval) => told.resolve(approval.tool),
      settled() {},
    });
    const asked = next<Approval>(bench.agents.changes, "approval");

    const pending = bench.call(tool);
    const approval = await asked;
    await bench.agents.approvals.decide(approval.id, { decision: "allow", scope: "once" });

    expect(approval).toMatchObject({ tool, title });
    expect(await told.promise).toBe(title);
    expect((await pending).trace).toMatchObject({ tool, title, outcome: "executed" });
  },
);

test("a tool whose plugin is woken for the call is traced under its right name", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__a__b", effect: "allow" }] });
  bench.pool.wake = async () => {
    bench.pool.tool("p", "p__a__b", () => "done", { title: "p.a__b" });
  };
  expect((await bench.call("p__a__b")).trace).toMatchObject({ title: "p.a__b", outcome: "executed" });
});

test("the owner is asked about exactly the arguments that run, and who changed them", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  bench.pool.on("meddler", "tool.before@v1", () => ({ allow: true, payload: { args: { to: "b" } } }));
  const input = { to: "a" };
  const asked = next<Approval>(bench.agents.changes, "approval");

  const pending = bench.call("p__send", input);
  const approval = await asked;
  expect(approval).toMatchObject({
    tool: "p__send",
    owner: "p",
    arguments: { to: "b" },
    changedBy: ["meddler"],
    status: "waiting",
  });
  // Whoever still holds what was passed in changes nothing of what was approved.
  input.to = "c";
  approval.arguments.to = "d";
  await bench.agents.approvals.decide(approval.id, { decision: "allow", scope: "once" });

  expect((await pending).trace).toMatchObject({
    outcome: "executed",
    finalArguments: { to: "b" },
    approval: { id: approval.id, status: "allowed", scope: "once" },
  });
  expect(bench.pool.calls).toEqual([{ key: "p", tool: "p__send", input: { to: "b" } }]);
  await expect(bench.agents.approvals.decide(approval.id, { decision: "deny" })).rejects.toThrow(
    "decided already",
  );
});

test("a rejected call does not run, and tool.after is told once", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  const told = afterwards(bench);
  const asked = next<Approval>(bench.agents.changes, "approval");

  const pending = bench.call("p__send");
  await bench.agents.approvals.decide((await asked).id, { decision: "deny", reason: "Not to them." });
  const { output, trace } = await pending;

  expect(output.content).toEqual([
    { type: "text", text: "The call of p.send was not approved: Not to them." },
  ]);
  expect(trace).toMatchObject({ outcome: "rejected", problem: { code: "TOOL_REJECTED" } });
  expect(bench.pool.calls).toEqual([]);
  expect(told).toMatchObject([{ outcome: "rejected" }]);
});

test("nobody's answer is a refusal after the time limit, and tool.after is told once", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  const told = afterwards(bench);
  await bench.call("p__send", {}, { approved: true });
  told.length = 0;
  vi.useFakeTimers();

  const pending = bench.call("p__send");
  await vi.advanceTimersByTimeAsync(119_999);
  expect(bench.agents.approvals.list()[0]?.status).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);

  expect((await pending).trace).toMatchObject({
    outcome: "timed_out",
    approval: { status: "timed_out" },
    problem: { code: "TOOL_REJECTED" },
  });
  expect(told).toMatchObject([{ outcome: "timed_out" }]);
  expect(bench.agents.approvals.list()[0]).toMatchObject({ status: "timed_out" });
});

test("an abort while the owner is asked cancels the question, and tool.after is told once", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  const told = afterwards(bench);
  const stop = new AbortController();
  const asked = next<Approval>(bench.agents.changes, "approval");

  const pending = bench.call("p__send", {}, { signal: stop.signal });
  const { id } = await asked;
  stop.abort();

  expect((await pending).trace).toMatchObject({ outcome: "rejected", approval: { status: "cancelled" } });
  expect(told).toMatchObject([{ outcome: "rejected" }]);
  await expect(bench.agents.approvals.decide(id, { decision: "allow", scope: "once" })).rejects.toThrow(
    "it was cancelled",
  );
});

test("what was allowed in advance covers the very arguments given, not what a hook made of them", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  expect((await bench.call("p__send", { to: "a" }, { approved: true })).trace).toMatchObject({
    outcome: "executed",
    approval: { status: "allowed", scope: "once" },
  });
  bench.pool.on("meddler", "tool.before@v1", () => ({ allow: true, payload: { args: { to: "b" } } }));
  const asked = next<Approval>(bench.agents.changes, "approval");

  const pending = bench.call("p__send", { to: "a" }, { approved: true });

  const approval = await asked;
  expect(approval.arguments).toEqual({ to: "b" });
  await bench.agents.approvals.decide(approval.id, { decision: "deny" });
  expect((await pending).trace.outcome).toBe("rejected");
});

test("an allowance for the session holds for that tool in that session", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent").tool("p", "p__other", () => "other");
  const asked = next<Approval>(bench.agents.changes, "approval");
  const pending = bench.call("p__send");
  await bench.agents.approvals.decide((await asked).id, { decision: "allow", scope: "session" });
  await pending;

  expect((await bench.call("p__send")).trace.approval).toMatchObject({ scope: "session", status: "allowed" });
  for (const other of [bench.call("p__other"), bench.call("p__send", {}, { sessionId: "another" })]) {
    const approval =
      bench.agents.approvals.list()[0] ?? (await next<Approval>(bench.agents.changes, "approval"));
    expect(approval.status).toBe("waiting");
    await bench.agents.approvals.decide(approval.id, { decision: "deny" });
    expect((await other).trace.outcome).toBe("rejected");
  }
});

test("an allowance outside of conversations does not reach another agent's calls", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__send", () => "sent");
  const asked = next<Approval>(bench.agents.changes, "approval");
  const pending = bench.call("p__send", {}, { sessionId: "direct" });
  await bench.agents.approvals.decide((await asked).id, { decision: "allow", scope: "session" });
  await pending;

  const { approvals } = bench.agents;
  expect(approvals.grantedForSession("a", "direct", "p__send", { kind: "owner" })).toBe(true);
  expect(approvals.grantedForSession("b", "direct", "p__send", { kind: "owner" })).toBe(false);
});

test("an allowance for always becomes a rule of the agent", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__send", effect: "ask" }] });
  bench.pool.tool("p", "p__send", () => "sent");
  const asked = next<Approval>(bench.agents.changes, "approval");
  const pending = bench.call("p__send");
  await bench.agents.approvals.decide((await asked).id, { decision: "allow", scope: "always" });
  await pending;

  expect(bench.agent.policy).toEqual([
    { tool: "p__send", effect: "allow", origin: expect.objectContaining({ from: "screen", answered: true }) },
  ]);
  expect((await bench.call("p__send", {}, { sessionId: "another" })).trace).toMatchObject({
    outcome: "executed",
    policy: { effect: "allow" },
    approval: null,
  });
});
