import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { expect, test, vi } from "vitest";
import { describeConsent } from "../../src/cli/terminal/consent-words.ts";
import { holdsItself } from "../../src/contract/index.ts";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { forgetWalls } from "../../src/main/platform/walls/start.ts";
import { settingsSchema, settingsWords } from "../../src/main/runtimes/fledge/manifest/settings.ts";
import { testPlatform } from "../catalog/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { boxedPlugin, namedPlugin } from "../support/fledge-manifests.ts";

/** What the person is told of a fledge plugin: before it is installed, when it calls, and afterwards in the audit. */

async function openApp() {
  const root = await mkdtemp(join(tmpdir(), "patchbay-told-"));
  const home = join(root, "home");
  const app = await createApp(await testPlatform(home));
  const client = createRouterClient(app.router, { context: { caller: callerHere() } });
  app.gatewayOpened("http://127.0.0.1:0");
  const until = async (id: string, isIt: (job: { status: string; endedAt: string | null }) => boolean) => {
    for await (const job of await client.jobs.watch({ id })) if (isIt(job) || job.endedAt) return job;
    throw new Error("the job did not end");
  };
  return {
    root,
    home,
    client,
    asked: async (spec: string) =>
      until((await client.jobs.install({ spec })).id, ({ status }) => status === "waiting"),
    install: async (spec: string, allowScripts = false) =>
      until((await client.jobs.install({ spec, yes: true, allowScripts })).id, () => false),
    audited: async (kind: string): Promise<Record<string, unknown>[]> => {
      const days = await readdir(join(home, "audit"));
      const texts = await Promise.all(
        days.filter((day) => day.endsWith(".jsonl")).map((day) => readFile(join(home, "audit", day), "utf8")),
      );
      return texts
        .flatMap((text) => text.split("\n").filter(Boolean))
        .map((line) => JSON.parse(line))
        .filter((line) => line.kind === kind);
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const commands = `${namedPlugin}args = [{ name = "api_key", type = "string" }, { name = "code", type = "integer" }]
`;

/** Its hooks are a table, as fledge's own documents write them. */
const named = `${commands}[hooks]
post_work_start = "./greet --all"
post_install = "true"
pre_push = "./check"
`;

/** The same, with hooks as a list. */
const listed = `${commands}[[hooks]]
name = "post_work_start"
command = "./greet --all"
[[hooks]]
name = "post_install"
command = "true"
[[hooks]]
pre_push = "./check"
`;

test.each([
  ["a table", named],
  ["a list", listed],
])(
  "consent and the plugin's page name its commands and the programs of its hooks (%s)",
  async (_as, manifest) => {
    await using app = await openApp();
    const dir = join(app.root, "named");
    await writeFiles(dir, { "plugin.toml": manifest, go: "#!/bin/sh\n", greet: "#!/bin/sh\n" });
    const { consent } = await app.asked(dir);
    const commands = [{ name: "deploy", description: "Sends it out.", dangerous: true }];
    const hooks = [
      { name: "post_work_start", command: "./greet --all", runs: true },
      { name: "pre_push", command: "./check", runs: false },
    ];
    expect(consent?.asks).toMatchObject({ commands, hooks });
    const said = consent ? describeConsent(consent) : "";
    expect(said).toContain("Command: deploy (dangerous)  Sends it out.");
    expect(said).toContain("Hook: post_work_start: ./greet --all\n");
    expect(said).toContain("Hook: pre_push: ./check (never runs here)");
    await app.install(dir);
    const [plugin] = await app.client.plugins.list();
    expect(plugin?.consent).toMatchObject({ commands, hooks });
  },
);

test("of a plugin of WebAssembly it is said what holds it, and nothing of the network that it has not", async () => {
  await using app = await openApp();
  const dir = join(app.root, "boxed");
  await writeFiles(dir, { "plugin.toml": boxedPlugin, "go.wasm": "\0asm" });
  const { consent } = await app.asked(dir);
  const held = { hosts: [], files: "read", enforced: true, sandboxed: true, keepsMb: 256 };
  expect(consent?.asks).toMatchObject(held);
  expect(consent?.grants?.files.workspace).toBe("read");
  expect(consent ? describeConsent(consent) : "").toContain(
    "It can read files in the workspace, and change nothing.",
  );
  expect(consent?.enforcement).toContain("a sandbox on every system");
  expect(consent?.enforcement).not.toContain("not a sandbox");
  expect(consent?.enforcement).toContain("keep up to 256 MB of its own in /plugin");
  expect(consent?.asks.grants).toContain("network (which WebAssembly plugins do not have)");
});

test("of a plugin of WebAssembly that has commands run, nothing is promised where no walls hold those", async () => {
  const boxed = { runtime: "fledge", declaration: { details: { runtime: "wasm", grants: { exec: false } } } };
  const runs = { runtime: "fledge", declaration: { details: { runtime: "wasm", grants: { exec: true } } } };
  expect([holdsItself(boxed), holdsItself(runs)]).toEqual([true, false]);
  await using app = await openApp();
  const dir = join(app.root, "boxed");
  const text = boxedPlugin.replace('filesystem = "plugin"', "exec = true");
  await writeFiles(dir, { "plugin.toml": text, "go.wasm": "\0asm" });
  await writeFile(join(app.root, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${app.root}:${process.env.PATH}`);
  forgetWalls();
  try {
    const { consent } = await app.asked(dir);
    expect(consent?.asks).toMatchObject({
      files: "workspace",
      programs: true,
      enforced: false,
      sandboxed: true,
    });
  } finally {
    vi.unstubAllEnvs();
    forgetWalls();
  }
});

test("the settings of every fledge plugin have their words in German", async () => {
  const { properties } = settingsSchema;
  const said = Object.values(properties).flatMap(({ title, description }) => [title, description]);
  expect(Object.keys(settingsWords.de ?? {})).toEqual(said);
  await using app = await openApp();
  const dir = join(app.root, "named");
  await writeFiles(dir, { "plugin.toml": named, go: "#!/bin/sh\n", greet: "#!/bin/sh\n" });
  await app.install(dir);
  const [plugin] = await app.client.plugins.list();
  expect(plugin?.declaration.words).toEqual(settingsWords);
});

test("values of arguments that are named like secrets are in no question, and the audit says what was hidden", async () => {
  await using app = await openApp();
  const { client } = app;
  const dir = join(app.root, "named");
  await writeFiles(dir, {
    "plugin.toml": named,
    go: '#!/bin/sh\nexit "$2"\n',
    greet: "#!/bin/sh\n",
  });
  await app.install(dir, true);
  await client.agents.create({ id: "ada", name: "ada", policy: [] });
  await client.agentPlugins.set({ agentId: "ada", key: "fledge-named", enabled: true });
  const input = { api_key: "hunter2-hunter2", code: 7 };
  const call = client.tools.call({ agentId: "ada", name: "fledge_named__deploy", input });
  const ended = expect(call).rejects.toMatchObject({ code: "TOOL_FAILED" });
  await expect.poll(async () => (await client.approvals.list({})).length).toBe(1);
  const [question] = await client.approvals.list({});
  expect(question?.arguments).toEqual({ api_key: "[hidden]", code: 7 });
  await client.approvals.decide({ id: question?.id ?? "", answer: { decision: "allow", scope: "once" } });
  await ended;
  expect(JSON.stringify(await client.approvals.list({}))).not.toContain("hunter2");
  const file = join(app.home, "agents", "ada", "approvals.jsonl");
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(await readFile(file, "utf8")).not.toContain("hunter2");
  await expect
    .poll(() => app.audited("tool.called"))
    .toMatchObject([
      { tool: "fledge_named__deploy", outcome: "failed", exitCode: 7, redacted: ["arguments.api_key"] },
    ]);
});

test("the audit of an installation has its trust, the risk that was taken and the scripts that ran", async () => {
  await using app = await openApp();
  const dir = join(app.root, "named");
  await writeFiles(dir, { "plugin.toml": named, go: "#!/bin/sh\n", greet: "#!/bin/sh\n" });
  await app.install(dir, true);
  expect(await app.audited("plugin.installed")).toMatchObject([
    { trust: "local", risk: null, scripts: [{ name: "post_install", command: "true" }] },
  ]);
});

test("links to a plugin's programs that a crash left go with its uninstallation, and no others", async () => {
  await using app = await openApp();
  const dir = join(app.root, "named");
  await writeFiles(dir, { "plugin.toml": named, go: "#!/bin/sh\n", greet: "#!/bin/sh\n" });
  await app.install(dir);
  const left = join(app.home, "fledge-bin", "fledge-named", "gone");
  const others = join(app.home, "fledge-bin", "fledge-my-fledge-named", "ada");
  await mkdir(left, { recursive: true });
  await mkdir(others, { recursive: true });
  await app.client.plugins.uninstall({ key: "fledge-named" });
  expect(existsSync(left)).toBe(false);
  expect(existsSync(others)).toBe(true);
});
