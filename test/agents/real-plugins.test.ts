import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TurnEvent } from "../../src/contract/index.ts";
import { Agents } from "../../src/main/agents/index.ts";
import { promptSections } from "../../src/main/agents/turns/prompt.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld } from "../support/pool-world.ts";
import { only } from "./workbench.ts";

let world: PoolWorld;
let agents: Agents;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle(), limits: { hookMs: 300 } });
  agents = new Agents({
    refusedHost: () => null,
    storage: world.storage,
    pool: world.pool,
    agents: world.agents,
    registry: world.registry,
    agentPlugins: world.agentPlugins,
    vault: world.vault,
    settings: { get: () => world.settings },
    audit: { record() {} },
    onNotice: (problem) => {
      throw new Error(problem.message);
    },
  });
  await world.agent("ada");
  await world.agent("bob");
  await world.pool.boot();
});
afterEach(async () => {
  await agents.close();
  await world.close();
});

async function script(agentId: string, steps: unknown[]): Promise<void> {
  const file = join(world.home, `${agentId}-script.json`);
  await mkdir(world.home, { recursive: true });
  await writeFile(file, JSON.stringify(steps));
  await world.agents.update(agentId, {
    model: { kind: "scripted", file },
    policy: [{ tool: "echo__*", effect: "allow" }],
  });
}

async function prompt(agentId: string, text: string): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of agents.prompt(agentId, { text, caller: { kind: "owner" } })) events.push(event);
  return events;
}

const say = [{ call: { tool: "echo__say", input: { text: "hello" } } }, { say: "Done." }];

test("a turn calls a tool in another process, and two agents with the same plugin have their own", async () => {
  await world.install("echo");
  await world.enable("ada", "echo", { prefix: "A: " });
  await world.enable("bob", "echo", { prefix: "B: " });
  await script("ada", say);
  await script("bob", say);

  const both = await Promise.all([prompt("ada", "go"), prompt("bob", "go")]);

  const results = both.map((events) => only(events, "tool_ended").trace.result?.content);
  expect(results).toEqual([[{ type: "text", text: "A: hello" }], [{ type: "text", text: "B: hello" }]]);
  expect(both.map((events) => only(events, "turn_ended").outcome)).toEqual(["done", "done"]);
});

test("a guard in another process that hangs blocks the call and is named; another agent is not touched", async () => {
  await world.install("echo");
  await world.install("listener");
  await world.enable("ada", "echo");
  await world.enable("bob", "echo");
  await world.enable("ada", "listener");
  await script("ada", say);
  await script("bob", say);

  const blocked = only(await prompt("ada", "go"), "tool_ended").trace;
  const free = only(await prompt("bob", "go"), "tool_ended").trace;

  expect(blocked).toMatchObject({
    outcome: "vetoed",
    problem: { code: "TOOL_VETOED", details: { owner: "listener" } },
    hooks: [{ owner: "listener", decision: "timed_out" }],
  });
  expect(free).toMatchObject({ outcome: "executed", hooks: [] });
});

test("a required guard that was killed blocks until it runs again", async () => {
  await world.install("echo");
  await world.install("listener");
  await world.enable("ada", "echo");
  const { pid } = await world.enable("ada", "listener");
  await script("ada", say);
  process.kill(pid ?? 0, "SIGKILL");
  await world.until(() => world.pool.view("ada", "listener").state !== "running");

  const trace = only(await prompt("ada", "go"), "tool_ended").trace;

  expect(trace).toMatchObject({ outcome: "vetoed", problem: { details: { owner: "listener" } } });
});

test("a plugin's command and its hooks work through the process wall", async () => {
  await world.install("listener");
  await world.enable("ada", "listener");
  await script("ada", [{ say: "quiet please" }, { say: "quiet again" }]);

  const greeting = only(await prompt("ada", "/greet Eve"), "command").output;
  const first = only(await prompt("ada", "hi"), "turn_ended").text;

  expect(greeting).toBe("hello Eve from ada");
  expect(first).toBe("QUIET PLEASE");
  expect(
    agents
      .busOf("ada")
      .list()
      .map(({ event, calls }) => [event, calls]),
  ).toContainEqual(["tool.before@v1", 0]);
});

test("a tool whose process is killed under the call has failed, with a sentence", async () => {
  await world.install("echo");
  await world.enable("ada", "echo");
  await script("ada", say);
  await agents.tools.list("ada");
  const signal = new AbortController().signal;
  const call = (tool: string, input: Record<string, unknown>) =>
    agents.tools.call({
      agentId: "ada",
      sessionId: "s",
      turnId: null,
      tool,
      input,
      caller: { kind: "owner" },
      signal,
      approved: true,
    });
  const { pid } = world.pool.view("ada", "echo");
  process.kill(pid ?? 0, "SIGSTOP");

  const pending = call("echo__say", { text: "x" });
  process.kill(pid ?? 0, "SIGKILL");

  expect((await pending).trace).toMatchObject({ outcome: "failed", problem: { code: "HOST_CRASHED" } });
});

test("the skills of a running plugin can be read where the prompt says, with what lies beside them, and nothing else", async () => {
  await world.install("sieve");
  await world.enable("ada", "sieve");
  const ada = world.agents.get("ada");
  if (!ada) throw new Error("there is no Ada");
  const { content = "" } =
    promptSections(ada, world.pool.live("ada")).find(({ key }) => key === "skills") ?? {};
  const path = /How letters are sorted \(read (.+)\)/.exec(content)?.[1] ?? "";
  const read = async (file: string, agentId = "ada") => {
    const { output, outcome } = await agents.tools.call({
      agentId,
      sessionId: "s",
      turnId: null,
      tool: "read_file",
      input: { path: file },
      caller: { kind: "owner" },
      signal: new AbortController().signal,
      approved: true,
    });
    return outcome === "executed" && output.content[0]?.type === "text" ? output.content[0].text : outcome;
  };

  expect(await read(path)).toContain("Big letters first.");
  expect(await read(join(path, "..", "references", "order.md"))).toBe("A comes before B.\n");
  for (const other of ["notes.md", "../../index.js", "references/../notes.md"])
    expect(await read(join(path, "..", other))).toBe("failed");
  expect(await read(path, "bob")).toBe("failed");
  await world.disable("ada", "sieve");
  expect(await read(path)).toBe("failed");
});
