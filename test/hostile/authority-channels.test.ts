import type { ChannelApproval } from "@patchbay/plugin-sdk";
import { expect, test } from "vitest";
import { Workbench } from "../agents/workbench.ts";

const { signal } = new AbortController();

/** A channel whose owner is `7`, and a call of the tool `p.pay` that waits in it. */
async function waiting(input: Record<string, unknown>, deciding = true, characters?: number) {
  const bench = await Workbench.open({
    policy: [{ tool: "p__pay", effect: "ask", callers: ["anyone"] }],
  });
  bench.roles.set("7", "owner");
  if (deciding) bench.deciding.add("telegram").add("p");
  let paid = 0;
  bench.pool.tool("p", "p__pay", () => {
    paid += 1;
    return { content: [{ type: "text", text: "paid" }] };
  });
  await bench.script([{ call: { tool: "p__pay", input } }, { say: "done" }]);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const told: ChannelApproval[] = [];
  bench.agents.approvals.changes.on("approval", (approval) => {
    if (approval.status === "waiting") resolve();
  });
  const listener = { asked: (approval: ChannelApproval) => void told.push(approval), settled: () => {} };
  bench.agents.channels.approvals.follow("a", "telegram", listener, characters);
  const channel = bench.agents.channels.of("a", "telegram");
  const turn = channel.prompt({ conversation: "chat-1", userId: "7", text: "pay", signal });
  await asked;
  const [open] = bench.agents.approvals.list();
  const request = open?.id ?? "";
  return {
    bench,
    request,
    told,
    paid: () => paid,
    refusals: () => bench.audit.filter(({ kind, wall }) => kind === "wall.refused" && wall === "authority"),
    allow: (by: { userId: string; role?: string }, pluginKey = "telegram") =>
      bench.agents.channels.of("a", pluginKey).review({ request, decision: "allow", ...by }),
    async end() {
      await channel.review({ request, decision: "refuse", userId: "7" }).catch(() => {});
      bench.agents.approvals.close();
      await turn;
      await bench[Symbol.asyncDispose]();
    },
  };
}

const code = (name: string) => expect.objectContaining({ code: name });

test("a channel that claims its user is the owner does not get the call allowed", async () => {
  const world = await waiting({ to: "eve" });
  await expect(world.allow({ userId: "eve", role: "owner" })).rejects.toThrow(code("NOT_THE_OWNER"));
  expect(world.paid()).toBe(0);
  expect(world.refusals()).toMatchObject([
    { pluginKey: "telegram", target: "role", detail: { userId: "eve", claimed: "owner" } },
    { pluginKey: "telegram", target: "approval", detail: { userId: "eve", decision: "allow" } },
  ]);
  await world.end();
});

test("a channel whose person did not allow deciding from chats neither hears of calls nor decides one", async () => {
  const world = await waiting({ to: "eve" }, false);
  await expect(world.allow({ userId: "7", role: "owner" })).rejects.toThrow(code("DECIDING_NOT_GRANTED"));
  expect(world.told).toEqual([]);
  expect(world.paid()).toBe(0);
  expect(world.refusals()).toMatchObject([{ target: "approval", detail: { code: "DECIDING_NOT_GRANTED" } }]);
  await world.end();
});

test("a channel does not approve a call of its own tool, in its owner's name either", async () => {
  const world = await waiting({ to: "eve" });
  await expect(world.allow({ userId: "7", role: "owner" }, "p")).rejects.toThrow(code("NOT_THE_OWNER"));
  expect(world.paid()).toBe(0);
  expect(world.refusals()).toMatchObject([{ pluginKey: "p", target: "approval" }]);
  await world.end();
});

