import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Grants } from "../../src/contract/index.ts";
import { Program } from "../../src/main/platform/program.ts";
import { InsideWatch } from "../../src/main/platform/walls/watch.ts";
import { Workbench } from "../agents/workbench.ts";
import { type Attacker, HostileWorld, loot, nestedFolders } from "./support.ts";

/** What a plugin makes of its own process, of its workspace and of the programs that it may start. */
let world: HostileWorld;
/** Declares nothing. */
let mallory: Attacker;
/** May change the workspace and start programs. */
let runner: Attacker;

/** What the person's own environment tells Node. */
const settings = "--heapsnapshot-signal=SIGUSR2 --no-warnings";

beforeAll(async () => {
  world = await HostileWorld.open(undefined, { NODE_OPTIONS: settings });
  mallory = await world.plugin("mallory");
  runner = await world.plugin("runner", { files: "workspace", subprocess: true });
});
afterAll(() => world[Symbol.asyncDispose]());

const workspace = () => join(world.home, "agents/helper/workspace");
const key = () => join(world.person, ".ssh", "id_ed25519");

/** Runs a script as a program of the plugin; resolves with what it printed. */
async function shell(attacker: Attacker, script: string, env?: Record<string, string>): Promise<string> {
  const { value } = await attacker.run(
    ({ require, arg }) => {
      const options = { encoding: "utf8", ...(arg.env && { env: { ...process.env, ...arg.env } }) };
      const { stdout, stderr } = require("node:child_process").spawnSync(
        "/bin/sh",
        ["-c", arg.script],
        options,
      );
      return `${stdout}${stderr}`;
    },
    { script, env },
  );
  return String(value);
}

async function expectAllWell(): Promise<void> {
  expect(await runner.run(() => "well")).toEqual({ value: "well" });
  expect([world.app.process.exitCode, world.app.process.signalCode]).toEqual([null, null]);
}

test("a plugin that poisons the modules and prototypes of its process, host code included, gets nothing beyond, and what it wanted of files is seen", async () => {
  const poisoner = await world.plugin("poisoner");
  const before = await world.app.rest("GET", "/agents/helper/plugins/poisoner/permissions");
  const { port } = new URL(world.app.url);
  const gateway = join(world.home, "gateway.json");
  const kept = await readFile(gateway, "utf8");
  const got = await poisoner.run(
    async ({ require, arg, each }) => {
      const Module = require("node:module");
      const fs = require("node:fs");
      for (const id of Object.keys(require("node:module")._cache)) delete Module._cache[id];
      Module._load = new Proxy(Module._load, {});
      Module.syncBuiltinESMExports();
      const poison = (holder: object, name: string, value: unknown) => Reflect.set(holder, name, value);
      poison(Object.prototype, "allowed", true);
      poison(Object.prototype, "readOnly", true);
      poison(process.permission as object, "has", () => true);
      poison(process, "config", { allow: "*" });
      const { stringify } = JSON;
      JSON.stringify = (value: unknown) =>
        stringify(
          typeof value === "object" && value !== null ? { ...value, confirmed: true, yes: true } : value,
        );
      const answers = await each({
        key: () => fs.readFileSync(arg.key, "utf8"),
        keyByHandle: async () => (await require("node:fs/promises").open(arg.key)).readFile("utf8"),
        write: () => fs.writeFileSync(arg.gateway, "mine"),
        program: () =>
          require("node:child_process").execFileSync("/bin/cat", [arg.key], { encoding: "utf8" }),
        fetch: () => fetch(`http://127.0.0.1:${arg.port}/api/agents`).then((answer) => answer.status),
        grants: () => process.send?.({ t: "grants", grants: { files: { workspace: "write" } } }),
      });
      JSON.stringify = stringify;
      Reflect.deleteProperty(Object.prototype, "allowed");
      Reflect.deleteProperty(Object.prototype, "readOnly");
      return answers;
    },
    { key: key(), gateway, port },
  );
  world.expectNothing(got);
  const denied = { stopped: "ERR_ACCESS_DENIED" };
  expect(got.value).toMatchObject({ program: denied, fetch: { stopped: expect.anything() } });
  // What it read and wrote is bait. What its own process would have told of the rest is lost with it.
  expect(await readFile(gateway, "utf8")).toBe(kept);
  expect((await poisoner.seen("files", ".ssh")).seenBy).toBe("wall");
  expect((await poisoner.seen("files", "gateway.json")).seenBy).toBe("wall");
  expect(await poisoner.logged()).toContain("sent a message that Patchbay does not know");
  expect(await world.app.rest("GET", "/agents/helper/plugins/poisoner/permissions")).toMatchObject({
    grants: (before as { grants: Grants }).grants,
  });
  expect(await mallory.run(() => [Reflect.get({}, "allowed") ?? null, new Set().has(1)])).toEqual({
    value: [null, false],
  });
  await expectAllWell();
});

