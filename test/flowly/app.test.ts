import { access, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";

type App = Awaited<ReturnType<typeof createApp>>;

let root: string;
let app: App;
let plugin: string;
const clientOf = (of: App) => createRouterClient(of.router, { context: { caller: callerHere() } });
let client: ReturnType<typeof clientOf>;

async function install(spec: string) {
  const { id } = await client.jobs.install({ spec, yes: true, link: true });
  for await (const job of await client.jobs.watch({ id })) if (job.endedAt) return job;
  throw new Error("the job went nowhere");
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-flowly-"));
  plugin = join(root, "parcels");
  await cp("test/fixtures/flowly/parcels", plugin, { recursive: true });
  app = await createApp(await testPlatform(join(root, "home")), {});
  client = clientOf(app);
  app.gatewayOpened("http://127.0.0.1:0");
  expect(await install(plugin)).toMatchObject({ status: "done", problem: null });
  for (const id of ["ada", "bob"]) {
    await client.agents.create({ id, name: id, policy: [{ tool: "*", effect: "allow" }] });
    await client.agentPlugins.set({ agentId: id, key: "parcels", enabled: true });
  }
});
afterAll(async () => {
  await app?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const call = async (agentId: string, tool: string, input: Record<string, unknown>) => {
  const { content, trace } = await client.tools.call({ agentId, name: tool, input, yes: true });
  return {
    outcome: trace.outcome,
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
  };
};

describe("a plugin of Flowly", () => {
  test("is described from its files, and what it registered is compared with that", async () => {
    expect(await client.plugins.get({ key: "parcels" })).toMatchObject({
      runtime: "flowly",
      packageVersion: "1.2.0",
      capabilities: {
        tools: { namespace: "parcels", names: ["track", "weigh"] },
        hooks: { events: ["tool.before@v1", "tool.result@v1", "model.before@v1"] },
        commands: { names: ["parcels"] },
        skills: { names: ["parcels:customs"] },
      },
      declaration: { publisher: "Kim Example", registersMore: true },
    });
    const { instance } = await client.agentPlugins.get({ agentId: "ada", key: "parcels" });
    expect(instance).toMatchObject({ state: "running" });
    expect(instance.contributions?.tools.map(({ name }) => name)).toEqual([
      "parcels__track",
      "parcels__skill_view",
    ]);
    expect(instance.contributions?.notes).toEqual([
      "Its manifest names weigh, which it does not offer: its code has not registered it, or its own check says no.",
      "It may lack a setting: no value for PARCELS_TOKEN, PARCELS_DEPOT.",
    ]);
  });

  test("runs its tools; its guard rewrites arguments, its transform the result", async () => {
    expect(await call("ada", "parcels__track", { number: " ab12 " })).toEqual({
      outcome: "executed",
      text: "{'number': 'AB12', 'at': 'the depot', 'depot': None} (as of today)",
    });
  });

  test("keeps files in a home of its own for each agent", async () => {
    await call("bob", "parcels__track", { number: "zz9" });
    const seen = (agent: string) =>
      readFile(
        join(root, "home", "agents", agent, "storage", "parcels", "flowly", "parcels", "seen.txt"),
        "utf8",
      );
    expect(await seen("ada")).toBe("AB12\n");
    expect(await seen("bob")).toBe("ZZ9\n");
  });

  test("blocks another tool, by the name that Flowly has for it", async () => {
    await expect(call("ada", "shell", { command: "rm -r parcels" })).rejects.toMatchObject({
      code: "TOOL_VETOED",
      message: "The plugin parcels blocked shell: parcels are never thrown away.",
    });
  });

  test("answers its slash command", async () => {
    const { output } = await client.commands.run({ agentId: "ada", text: "/parcels please" });
    expect(output).toBe("Seen: AB12 [please]");
  });

  test("offers a tool as soon as its check says so: when its setting has a value", async () => {
    await client.agentPlugins.set({
      agentId: "ada",
      key: "parcels",
      config: { variables: { PARCELS_DEPOT: "Lyon" } },
    });
    await expect
      .poll(async () => {
        const { instance } = await client.agentPlugins.get({ agentId: "ada", key: "parcels" });
        return instance.contributions?.tools.map(({ name }) => name);
      })
      .toEqual(["parcels__track", "parcels__weigh", "parcels__skill_view"]);
    expect((await call("ada", "parcels__weigh", {})).text).toBe("12.5");
  });

  test("is started anew after an edit of its files, with no old code", async () => {
    await writeFile(join(plugin, "carrier.py"), "def where_is(number):\n    return 'the moon'\n");
    await expect
      .poll(async () => (await call("ada", "parcels__track", { number: "AB1" })).text, { timeout: 20_000 })
      .toContain("the moon");
    await expect(access(join(plugin, "__pycache__"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("that does not load says what its code raised", async () => {
    await writeFile(join(plugin, "carrier.py"), "import no_such_module\n");
    await expect
      .poll(
        async () =>
          (await client.agentPlugins.get({ agentId: "ada", key: "parcels" })).instance.reason?.message,
        {
          timeout: 20_000,
        },
      )
      .toContain("parcels needs the Python package no-such-module");
  });
});
