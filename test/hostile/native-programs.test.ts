import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attacker, type HostileWorld, loot, openCrew } from "./support.ts";

/** Programs, and code that runs elsewhere than where Patchbay started it. */
let world: HostileWorld;
/** Declares nothing. */
let mallory: Attacker;
/** May start programs. */
let runner: Attacker;

beforeAll(async () => {
  ({ world, mallory, runner } = await openCrew());
});
afterAll(() => world[Symbol.asyncDispose]());

test("a plugin without the permission starts no program, in any of Node's ways", async () => {
  const got = await mallory.run(({ require, each }) => {
    const child = require("node:child_process");
    const cluster = require("node:cluster");
    return each({
      exec: () =>
        new Promise((done, failed) =>
          child.exec("id", (error: Error | null, out: string) => (error ? failed(error) : done(out))),
        ),
      execFileSync: () => child.execFileSync("/usr/bin/id"),
      spawn: () => child.spawn("/usr/bin/id").pid,
      spawnSync: () => child.spawnSync("/bin/sh", ["-c", "id"]).stdout,
      fork: () => child.fork("/tmp/other.js").pid,
      cluster: () => cluster.fork().process.pid,
      execve: () =>
        (process as unknown as { execve(file: string, args: string[]): void }).execve("/bin/sh", ["sh"]),
    });
  });
  for (const [way, answer] of Object.entries(got.value as object)) {
    expect([way, answer]).toEqual([way, { stopped: "ERR_ACCESS_DENIED" }]);
  }
  for (const target of ["/usr/bin/id", "/bin/sh"]) await mallory.seen("programs", target);
  // With the permission the same code works.
  const granted = await runner.run(({ require }) =>
    require("node:child_process").execFileSync("/usr/bin/id", ["-u"], { encoding: "utf8" }),
  );
  expect(granted.value).toBe(`${process.getuid?.()}\n`);
});

test("a plugin that asks Node's test runner to start a process for it does not get one", async () => {
  const got = await mallory.run(({ require }) => {
    require("node:fs").writeFileSync("/tmp/a.test.js", "console.log(process.ppid)");
    const events = require("node:test").run({ files: ["/tmp/a.test.js"] });
    return new Promise((done) =>
      events.once("test:fail", (event: { details: { error: Error } }) => done(event.details.error.message)),
    );
  });
  expect(String(got.value)).toContain("restricted");
  await mallory.seen("programs", "node");
});

test("a plugin that starts a worker does not get out of the permissions in it", async () => {
  const got = await mallory.run(({ require, each }) =>
    each({
      worker: () => {
        const { Worker } = require("node:worker_threads");
        new Worker("require('fs').readFileSync('/etc/shadow')", { eval: true, execArgv: [] });
      },
      hooks: () => require("node:module").register("data:text/javascript,"),
      wasi: () => new (require("node:wasi").WASI)({ version: "preview1", preopens: { "/": "/" } }),
    }),
  );
  const refused = { stopped: "ERR_ACCESS_DENIED" };
  expect(got.value).toEqual({ worker: refused, hooks: refused, wasi: refused });
  await mallory.seen("programs", "WorkerThreads");
  await mallory.seen("programs", "WASI");
});

test("a plugin that loads machine code of its own does not get it loaded", async () => {
  const got = await mallory.run(({ require, each }) => {
    require("node:fs").writeFileSync("/tmp/evil.node", "\x7fELF");
    return each({
      dlopen: () =>
        (process as unknown as { dlopen(module: object, file: string): void }).dlopen(
          { exports: {} },
          "/tmp/evil.node",
        ),
      require: () => require("node:module").createRequire("/tmp/")("./evil.node"),
    });
  });
  expect(got.value).toEqual({
    dlopen: { stopped: "ERR_DLOPEN_DISABLED" },
    require: { stopped: "ERR_DLOPEN_DISABLED" },
  });
  await mallory.seen("programs", "/tmp/evil.node");
});

test("a plugin that reaches for Node's insides past its modules is stopped", async () => {
  const got = await mallory.run(({ each }) => {
    const { binding } = process as unknown as { binding(name: string): Record<string, never> };
    return each({
      spawn: () => Object.keys(binding("spawn_sync")),
      files: () => Object.keys(binding("fs")),
      tcp: () => Object.keys(binding("tcp_wrap")),
    });
  });
  const refused = { stopped: "ERR_ACCESS_DENIED" };
  expect(got.value).toEqual({ spawn: refused, files: refused, tcp: refused });
  await mallory.seen("programs", "Node's inside spawn_sync");
});

