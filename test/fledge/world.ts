import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { DialogAnswer, DialogQuestion, LogEntry, Plugin } from "../../src/contract/index.ts";
import { defaultSettings } from "../../src/main/registry/index.ts";
import { FledgeRuntime } from "../../src/main/runtimes/fledge/fledge-runtime.ts";
import type { ToolOutput } from "../../src/main/runtimes/plugin-call.ts";
import type { PluginInstance, PluginWalls } from "../../src/main/runtimes/runtime.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { givenWalls } from "../support/open-walls.ts";
import { callScope, type ToolCallOptions, textOf, toolCall } from "../support/pool-world.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures/fledge");

export interface Started {
  instance: PluginInstance;
  logs: Pick<LogEntry, "level" | "text" | "origin">[];
  questions: DialogQuestion[];
  /** Calls a command by its name. */
  call(command: string, input?: Record<string, unknown>, options?: ToolCallOptions): Promise<ToolOutput>;
  /** The text that a command answered with. */
  text(command: string, input?: Record<string, unknown>, options?: ToolCallOptions): Promise<string>;
}

export interface StartOptions {
  agentId?: string;
  config?: Record<string, unknown>;
  answer?(question: DialogQuestion, signal: AbortSignal | undefined): DialogAnswer | Promise<DialogAnswer>;
  walls?: PluginWalls;
}

const realWorker = fileURLToPath(new URL("../../src/main/runtimes/fledge/wasm/worker.ts", import.meta.url));

/** The real runtime over copies of fixture plugins, without the rest of the app. */
export class FledgeWorld implements AsyncDisposable {
  readonly home: string;
  readonly workspace: string;
  readonly runtime: FledgeRuntime;
  readonly #instances: PluginInstance[] = [];
  #keep = false;

  /** @param wasmWorker the code of the process that runs WebAssembly modules, when it is not the real one */
  static async open(wasmWorker?: string): Promise<FledgeWorld> {
    const home = await realpath(await mkdtemp(join(tmpdir(), "patchbay-fledge-")));
    const workspace = await realpath(await mkdtemp(join(tmpdir(), "patchbay-project-")));
    return new FledgeWorld(home, workspace, wasmWorker);
  }

  private constructor(home: string, workspace: string, wasmWorker?: string) {
    this.home = home;
    this.workspace = workspace;
    this.runtime = new FledgeRuntime({
      storage: openFileStorage({ home, onNotice() {} }),
      version: "9.9.9",
      wasmWorker: wasmWorker ?? realWorker,
    });
  }

  /** Copies a fixture, prepares it as an installation does, and returns the row that it would get. */
  async install(fixture: string, allowScripts = false): Promise<Plugin> {
    const dir = join(this.home, "plugins", fixture);
    await cp(join(fixtures, fixture), dir, { recursive: true });
    return this.prepare(dir, allowScripts);
  }

  /** Installs a fixture under another name and with all its permissions removed. */
  async installUngranted(fixture: string): Promise<Plugin> {
    const dir = join(this.home, "plugins", `${fixture}-ungranted`);
    await cp(join(fixtures, fixture), dir, { recursive: true });
    const file = join(dir, "plugin.toml");
    const text = await readFile(file, "utf8");
    const bare = text.replace(/^name = .*$/m, 'name = "ungranted"').replace(/^\[capabilities\][^[]*/m, "");
    await writeFile(file, bare);
    return this.prepare(dir);
  }

  async prepare(dir: string, allowScripts = false): Promise<Plugin> {
    const { signal } = new AbortController();
    const inspection = await this.runtime.inspect({ kind: "folder", dir }, signal);
    await this.runtime.prepare(dir, { allowScripts, signal, log: () => {} });
    const now = new Date().toISOString();
    return {
      ...inspection,
      id: inspection.manifestKey,
      artifact: { kind: "folder", dir },
      source: { kind: "folder", spec: dir, integrity: null, treeHash: null, installedAt: now },
      trust: "local",
      scriptsAllowed: allowScripts,
      previous: [],
      createdAt: now,
      updatedAt: now,
    };
  }

  async start(plugin: Plugin, options: StartOptions = {}): Promise<Started> {
    const logs: Started["logs"] = [];
    const questions: DialogQuestion[] = [];
    const instance = await this.runtime.start(
      {
        agentId: options.agentId ?? "ada",
        plugin,
        config: options.config ?? {},
        secrets: {},
        workspace: this.workspace,
        limits: defaultSettings.limits,
        memoryMb: 256,
        walls: options.walls ?? givenWalls().walls(options.agentId ?? "ada", plugin, () => {}),
        services: {
          log: (level, text, origin) => void logs.push({ level, text, origin }),
          refused: () => {},
          reportError() {},
          reportState() {},
          contributionsChanged() {},
          storage: { get: async () => undefined, set: async () => {}, delete: async () => {} },
          credentials: { get: async () => null, set: async () => {} },
          oauthToken: async () => "",
          signedIn: () => false,
          ask: async (question, _context, _during, signal) => {
            questions.push(structuredClone(question));
            return options.answer?.(question, signal) ?? null;
          },
        },
      },
      new AbortController().signal,
    );
    this.#instances.push(instance);
    const namespace = plugin.capabilities.tools?.namespace;
    const call: Started["call"] = (command, input = {}, options = {}) =>
      instance.call(toolCall(`${namespace}__${command}`, input, options), callScope(options));
    return {
      instance,
      logs,
      questions,
      call,
      text: async (...args) => textOf(await call(...args)),
    };
  }

  /** Another start of the app over the same folders. Closing it leaves them. */
  again(): FledgeWorld {
    const second = new FledgeWorld(this.home, this.workspace);
    second.#keep = true;
    return second;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.stop("shutdown")));
    if (this.#keep) return;
    await rm(this.home, { recursive: true, force: true });
    await rm(this.workspace, { recursive: true, force: true });
  }
}
