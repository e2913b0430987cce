import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRouterClient } from "@orpc/server";
import { expect, test } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { dirOf } from "../support/dir-of.ts";
import { writeFiles } from "../support/fixture-plugin.ts";

const fixture = (name: string) => resolve(import.meta.dirname, "../fixtures/fledge", name);

async function openApp() {
  const root = await mkdtemp(join(tmpdir(), "patchbay-fledge-app-"));
  const app = await createApp(await testPlatform(join(root, "home")));
  const client = createRouterClient(app.router, { context: { caller: callerHere() } });
  app.gatewayOpened("http://127.0.0.1:0");
  const ended = async (id: string) => {
    for await (const job of await client.jobs.watch({ id })) if (job.endedAt) return job;
    throw new Error("the job did not end");
  };
  const waiting = async (id: string) => {
    for await (const job of await client.jobs.watch({ id }))
      if (job.status === "waiting" || job.endedAt) return job;
    throw new Error("the job did not ask");
  };
  type Request = Parameters<typeof client.jobs.install>[0];
  return {
    root,
    client,
    ended,
    waiting,
    install: async (request: Request) => ended((await client.jobs.install({ yes: true, ...request })).id),
    agent: async (id: string, key: string) => {
      await client.agents.create({ id, name: id, policy: [{ tool: "*", effect: "allow" }] });
      await client.agentPlugins.set({ agentId: id, key, enabled: true });
    },
    text: async (agentId: string, name: string, input: Record<string, unknown> = {}, yes = false) => {
      const { content, trace } = await client.tools.call({ agentId, name, input, yes });
      const [part] = content;
      return { outcome: trace.outcome, text: part?.type === "text" ? part.text : "" };
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

test("a folder is installed with its scripts shown, agreed to and run, and its tools are used", async () => {
  await using app = await openApp();
  const { client } = app;
  const job = await client.jobs.install({ spec: fixture("many") });
  const { consent } = await app.waiting(job.id);
  expect(consent).toMatchObject({
    runtime: "fledge",
    displayName: "many",
    manifestKey: "fledge-many",
    trust: "local",
    hasScripts: true,
    asks: { scripts: [{ name: "build", command: "cc -O1 -o many many.c" }] },
    capabilities: { tools: { namespace: "fledge_many", count: 2 } },
    enforcement: expect.stringContaining("walled in where the system can do that"),
  });
  expect(consent?.risk).toBeUndefined();
  await client.jobs.consent({ id: job.id, accept: true, allowScripts: true });
  expect(await app.ended(job.id)).toMatchObject({ status: "done", problem: null });
  await app.agent("ada", "fledge-many");
  expect(await app.text("ada", "fledge_many__http-get", { url: "u" })).toEqual({
    outcome: "executed",
    text: 'http-get 1 ["u"]',
  });
});

test("a build runs where the plugin stays, so that a Python venv goes on working, with its link to the interpreter", async () => {
  await using app = await openApp();
  const dir = join(app.root, "venv");
  await writeFiles(dir, {
    "plugin.toml": `[plugin]
name = "venv"
version = "1.0.0"
[[commands]]
name = "where"
binary = "venv/bin/where"
[hooks]
build = "make-venv"
`,
    // Like a console script that pip writes: its first line names the interpreter by its full path, which is why it
    // must not be moved.
    "make-venv": `#!/bin/sh
set -e
python3 -m venv --without-pip --symlinks venv
printf '#!%s/venv/bin/python\nimport sys\nprint(sys.prefix)\n' "$PWD" > venv/bin/where
`,
  });
  const job = await app.install({ spec: dir, allowScripts: true });
  expect(job.problem).toBeNull();
  await app.agent("ada", "fledge-venv");
  const [plugin] = await app.client.plugins.list();
  expect(await app.text("ada", "fledge_venv__where")).toEqual({
    outcome: "executed",
    text: `${dirOf(plugin)}/venv\n`,
  });
  expect(dirOf(plugin)).toContain(join(app.root, "home", "plugins", "fledge-venv"));
});

test("a linked folder is built in place when its scripts may run", async () => {
  await using app = await openApp();
  const dir = join(app.root, "linked-build");
  await cp(fixture("many"), dir, { recursive: true });
  expect(await app.install({ spec: dir, link: true, allowScripts: true })).toMatchObject({ status: "done" });
  await app.agent("ada", "fledge-many");
  expect(await app.text("ada", "fledge_many__http-post")).toMatchObject({ text: "http-post 1 []" });
});

test("a build that fails leaves nothing, and says what it said", async () => {
  await using app = await openApp();
  const dir = join(app.root, "broken");
  await cp(fixture("many"), dir, { recursive: true });
  await writeFiles(dir, { "many.c": "int main( {" });
  const job = await app.install({ spec: dir, allowScripts: true });
  expect(job).toMatchObject({ status: "failed", problem: { code: "SCRIPT_FAILED" } });
  expect(job.log.map(({ text }) => text).join("\n")).toMatch(/many\.c.*error/);
  expect(await app.client.plugins.list()).toEqual([]);
  expect(existsSync(join(app.root, "home", "plugins", "fledge-many"))).toBe(false);
});

test("what calls itself dangerous is asked for in spite of a wide rule; what says nothing is let through by it", async () => {
  await using app = await openApp();
  await app.install({ spec: fixture("hello") });
  await app.agent("ada", "fledge-hello");
  const { client } = app;
  const tools = await client.tools.list({ agentId: "ada" });
  expect(tools.filter(({ owner }) => owner).map(({ name, danger }) => [name, danger])).toEqual([
    ["fledge_hello__hello", "unknown"],
    ["fledge_hello__ask", "dangerous"],
    ["fledge_hello__reset", "safe"],
  ]);
  expect(await app.text("ada", "fledge_hello__hello", { name: "x" })).toMatchObject({ outcome: "executed" });
  const refused = expect(app.text("ada", "fledge_hello__ask")).rejects.toMatchObject({
    code: "TOOL_REJECTED",
  });
  await expect.poll(async () => (await client.approvals.list({})).length).toBe(1);
  const [approval] = await client.approvals.list({});
  await client.approvals.decide({ id: approval?.id ?? "", answer: { decision: "deny" } });
  await refused;
});

test("two agents with one plugin keep their stores apart, through restarts of the plugin", async () => {
  await using app = await openApp();
  await app.install({ spec: fixture("hello") });
  for (const agent of ["ada", "bob"]) await app.agent(agent, "fledge-hello");
  const count = async (agent: string) =>
    (await app.text(agent, "fledge_hello__hello", { name: "x" })).text.trim().split(" ").at(-1);
  expect([await count("ada"), await count("ada"), await count("bob")]).toEqual(["1", "2", "1"]);
  await app.client.agentPlugins.restart({ agentId: "ada", key: "fledge-hello" });
  expect([await count("ada"), await count("bob")]).toEqual(["3", "2"]);
});

test("a repository is pinned to its commit; unknown and with exec, it is refused until the risk is taken", async () => {
  await using app = await openApp();
  const dir = join(app.root, "repo");
  await cp(fixture("hello"), dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-C", dir, ...args], {
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("tag", "v1");
  const commit = git("rev-parse", "HEAD");
  const spec = `git+${pathToFileURL(dir)}#v1`;
  const refused = await app.install({ spec });
  expect(refused).toMatchObject({ status: "failed", problem: { code: "TRUST_REFUSED" } });
  expect(refused.problem?.message).toContain("asks for leave to start programs");
  expect(await app.client.plugins.list()).toEqual([]);
  expect(await app.install({ spec, acceptRisk: true })).toMatchObject({ status: "done" });
  expect(await app.client.plugins.list()).toMatchObject([
    { trust: "unverified", source: { kind: "git", resolved: `${pathToFileURL(dir)}#${commit}` } },
  ]);
});

test("lifecycle hooks with a meaning run at their event, others are listed; removal runs its script", async () => {
  await using app = await openApp();
  const dir = join(app.root, "hooked");
  await writeFiles(dir, {
    "plugin.toml": `[plugin]
name = "hooked"
version = "1.0.0"
[[commands]]
name = "go"
binary = "go"
[capabilities]
exec = true
[hooks]
post_install = "mark installed"
post_work_start = "mark at-work"
pre_push = "mark pushed"
post_remove = "goodbye"
`,
    go: "#!/bin/sh\necho went\n",
    mark: '#!/bin/sh\necho "$FLEDGE_PLUGIN_DIR" > "$1"\n',
    goodbye: "#!/bin/sh\necho it goes; exit 3\n",
  });
  execFileSync("chmod", ["+x", join(dir, "mark")]);
  // A hook is a file or words, and is run without a shell; so a program of the plugin must be named by its path.
  const text = (await readFile(join(dir, "plugin.toml"), "utf8")).replaceAll('"mark ', '"./mark ');
  await writeFiles(dir, { "plugin.toml": text });
  const job = await app.install({ spec: dir, allowScripts: true });
  expect(job.problem).toBeNull();
  const [plugin] = await app.client.plugins.list();
  expect(plugin?.capabilities.hooks).toEqual({ events: ["session.opened@v1"] });
  expect(plugin?.warnings).toContainEqual(expect.stringContaining("`pre_push` is listed but never runs"));
  expect(existsSync(join(dirOf(plugin), "installed"))).toBe(true);
  await app.agent("ada", "fledge-hooked");
  const { workspace } = await app.client.agents.get({ agentId: "ada" });
  await app.client.sessions.create({ agentId: "ada" });
  await expect.poll(() => existsSync(join(workspace, "at-work"))).toBe(true);
  await app.client.plugins.uninstall({ key: "fledge-hooked" });
  expect(existsSync(join(workspace, "pushed"))).toBe(false);
  const audit = join(app.root, "home", "audit");
  const [day = ""] = await readdir(audit);
  expect(await readFile(join(audit, day), "utf8")).toMatch(/plugin\.removal_script_failed.*it goes/);
});

test("a manifest that cannot be used is refused in words and costs no other plugin", async () => {
  await using app = await openApp();
  await app.install({ spec: fixture("twins") });
  const job = await app.install({ spec: fixture("bad-tables") });
  expect(job.problem).toMatchObject({
    code: "MANIFEST_INVALID",
    message: expect.stringContaining("they stand under `[plugin.commands]`, where fledge does not look"),
  });
  expect((await app.client.plugins.list()).map(({ manifestKey }) => manifestKey)).toEqual(["fledge-twins"]);
});

test("a folder is linked: what changes in it takes effect, more capabilities than agreed to do not", async () => {
  await using app = await openApp();
  const dir = join(app.root, "linked");
  await cp(fixture("twins"), dir, { recursive: true });
  await app.install({ spec: dir, link: true });
  await app.agent("ada", "fledge-twins");
  expect((await app.text("ada", "fledge_twins__left")).text).toBe("left with a sibling");
  await writeFiles(dir, { "bin/sibling": "changed" });
  expect((await app.text("ada", "fledge_twins__left")).text).toBe("left changed");
  const manifest = await readFile(join(dir, "plugin.toml"), "utf8");
  await writeFiles(dir, { "plugin.toml": `${manifest}\n[capabilities]\nexec = true\n` });
  await app.client.agentPlugins.restart({ agentId: "ada", key: "fledge-twins" });
  const { instance } = await app.client.agentPlugins.get({ agentId: "ada", key: "fledge-twins" });
  expect(instance).toMatchObject({ state: "failed", reason: { code: "MANIFEST_CHANGED" } });
});

test("a call's logs and errors are in the plugin's log, and its failure reaches the agent", async () => {
  await using app = await openApp();
  await app.install({ spec: fixture("probe") });
  await app.agent("ada", "fledge-probe");
  await expect(app.text("ada", "fledge_probe__probe", { mode: "exit", text: "2" })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: "probe ended with exit code 2.\nhalf done\nerror: it went wrong\nstderr:\ntrace of it",
  });
  const logs = await app.client.agentPlugins.logs({ agentId: "ada", key: "fledge-probe" });
  expect(logs.map(({ level, origin, text }) => `${level} ${origin} ${text}`)).toEqual(
    expect.arrayContaining([
      "info patchbay probe exit 2",
      "error plugin it went wrong",
      "info stderr trace of it",
    ]),
  );
});