test("links that a plugin puts into the workspace lead neither file tools nor files for a chat out of it", async () => {
  const said = await shell(
    runner,
    `cd ${workspace()} && ln -s ${key()} soft && ln ${key()} hard; ln ${world.home}/gateway.json token;
     ln -s ${world.home}/gateway.json gate; mkdir -p sub && ln -s ../../../.. sub/up; cat ${key()}`,
  );
  expect(said).not.toContain(loot);
  await runner.seen("files", ".ssh");
  const names = await readdir(workspace());
  expect(names).toEqual(expect.arrayContaining(["soft", "gate", "sub"]));
  for (const name of ["hard", "token"]) expect(names).not.toContain(name);
  const paths = ["soft", "gate", "sub/up/gateway.json", key()];
  for (const path of paths) {
    const input = { path };
    const read = await world.app.rest("POST", "/agents/helper/tools/read_file/call", { input, yes: true });
    world.expectNothing(read);
    expect(JSON.stringify(read)).toMatch(/outside of the workspace/);
  }
  await using bench = await Workbench.open({
    workspace: workspace(),
    policy: [{ tool: "send_file", effect: "allow", callers: [{ channel: "telegram" }] }],
  });
  await bench.script([
    ...paths.map((path) => ({ call: { tool: "send_file", input: { path } } })),
    { say: "." },
  ]);
  const signal = new AbortController().signal;
  const sent = bench.agents.channels.of("a", "telegram");
  const answer = await sent.prompt({ conversation: "c", userId: "7", text: "x", signal });
  world.expectNothing(answer);
  expect(answer.attachments ?? []).toEqual([]);
  const entries = JSON.stringify(await bench.agents.sessions.entries("a", answer.sessionId));
  expect(entries.match(/is outside of the workspace/g)).toHaveLength(paths.length);
});

test("a hard link from a folder that may be read into one that may be changed is not made, so what it leads to is not changed", async () => {
  const [outer, inner] = [join(world.folder, "projects"), join(world.folder, "projects", "notes")];
  await mkdir(inner, { recursive: true });
  await writeFile(join(inner, "note.txt"), "as it was");
  const grants = nestedFolders(outer, inner, "any");
  const linker = await world.plugin("linker");
  await world.app.rest("PUT", "/agents/helper/plugins/linker/permissions", { grants });
  const said = await shell(
    linker,
    `cd ${outer}; ln notes/note.txt mine && echo changed > mine; mv notes/note.txt mine; mv notes old;
     echo changed > notes/note.txt; ln -s notes/note.txt soft; echo changed > soft; cat notes/note.txt`,
  );
  expect(said).toContain("as it was");
  expect(said).toMatch(/Read-only file system/);
  expect(said).toMatch(/Invalid cross-device link/);
  expect(await readFile(join(inner, "note.txt"), "utf8")).toBe("as it was");
  expect(await linker.seen("files", join(inner, "note.txt"))).toMatchObject({ seenBy: "wall" });
});

