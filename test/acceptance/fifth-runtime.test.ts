import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { expect, test } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { modelServer, openaiStream } from "../agents/model-server.ts";
import { testPlatform } from "../catalog/support.ts";
import { fifthRuntime } from "../support/fifth-runtime.ts";

async function openApp() {
  const root = await mkdtemp(join(tmpdir(), "patchbay-fifth-"));
  const app = await createApp(await testPlatform(join(root, "home")), { runtimes: [fifthRuntime] });
  const client = createRouterClient(app.router, { context: { caller: callerHere() } });
  app.gatewayOpened("http://127.0.0.1:0");
  const jobThat = async (id: string, is: "waiting" | "ended") => {
    for await (const job of await client.jobs.watch({ id }))
      if (job.endedAt || (is === "waiting" && job.status === "waiting")) return job;
    throw new Error("the job went nowhere");
  };
  return {
    client,
    jobThat,
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

test("a fifth plugin system needs no other file: an endpoint is consented to, installed, run and called, and its new tools are seen", async () => {
  await using app = await openApp();
  const { client } = app;
  expect((await client.app.info()).runtimes).toContainEqual({ id: "desk", displayName: "Desk services" });

  const { id } = await client.jobs.install({ spec: "desk:mine" });
  const waiting = await app.jobThat(id, "waiting");
  expect(waiting.consent).toMatchObject({
    runtime: "desk",
    trust: "unverified",
    source: { kind: "endpoint", spec: "desk:mine", integrity: null, treeHash: null },
    asks: { hosts: ["desk.example"], files: "none", grants: ["drawers"] },
    hasScripts: false,
  });
  await client.jobs.consent({ id, accept: true });
  const done = await app.jobThat(id, "ended");
  expect(done).toMatchObject({ status: "done", problem: null });
  const skipped = done.phases.filter(({ status }) => status === "skipped").map(({ phase }) => phase);
  expect(skipped).toEqual(["download", "verify", "place"]);
  expect(await client.plugins.get({ key: "desk" })).toMatchObject({
    artifact: { kind: "endpoint", url: "desk:mine" },
    consent: { grants: ["drawers"] },
    loadProblem: null,
  });

  await using model = await modelServer([
    { events: openaiStream({ calls: [{ id: "1", name: "desk__open__drawer", arguments: ["{}"] }] }) },
    { events: openaiStream({ calls: [{ id: "2", name: "desk__a__b__c", arguments: ["{}"] }] }) },
    { events: openaiStream({ text: ["Found it."] }) },
  ]);
  await client.agents.create({
    id: "ada",
    name: "Ada",
    policy: [{ tool: "*", effect: "allow" }],
    model: { kind: "openai-compatible", model: "local", baseUrl: `${model.url}/v1` },
  });
  await client.agentPlugins.set({ agentId: "ada", key: "desk", enabled: true });
  expect(await client.agentPlugins.get({ agentId: "ada", key: "desk" })).toMatchObject({
    instance: { state: "running" },
  });
  const events: { type: string }[] = [];
  for await (const event of await client.sessions.prompt({ agentId: "ada", text: "Look in the desk." }))
    events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "done" });
  const offered = model.requests.map(({ body }) =>
    (body.tools as { function: { name: string } }[])
      .map((each) => each.function.name)
      .filter((name) => name.startsWith("desk__")),
  );
  const both = ["desk__a__b__c", "desk__open__drawer"];
  expect(offered.map((names) => names.toSorted())).toEqual([["desk__open__drawer"], both, both]);
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain("pulled desk__a__b__c");

  expect(
    (await client.agentPlugins.get({ agentId: "ada", key: "desk" })).instance.contributions?.notes,
  ).toEqual(["It offers a.b.c, which it did not declare."]);

  await client.plugins.uninstall({ key: "desk" });
  expect(await client.plugins.list()).toEqual([]);
});
