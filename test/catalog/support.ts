import { EventEmitter } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Job, Problem, Settings } from "../../src/contract/index.ts";
import {
  InstallJobs,
  type InstallJobsOptions,
  McpRegistry,
  type PoolHooks,
} from "../../src/main/catalog/index.ts";
import { forkNodeHost } from "../../src/main/platform/node-host-process.ts";
import type { Platform } from "../../src/main/platform/platform.ts";
import { spawnNodeHost } from "../../src/main/platform/spawned-host.ts";
import { forgetWalls, wallReport } from "../../src/main/platform/walls/start.ts";
import { PluginRegistry } from "../../src/main/registry/index.ts";
import { NativeRuntime } from "../../src/main/runtimes/native/native-runtime.ts";
import type { PluginRuntime } from "../../src/main/runtimes/runtime.ts";
import { openFileStorage, storeAt } from "../../src/main/store/index.ts";

const sources = new URL("../../src/main/", import.meta.url);

/**
 * Bundles for one test: those of plugin hosts as they were built, because they run behind a wall, where no source can be seen;
 * for fetching one that only imports the source.
 */
async function bundlesIn(dir: string): Promise<string> {
  const built = new URL("../../out/main/", import.meta.url);
  for (const entry of ["host.js", "dirge.js"]) await cp(new URL(entry, built), join(dir, entry));
  for (const folder of ["chunks", "sdk"])
    await cp(new URL(`${folder}/`, built), join(dir, folder), { recursive: true });
  await writeFile(join(dir, "package.json"), '{"type":"module"}');
  await writeFile(join(dir, "fetch.js"), `import "${new URL("catalog/fetch/index.ts", sources)}";`);
  return dir;
}

/** The platform of plain Node, with `home` and bundles . */
export async function testPlatform(home: string, root = dirname(home)): Promise<Platform> {
  const bundleDir = await bundlesIn(join(root, "out", "main"));
  return {
    shell: "cli",
    store: storeAt(home),
    version: "0.0.0-test",
    bundleDir,
    resourcesDir: fileURLToPath(new URL("../../resources", sources)),
    languages: () => ["en"],
    forkHost: (options) => forkNodeHost(bundleDir, options),
    spawnHost: spawnNodeHost,
    walls: wallReport,
    forgetWalls,
    wallEvents: new EventEmitter(),
    openUrl: async () => {},
    notify: () => {},
  };
}

export function nativeRuntime(platform: Platform, inspectMs = 10_000): PluginRuntime {
  return new NativeRuntime({ platform, root: platform.store, inspectMs: () => inspectMs });
}

export interface Bench extends AsyncDisposable {
  home: string;
  /** An empty folder for fixtures. */
  work: string;
  jobs: InstallJobs;
  registry: PluginRegistry;
  calls: string[];
  /** The lines of the audit log. */
  audited: { kind: string; [detail: string]: unknown }[];
  /** The notices about state files. */
  notices: Problem[];
  settings: Pick<Settings, "registry" | "catalogUrls" | "mcpRegistry">;
  options: InstallJobsOptions;
  /** Installs with consent given, and resolves with the ended job. */
  install(spec: string, more?: Partial<Parameters<InstallJobs["install"]>[0]>): Promise<Job>;
  update(key: string, more?: Parameters<InstallJobs["update"]>[1]): Promise<Job>;
  /** Resolves with the job as soon as it has this status. */
  until(id: string, status: Job["status"]): Promise<Job>;
  /** Says yes to the first look of a package without a description, and resolves when its consent is asked. */
  untilConsent(id: string): Promise<Job>;
  placed(): Promise<string[]>;
  staged(): Promise<string[]>;
}

export async function openBench(
  options: {
    pool?: Partial<PoolHooks>;
    limits?: InstallJobsOptions["limits"];
    home?: string;
    inspectMs?: number;
  } = {},
) {
  const root = await mkdtemp(join(tmpdir(), "patchbay-catalog-"));
  const home = options.home ?? join(root, "home");
  const work = join(root, "work");
  await mkdir(work, { recursive: true });
  await mkdir(home, { recursive: true });
  const calls: string[] = [];
  const audited: Bench["audited"] = [];
  const notices: Problem[] = [];
  const storage = openFileStorage({ home, onNotice: (problem) => notices.push(problem) });
  const registry = new PluginRegistry({ storage });
  const platform = await testPlatform(home, root);
  const settings: Bench["settings"] = { registry: null, catalogUrls: [], mcpRegistry: null };
  const jobsOptions: InstallJobsOptions = {
    storage,
    platform,
    registry,
    runtimes: [nativeRuntime(platform, options.inspectMs)],
    pool: {
      trial: async (plugin) => void calls.push(`trial ${plugin.packageVersion}`),
      stopPlugin: async (key) => void calls.push(`stop ${key}`),
      startAgain: async (key) => void calls.push(`start again ${key}`),
      ...options.pool,
    },
    settings: { get: () => settings },
    mcpRegistry: noMcpRegistry,
    brought: noBrought,
    limits: options.limits,
    audit: { record: (event) => void audited.push(event) },
    onNotice: (problem) => notices.push(problem),
  };
  const jobs = new InstallJobs(jobsOptions);
  const bench: Bench = {
    home,
    work,
    jobs,
    registry,
    calls,
    audited,
    notices,
    settings,
    options: jobsOptions,
    install: async (spec, more) => jobs.ended((await jobs.install({ spec, yes: true, ...more })).id),
    update: async (key, more) => jobs.ended((await jobs.update(key, { yes: true, ...more })).id),
    until: (id, status) => jobWith(jobs, id, (job) => job.status === status),
    untilConsent: async (id) => {
      await jobWith(jobs, id, (job) => job.question === "look");
      jobs.consent(id, { accept: true, question: "look" });
      return jobWith(jobs, id, (job) => job.question === "install");
    },
    placed: () => namesBelow(join(home, "plugins")),
    staged: () => readdir(join(home, "staging")).catch(() => []),
    [Symbol.asyncDispose]: async () => {
      await jobs.close();
      await registry.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Resolves with the job as soon as `wanted` returns true for it. */
export async function jobWith(jobs: InstallJobs, id: string, wanted: (job: Job) => boolean): Promise<Job> {
  const now = jobs.get(id);
  if (wanted(now)) return now;
  const { promise, resolve } = Promise.withResolvers<Job>();
  const look = (job: Job) => {
    if (job.id === id && wanted(job)) resolve(job);
  };
  jobs.changes.on("job", look);
  try {
    return await promise;
  } finally {
    jobs.changes.off("job", look);
  }
}

async function namesBelow(dir: string): Promise<string[]> {
  const found: string[] = [];
  for (const key of await readdir(dir).catch(() => [] as string[])) {
    for (const version of await readdir(join(dir, key))) found.push(`${key}/${version}`);
  }
  return found.sort();
}

/** For catalogues without an MCP Registry. */
/** No other program has servers. */
export const noBrought = { of: () => Promise.reject(new Error("nothing was brought")) };

export const noMcpRegistry = new McpRegistry({ address: () => null, file: "/nowhere/mcp-registry.json" });
