import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.remove());

const files = (version: string) => ({
  "plugin.toml": `[plugin]
name = "counter"
version = "${version}"
[[commands]]
name = "count"
binary = "count"
`,
  count: `#!/bin/sh
cd "$FLEDGE_PLUGIN_DIR"
echo x >> scores
wc -l < scores | tr -d ' '
`,
});

/** Keeps one number in each way that a plugin has: a new file, a file of the package, and values in Patchbay's store. */
const keeper = (version: string) => ({
  "plugin.toml": `[plugin]
name = "keeper"
version = "${version}"
protocol = "fledge-v1"
data = ["shipped.txt"]
[capabilities]
store = true
[[commands]]
name = "count"
binary = "count.py"
`,
  "shipped.txt": "100",
  "count.py": `#!/usr/bin/env python3
import json, os, sys
def say(**what): print(json.dumps(what), flush=True)
json.loads(sys.stdin.readline())
os.chdir(os.environ["FLEDGE_PLUGIN_DIR"])
os.makedirs("cache/deep", exist_ok=True)
def add(path):
    was = int(open(path).read()) if os.path.exists(path) else 0
    with open(path + ".new", "w") as file: file.write(str(was + 1))
    os.replace(path + ".new", path)
    return was + 1
say(type="load", id="1", key="count")
stored = int(json.loads(sys.stdin.readline())["value"] or 0) + 1
say(type="store", id="2", key="count", value=str(stored))
say(type="output", text=f"{add('cache/deep/made.txt')} {add('shipped.txt')} {stored} of ${version}")
`,
});

/** A start of Patchbay over the same home: `act` is done, and it ends. */
async function during<T>(
  folder: string,
  act: (app: {
    client: ReturnType<typeof clientOf>;
    done(job: { id: string }): Promise<void>;
    enable(...agents: string[]): Promise<void>;
    count(agent: string): Promise<string>;
  }) => Promise<T>,
): Promise<T> {
  const app = await createApp(await testPlatform(join(folder, "home")));
  app.gatewayOpened("http://127.0.0.1:0");
  const client = clientOf(app);
  try {
    return await act({
      client,
      async done({ id }) {
        for await (const job of await client.jobs.watch({ id }))
          if (job.endedAt) expect(job.problem).toBeNull();
      },
      async enable(...agents) {
        for (const agentId of agents)
          await client.agentPlugins.set({ agentId, key: "fledge-keeper", enabled: true });
      },
      async count(agentId) {
        const call = { agentId, name: "fledge_keeper__count", input: {}, yes: true };
        const [part] = (await client.tools.call(call)).content;
        return part?.type === "text" ? part.text : "";
      },
    });
  } finally {
    await app.close();
  }
}

function clientOf(app: Awaited<ReturnType<typeof createApp>>) {
  return createRouterClient(app.router, { context: { caller: callerHere() } });
}

test("what a plugin keeps has a whole life for each of two agents: updates, an older version, uninstalling, until the agent goes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-kept-"));
  const dir = join(folder, "keeper");
  const key = "fledge-keeper";
  const create = { name: "Ada", id: "ada", policy: [] };
  await writeFiles(dir, keeper("1.0.0"));
  await during(folder, async ({ client, done, enable, count }) => {
    await client.agents.create(create);
    await client.agents.create({ name: "Bob", id: "bob", policy: [] });
    await done(await client.jobs.install({ spec: dir, yes: true }));
    await enable("ada", "bob");
    expect(await count("ada")).toBe("1 101 1 of 1.0.0");
    expect(await count("bob")).toBe("1 101 1 of 1.0.0");
  });
  await during(folder, async ({ client, done, count }) => {
    expect(await count("ada")).toBe("2 102 2 of 1.0.0");
    await writeFiles(dir, { ...keeper("2.0.0"), "shipped.txt": "500" });
    await done(await client.plugins.update({ key, yes: true }));
    expect(await count("ada")).toBe("3 103 3 of 2.0.0");
    expect(await count("bob")).toBe("2 102 2 of 2.0.0");
  });
  await during(folder, async ({ client, done, count }) => {
    await done(await client.plugins.rollback({ key, yes: true }));
    expect(await count("ada")).toBe("4 104 4 of 1.0.0");
    await client.plugins.uninstall({ key });
    await expect(count("ada")).rejects.toMatchObject({ code: "TOOL_NOT_FOUND" });
  });
  await during(folder, async ({ client, done, enable, count }) => {
    await done(await client.jobs.install({ spec: dir, yes: true }));
    await enable("ada", "bob");
    expect(await count("ada")).toBe("5 105 5 of 2.0.0");
    expect(await count("bob")).toBe("3 103 3 of 2.0.0");
    await client.agents.remove({ agentId: "ada" });
    for (const { id } of await client.removed.list()) await client.removed.delete({ id });
    await client.agents.create(create);
    await enable("ada");
    expect(await count("ada")).toBe("1 501 1 of 2.0.0");
    expect(await count("bob")).toBe("4 104 4 of 2.0.0");
  });
  await rm(folder, { recursive: true, force: true });
}, 60_000);

test("a plugin that keeps its scores in its own folder goes on with them after starts, updates and installations", async () => {
  const dir = join(bench.folder, "counter");
  await mkdir(dir);
  await writeFiles(dir, files("1.0.0"));
  const done = async (...args: string[]) => {
    const ended = await bench.patchbay(args);
    expect(ended.stderr + ended.stdout).not.toContain("not those that were installed");
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout.trim();
  };
  const count = () => done("tool", "call", "fledge_counter__count", "--agent", "helper", "--yes");
  await done("plugin", "install", dir, "--yes");
  await done("plugin", "enable", "fledge-counter", "--agent", "helper");
  expect(await count()).toBe("1");
  expect(await count()).toBe("2");
  expect(await done("plugin", "list")).not.toContain("failed to load");
  await writeFiles(dir, files("1.1.0"));
  await done("plugin", "update", "fledge-counter", "--yes");
  expect(await count()).toBe("3");
  await done("plugin", "uninstall", "fledge-counter");
  await done("plugin", "install", dir, "--yes");
  await done("plugin", "enable", "fledge-counter", "--agent", "helper");
  expect(await count()).toBe("4");
});
