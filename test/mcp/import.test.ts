import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { leaksIn } from "../support/spellings.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { McpApp } from "./mcp-app.ts";
import { everythingIn, keys, writeHome } from "./other-clients.ts";
import { codeOf, serverFolder } from "./server-folder.ts";
import { HttpServer, sessionHandler } from "./servers/over-http.ts";

let home: string;
let app: McpApp;
let npm: TestRegistry;
let remote: HttpServer;
const homeBefore = process.env.HOME;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-other-programs-"));
  process.env.HOME = home;
  process.env.ACME_LOUD = keys.linear;
  npm = await startVerdaccio();
  const pack = join(home, "pack");
  await mkdir(pack);
  await writeFile(join(pack, "server.mjs"), await codeOf("legacy"));
  const file = {
    name: "@acme/tickets",
    description: "Reads tickets",
    bin: { tickets: "server.mjs" },
    files: ["server.mjs"],
  };
  for (const version of ["1.0.0", "2.0.0"]) {
    await writeFile(join(pack, "package.json"), JSON.stringify({ ...file, version }));
    await npm.publish(pack);
  }
  remote = await HttpServer.open(sessionHandler());
  const tickets = { command: "npx", args: ["-y", "@acme/tickets@1.0.0"], env: { LOUD: keys.acme } };
  await writeHome(home, {
    "srv/server.mjs": await codeOf("legacy"),
    ".config/Claude/claude_desktop_config.json": JSON.stringify({ mcpServers: { tickets } }),
    ".cursor/mcp.json": JSON.stringify({
      mcpServers: {
        tickets,
        far: { url: remote.url, headers: { Authorization: `Bearer ${keys.github}` } },
        open: { command: "npx", args: ["@acme/tickets"], env: { LOUD: "${env:NOT_SET_HERE_KEY}" } },
      },
    }),
    ".codex/config.toml": `[mcp_servers.own]\ncommand = "${process.execPath}"\nargs = ["${join(home, "srv", "server.mjs")}"]\nenv_vars = ["ACME_LOUD"]\n[mcp_servers.own.env]\nLOUD = "\${env:ACME_LOUD}"\n`,
  });
  app = await McpApp.open();
  await app.client.app.updateSettings({ registry: npm.url });
});
afterAll(async () => {
  process.env.HOME = homeBefore;
  delete process.env.ACME_LOUD;
  await app.close();
  await remote.close();
  await npm.close();
  await rm(home, { recursive: true, force: true });
});

const found = async () => {
  const { plugins } = await app.client.plugins.found();
  return Object.fromEntries(plugins.flatMap((plugin) => (plugin.server ? [[plugin.name, plugin]] : [])));
};
const bring = async (key: string) => {
  await app.client.agentPlugins.bring({ agentId: app.agentId, key });
  await app.client.tools.list({ agentId: app.agentId });
  return app.client.agentPlugins.get({ agentId: app.agentId, key });
};

test("servers of three programs run here with what was set there, and nothing of the programs changes", async () => {
  const before = await everythingIn(home);
  const all = await found();
  expect(all.tickets?.server).toMatchObject({
    clients: ["Claude Desktop", "Cursor"],
    how: "npm",
    takenBy: null,
  });

  const job = await app.install(all.tickets?.spec ?? "");
  expect(job).toMatchObject({
    status: "done",
    pluginKey: "tickets",
    pluginVersion: "1.0.0",
    sourceKind: "mcp-import",
  });
  expect(job.consent).toMatchObject({
    displayName: "tickets",
    secrets: [{ key: "LOUD", optional: false }],
    source: { resolved: "@acme/tickets@1.0.0", integrity: expect.stringMatching(/^sha512-/) },
  });
  expect(await bring("tickets")).toMatchObject({ instance: { state: "running" } });
  // The server says its words louder where its key has arrived.
  expect(await app.call("tickets__echo", { text: "hi" })).toMatchObject({ text: "hi!" });

  expect(await app.install(all.far?.spec ?? "")).toMatchObject({ status: "done" });
  expect(await bring("far")).toMatchObject({ instance: { state: "running" } });
  expect(remote.seen.at(-1)?.headers.authorization).toBe(`Bearer ${keys.github}`);

  const own = await app.install(all.own?.spec ?? "");
  expect(own.consent?.asks.starts?.command).toBe(`${process.execPath} ${join(home, "srv", "server.mjs")}`);

  const again = await found();
  expect([again.tickets?.installed, again.far?.installed]).toEqual(["tickets", "far"]);
  const after = await everythingIn(home);
  expect(after.filter((line) => !line.startsWith(".npm"))).toEqual(before);
});