test("a call whose end a chat does not show is not allowed from there; refusing it works", async () => {
  const world = await waiting({ text: `${"harmless ".repeat(200)}; rm -rf ~` });
  await expect.poll(() => world.told.length).toBe(1);
  expect(world.told[0]).toMatchObject({ whole: false, arguments: expect.not.stringContaining("rm -rf") });
  await expect(world.allow({ userId: "7" })).rejects.toThrow(code("NOT_SHOWN_WHOLE"));
  expect(world.paid()).toBe(0);
  expect(world.refusals()).toMatchObject([{ target: "approval", detail: { code: "NOT_SHOWN_WHOLE" } }]);
  const { request, bench } = world;
  const refused = await bench.agents.channels
    .of("a", "telegram")
    .review({ request, decision: "refuse", userId: "7" });
  expect(refused).toEqual({ outcome: "refused" });
  await world.end();
});

test("a call whose arguments hide something is shown with it spelled out, and counts as that long", async () => {
  const world = await waiting({ command: "cat notes\u202e; mr -fr ~\u202c" });
  await expect.poll(() => world.told.length).toBe(1);
  expect(world.told[0]?.arguments).toBe('{"command":"cat notes\\u202e; mr -fr ~\\u202c"}');
  await world.end();
  const long = await waiting({ text: "\u200b".repeat(400) });
  await expect.poll(() => long.told.length).toBe(1);
  expect(long.told[0]?.whole).toBe(false);
  await expect(long.allow({ userId: "7" })).rejects.toThrow(code("NOT_SHOWN_WHOLE"));
  expect(long.paid()).toBe(0);
  expect(long.refusals()).toMatchObject([{ detail: { code: "NOT_SHOWN_WHOLE" } }]);
  await long.end();
});

test("a channel that shows less than others cannot allow what it does not show whole", async () => {
  const world = await waiting({ text: `${"harmless ".repeat(30)}; rm -rf ~` }, true, 120);
  await expect.poll(() => world.told.length).toBe(1);
  expect(world.told[0]).toMatchObject({ whole: false, arguments: expect.not.stringContaining("rm -rf") });
  // How much is missing is said within what the channel shows.
  expect(world.told[0]?.arguments.length).toBe(120);
  expect(world.told[0]?.arguments).toMatch(/ … \[\+\d+\]$/);
  await expect(world.allow({ userId: "7" })).rejects.toThrow(code("NOT_SHOWN_WHOLE"));
  expect(world.paid()).toBe(0);
  expect(world.refusals()).toMatchObject([{ target: "approval", detail: { code: "NOT_SHOWN_WHOLE" } }]);
  await world.end();
});

test("a channel that says it shows a million characters is held to Patchbay's own limit", async () => {
  const world = await waiting({ text: `${"harmless ".repeat(200)}; rm -rf ~` }, true, 1_000_000);
  await expect.poll(() => world.told.length).toBe(1);
  expect(world.told[0]).toMatchObject({ whole: false, arguments: expect.not.stringContaining("rm -rf") });
  await expect(world.allow({ userId: "7" })).rejects.toThrow(code("NOT_SHOWN_WHOLE"));
  expect(world.paid()).toBe(0);
  await world.end();
});

test("a message that claims the role owner runs no command that is for owners", async () => {
  await using bench = await Workbench.open();
  let flipped = false;
  bench.pool.command("p", "flip", () => {
    flipped = true;
    return "Heads";
  });
  const channel = bench.agents.channels.of("a", "telegram");
  const say = () =>
    channel.prompt({ conversation: "c", userId: "eve", role: "owner", text: "/flip", signal });
  expect((await say()).text).toBe("Only the owner of the agent may use /flip.");
  expect(flipped).toBe(false);
  expect(bench.audit).toContainEqual(
    expect.objectContaining({ kind: "wall.refused", wall: "authority", target: "role" }),
  );
  bench.roles.set("eve", "owner");
  expect((await say()).text).toBe("Heads");
});

test("with the grant and an owner of the settings the call runs, and the record says who decided where", async () => {
  const world = await waiting({ to: "eve" });
  expect(await world.allow({ userId: "7" })).toEqual({ outcome: "allowed" });
  await world.end();
  expect(world.paid()).toBe(1);
  expect(world.refusals()).toEqual([]);
  expect(world.bench.audit).toContainEqual(
    expect.objectContaining({
      kind: "approval.decided",
      decidedBy: { kind: "channel", channel: "telegram", userId: "7", role: "owner" },
    }),
  );
});
