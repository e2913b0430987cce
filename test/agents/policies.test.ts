import { expect, test } from "vitest";
import type { Approval, Caller, PolicyRule } from "../../src/contract/index.ts";
import { Policies } from "../../src/main/agents/policies/policies.ts";
import { next, only, Workbench } from "./workbench.ts";

const owner: Caller = { kind: "owner" };

/** The policies of a workbench's agent, with one channel at which Sam is a user. */
function policiesOf(bench: Workbench): Policies {
  const { agents, pool, trust } = bench;
  return new Policies({
    agents: { get: (id) => (id === "a" ? bench.agent : undefined) },
    pool,
    trust: { get: (key) => ({ trust: trust.get(key) ?? "unverified" }) },
    catalog: agents.tools.catalog,
    approvals: agents.approvals,
    sessions: agents.sessions,
    channels: agents.channels,
    busOf: (agentId) => agents.busOf(agentId),
    channelsOf: () => [{ channel: "telegram", people: [{ userId: "sam", role: "user" }] }],
  });
}

const code = (name: string) => expect.objectContaining({ code: name });

test("it is explained for somebody at a channel with the role that they have there, and who is asked before", async () => {
  await using bench = await Workbench.open({
    policy: [{ tool: "p__*", effect: "ask", callers: [{ channel: "telegram", role: "user" }] }],
  });
  bench.pool.tool("p", "p__pay", () => "paid");
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: true }));
  bench.roles.set("sam", "user");
  const policies = policiesOf(bench);

  const sam = await policies.explain("a", {
    name: "p__pay",
    caller: { kind: "channel", channel: "telegram", userId: "sam" },
  });
  expect(sam).toMatchObject({
    caller: { userId: "sam", role: "user" },
    judgement: { effect: "ask", decided: { by: "rule", rule: { tool: "p__*" } } },
    hooks: ["guard"],
    offered: true,
  });
  const eve = await policies.explain("a", {
    name: "p__pay",
    caller: { kind: "channel", channel: "telegram", userId: "eve" },
  });
  expect(eve.judgement).toMatchObject({
    effect: "deny",
    decided: { by: "default", why: "chats" },
    others: [{ rule: { tool: "p__*" }, lost: "caller" }],
  });
  expect(bench.pool.calls).toEqual([]);
  await expect(policies.explain("a", { name: "p__gone", caller: owner })).rejects.toThrow(
    code("TOOL_NOT_FOUND"),
  );
});

test("arguments are compared with what the tool takes, and nothing runs", async () => {
  await using bench = await Workbench.open();
  const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
  bench.pool.tool("p", "p__pay", () => "paid", { parameters });
  const policies = policiesOf(bench);
  const wrong = await policies.explain("a", { name: "p__pay", caller: owner, arguments: {} });
  expect(wrong.problem).toMatchObject({ code: "ARGUMENTS_INVALID" });
  const right = await policies.explain("a", { name: "p__pay", caller: owner, arguments: { to: "eve" } });
  expect(right.problem).toBeNull();
  expect(bench.pool.calls).toEqual([]);
});

test("another rule is compared over all tools and callers, and stores nothing", async () => {
  const first: PolicyRule = { tool: "p__pay", effect: "allow" };
  await using bench = await Workbench.open({ policy: [first] });
  for (const name of ["p__pay", "p__look", "q__other"]) bench.pool.tool(name.slice(0, 1), name, () => "done");
  const policies = policiesOf(bench);

  const wide = await policies.preview("a", { tool: "p__*", effect: "deny", callers: ["anyone"] }, null);
  expect(wide.changes).toMatchObject([{ tool: "p__look", caller: owner, before: "ask", after: "deny" }]);
  expect(wide.tools).toBe(1);

  const opened = await policies.preview("a", { tool: "p__*", effect: "ask", callers: ["anyone"] }, null);
  expect(
    opened.changes.map(({ tool, caller, after }) => [tool, "userId" in caller && caller.userId, after]),
  ).toEqual([
    ["p__pay", "", "ask"],
    ["p__pay", "sam", "ask"],
    ["p__look", "", "ask"],
    ["p__look", "sam", "ask"],
  ]);
  const without = await policies.preview("a", null, first);
  expect(without.changes).toMatchObject([{ tool: "p__pay", caller: owner, before: "allow", after: "ask" }]);
  expect(bench.agent.policy).toEqual([first]);
});

