import type { ChannelApproval } from "@patchbay/plugin-sdk";
import { expect, test } from "vitest";
import { message, Workbench } from "./workbench.ts";

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
