import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DialogQuestion, RecordEvent, RecordEventOf } from "../../src/contract/index.ts";
import { replayTurn } from "../../src/main/agents/replay/replay.ts";
import type { CallScope } from "../../src/main/runtimes/plugin-call.ts";
import { connectSocket } from "../gateway/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { blobsOf, filesOf } from "../support/record-blobs.ts";
import { startApp } from "../support/running-app.ts";
import { anthropicStream, modelServer } from "./model-server.ts";
import { next, only, Workbench } from "./workbench.ts";

/** A tool that asks, a hook that asks, and a tool that ends the plugin's process. */
const asker = `export default {
  manifestVersion: 1, key: "asker", displayName: "Asker", description: "Asks.",
  hooks: {
    events: ["tool.before@v1"],
    async start(config, ctx) {
      return { handlers: {
        "tool.before@v1": async ({ toolName }) => {
          if (toolName === "asker__ask") await ctx.ask.select("Which?", { options: [{ value: "red", label: "Red" }] });
          return { allow: true };
        },
      }, stop: async () => {} };
    },
  },
  tools: {
    namespace: "asker",
    async start(config, ctx) {
      const tool = (name, execute) => ({ name, description: name, parameters: { type: "object" }, execute });
      return { toolsets: [{ id: "asker", description: "Asks.", tools: [
        tool("ask", async () => {
          const word = await ctx.ask.text("Password?", { secret: true });
          return { content: [{ type: "text", text: "it has " + word.length + " letters" }] };
        }),
        tool("die", async () => { console.error("out of paper"); process.exit(3); }),
      ] }], stop: async () => {} };
    },
  },
};`;

test("questions of plugins, and what becomes of their processes, are part of the record and of its replay", async () => {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-events-"));
  const home = join(folder, "home");
  const file = join(folder, "script.yaml");
  await writeFile(
    file,
    "- call: { tool: asker__ask }\n- call: { tool: asker__die }\n- call: { tool: list_files }\n- say: Done.\n",
  );
  const app = await startApp(home);
  try {
    const { client } = await connectSocket(app);
    await app.cli("agent", "create", "Ada", "--model", `scripted:${file}`);
    const plugin = await writePlugin(join(folder, "asker"), { key: "asker", files: { "index.js": asker } });
    await app.cli("plugin", "install", plugin, "--yes");
    await app.cli("plugin", "enable", "asker", "--agent", "ada");
    const { revision } = await client.agents.get({ agentId: "ada" });
    await client.agents.update({ agentId: "ada", revision, policy: [{ tool: "*", effect: "allow" }] });
    const { id: sessionId } = await client.sessions.create({ agentId: "ada" });
    const watched = await client.traces.watch({ agentId: "ada", sessionId });
    const turn = client.sessions.prompt({ agentId: "ada", sessionId, text: "Ask" });
    void turn.then(async (events) => {
      for await (const _event of events);
    });
    for await (const event of watched) {
      if (event.type === "dialog_asked") {
        const { kind } = event.question as { kind: string };
        const answer = kind === "select" ? "red" : "hunter2-secret";
        await client.dialogs.answer({ id: event.dialogId, answer });
      }
      if (event.type === "turn_ended") break;
    }
    const { turnId = "" } = (await client.traces.turns({ agentId: "ada", sessionId }))[0] ?? {};
    const record = await client.traces.turn({ agentId: "ada", sessionId, turnId });
    const entries = await client.sessions.entries({ agentId: "ada", sessionId });
    await app.close();

    const hook = record.find((event) => event.type === "hook_asked");
    const call = record.find((event) => event.type === "tool_called" && event.tool === "asker__ask");
    const owner = { kind: "owner" };
    expect(pick(record, "dialog_asked", "dialog_answered")).toMatchObject([
      { spanId: hook?.spanId, owner: "asker", question: { kind: "select", message: "Which?" } },
      { spanId: hook?.spanId, owner: "asker", answer: "red", end: "answered", answeredBy: owner },
      { spanId: call?.spanId, owner: "asker", question: { kind: "text", secret: true } },
      { spanId: call?.spanId, owner: "asker", answer: null, secret: true, end: "answered" },
    ]);
    expect(pick(record, "plugin_ran")[0]).toMatchObject({
      owner: "asker",
      what: "failed",
      problem: { code: "HOST_CRASHED", details: { exitCode: 3 } },
    });
    const stored = await readFile(join(home, `agents/ada/sessions/${sessionId}.record.jsonl`), "utf8");
    expect(stored).not.toContain("hunter2");
    const lines = stored.trim().split("\n");
    const blobs = blobsOf(home, "ada", sessionId);
    const again = await replayTurn({
      lines,
      entries,
      files: filesOf(home, "ada", sessionId),
      getBlob: (address) => blobs.get(address),
    });
    expect(again.difference).toBeNull();
    expect(again.lines).toEqual(lines);
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);

test("a question that nobody answers in time ends as timed out, one of a stopped plugin as gone", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  bench.limits.dialogMs = 20;
  const confirm = { kind: "confirm", message: "Sure?" } as const;
  const ask = (scope: CallScope) =>
    bench.agents.dialogs.ask("a", "p", confirm, "x", undefined, { during: scope });
  bench.pool.tool("p", "p__late", async (_input, scope) => String(await ask(scope)));
  bench.pool.tool("p", "p__gone", async (_input, scope) => {
    bench.limits.dialogMs = 60_000;
    const answer = ask(scope);
    bench.pool.setRunning("p", false);
    return String(await answer);
  });
  await bench.script([{ call: [{ tool: "p__late" }, { tool: "p__gone" }] }, { say: "done" }]);

  const events = await bench.prompt("hi");

  const record = await recordOf(bench, only(events, "turn_started").sessionId);
  expect(
    pick(record, "dialog_answered").map(({ answer, end, answeredBy }) => [answer, end, answeredBy]),
  ).toEqual([
    [null, "timed_out", null],
    [null, "gone", null],
  ]);
});

test("the values of a form are recorded under their names; those of a form that asks for a secret are not", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  const field = (name: string) => ({ type: "text", name, title: name, required: true }) as const;
  const form = (name: string): DialogQuestion => ({
    kind: "form",
    message: "Please.",
    fields: [field(name)],
  });
  for (const name of ["city", "password"])
    bench.pool.tool("p", `p__${name}`, async (_input, scope) => {
      const asked = bench.agents.dialogs.ask("a", "p", form(name), "x", undefined, { during: scope });
      const [dialog] = bench.agents.dialogs.list();
      const values = { [name]: `my ${name}` };
      bench.agents.dialogs.answer(dialog?.id ?? "", { action: "accept", values });
      await asked;
      return "ok";
    });
  await bench.script([{ call: [{ tool: "p__city" }, { tool: "p__password" }] }, { say: "done" }]);

  const events = await bench.prompt("hi");

  const record = await recordOf(bench, only(events, "turn_started").sessionId);
  expect(pick(record, "dialog_answered").map(({ answer, secret }) => [answer, secret])).toEqual([
    [{ action: "accept", values: { city: "my city" } }, undefined],
    [null, true],
  ]);
  expect(JSON.stringify(record)).not.toContain("my password");
});

