import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Grants } from "../../src/contract/index.ts";
import { type Attacker, type HostileWorld, openCrew } from "./support.ts";

/** Corners of Node that give files, code or processes away without looking like it. */
let world: HostileWorld;
/** Declares nothing. */
let mallory: Attacker;
/** May start programs. */
let runner: Attacker;

beforeAll(async () => {
  ({ world, mallory, runner } = await openCrew());
});
afterAll(() => world[Symbol.asyncDispose]());

const stopped = { stopped: "ERR_ACCESS_DENIED" };

test("blobs of files, watches, reports and files of variables read nothing that is not the plugin's", async () => {
  const got = await mallory.run(({ require, each }) => {
    const fs = require("node:fs");
    return each({
      blob: async () => (await fs.openAsBlob("/etc/hostname")).text(),
      blobOfProcess: async () => (await fs.openAsBlob("/proc/1/cmdline")).text(),
      watch: () => fs.watch("/").close(),
      watchFile: () => fs.watchFile("/etc/issue", () => {}),
      glob: () => fs.globSync("/root/*"),
      loadEnv: () => process.loadEnvFile("/proc/self/environ"),
      report: () => process.report.writeReport("/usr/report.json"),
      statfs: () => fs.statfsSync("/home"),
      cp: () => fs.cpSync("/etc", "/tmp/etc", { recursive: true }),
    });
  });
  const { glob, ...others } = got.value as Record<string, unknown>;
  for (const [name, answer] of Object.entries(others)) expect([name, answer]).toEqual([name, stopped]);
  expect([stopped, []]).toContainEqual(glob);
  for (const target of [
    "/etc/hostname",
    "/proc/1/cmdline",
    "/etc/issue",
    "/proc/self/environ",
    "/usr/report.json",
  ])
    await mallory.seen("files", target);
});

test("a report of the process tells neither variables of the core nor addresses of this computer", async () => {
  const got = await mallory.run(() => JSON.stringify(process.report.getReport()));
  world.expectNothing(got);
  const report = JSON.parse(String(got.value)) as {
    header: { networkInterfaces: { internal: boolean }[]; host: string };
    environmentVariables: Record<string, string>;
  };
  expect(report.header.networkInterfaces.every(({ internal }) => internal)).toBe(true);
  expect(report.header.host).toBe("patchbay");
  expect(Object.keys(report.environmentVariables ?? {}).join()).not.toMatch(
    /PATCHBAY_(?!DOOR)|TOKEN|CHANNEL/,
  );
});

test("a heap snapshot that is written into Patchbay's folder is not there, and that is seen", async () => {
  await mallory.run(
    ({ require, arg }) => require("node:v8").writeHeapSnapshot(arg),
    join(world.home, "x.heapsnapshot"),
  );
  expect(await readdir(world.home)).not.toContain("x.heapsnapshot");
  await mallory.seen("files", "x.heapsnapshot");
});

test("a cache of compiled code that a plugin fills is nobody's but its own", async () => {
  const other = await world.plugin("other");
  const made = await mallory.run(({ require }) => {
    const { enableCompileCache, flushCompileCache, getCompileCacheDir } = require("node:module");
    enableCompileCache("/tmp/cache");
    flushCompileCache();
    require("node:fs").writeFileSync("/tmp/cache/poison", "x");
    return [getCompileCacheDir(), process.env.NODE_COMPILE_CACHE ?? null];
  });
  expect(made.value).toEqual([expect.stringContaining("/tmp/cache"), null]);
  const seen = await other.run(({ require }) => [
    require("node:fs").existsSync("/tmp/cache"),
    require("node:module").getCompileCacheDir() ?? null,
  ]);
  expect(seen.value).toEqual([false, null]);
});

test("no way in Node leads to another program, to machine code or to a debugger", async () => {
  const got = await mallory.run(({ require, each }) => {
    const insides = process as unknown as Record<string, (...args: unknown[]) => unknown>;
    const [execve, binding, linked] = [insides.execve, insides.binding, insides._linkedBinding];
    return each({
      execve: () => execve?.call(process, process.execPath, ["node", "-e", "0"], {}),
      binding: () => binding?.call(process, "fs"),
      linked: () => linked?.call(process, "net"),
      internal: () => require(["internal", "bootstrap", "realm"].join("/")),
      wasi: () => new (require("node:wasi").WASI)({ version: "preview1", preopens: { "/": "/" } }),
      inspector: () => require("node:inspector").open(0, "0.0.0.0"),
      session: () => new (require("node:inspector").Session)().connect(),
      worker: () =>
        new (require("node:worker_threads").Worker)("0", { eval: true, execArgv: ["--no-permission"] }),
      cluster: () => require("node:cluster").fork(),
      dlopen: () => process.dlopen({ exports: {} } as NodeModule, "/tmp/x.node"),
    });
  });
  const { internal, dlopen, ...others } = got.value as Record<string, unknown>;
  for (const [name, answer] of Object.entries(others)) expect([name, answer]).toEqual([name, stopped]);
  expect(internal).toEqual({ stopped: "MODULE_NOT_FOUND" });
  expect(dlopen).toEqual({ stopped: "ERR_DLOPEN_DISABLED" });
  await mallory.seen("programs", "WASI");
  await mallory.seen("programs", "/tmp/x.node");
});