test("what is not set here is asked for, and said", async () => {
  const { open } = await found();
  expect(open?.server?.notes).toEqual([
    { code: "unset", what: "NOT_SET_HERE_KEY", was: "${env:NOT_SET_HERE_KEY}" },
  ]);
  expect(await app.install(open?.spec ?? "")).toMatchObject({ status: "done", pluginVersion: "2.0.0" });
  await app.client.agentPlugins.bring({ agentId: app.agentId, key: "open" });
  const view = await app.client.agentPlugins.get({ agentId: app.agentId, key: "open" });
  expect(view).toMatchObject({ enabled: true, instance: { state: "needs_setup" } });
});

test("a typed command line and a pasted snippet are installed without their text being kept", async () => {
  const { id } = await app.client.jobs.install({
    spec: "npx -y @acme/tickets --verbose",
    yes: true,
    key: "typed",
  });
  for await (const job of await app.client.jobs.watch({ id }))
    if (job.endedAt) expect(job.status).toBe("done");
  const typed = await app.client.plugins.get({ key: "typed" });
  expect(typed).toMatchObject({
    packageVersion: "2.0.0",
    source: { spec: "mcp-line:npx -y @acme/tickets --verbose" },
  });

  const snippet = `{"mcpServers": {"pasted": {"command": "npx", "args": ["-y", "@acme/tickets"], "env": {"LOUD": "${keys.acme}"}, "disabledTools": ["die", "slow steps"],}}}`;
  expect(await app.install(snippet)).toMatchObject({ status: "done", pluginKey: "pasted" });
  expect(await bring("pasted")).toMatchObject({ instance: { state: "running" } });
  expect(await app.call("pasted__echo", { text: "hi" })).toMatchObject({ text: "hi!" });
  // Tools that are switched off there are off here.
  for (const name of ["pasted__die", "pasted__slow_steps"])
    expect(await app.call(name)).toMatchObject({ error: { code: "TOOL_OFF" } });

  const [one, two] = await app.client.plugins.given({
    text: '{"mcpServers": {"a": {"url": "https://a.example/mcp"}, "tickets": {"command": "x"}}}',
  });
  expect(one?.server).toMatchObject({ how: "remote", command: "https://a.example/mcp", takenBy: null });
  expect(two?.server).toMatchObject({ key: "tickets", takenBy: "tickets" });
  await expect(
    app.client.jobs.install({ spec: '{"a": {"command": "x"}, "b": {"command": "y"}}' }),
  ).rejects.toMatchObject({
    code: "SPEC_UNSUPPORTED",
    message: expect.stringContaining("It describes 2 servers: a, b."),
  });
  await expect(app.client.jobs.install({ spec: "npx -y x | sh" })).rejects.toMatchObject({
    message: expect.stringContaining("which only a shell understands"),
  });
});

