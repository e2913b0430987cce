import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";

type App = Awaited<ReturnType<typeof createApp>>;

let root: string;
let app: App;
const clientOf = (of: App) => createRouterClient(of.router, { context: { caller: callerHere() } });
let client: ReturnType<typeof clientOf>;

async function install(spec: string, link = false) {
  const { id } = await client.jobs.install({ spec, yes: true, link });
  for await (const job of await client.jobs.watch({ id })) if (job.endedAt) return job;
  throw new Error("the job went nowhere");
}
const state = async (key: string, agentId = "ada") =>
  (await client.agentPlugins.get({ agentId, key })).instance;
const fire = (event: string, input: Record<string, unknown>) =>
  client.hooks.fire({ agentId: "ada", event, input });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-dirge-"));
  await cp("test/fixtures/dirge/plugins", join(root, "plugins"), { recursive: true });
  app = await createApp(await testPlatform(join(root, "home")), {});
  client = clientOf(app);
  app.gatewayOpened("http://127.0.0.1:0");
  await client.agents.create({ id: "ada", name: "ada", policy: [{ tool: "*", effect: "allow" }] });
});
afterAll(async () => {
  await app?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

describe("a single file", () => {
  test("is installed as a plugin that is called after it, with what its source says", async () => {
    expect(await install(join(root, "plugins", "notes.janet"))).toMatchObject({
      status: "done",
      problem: null,
    });
    expect(await client.plugins.get({ key: "notes" })).toMatchObject({
      runtime: "dirge",
      displayName: "notes",
      description: "Keeps notes for the agent: a tool, a command, a hint and a shortcut.",
      capabilities: {
        tools: { namespace: "notes", names: ["keep"] },
        commands: { names: ["notes"] },
        shortcuts: { names: ["ctrl-alt-n"] },
        hooks: { events: ["session.message.received@v1", "prompt.assemble@v1", "tool.result@v1"] },
      },
      consent: {
        declared: true,
        hosts: [],
        files: "none",
        programs: false,
        insights: ["prompts", "results"],
      },
    });
    await client.agentPlugins.set({ agentId: "ada", key: "notes", enabled: true });
    expect(await state("notes")).toMatchObject({
      state: "running",
      contributions: {
        shortcuts: [{ id: "ctrl-alt-n", keys: "ctrl-alt-n", description: "Shows the notes" }],
      },
    });
  });

  test("runs its tool through the whole pipeline, its own hook after it", async () => {
    const { content, trace } = await client.tools.call({
      agentId: "ada",
      name: "notes__keep",
      input: { text: "milk" },
      yes: true,
    });
    expect(trace.outcome).toBe("executed");
    expect(content).toEqual([{ type: "text", text: "kept: milk (1 of 1)" }]);
  });

  test("that is linked is started anew when it is edited, and no other file beside it is looked at", async () => {
    const file = join(root, "plugins", "live.janet");
    await writeFile(file, '(harness/register-command "one" "f") (defn f [a] "1")');
    expect(await install(file, true)).toMatchObject({ status: "done", problem: null });
    await client.agentPlugins.set({ agentId: "ada", key: "live", enabled: true });
    const first = await state("live");
    expect(first.contributions?.commands.map(({ name }) => name)).toEqual(["one"]);
    await writeFile(join(root, "plugins", "beside.janet"), "(def x 1)");
    await writeFile(file, '(harness/register-command "two" "f") (defn f [a] "2")');
    await vi.waitFor(
      async () =>
        expect((await state("live")).contributions?.commands.map(({ name }) => name)).toEqual(["two"]),
      { timeout: 10_000, interval: 100 },
    );
    await writeFile(file, "(defn f [a] (nowhere))");
    await vi.waitFor(async () => expect((await state("live")).state).toBe("failed"), {
      timeout: 10_000,
      interval: 100,
    });
    const { lastError } = await client.agentPlugins.get({ agentId: "ada", key: "live" });
    expect(lastError).toMatchObject({
      code: "START_FAILED",
      message: "live.janet, line 1: unknown symbol nowhere — in (defn f [a] (nowhere))",
      details: { file: "live.janet", line: 1, said: "unknown symbol nowhere" },
    });
    await client.agentPlugins.set({ agentId: "ada", key: "live", enabled: false });
  }, 40_000);

  test("of another ending is no plugin", async () => {
    const file = join(root, "plugins", "readme.txt");
    await writeFile(file, "nothing");
    expect(await install(file)).toMatchObject({ status: "failed", problem: { code: "SOURCE_MISSING" } });
  });

  test("that is no Janet is refused with the place", async () => {
    const file = join(root, "plugins", "torn.janet");
    await writeFile(file, "(def a 1)\n(defn b [x]\n");
    expect(await install(file)).toMatchObject({
      status: "failed",
      problem: { code: "MANIFEST_INVALID", message: expect.stringContaining("torn.janet, line ") },
    });
  });
});

test("fifty plugins at once answer in the order of their keys; one that is broken keeps none from it", async () => {
  const many = join(root, "many");
  await mkdir(many);
  const names = Array.from({ length: 50 }, (_, at) => `many-${String(at).padStart(2, "0")}`);
  for (const name of names) {
    const broken = name === "many-17" ? "(not-a-thing)" : "";
    await writeFile(
      join(many, `${name}.janet`),
      `${broken}(defn on-tool-end [ctx] (harness/replace-result (string (ctx :output) ",${name.slice(5)}")))`,
    );
  }
  for (const name of names)
    expect(await install(join(many, `${name}.janet`))).toMatchObject({ status: "done" });
  // Switched on from the last to the first: the order is that of the keys all the same.
  for (const name of names.toReversed())
    await client.agentPlugins.set({ agentId: "ada", key: name, enabled: true });
  const states = await Promise.all(names.map(async (name) => (await state(name)).state));
  expect(states.filter((one) => one === "running")).toHaveLength(49);
  expect(states[17]).toBe("failed");
  const { payload } = (await fire("tool.result@v1", {
    toolCallId: "c",
    toolName: "shell",
    args: {},
    content: [{ type: "text", text: "" }],
    isError: false,
    durationMs: 1,
  })) as { payload: { content: { text: string }[] } };
  const wanted = names.filter((name) => name !== "many-17").map((name) => name.slice(5));
  expect(payload.content[0]?.text).toBe(`,${wanted.join(",")}`);
  for (const name of names) await client.agentPlugins.set({ agentId: "ada", key: name, enabled: false });
}, 180_000);