test("a fresh realm, whose modules have none of Patchbay's hooks, reaches no network either", async () => {
  const { port } = new URL(world.app.url);
  const got = await mallory.run(({ require, each, arg }) => {
    const realm = require("node:vm").runInNewContext("this.constructor.constructor('return this')()", {});
    const insides = process as unknown as Record<string, (name: string) => unknown>;
    return each({
      realm: () => typeof realm.process,
      tcp: () => Reflect.construct(Reflect.get(insides.binding?.("tcp_wrap") as object, "TCP"), [0]),
      udp: () =>
        new Promise((done, failed) => {
          const socket = require("node:dgram").createSocket("udp4");
          socket.send("x", Number(arg), "127.0.0.1", (error: Error | null) =>
            error ? failed(error) : done("sent"),
          );
          setTimeout(() => done("nobody answered"), 300);
        }),
      dns: () =>
        new Promise((done, failed) => {
          const { Resolver } = require("node:dns");
          const resolver = new Resolver();
          resolver.resolve4("example.com", (error: Error | null, found: unknown) =>
            error ? failed(error) : done(found),
          );
        }),
    });
  }, port);
  expect(got.value).toMatchObject({ tcp: stopped, dns: { stopped: expect.any(String) } });
  await mallory.seen("network", "by UDP");
});

test("a plugin that spins keeps neither the core nor another plugin from answering", async () => {
  const spinner = await world.plugin("spinner");
  const over: string[] = [];
  const spinning = spinner
    .run(() => {
      for (;;);
    })
    .then(() => over.push("spinner"));
  expect(await mallory.run(() => "well")).toEqual({ value: "well" });
  expect(await world.app.rest("GET", "/agents")).toBeTruthy();
  over.push("others");
  await world.app.rest("PUT", "/agents/helper/plugins/spinner", { enabled: false });
  await spinning;
  expect(over).toEqual(["others", "spinner"]);
});

test("what a plugin writes to its error output without a line end fills no log, and paints nothing", async () => {
  const loud = await world.plugin("loud");
  await loud.run(({ require }) => {
    const piece = Buffer.alloc(1024 * 1024, "z");
    const { writeSync } = require("node:fs");
    for (let at = 0; at < 40; at += 1) {
      try {
        writeSync(2, piece);
      } catch {
        // The pipe is full for now.
      }
    }
    process.title = "\u001b[31mpatchbay";
    for (let tries = 0; tries < 1_000; tries += 1) {
      try {
        return writeSync(2, "\n\u001b]0;owned\u0007the end\n");
      } catch {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
    return 0;
  });
  const all = async () =>
    ((await world.app.rest("GET", "/agents/helper/plugins/loud/logs")) as { text: string }[])
      .map(({ text }) => text)
      .join("\n");
  await expect.poll(all).toContain("the end");
  expect((await all()).length).toBeLessThan(4 * 1024 * 1024);
  expect(await all()).not.toContain("\u001b");
  expect(await mallory.run(() => "well")).toEqual({ value: "well" });
});

test("a program of a plugin inherits no open file but its own line's", async () => {
  const got = await runner.run(({ require }) => {
    const { spawnSync } = require("node:child_process");
    return spawnSync("/bin/sh", ["-c", "ls -l /proc/self/fd"], { encoding: "utf8" }).stdout;
  });
  expect(String(got.value)).not.toMatch(/audit|vault|\.json|patchbay-filter/);
  world.expectNothing(got);
});

test("a permission that is taken away is gone at once, also from a plugin that runs", async () => {
  const grants: Grants = {
    network: { reach: "none", hosts: [], refused: [] },
    files: { workspace: "none", folders: [] },
    programs: { reach: "none", names: [] },
  };
  const attack = ({ require }: { require: (name: string) => typeof import("node:child_process") }) =>
    require("node:child_process").spawnSync("/bin/echo", ["ran"], { encoding: "utf8" }).stdout;
  expect(await runner.run(attack)).toEqual({ value: "ran\n" });
  await world.app.rest("PUT", "/agents/helper/plugins/runner/permissions", { grants });
  expect(await runner.run(attack)).toMatchObject({ error: { code: "ERR_ACCESS_DENIED" } });
  await runner.seen("programs", "echo");
});