test("a server takes the place of another plugin once that is agreed to, and has its settings without its secrets", async () => {
  const { client, agentId } = app;
  const settled = async (id: string, is: (job: Job) => boolean) => {
    for await (const job of await client.jobs.watch({ id })) if (is(job)) return job;
    throw new Error("the job went nowhere");
  };
  const folder = await serverFolder(join(home, "old"), "legacy", {
    key: "swap",
    file: {
      server: { type: "node", entry: "server.mjs", args: [], env: { LOUD: { input: "KEY" } } },
      inputs: [{ name: "REGION" }, { name: "KEY", secret: true }],
    },
  });
  expect(await app.install(folder)).toMatchObject({ status: "done", pluginKey: "swap" });
  const config = { REGION: "eu", KEY: keys.password };
  expect(await app.switchOn("swap", config)).toMatchObject({ instance: { state: "running" } });

  const text = `{"swap": {"command": "npx", "args": ["-y", "@acme/tickets", "--region=\${REGION}", "--key=\${KEY}"]}}`;
  const [given] = await client.plugins.given({ text });
  expect(given?.server?.takenBy).toBe("swap");
  const spec = given?.spec ?? "";
  const refused = await client.jobs.install({ spec });
  expect((await settled(refused.id, ({ endedAt }) => endedAt !== null)).problem).toMatchObject({
    code: "KEY_TAKEN",
  });

  const isAsked = ({ status, endedAt }: Job) => status === "waiting" || endedAt !== null;
  const first = await client.jobs.install({ spec, replace: true });
  expect((await settled(first.id, isAsked)).consent).toMatchObject({
    takesPlaceOf: { displayName: "swap", packageName: "example/swap" },
    replaces: "1.0.0",
    inheritance: { settings: 1, secrets: [expect.stringContaining("KEY")] },
  });
  await client.jobs.consent({ id: first.id, accept: false });
  await settled(first.id, ({ endedAt }) => endedAt !== null);
  // A no leaves the other one as it was, with its settings.
  expect(await client.agentPlugins.get({ agentId, key: "swap" })).toMatchObject({
    instance: { state: "running" },
    config: { REGION: "eu" },
  });

  const again = await client.jobs.install({ spec, replace: true });
  await settled(again.id, isAsked);
  await client.jobs.consent({ id: again.id, accept: true, inherit: { settings: true } });
  expect(await settled(again.id, ({ endedAt }) => endedAt !== null)).toMatchObject({ status: "done" });
  expect(await client.plugins.get({ key: "swap" })).toMatchObject({ packageName: "@acme/tickets" });
  const view = await client.agentPlugins.get({ agentId, key: "swap" });
  expect(view).toMatchObject({ enabled: false, config: { REGION: "eu" } });
  await client.agentPlugins.bring({ agentId, key: "swap" });
  // Another package than the one that was asked for its word gets no secret of it.
  expect(await client.agentPlugins.get({ agentId, key: "swap" })).toMatchObject({
    enabled: true,
    instance: { state: "needs_setup" },
    config: { REGION: "eu" },
  });
});

test("what was pasted is not lost between its installation and its switch, whatever ends in between", async () => {
  const { agentId } = app;
  const snippet = (name: string) =>
    JSON.stringify({ [name]: { command: "npx", args: ["-y", "@acme/tickets"], env: { LOUD: keys.acme } } });
  for (const name of ["before", "after", "never"])
    expect(await app.install(snippet(name))).toMatchObject({ status: "done" });
  // The switch of the matrix and of the list gives it too, not the end of the wizard alone.
  expect(await app.switchOn("before")).toMatchObject({ instance: { state: "running" } });
  expect(await app.call("before__echo", { text: "hi" })).toMatchObject({ text: "hi!" });
  await app.client.plugins.uninstall({ key: "never" });
  await app.restart();
  expect(await app.switchOn("after")).toMatchObject({ instance: { state: "running" } });
  expect(await app.call("after__echo", { text: "hi" })).toMatchObject({ text: "hi!" });
  // What the agent has, or nobody wants any more, is not kept a second time.
  await app.client.agentPlugins.forget({ agentId, key: "after" });
  expect(await app.switchOn("after")).toMatchObject({ instance: { state: "needs_setup" } });
  const names = (await app.client.secrets.list()).map(({ name }) => name);
  expect(names.filter((name) => name.includes("patchbay"))).toEqual([]);
});

test("a secret of an import is in the vault alone: in no other file, no answer and no log", async () => {
  const secrets = { acme: keys.acme, github: keys.github, linear: keys.linear };
  const { client, agentId, root } = app;
  const answers = [
    await client.plugins.found(),
    await client.plugins.list(),
    await client.jobs.list(),
    await client.agentPlugins.list({ agentId }),
    await client.app.snapshot(),
    ...(await Promise.all(
      ["tickets", "far", "pasted"].map((key) => client.agentPlugins.logs({ agentId, key })),
    )),
  ];
  expect(leaksIn(JSON.stringify(answers), secrets)).toEqual([]);
  const names = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(names.length).toBeGreaterThan(10);
  for (const { parentPath, name } of names)
    expect([name, leaksIn(await readFile(join(parentPath, name)), secrets)]).toEqual([name, []]);
});
