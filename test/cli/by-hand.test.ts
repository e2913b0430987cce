import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "./support.ts";

describe("calls and events by hand at the terminal", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);
  const call = (name: string, ...args: string[]) => run("tool", "call", name, "--agent", "helper", ...args);
  const build = ["--input", '{"label": "first", "jobs": 4}'];

  beforeAll(async () => {
    bench = await openBench();
    for (const plugin of ["forge", "nudge"]) {
      await run("plugin", "install", resolve("e2e/plugins", plugin), "--yes");
      await run("plugin", "enable", plugin, "--agent", "helper");
    }
  });
  afterAll(() => bench.remove());

  it("calls a tool without its hooks, and says that it did", async () => {
    expect((await call("forge__build", ...build, "--yes")).stdout).toBe(
      "Carefully built app as first with 1 jobs.\n",
    );
    expect((await call("forge__build", ...build, "--straight")).stdout).toBe(
      "Built app as first with 4 jobs.\n",
    );
    expect((await call("forge__build", ...build, "--straight", "--json")).json()).toMatchObject({
      trace: { straight: true, hooks: [], finalArguments: { jobs: 4 } },
    });
    const wrong = await call("forge__build", "--input", '{"label": "x"}', "--straight", "--json");
    expect(wrong.json()).toMatchObject({ error: { code: "ARGUMENTS_INVALID" } });
  });

  it("makes the same call many times, and prints how long they took", async () => {
    const ended = await call("forge__build", ...build, "--straight", "--times", "30");
    expect(ended.stdout).toMatch(/^30 calls · 0 failed · p50 [\d.]+ ms · p95 [\d.]+ ms · max [\d.]+ ms\n$/);
    const cracked = await call("forge__crack", "--straight", "--times", "5", "--json");
    expect(cracked.code).toBe(1);
    expect(cracked.json()).toMatchObject({
      count: 5,
      failures: 5,
      stopped: false,
      problem: { message: "The anvil has a crack." },
    });
  });

  it("does not make many questions of many calls", async () => {
    const refused = await call("forge__build", ...build, "--times", "30", "--json");
    expect(refused.json()).toMatchObject({ error: { code: "TOOL_ASKS" } });
    for (const args of [
      ["--times", "30", "--yes"],
      ["--times", "0"],
      ["--times", "1001"],
      ["--times", "x"],
    ])
      expect((await call("forge__build", ...build, ...args)).code).toBe(2);
  });

  it("shows of each hook what it changed, and what its plugin wrote", async () => {
    const payload = JSON.stringify({ toolName: "forge__build", args: { label: "first", jobs: 4 } });
    const fired = await run("hook", "fire", "tool.before@v1", "--agent", "helper", "--input", payload);
    expect(fired.stdout).toMatch(/^1\. nudge {2}rewrote · [\d.]+ ms\n/);
    expect(fired.stdout).toContain("   - args.jobs: 4\n   + args.jobs: 1\n");
    expect(fired.stdout).toContain("   info: jobs 4 became 1\n");
    const none = await run("hook", "fire", "turn.start@v1", "--agent", "helper");
    expect(none.stdout).toContain("No hook listens to it.");
  });
});