test("a turn that a plugin began says from which turn it comes, one of a new conversation from which conversation", async () => {
  await using bench = await Workbench.open();
  let runs = 0;
  bench.pool.on("p", "turn.end@v1", (_payload, scope) => {
    runs += 1;
    if (runs === 1) scope.effects?.([{ kind: "run", text: "go on" }]);
  });
  await bench.script([{ say: "one" }, { say: "two" }, { say: "three" }, { say: "four" }]);
  const { id: sessionId } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", sessionId);
  const both = next<unknown>(
    bench.agents.changes,
    "session",
    () => session.entries.filter(({ type }) => type === "turn_end").length === 2,
  );

  await bench.prompt("hi", { sessionId });
  await both;
  const other = await bench.agents.moves.begin(session);
  await bench.prompt("there", { sessionId: other });
  await bench.prompt("again", { sessionId: other });

  const [first, second] = pick(await recordOf(bench, sessionId), "turn_begun");
  expect(first?.from).toBeUndefined();
  expect(second?.from).toEqual({ sessionId, turnId: first?.turnId });
  expect(pick(await recordOf(bench, other), "turn_begun").map(({ from }) => from)).toEqual([
    { sessionId, turnId: null },
    undefined,
  ]);
});

test("what an answer cost is said by the list price of a known model, and not at all of another", async () => {
  const costs = [];
  for (const model of ["claude-opus-4-5", "claude-nobody-knows"]) {
    await using server = await modelServer([{ events: anthropicStream({ text: ["Hello."] }) }]);
    await using bench = await Workbench.open({
      model: { kind: "anthropic", model, apiKey: "${MODEL_KEY}", baseUrl: server.url },
    });
    bench.secrets.set("MODEL_KEY", "sk-1");
    const events = await bench.prompt("hi");
    const record = await recordOf(bench, only(events, "turn_started").sessionId);
    costs.push(...pick(record, "model_answered").map(({ cost, usage }) => ({ cost, usage })));
  }
  // 11 tokens in for 5 dollars a million, 7 out for 25.
  expect(costs[0]).toMatchObject({ usage: { input: 11, output: 7 }, cost: { cacheRead: 0 } });
  expect(costs[0]?.cost?.total).toBeCloseTo((11 * 5 + 7 * 25) / 1_000_000, 10);
  expect(costs[1]).toMatchObject({ usage: { input: 11, output: 7 } });
  expect(costs[1]).not.toHaveProperty("cost.total");
});

async function recordOf(bench: Workbench, sessionId: string): Promise<RecordEvent[]> {
  return (await bench.agents.sessions.open("a", sessionId)).events.readEvents();
}

function pick<T extends RecordEvent["type"]>(
  record: readonly RecordEvent[],
  ...types: T[]
): RecordEventOf<T>[] {
  return record.filter((event): event is RecordEventOf<T> => types.includes(event.type as T));
}
