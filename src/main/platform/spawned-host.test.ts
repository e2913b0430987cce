import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hostEnvironment } from "./host-environment.ts";
import type { HostExit, SpawnedHost, SpawnOptions } from "./platform.ts";
import { spawnNodeHost } from "./spawned-host.ts";

const onPosix = process.platform !== "win32";
const python = spawnSync("python3", ["--version"]).status === 0;
const started: SpawnedHost[] = [];

afterEach(() => {
  for (const host of started.splice(0)) host.kill();
});

/** Starts a host written in JavaScript, and collects what it sends over its wire and what it prints. */
function start(code: string, options: Partial<SpawnOptions> = {}) {
  return startProgram({ file: process.execPath, args: ["-e", code], ...options });
}

function startProgram(options: Pick<SpawnOptions, "file" | "args"> & Partial<SpawnOptions>) {
  const host = spawnNodeHost({ cwd: tmpdir(), env: hostEnvironment(), wire: "private", ...options });
  started.push(host);
  const seen = { wire: "", stdout: "", stderr: "" };
  host.onData((chunk) => {
    seen.wire += chunk;
  });
  host.onOutput((stream, chunk) => {
    seen[stream] += chunk;
  });
  const exited = new Promise<HostExit>((resolve) => host.onExit(resolve));
  return { host, seen, exited };
}

const echo = `
  const wire = new (require("node:net").Socket)({ fd: Number(process.env.PATCHBAY_WIRE_FD) });
  wire.on("data", (chunk) => wire.write("heard " + chunk));
  wire.on("end", () => process.exit(7));
`;

/** Whether a process runs. A zombie (ended, but not yet collected by its parent) does not count. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

describe("a private wire", () => {
  test("carries both directions, and what is printed stays apart", async () => {
    const { host, seen } = start(`console.log("hello"); console.error("oops"); ${echo}`);
    host.write("one\n");
    await expect.poll(() => seen).toEqual({ wire: "heard one\n", stdout: "hello\n", stderr: "oops\n" });
  });

  test("tells the process by its end that nobody listens any more", async () => {
    const { host, exited } = start(echo);
    host.closeWire();
    expect(await exited).toEqual({ code: 7, signal: null });
    host.write("too late\n");
  });

  test("is read to its end when the process is gone", async () => {
    const { seen, exited } = start(
      `require("node:fs").writeSync(3, "x".repeat(50_000) + "\\n"); process.exit(0);`,
    );
    await exited;
    expect(seen.wire.length).toBe(50_001);
  });

  test("counts what the process does not read", async () => {
    const { host } = start("setInterval(() => {}, 1000);");
    host.write("x".repeat(4 * 1024 * 1024));
    await expect.poll(() => host.unsentBytes).toBeGreaterThan(1024 * 1024);
  });

  test.runIf(python)("is what a Python host reads and writes, print and all", async () => {
    const code = `
import os, json
wire = os.fdopen(int(os.environ["PATCHBAY_WIRE_FD"]), "r+b", buffering=0)
print("imported", flush=True)
for line in wire:
    wire.write(json.dumps({"heard": json.loads(line)}).encode() + b"\\n")
`;
    const { host, seen, exited } = startProgram({ file: "python3", args: ["-c", code] });
    host.write('{"t":"ping"}\n');
    await expect
      .poll(() => seen)
      .toEqual({ wire: '{"heard": {"t": "ping"}}\n', stdout: "imported\n", stderr: "" });
    host.closeWire();
    expect(await exited).toMatchObject({ code: 0 });
  });
});

test("a program that knows nothing else speaks over its input and output", async () => {
  const { host, seen, exited } = start("process.stdin.pipe(process.stdout); console.error('log')", {
    wire: "stdio",
  });
  host.write("line\n");
  host.closeWire();
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(seen).toEqual({ wire: "line\n", stdout: "", stderr: "log\n" });
});

test("the environment is what was given, and nothing of the app's", async () => {
  vi.stubEnv("SOME_TOKEN", "secret");
  const { seen, exited } = start("console.log(Object.keys(process.env).sort().join())", {
    env: { GIVEN: "1" },
  });
  await exited;
  vi.unstubAllEnvs();
  const names = seen.stdout.trim().split(",");
  expect(names.filter((name) => !name.startsWith("__"))).toEqual([
    "GIVEN",
    "PATCHBAY_HOST_MARK",
    "PATCHBAY_WIRE_FD",
  ]);
});

test("a program that does not exist is an exit that says why", async () => {
  const { host, exited } = startProgram({ file: "no-such-program", args: [] });
  expect(await exited).toEqual({
    code: null,
    signal: null,
    error: expect.stringContaining("ENOENT"),
  });
  expect(host.pid).toBeUndefined();
  host.write("nobody\n");
  host.kill();
});

describe.runIf(onPosix)("what a host started", () => {
  /**
   * Code of a host whose child has a child. `leaves`: the grandchild is started with `setsid`, so it is in another
   * process group.
   */
  const family = (leaves: boolean, then: string) => `
    const { spawn } = require("node:child_process");
    const grandchild = 'const c = require("node:child_process").spawn("sleep", ["300"], { detached: ${leaves}, stdio: "inherit" });' +
      'console.log(process.pid, c.pid); setInterval(() => {}, 1000);';
    spawn(process.execPath, ["-e", grandchild], { stdio: "inherit" });
    ${then}
  `;
  const members = async (seen: { stdout: string }) => {
    const found = () => seen.stdout.trim().split(" ").map(Number);
    await expect.poll(() => found().length).toBe(2);
    const pids = found();
    expect(pids.map(isRunning)).toEqual([true, true]);
    return pids;
  };
  const allGone = (pids: number[]) => expect.poll(() => pids.map(isRunning)).toEqual(pids.map(() => false));

  test.each([false, true])("dies when it is killed (left the group: %s)", async (leaves) => {
    const { host, seen, exited } = start(family(leaves, "setInterval(() => {}, 1000);"));
    const pids = await members(seen);
    host.kill();
    expect(await exited).toEqual({ code: null, signal: "SIGKILL" });
    await allGone([...pids, host.pid ?? -1]);
  });

  test.each([false, true])("dies when it ends by itself (left the group: %s)", async (leaves) => {
    const { host, seen, exited } = start(
      family(leaves, `require("node:fs").read(3, () => process.exit(3));`),
    );
    const pids = await members(seen);
    host.write("end\n");
    expect(await exited).toEqual({ code: 3, signal: null });
    await allGone(pids);
  });

  test("dies when the app is killed, even while the host is deaf", async () => {
    const app = fork(join(import.meta.dirname, "../../../test/support/app-with-deaf-host.ts"), [], {
      serialization: "json",
    });
    const [pids] = (await once(app, "message")) as [number[]];
    expect(pids.map(isRunning)).toEqual([true, true]);
    app.kill("SIGKILL");
    await once(app, "exit");
    await allGone(pids);
  });
});
