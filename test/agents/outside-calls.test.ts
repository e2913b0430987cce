import { expect, test } from "vitest";
import type { OutsideCall } from "../../src/contract/index.ts";
import { Workbench } from "./workbench.ts";

const allowed = [{ tool: "p__*", effect: "allow" as const }];

test("a call outside of turns is kept with every step, without stored secrets", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.secrets.set("KEY", "sk-very-secret-value");
  bench.pool.tool("p", "p__echo", ({ text }) => `said ${text}`);
  bench.pool.on("guard", "tool.before@v1", () => ({ allow: true }));
  const { outsideCalls } = bench.agents;
  const heard: OutsideCall[] = [];
  const over = new AbortController();
  const listening = (async () => {
    for await (const call of outsideCalls.watch("a", over.signal)) heard.push(call);
  })();

  await bench.call("p__echo", { text: "with sk-very-secret-value" });

  const [call, ...more] = outsideCalls.list("a");
  expect(more).toEqual([]);
  expect(call).toMatchObject({
    title: "p.echo",
    owner: "p",
    caller: { kind: "owner" },
    straight: false,
    outcome: "executed",
    ms: expect.any(Number),
  });
  const events = outsideCalls.read("a", call?.id ?? "");
  expect(events.map(({ type }) => type)).toEqual([
    "tool_called",
    "tool_judged",
    "hook_asked",
    "hook_answered",
    "tool_started",
    "tool_answered",
    "tool_ended",
  ]);
  expect(events).toHaveLength(call?.events ?? 0);
  expect(JSON.stringify(events)).not.toContain("sk-very-secret-value");
  over.abort();
  await listening;
  expect(heard.map(({ outcome }) => outcome)).toEqual([null, null, "executed"]);
  expect(outsideCalls.list("b")).toEqual([]);
  expect(() => outsideCalls.read("b", call?.id ?? "")).toThrow("not kept any more");
});

test("the newest two hundred are kept, fewer where they are large", async () => {
  await using bench = await Workbench.open({ policy: allowed });
  bench.pool.tool("p", "p__echo", ({ n }) => (Number(n) < 1_000 ? `n is ${n}` : "x".repeat(900_000)));
  const { outsideCalls } = bench.agents;
  for (let n = 1; n <= 205; n += 1) await bench.call("p__echo", { n });
  const kept = outsideCalls.list("a");
  expect(kept).toHaveLength(200);
  expect(outsideCalls.read("a", kept[0]?.id ?? "")[0]).toMatchObject({ arguments: { n: 6 } });
  for (let n = 1_000; n < 1_030; n += 1) await bench.call("p__echo", { n });
  expect(outsideCalls.list("a").length).toBeLessThan(20);
  expect(outsideCalls.list("a").length).toBeGreaterThan(5);
  await bench.agents.deactivate("a");
  expect(outsideCalls.list("a")).toEqual([]);
});