test("the rules are listed as they win, each with the tools that it names and for how many it decides", async () => {
  await using bench = await Workbench.open({
    policy: [
      { tool: "p__*", effect: "deny" },
      { tool: "p__pay", effect: "allow" },
      { tool: "p__pay", effect: "ask" },
    ],
  });
  for (const name of ["p__pay", "p__look"]) bench.pool.tool("p", name, () => "done");
  const { rules } = await policiesOf(bench).overview("a");
  expect(rules.map(({ rule, names, decides }) => [rule.tool, rule.effect, names, decides])).toEqual([
    ["p__pay", "ask", ["p__pay"], 1],
    ["p__pay", "allow", ["p__pay"], 0],
    ["p__*", "deny", ["p__pay", "p__look"], 1],
  ]);
});

test("what was allowed for a conversation is listed, and asked about again once it is taken back", async () => {
  await using bench = await Workbench.open();
  bench.pool.tool("p", "p__pay", () => "paid");
  const policies = policiesOf(bench);
  const asked = next<Approval>(bench.agents.changes, "approval");
  const first = bench.call("p__pay");
  await bench.agents.approvals.decide((await asked).id, { decision: "allow", scope: "session" });
  await first;
  expect((await bench.call("p__pay")).trace.outcome).toBe("executed");

  const { allowances } = await policies.overview("a");
  expect(allowances).toMatchObject([
    { sessionId: "s", tool: "p__pay", title: "p.pay", owner: "p", caller: owner },
  ]);
  const said = await policies.explain("a", { name: "p__pay", caller: owner, sessionId: "s" });
  expect(said).toMatchObject({ judgement: { effect: "ask" }, forSession: true });

  policies.takeBack("a", "s", "p__pay", owner);
  const again = next<Approval>(bench.agents.changes, "approval");
  const second = bench.call("p__pay");
  await bench.agents.approvals.decide((await again).id, { decision: "deny" });
  expect((await second).trace.outcome).toBe("rejected");
  expect((await policies.overview("a")).allowances).toEqual([]);
});

test("why a recorded call was allowed stands with the rules of then, whatever they are now", async () => {
  await using bench = await Workbench.open({
    policy: [
      { tool: "p__*", effect: "deny" },
      { tool: "p__pay", effect: "ask" },
    ],
  });
  bench.pool.tool("p", "p__pay", () => "paid");
  bench.pool.on("meddler", "tool.before@v1", () => ({ allow: true, payload: { args: { to: "b" } } }));
  await bench.script([{ call: { tool: "p__pay", input: { to: "a" } } }, { say: "Done." }]);
  bench.agents.approvals.changes.on("approval", (approval) => {
    if (approval.status === "waiting")
      void bench.agents.approvals.decide(approval.id, { decision: "allow", scope: "once" });
  });
  const events = await bench.prompt("Pay");
  const { turnId, sessionId } = only(events, "turn_started");
  const { trace } = only(events, "tool_ended");
  bench.agent = { ...bench.agent, policy: [{ tool: "p__pay", effect: "deny" }] };

  const why = await policiesOf(bench).why("a", sessionId, turnId, trace.toolCallId);
  expect(why).toMatchObject({
    tool: "p__pay",
    title: "p.pay",
    owner: "p",
    effect: "ask",
    judgement: {
      decided: { by: "rule", rule: { tool: "p__pay", effect: "ask" } },
      others: [{ rule: { tool: "p__*" }, lost: "less_exact" }],
    },
    after: [
      { kind: "rewritten", by: ["meddler"] },
      { kind: "answered", status: "allowed", scope: "once", by: owner },
    ],
    now: "deny",
  });
  await expect(policiesOf(bench).why("a", sessionId, turnId, "no-such-call")).rejects.toThrow(
    code("TURN_NOT_FOUND"),
  );
});

test("a recorded call that a plugin refused names the plugin; one after a rule came does not claim the old rules", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__pay", effect: "allow" }] });
  bench.pool.tool("p", "p__pay", () => "paid");
  bench.pool.on("guard", "tool.before@v1", () => {
    bench.agent = { ...bench.agent, policy: [] };
    return { allow: false, reason: "Not today." };
  });
  await bench.script([
    { call: { tool: "p__pay", input: {} } },
    { call: { tool: "p__pay", input: {} } },
    { say: "Not done." },
  ]);
  const events = await bench.prompt("Pay");
  const { turnId, sessionId } = only(events, "turn_started");
  const ended = events.flatMap((event) => (event.type === "tool_ended" ? [event.trace.toolCallId] : []));
  const [first, second] = await Promise.all(
    ended.map((id) => policiesOf(bench).why("a", sessionId, turnId, id)),
  );
  expect(first).toMatchObject({
    judgement: { effect: "allow" },
    after: [{ kind: "vetoed", by: "guard", reason: "Not today." }],
  });
  expect(second).toMatchObject({ effect: "ask", judgement: null });
});
