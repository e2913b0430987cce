import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { WebSocket } from "ws";
import type { SetupView } from "../../src/contract/index.ts";
import { type Client, connectSocket } from "../gateway/support.ts";
import { person } from "../support/platforms/signal/accounts.ts";
import { SignalServer } from "../support/platforms/signal/server.ts";
import { WeChatServer } from "../support/platforms/wechat/server.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** The wizards of the channels that are paired with a phone, through the app as people run it. */
let folder: string;
let app: RunningApp;
let client: Client;
let socket: WebSocket;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-pairing-"));
  app = await startApp(folder);
  ({ client, socket } = await connectSocket(app));
  await client.agents.create({ id: "ada", name: "Ada" });
});
afterEach(async () => {
  socket.terminate();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function install(key: string): Promise<void> {
  const { id } = await client.jobs.install({ spec: resolve("out/plugins", key), yes: true });
  for await (const job of await client.jobs.watch({ id })) if (job.endedAt) expect(job.problem).toBeNull();
}

/** The wizard when its step is of this kind; asks as the screen does. */
async function step<K extends SetupView["step"]["kind"]>(
  key: string,
  kind: K,
): Promise<SetupView & { step: Extract<SetupView["step"], { kind: K }> }> {
  for (;;) {
    const view = await client.setup.get({ agentId: "ada", key });
    if (view?.step.kind === kind)
      return view as SetupView & { step: Extract<SetupView["step"], { kind: K }> };
    if (view?.step.kind === "error") throw new Error(JSON.stringify(view.step));
    if (view) await client.setup.poll({ agentId: "ada", key, sessionId: view.id });
  }
}

async function running(key: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { instance, runtimeState } = await client.agentPlugins.get({ agentId: "ada", key });
    if (instance.state === "running" && runtimeState?.status === "connected") return runtimeState;
  }
}

it("WeChat is connected by scanning a code, and its token stands in no file", async () => {
  await using server = await WeChatServer.open();
  await install("wechat");
  await client.setup.begin({ agentId: "ada", key: "wechat" });
  const first = await step("wechat", "form");
  await client.setup.submit({
    agentId: "ada",
    key: "wechat",
    sessionId: first.id,
    stepId: first.step.id,
    answer: { kind: "values", values: { service: server.origin } },
  });
  await step("wechat", "external");
  server.desk.scan("77");
  const form = await step("wechat", "form");
  await client.setup.submit({
    agentId: "ada",
    key: "wechat",
    sessionId: form.id,
    stepId: form.step.id,
    answer: { kind: "values", values: { digits: "77" } },
  });
  server.desk.confirm();
  await step("wechat", "done");
  expect(await running("wechat")).toMatchObject({ account: "helper@im.bot" });
  const { config } = await client.agentPlugins.get({ agentId: "ada", key: "wechat" });
  expect(config).toMatchObject({ channel: { owners: ["scanner@im.wechat"], botId: "helper@im.bot" } });
  const token = server.accounts[0]?.token ?? "";
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) expect(await readFile(join(name.parentPath, name.name), "utf8")).not.toContain(token);
  }
});

it("Signal is connected by its server's address and a code for the phone", async () => {
  await using server = await SignalServer.open();
  await install("signal");
  await client.setup.begin({ agentId: "ada", key: "signal" });
  const form = await step("signal", "form");
  await client.setup.submit({
    agentId: "ada",
    key: "signal",
    sessionId: form.id,
    stepId: form.step.id,
    answer: { kind: "values", values: { server: server.origin, owners: "+491000001" } },
  });
  const shown = await step("signal", "external");
  expect(JSON.stringify(shown.step)).toContain(server.links[0]);
  server.scan(person("Ada", "+491000000"));
  await step("signal", "done");
  expect(await running("signal")).toMatchObject({ account: "+491000000" });
  const { config } = await client.agentPlugins.get({ agentId: "ada", key: "signal" });
  expect(config).toMatchObject({ channel: { number: "+491000000", owners: ["+491000001"] } });
});
