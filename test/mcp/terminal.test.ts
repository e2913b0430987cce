import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { type Bench, openBench } from "../cli/support.ts";
import { type Client, connectSocket } from "../gateway/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { serverFolder } from "./server-folder.ts";

let bench: Bench;
let app: RunningApp;
let client: Client;
let socket: WebSocket;
const run = (...args: string[]) => bench.patchbay(args, { cwd: bench.folder });

beforeAll(async () => {
  bench = await openBench();
  const script = join(bench.folder, "script.json");
  await writeFile(script, JSON.stringify([{ say: "Read." }, { say: "Read." }]));
  await run("agent", "create", "helper", "--model", `scripted:${script}`, "--workspace", bench.folder);
  app = await startApp(bench.home);
  ({ client, socket } = await connectSocket(app));
  for (const [key, name] of [
    ["shelf", "shelf-legacy"],
    ["second", "shelf-modern"],
    ["notes", "changing"],
  ] as const) {
    const folder = await serverFolder(join(bench.folder, `given-${key}`), name, { key });
    const { id } = await client.jobs.install({ spec: folder, yes: true });
    for await (const job of await client.jobs.watch({ id })) if (job.endedAt) expect(job.problem).toBeNull();
    await client.agentPlugins.set({ agentId: "helper", key, enabled: true });
  }
}, 120_000);
afterAll(async () => {
  socket?.terminate();
  await app?.close();
  await bench?.remove();
});

test("a resource is attached by its address, with its plugin where several have it, and nothing is sent without it", async () => {
  const prompt = (uri: string) => run("agent", "prompt", "helper", "Look", "--attach", uri, "--json");
  expect((await prompt("shelf://notes")).json()).toMatchObject({
    error: { code: "NOT_FOUND", message: "Several plugins have shelf://notes." },
  });
  const sent = await prompt("shelf@shelf://notes");
  expect(sent.json()).toMatchObject({ sessionId: expect.any(String) });
  const { sessionId } = sent.json<{ sessionId: string }>();
  const shown = await run("agent", "session", "export", "helper", sessionId, "out.json", "--format", "json");
  expect(shown.code).toBe(0);
  expect((await run("agent", "session", "show", "helper", sessionId)).stdout).toContain("notes");

  expect((await prompt("shelf://nowhere")).json()).toMatchObject({
    error: {
      code: "NOT_FOUND",
      message: "No plugin of the agent lists shelf://nowhere.",
      help: "Name the plugin: PLUGIN@shelf://nowhere",
    },
  });
  expect((await prompt("shelf@file:///etc/passwd")).json()).toMatchObject({
    error: { code: "RESOURCE_UNREADABLE", message: expect.stringContaining("of shelf cannot be read") },
  });
});

test("what a plugin says now is reviewed, and accepted in part or whole; a held prompt says where", async () => {
  await client.tools.call({
    agentId: "helper",
    name: "notes__become",
    input: { mode: "everything" },
    yes: true,
  });
  // It is asked for its lists again when it has said that they changed, which may be after its answer.
  const toLookAt = async () =>
    (await client.plugins.list()).find(({ manifestKey }) => manifestKey === "notes")?.toLookAt ?? 0;
  await expect.poll(toLookAt).toBeGreaterThan(0);
  const review = await run("plugin", "review", "notes");
  expect(review.stdout).toContain("notes.read (changed)");
  expect(review.stdout).toContain("+ Reads a file. Or not.");
  expect(review.stdout).toContain("Accept it with: patchbay plugin review notes --accept");
  const held = await run("command", "run", "/notes:tidy", "--agent", "helper");
  expect(held.code).not.toBe(0);
  expect(held.stderr).toContain("/notes:tidy is held");
  expect(held.stderr).toContain("patchbay plugin review");

  expect((await run("plugin", "review", "notes", "--keep", "--only", "notes.write")).stdout).toContain(
    "left held: notes.write",
  );
  // What an agent will believe is for the person alone to say.
  const unproven = await run("plugin", "review", "notes", "--accept", "--only", "notes__read");
  expect(unproven.code).not.toBe(0);
  await app.cli("plugin", "review", "notes", "--accept", "--only", "notes__read");
  const tools = await run("plugin", "tools", "helper", "notes");
  expect(tools.stdout).toContain("notes__read  offered");
  expect(tools.stdout).toContain("notes__write  held: it says something else than before");
  expect((await run("plugin", "review", "notes", "--accept", "--keep", "--json")).json()).toMatchObject({
    error: { code: "BAD_INPUT" },
  });
  expect(await app.cli("plugin", "review", "notes", "--accept")).toMatchObject({ held: [] });
  expect((await run("plugin", "review", "notes")).stdout).toContain("There is nothing to look at");
});
