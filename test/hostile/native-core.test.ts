import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attacker, HostileWorld } from "./support.ts";

/** The core's process: its memory, its debugger, its life. */
let world: HostileWorld;
/** Declares nothing. */
let mallory: Attacker;
/** May start programs, which see `/proc`. */
let runner: Attacker;
let core: number;

beforeAll(async () => {
  world = await HostileWorld.open();
  mallory = await world.plugin("mallory");
  runner = await world.plugin("runner", { subprocess: true });
  core = world.app.process.pid as number;
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(["environ", "mem", "maps", "cmdline", "fd", "task"])(
  "a plugin that reads the core's /proc/<pid>/%s gets nothing",
  async (name) => {
    const path = `/proc/${core}/${name}`;
    const got = await mallory.run(({ require, arg }) => {
      const fs = require("node:fs");
      return fs.statSync(arg).isDirectory() ? fs.readdirSync(arg) : fs.readFileSync(arg, "utf8");
    }, path);
    expect(got.error?.code).toBe("ERR_ACCESS_DENIED");
    await mallory.seen("files", path);
  },
);

test("a plugin that may start programs sees no process but its own, and no environment of the core (nothing to see: it lists what is there)", async () => {
  const got = await runner.run(({ require }) => {
    const script =
      "ls /proc; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; ls -l /proc/1/root/root /proc/1/cwd/";
    return require("node:child_process").spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" }).stdout;
  });
  world.expectNothing(got);
  expect(got.value).toContain("meminfo");
  expect(String(got.value).split(/\s/)).not.toContain(String(core));
  const pids = String(got.value).match(/^\d+$/gm) ?? [];
  expect(Math.max(...pids.map(Number))).toBeLessThan(200);
});

test("a plugin that sends signals to the core and to its parents kills nobody and opens no debugger", async () => {
  const got = await mallory.run(
    ({ arg, each }) =>
      each({
        exists: () => process.kill(arg, 0),
        debug: () => process.kill(arg, "SIGUSR1"),
        inspect: () => (process as unknown as { _debugProcess(pid: number): void })._debugProcess(arg),
        end: () => process.kill(arg, "SIGTERM"),
        group: () => process.kill(-arg, "SIGKILL"),
      }),
    core,
  );
  expect(got.value).toMatchObject({
    exists: { stopped: "ESRCH" },
    debug: { stopped: "ESRCH" },
    end: { stopped: "ESRCH" },
    group: { stopped: "ESRCH" },
  });
  await mallory.seen("signals", `process ${core}`);
  await expect(fetch("http://127.0.0.1:9229/json")).rejects.toThrow();
  expect(world.app.process.exitCode).toBeNull();
});

test("a plugin that kills everything it can reach ends itself alone", async () => {
  const killer = await world.plugin("killer");
  await killer.run(() => {
    try {
      process.kill(1, "SIGKILL");
      process.kill(process.ppid, "SIGTERM");
    } finally {
      process.kill(-1, "SIGKILL");
    }
  });
  await killer.seen("signals", "process -1");
  expect((await mallory.run(() => "alive")).value).toBe("alive");
  expect(world.app.process.exitCode).toBeNull();
  expect((await killer.view()).instance.state).not.toBe("ready");
});

test("a plugin that opens its own debugger does not get one", async () => {
  const got = await mallory.run(({ require, each }) => {
    const inspector = require("node:inspector");
    return each({
      open: () => inspector.open(0, "0.0.0.0"),
      session: () => new inspector.Session().connect(),
      url: () => inspector.url() ?? null,
    });
  });
  expect(got.value).toEqual({
    open: { stopped: "ERR_ACCESS_DENIED" },
    session: { stopped: "ERR_ACCESS_DENIED" },
    url: null,
  });
  await mallory.seen("programs", "StartIoThread");
});

test("a plugin that may start programs does not trace the core, nor read any memory but its own, and that is seen", async () => {
  const got = await runner.run(({ require, arg }) => {
    const script = [
      `head -c 1 /proc/${arg}/mem && echo read`,
      "head -c 1 /proc/kcore && echo read",
      "head -c 1 /dev/mem && echo read",
      `gdb -p ${arg} -batch -ex 'info proc' | grep exe`,
      `timeout 1 strace -p ${arg} 2>&1 | grep attached`,
    ].join("; ");
    const child = require("node:child_process");
    return child.spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" }).stdout;
  }, core);
  expect(got.value).toBe("");
  expect(await runner.seen("files", `/proc/${core}/mem`)).toMatchObject({ seenBy: "wall" });
});

test("a plugin that may start programs changes no setting of the kernel, and has no right of root; trying is seen", async () => {
  const before = await readFile("/proc/sys/kernel/core_pattern", "utf8");
  const got = await runner.run(({ require }) => {
    // Opening for writing is what is refused; nothing is written, because these would change this machine.
    const files = ["sys/kernel/core_pattern", "sys/kernel/hostname", "sysrq-trigger", "1/oom_score_adj"];
    const script = [
      ...files.map((file) => `if (: >> /proc/${file}) 2>/dev/null; then echo open ${file}; fi`),
      "mount -t tmpfs none /usr && echo mounted",
      "mount -o remount,rw /proc && echo remounted",
      "umount /proc && echo unmounted",
      "unshare -Ur true && echo namespaced",
      "mknod /tmp/disk b 8 0 && echo device",
      "chroot / true && echo chrooted",
    ].join("; ");
    const child = require("node:child_process");
    return child.spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" }).stdout;
  });
  expect(got.value).toBe("");
  expect(await readFile("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
  expect(await runner.seen("programs", "the system call mount")).toMatchObject({ seenBy: "wall" });
  await runner.seen("programs", "the system call unshare");
  await runner.seen("files", "/proc/sys/kernel/core_pattern");
});

test("a plugin finds neither the token, nor Patchbay's variables, nor what its own door is, in its environment", async () => {
  const got = await mallory.run(() => ({ env: process.env, argv: process.argv, title: process.title }));
  world.expectNothing(got);
  expect(JSON.stringify(got.value)).not.toMatch(/PATCHBAY_|NODE_CHANNEL|SSH_AUTH_SOCK|DBUS_|XDG_RUNTIME/);
});

test("a plugin that crashes on purpose leaves no image of its memory behind, and says why it ended", async () => {
  const crasher = await world.plugin("crasher", { files: "workspace" });
  await crasher.run(() => process.abort());
  const workspace = join(world.home, "agents/helper/workspace");
  await expect(access(join(workspace, "core"))).rejects.toThrow();
  expect(await crasher.logged()).toMatch(/SIGABRT|ended/);
});