test("what the person's environment tells Node to do is told to no plugin and to none of its programs (nothing to see: it is not there)", async () => {
  for (const attacker of [mallory, runner]) {
    const { value } = await attacker.run(() => [
      process.env.NODE_OPTIONS ?? null,
      process.execArgv.join(" "),
    ]);
    expect(value).toEqual([null, expect.not.stringContaining("heapsnapshot")]);
  }
  // Node itself hands its permissions down in this variable, and nothing else.
  expect(await shell(runner, "env")).not.toMatch(/heapsnapshot|no-warnings/);
});

test("a program whose variables make Node write its memory, or load code, writes and loads nothing of Patchbay's", async () => {
  const before = await readdir(world.home);
  const said = await runner.run(
    async ({ require, arg }) => {
      const { spawnSync } = require("node:child_process");
      const run = (options: string, more: object = {}) =>
        spawnSync(
          process.execPath,
          ["-e", "process.kill(process.pid, 'SIGUSR2'); setTimeout(() => {}, 300)"],
          {
            encoding: "utf8",
            cwd: arg.home,
            env: { ...process.env, NODE_OPTIONS: options, ...more },
          },
        );
      const snapshot = run(`--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${arg.home}`);
      const loaded = run(`--require ${arg.key} --env-file=${arg.home}/gateway.json`);
      const extra = run("", { NODE_EXTRA_CA_CERTS: arg.key, NODE_REDIRECT_WARNINGS: `${arg.home}/warnings` });
      let killed: unknown = null;
      try {
        process.kill(arg.core, "SIGUSR2");
      } catch (error) {
        killed = (error as { code?: string }).code;
      }
      return [snapshot, loaded, extra]
        .map(({ stdout, stderr }) => `${stdout}${stderr}`)
        .concat(String(killed));
    },
    { home: world.home, key: key(), core: world.app.process.pid },
  );
  world.expectNothing(said);
  expect((said.value as string[]).at(-1)).toBe("ESRCH");
  const after = await readdir(world.home);
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
  expect(await readdir(process.cwd())).not.toContainEqual(expect.stringContaining(".heapsnapshot"));
  await runner.seen("files", ".ssh");
  await runner.seen("signals", `process ${world.app.process.pid}`);
  await expectAllWell();
});

test("a plugin whose programs fill the memory is ended with the reason, while others and Patchbay keep answering", async () => {
  const hog = await world.plugin("hog", { subprocess: true });
  // One piece of memory that many processes touch: it counts for each of them, and is there once.
  const script = `import mmap, os, time
shared = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): shared[at] = 1
for n in range(15):
    if os.fork() == 0:
        sum(shared[at] for at in range(0, 300 << 20, 4096))
        time.sleep(60)
        os._exit(0)
time.sleep(60)`;
  const filling = hog.run(
    ({ require, arg }) =>
      new Promise((done) => require("node:child_process").execFile("/usr/bin/python3", ["-c", arg], done)),
    script,
  );
  while (!(await hog.refusals()).some(({ target }) => String(target).includes("memory"))) {
    expect(await mallory.run(() => "well")).toEqual({ value: "well" });
    expect(await world.app.rest("GET", "/agents")).toBeTruthy();
  }
  expect((await filling).error).toBeDefined();
  const seen = await hog.seen("programs", "more than 4 GB of memory");
  expect(seen.seenBy).toBe("wall");
  await expectAllWell();
});

test("memory that Node does not count, that of buffers, counts for the limit of the wall", async () => {
  const program = new Program({
    file: process.execPath,
    args: [
      "-e",
      "global.kept = Buffer.alloc(300 << 20, 1); console.log('ready'); setInterval(() => {}, 1000)",
    ],
    cwd: "/tmp",
    env: { PATH: "/usr/bin:/bin" },
    input: false,
    wall: { read: [process.execPath], write: [], hidden: [], programs: "any" },
  });
  await new Promise<void>((ready) => program.stdout.once("data", () => ready()));
  const look = (megabytes: number) =>
    new InsideWatch(program.pid ?? 0, { processes: 400, memory: megabytes * 1024 ** 2 }).excess();
  expect(look(2048)).toBeNull();
  expect(look(256)).toContain("GB of memory");
  program.signal("SIGKILL");
  await program.ended;
});
