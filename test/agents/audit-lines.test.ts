import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { expect, test } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { Workbench } from "./workbench.ts";

const fixture = (name: string) => join(import.meta.dirname, "..", "fixtures", "plugins", name);

type Line = { kind: string; pluginKey?: string; [detail: string]: unknown };

/** A whole app with an agent `ada` and one plugin; `lines` closes it and reads its audit. */
async function openApp(plugin: string) {
  const root = await mkdtemp(join(tmpdir(), "patchbay-audit-"));
  const app = await createApp(await testPlatform(join(root, "home")));
  const client = createRouterClient(app.router, { context: { caller: callerHere() } });
  const script = join(root, "script.json");
  await writeFile(script, JSON.stringify([{ say: "Hello." }]));
  await client.agents.create({ id: "ada", name: "Ada", model: { kind: "scripted", file: script } });
  const { id } = await client.jobs.install({ spec: fixture(plugin), yes: true });
  for await (const job of await client.jobs.watch({ id })) if (job.endedAt) break;
  const say = async (text: string) => {
    for await (const _event of await client.sessions.prompt({ agentId: "ada", text }));
  };
  const lines = async () => {
    await app.close();
    const folder = join(root, "home", "audit");
    const days = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
    const texts = await Promise.all(days.map((name) => readFile(join(folder, name), "utf8")));
    const all = texts.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line) as Line);
    const kinds = /^(plugin\.(started|stopped|failed)|command\.run|message\.dropped|tool\.called)$/;
    return all.filter(({ kind, pluginKey }) => pluginKey === plugin && kinds.test(kind));
  };
  return {
    client,
    say,
    lines,
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

test("starts, stops, commands and dropped messages have one line each, with agent and plugin", async () => {
  await using app = await openApp("sieve");
  const place = { agentId: "ada", key: "sieve" };
  await app.client.agentPlugins.set({ ...place, enabled: true });
  await app.say("You won the lottery");
  await app.say("/SORTED today");
  await app.say("/nonsense");
  await app.client.agentPlugins.restart(place);
  await app.client.agentPlugins.set({ ...place, enabled: false });

  const lines = await app.lines();

  const who = { agentId: "ada", pluginKey: "sieve" };
  const started = { kind: "plugin.started", ...who, version: "1.0.0", ms: expect.any(Number) };
  const expected = [
    started,
    {
      kind: "message.dropped",
      ...who,
      event: "session.message.received@v1",
      sessionId: expect.stringMatching(/./),
    },
    { kind: "command.run", ...who, command: "sorted", outcome: "done", caller: { kind: "owner" } },
    { kind: "plugin.stopped", ...who, reason: "restart" },
    started,
    { kind: "plugin.stopped", ...who, reason: "disabled" },
  ];
  expect(lines).toHaveLength(expected.length);
  for (const line of expected) expect(lines).toContainEqual(expect.objectContaining(line));
});

test("a plugin that cannot start has one line with the reason", async () => {
  await using app = await openApp("misfit");
  const config = { start: "throw" };
  await app.client.agentPlugins.set({ agentId: "ada", key: "misfit", config, enabled: true });
  // It has nothing but tools, so it waits for its use.
  await app.client.agentPlugins.restart({ agentId: "ada", key: "misfit" });
  expect(await app.lines()).toMatchObject([
    {
      kind: "plugin.failed",
      agentId: "ada",
      code: expect.any(String),
      message: expect.stringContaining("no coffee"),
    },
  ]);
});

test("a call that a plugin blocked names that plugin", async () => {
  const bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  bench.pool.tool("p", "p__one", () => "1").tool("p", "p__two", () => "2");
  bench.pool.on("guard", "tool.before@v1", ({ toolName }: { toolName: string }) =>
    toolName === "p__one" ? { allow: false, reason: "no" } : { allow: true },
  );
  await bench.call("p__one");
  await bench.call("p__two");
  await bench[Symbol.asyncDispose]();

  expect(bench.audit).toMatchObject([
    { kind: "tool.called", agentId: "a", pluginKey: "p", outcome: "vetoed", blockedBy: "guard" },
    { kind: "tool.called", agentId: "a", pluginKey: "p", outcome: "executed" },
  ]);
  expect(bench.audit[1]).not.toHaveProperty("blockedBy");
});

test("a command that fails has a line, and a built-in one names no plugin", async () => {
  const bench = await Workbench.open();
  bench.pool.command("p", "boom", () => Promise.reject(new Error("no")));
  await expect(bench.prompt("/boom")).rejects.toMatchObject({ code: "COMMAND_FAILED" });
  await bench.prompt("/help");
  await bench[Symbol.asyncDispose]();

  expect(bench.audit).toMatchObject([
    { kind: "command.run", agentId: "a", pluginKey: "p", command: "boom", outcome: "failed" },
    { kind: "command.run", agentId: "a", command: "help", outcome: "done" },
  ]);
  expect(bench.audit[1]).not.toHaveProperty("pluginKey");
});