test("a plugin that opens the database of Node, which knows no permissions, does not find it", async () => {
  const got = await mallory.run(({ require, load, each }) =>
    each({
      require: () => new (require("node:sqlite").DatabaseSync)("/etc/evil.db"),
      load: () => load("node:sqlite"),
      builtin: () => process.getBuiltinModule("node:sqlite") ?? "none",
    }),
  );
  const unknown = { stopped: "ERR_UNKNOWN_BUILTIN_MODULE" };
  expect(got.value).toEqual({ require: unknown, load: unknown, builtin: "none" });
  await mallory.seen("programs", "node:sqlite");
});

test("variables that a plugin sets for its children make nothing of Patchbay load its code", async () => {
  const got = await runner.run(({ require }) => {
    require("node:fs").writeFileSync(
      "/tmp/evil.js",
      "require('fs').writeFileSync('/tmp/ran', String(process.pid))",
    );
    process.env.NODE_OPTIONS = "--require /tmp/evil.js";
    process.env.LD_PRELOAD = "/tmp/evil.so";
    return require("node:child_process").spawnSync("/bin/sh", ["-c", "cat /etc/shadow ~/.ssh/id_ed25519"], {
      encoding: "utf8",
    }).stdout;
  });
  expect(got.value).toBe("");
  const next = await world.plugin("next");
  const env = (await next.run(() => process.env)).value as Record<string, string>;
  expect([env.NODE_OPTIONS, env.LD_PRELOAD]).toEqual([undefined, undefined]);
  const left = (await next.run(({ require }) => require("node:fs").readdirSync("/tmp"))).value;
  expect(JSON.stringify(left ?? [])).not.toMatch(/evil|ran/);
  await runner.seen("files", ".ssh/id_ed25519");
});

test("a plugin that may start programs sees with them no more of the files than before", async () => {
  const got = await runner.run(
    ({ require, arg }) => {
      const script = `cat ${arg.person}/letters/* ${arg.home}/gateway.json ${arg.home}/vault.key; find / -name '*bank*' 2>/dev/null; ls ${arg.home} ${arg.person}`;
      return require("node:child_process").spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" }).stdout;
    },
    { person: world.person, home: world.home },
  );
  world.expectNothing(got);
  expect(String(got.value)).not.toContain("letters");
  await runner.seen("files", `${world.home}/vault.key`);
});

/** Processes of this machine whose command line contains the text. */
async function running(text: string): Promise<string[]> {
  const { readFile } = await import("node:fs/promises");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(text));
}

test("a child that a plugin detaches does not outlive it (nothing to see: it is ended with it)", async () => {
  const ghost = await world.plugin("ghost", { subprocess: true });
  const mark = `86${process.pid}`;
  await ghost.run(({ require, arg }) => {
    const script = `setsid sh -c 'trap "" HUP TERM INT; (sleep ${arg} &) ; exec sleep ${arg}' & exit 0`;
    require("node:child_process")
      .spawn("/bin/sh", ["-c", script], { detached: true, stdio: "ignore" })
      .unref();
  }, mark);
  await expect.poll(() => running(`sleep\0${mark}`)).toHaveLength(2);
  await world.app.rest("PUT", "/agents/helper/plugins/ghost", { enabled: false });
  while ((await running(`sleep\0${mark}`)).length > 0) await new Promise((done) => setTimeout(done, 20));
});

test("what a plugin wrote into its own home and folders is not what the next one starts with", async () => {
  await runner.run(({ require, arg }) => {
    const fs = require("node:fs");
    const { homedir } = require("node:os");
    fs.writeFileSync(`${homedir()}/.npmrc`, "script-shell=/tmp/evil");
    fs.mkdirSync(`${homedir()}/.local`, { recursive: true });
    fs.writeFileSync(`${homedir()}/.local/left`, arg);
  }, loot);
  await runner.seen("files", `${world.person}/.npmrc`);
  const next = await world.plugin("heir");
  world.expectNothing(
    await next.run(({ require }) =>
      require("node:fs").readFileSync(`${require("node:os").homedir()}/.local/left`, "utf8"),
    ),
  );
});
