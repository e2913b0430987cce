import { fork } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Job, Plugin, Settings } from "../../src/contract/index.ts";
import { PatchbayError } from "../../src/contract/index.ts";
import { InstallJobs, type InstallJobsOptions, type PoolHooks } from "../../src/main/catalog/index.ts";
import type { InstalledPlugins } from "../../src/main/catalog/services.ts";
import type { ForkOptions, HostProcess, Platform } from "../../src/main/platform.ts";
import type { Inspection, PluginRuntime } from "../../src/main/runtimes/runtime.ts";

const entries = { fetch: new URL("../../src/main/catalog/fetch/index.ts", import.meta.url) };

export function testPlatform(home: string, bundleDir = join(home, "out", "main")): Platform {
  return {
    shell: "cli",
    home,
    version: "0.0.0-test",
    bundleDir,
    resourcesDir: new URL("../../resources", import.meta.url).pathname,
    forkHost,
    openUrl: async () => {},
    notify: () => {},
  };
}

/** The child runs from its source: Node reads TypeScript. */
function forkHost(options: ForkOptions): HostProcess {
  if (options.entry !== "fetch") throw new Error("only the fetch entry is used here");
  const child = fork(entries.fetch, {
    cwd: options.cwd,
    env: options.env,
    execArgv: ["--no-warnings", `--max-old-space-size=${options.memoryMb}`],
    serialization: "advanced",
    silent: true,
    detached: true,
  });
  return {
    pid: child.pid,
    post: (message) => void (child.connected && child.send(message as object)),
    onMessage: (listener) => void child.on("message", listener),
    onOutput: (listener) => {
      child.stdout?.on("data", (chunk: Buffer) => listener("stdout", chunk));
      child.stderr?.on("data", (chunk: Buffer) => listener("stderr", chunk));
    },
    onExit: (listener) => void child.once("exit", (code, signal) => listener({ code, signal })),
    kill: () => {
      try {
        if (child.pid) process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    },
  };
}

/** Reads the fixture plugins by importing them; they are our own. */
export class FixtureRuntime implements PluginRuntime {
  readonly id = "native";
  readonly enforcement = "Crash isolation, not a sandbox.";
  async recognise(dir: string): Promise<boolean> {
    return (await readdir(dir)).includes("package.json");
  }
  async inspect(dir: string): Promise<Inspection> {
    const file = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
    const entry = pathToFileURL(join(dir, file.exports ?? "index.js"));
    const { default: manifest } = await import(/* @vite-ignore */ `${entry}?${Math.random()}`);
    if (manifest?.manifestVersion !== 1)
      throw new PatchbayError("NOT_A_PLUGIN", `${file.name} is no plugin.`);
    return {
      runtime: "native",
      manifestKey: manifest.key,
      packageName: file.name,
      packageVersion: file.version,
      displayName: manifest.displayName,
      description: manifest.description,
      capabilities: {
        ...(manifest.tools && { tools: { namespace: manifest.tools.namespace } }),
        ...(manifest.hooks && { hooks: { events: manifest.hooks.events } }),
      },
      declaration: {
        configSchema: null,
        flatConfig: false,
        defaultConfig: null,
        secretKeys: [],
        permissions: manifest.permissions ?? null,
        requiredHooks: [],
      },
      warnings: [],
    };
  }
  start(): never {
    throw new Error("not used here");
  }
}

export class MemoryRegistry implements InstalledPlugins {
  readonly rows = new Map<string, Plugin>();
  list = () => [...this.rows.values()];
  get = (key: string) => this.rows.get(key);
  put = (plugin: Plugin) => void this.rows.set(plugin.manifestKey, plugin);
  remove = (key: string) => void this.rows.delete(key);
}

export interface Bench extends AsyncDisposable {
  home: string;
  /** Free space for fixtures. */
  work: string;
  jobs: InstallJobs;
  registry: MemoryRegistry;
  calls: string[];
  settings: Pick<Settings, "registry" | "catalogUrls">;
  options: InstallJobsOptions;
  /** Installs with consent given, and resolves with the ended job. */
  install(spec: string, more?: Partial<Parameters<InstallJobs["install"]>[0]>): Promise<Job>;
  update(key: string, more?: Parameters<InstallJobs["update"]>[1]): Promise<Job>;
  /** Resolves with the job as soon as it has this status. */
  until(id: string, status: Job["status"]): Promise<Job>;
  placed(): Promise<string[]>;
  staged(): Promise<string[]>;
}

export async function openBench(
  options: { pool?: Partial<PoolHooks>; limits?: InstallJobsOptions["limits"]; home?: string } = {},
) {
  const root = await mkdtemp(join(tmpdir(), "patchbay-catalog-"));
  const home = options.home ?? join(root, "home");
  const work = join(root, "work");
  await mkdir(work, { recursive: true });
  await mkdir(home, { recursive: true });
  const calls: string[] = [];
  const registry = new MemoryRegistry();
  const settings: Bench["settings"] = { registry: null, catalogUrls: [] };
  const jobsOptions: InstallJobsOptions = {
    platform: testPlatform(home),
    registry,
    runtimes: [new FixtureRuntime()],
    pool: {
      trial: async (plugin) => void calls.push(`trial ${plugin.packageVersion}`),
      stopPlugin: async (key) => void calls.push(`stop ${key}`),
      afterInstall: async (plugin) => void calls.push(`after ${plugin.packageVersion}`),
      ...options.pool,
    },
    settings: { get: () => settings },
    limits: options.limits,
  };
  const jobs = new InstallJobs(jobsOptions);
  const bench: Bench = {
    home,
    work,
    jobs,
    registry,
    calls,
    settings,
    options: jobsOptions,
    install: (spec, more) => jobs.ended(jobs.install({ spec, yes: true, ...more }).id),
    update: (key, more) => jobs.ended(jobs.update(key, { yes: true, ...more }).id),
    until: (id, status) => jobWith(jobs, id, (job) => job.status === status),
    placed: () => namesBelow(join(home, "plugins")),
    staged: () => readdir(join(home, "staging")).catch(() => []),
    [Symbol.asyncDispose]: async () => {
      await jobs.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Resolves with the job as soon as it is as wanted. */
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
