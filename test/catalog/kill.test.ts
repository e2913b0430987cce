import { fork } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createIntegrityCheck, InstallJobs } from "../../src/main/catalog/index.ts";
import { PluginRegistry } from "../../src/main/registry/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { dirOf } from "../support/dir-of.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { nativeRuntime, noBrought, noMcpRegistry, testPlatform } from "./support.ts";

const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 8);
type Moment = { afterMs: number } | { afterChanges: number };

/**
 * Lets the loop run from `ready` to that moment, kills it with everything it started, and returns the lines that it had
 * printed.
 */
async function killedAt(moment: Moment, args: string[]): Promise<{ said: string[]; ms: number }> {
  const child = fork(new URL("install-in-a-loop.ts", import.meta.url), args, {
    execArgv: ["--no-warnings"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: true,
  });
  const said: string[] = [];
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString("utf8");
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once("exit", (_code, signal) => resolve(signal)),
  );
  const kill = () => process.kill(-(child.pid ?? 0), "SIGKILL");
  let ready = 0;
  child.on("message", (message) => {
    said.push(String(message));
    if (message === "ready") {
      ready = performance.now();
      if ("afterMs" in moment) setTimeout(kill, moment.afterMs);
    } else if ("afterChanges" in moment && said.length > moment.afterChanges) kill();
  });
  expect(await ended, errors).toBe("SIGKILL");
  return { said, ms: performance.now() - ready };
}

/** The last confirmed state of each plugin: its version, or null once it was removed. */
function lastTold(said: string[]): Map<string, string | null> {
  const told = new Map<string, string | null>();
  for (const line of said) {
    const [what, key = "", version = ""] = line.split(" ");
    if (what === "installed") told.set(key, version);
    if (what === "removed") told.set(key, null);
  }
  return told;
}

test(
  `after kill -9 at ${runs} random moments nothing is half-installed and no row is lost`,
  async () => {
    const root = await mkdtemp(join(tmpdir(), "patchbay-kill-"));
    const home = join(root, "home");
    await mkdir(home);
    const filling = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`lib/${index}.js`, "x".repeat(20_000)]),
    );
    const folders: string[] = [];
    for (const [key, version] of [
      ["one", "1.0.0"],
      ["two", "1.0.0"],
      ["one", "1.1.0"],
    ] as const) {
      folders.push(
        await writePlugin(join(root, "work", `${key}-${version}`), { key, version, files: filling }),
      );
    }
    const args = [root, home, ...folders];
    const round = await killedAt({ afterChanges: folders.length }, args);
    await assertWhole(home, lastTold(round.said));
    let changes = 0;
    for (let run = 0; run < runs; run++) {
      const { said } = await killedAt({ afterMs: Math.random() * round.ms * 1.5 }, args);
      changes += said.length - 1;
      await assertWhole(home, lastTold(said));
    }
    expect(changes, "most runs change something before they are killed").toBeGreaterThan(0);
    await rm(root, { recursive: true });
  },
  60_000 + runs * 10_000,
);

async function assertWhole(home: string, told: Map<string, string | null>): Promise<void> {
  const problems: string[] = [];
  const storage = openFileStorage({ home, onNotice: (problem) => problems.push(problem.message) });
  const registry = new PluginRegistry({ storage });
  const platform = await testPlatform(home);
  const jobs = new InstallJobs({
    storage,
    platform,
    registry,
    runtimes: [nativeRuntime(platform)],
    pool: { trial: async () => {}, stopPlugin: async () => {}, startAgain: async () => {} },
    settings: { get: () => ({ registry: null, catalogUrls: [], mcpRegistry: null }) },
    mcpRegistry: noMcpRegistry,
    brought: noBrought,
    onNotice: (problem) => problems.push(problem.message),
  });
  await jobs.recover();
  expect(problems).toEqual([]);
  expect(jobs.list().filter((job) => job.endedAt === null)).toEqual([]);
  expect(await readdir(join(home, "staging")).catch(() => [])).toEqual([]);
  const referenced = registry
    .list()
    .flatMap((row) => [row, ...row.previous])
    .map(dirOf);
  expect((await placedDirs(home)).sort()).toEqual(referenced.sort());
  const check = createIntegrityCheck();
  for (const plugin of registry.list()) {
    expect(await check(plugin)).toBeNull();
    for (const version of plugin.previous) expect(await check({ ...plugin, ...version })).toBeNull();
  }
  // Either the last confirmed state is found, or that of a later change whose confirmation the kill prevented.
  for (const [key, version] of told) {
    if (version !== null && key === "two") expect(registry.get(key)?.packageVersion).toBe(version);
  }
  await jobs.close();
  await registry.close();
}

async function placedDirs(home: string): Promise<string[]> {
  const dirs: string[] = [];
  for (const key of await readdir(join(home, "plugins")).catch(() => [] as string[])) {
    for (const version of await readdir(join(home, "plugins", key)))
      dirs.push(join(home, "plugins", key, version));
  }
  return dirs;
}
