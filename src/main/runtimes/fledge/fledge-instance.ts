import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";
import type { Slots } from "../../base/slots.ts";
import type { HostExit } from "../../platform/platform.ts";
import { folderOf } from "../artifact.ts";
import {
  type CallOf,
  type CallResult,
  type CallResults,
  type CallScope,
  callUnsupported,
  type PluginCall,
  type ToolOutput,
} from "../plugin-call.ts";
import type { InstanceContributions, PluginInstance, StartRequest } from "../runtime.ts";
import { Cells } from "./cell.ts";
import { detailsOf } from "./details.ts";
import { ownVariables, programEnvironment } from "./environment.ts";
import { hookInfos } from "./lifecycle.ts";
import { CommandLinks } from "./links.ts";
import { inputSchema } from "./manifest/arguments.ts";
import { argvFor } from "./manifest/argv.ts";
import type { FledgeCommand } from "./manifest/commands.ts";
import type { FledgeManifest } from "./manifest/plugin-toml.ts";
import { checkProgram, findProgram, lookUp, sniffProgram } from "./manifest/program-file.ts";
import { namesOf, titleOf } from "./manifest/tool-names.ts";
import type { OwnFolder } from "./own-folder/own-folder.ts";
import { runHook } from "./prepare.ts";
import { printable } from "./printable.ts";
import { type Launch, launchOf } from "./run/launch.ts";
import { runPlain } from "./run/plain-run.ts";
import type { PluginStore } from "./run/plugin-store.ts";
import { promptModeOf } from "./run/protocol/answers.ts";
import { type RunEnd, runProtocol } from "./run/protocol-run.ts";
import { resultOf } from "./run/result.ts";
import type { RunRequest } from "./run/run-request.ts";
import { explainSpawn } from "./spawn-errors.ts";
import { runWasm } from "./wasm/wasm-run.ts";

export interface FledgeInstanceOptions {
  request: StartRequest;
  manifest: FledgeManifest;
  /** The search path of programs. */
  path: string;
  version: string;
  wasmWorker: string;
  store: PluginStore;
  /** What its programs see as its folder; made again for each call of a linked one, in which files come and go. */
  own: OwnFolder;
  openOwn(): Promise<OwnFolder>;
  /** What a wasm plugin sees as `/plugin`. */
  dataDir: string;
  linkDir: string;
  /** Patchbay's own folder, which stays hidden. */
  root: string;
  slots: Slots;
}

/** One fledge plugin for one agent. Between calls no process of it runs. */
export class FledgeInstance implements PluginInstance {
  readonly pid = null;
  readonly exited: Promise<HostExit>;
  readonly contributions: InstanceContributions;
  readonly #options: FledgeInstanceOptions;
  readonly #links: CommandLinks;
  readonly #commands = new Map<string, FledgeCommand>();
  readonly #launches = new Map<string, Launch>();
  readonly #cells: Cells;
  #own: OwnFolder;
  readonly #runs = new Set<Promise<unknown>>();
  /**
   * Made once: reading `process.env` takes longer than the rest of preparing a call, and the environment does not
   * change.
   */
  readonly #environment: Record<string, string>;
  readonly #stopped = new AbortController();
  #resolveExited: (exit: HostExit) => void = () => {};

  constructor(options: FledgeInstanceOptions) {
    this.#options = options;
    this.#links = new CommandLinks(options.linkDir);
    const { walls, workspace, plugin } = options.request;
    const dir = folderOf(plugin.artifact);
    const { root, linkDir, dataDir } = options;
    this.#own = options.own;
    const ownFolder = () => this.#own;
    this.#cells = new Cells({ walls, workspace, dir, root, linkDir, dataDir, ownFolder });
    this.#environment = programEnvironment(options.path, this.#own.dir, ownVariables(options.request.config));
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
    this.contributions = this.#offer();
  }

  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>> {
    // The switch returns the result type of its kind, but TypeScript cannot follow that from `call.kind` to `C`.
    return this.#make(call, scope) as Promise<CallResult<C>>;
  }

  /** Always alive: there is no process between calls, so it uses no memory either. */
  async ping(): Promise<{ memoryBytes: number }> {
    return { memoryBytes: 0 };
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new PatchbayError("ABORTED", "The plugin stops, so the call was stopped."));
    await Promise.allSettled(this.#runs);
    await this.#links.remove().catch(() => {});
    this.#cells.close();
    this.#resolveExited({ code: 0, signal: null });
  }

  async #make(call: PluginCall, scope: CallScope): Promise<CallResults[PluginCall["kind"]]> {
    switch (call.kind) {
      case "tool":
        return this.#callTool(call, scope);
      case "hook":
        return this.#runHook(call, scope);
      case "command":
      case "webhook":
      case "send":
      case "prompt":
      case "resource":
      case "resources":
      case "suggest":
      case "shortcut":
        throw callUnsupported(this.#options.request.plugin.displayName, call.kind);
    }
  }

  async #callTool(call: CallOf<"tool">, scope: CallScope): Promise<CallResults["tool"]> {
    const command = this.#commands.get(call.name);
    if (!command) {
      throw new PatchbayError("TOOL_NOT_FOUND", `The plugin has no command for the tool ${call.name}.`);
    }
    return this.#track(this.#run(command, argvFor(command, call.input), call, scope));
  }

  /** Runs the lifecycle hook of that name. */
  async #runHook({ hookId }: CallOf<"hook">, scope: CallScope): Promise<CallResults["hook"]> {
    const { plugin, services } = this.#options.request;
    const hook = detailsOf(plugin.declaration).lifecycle.find(({ name }) => name === hookId);
    if (!hook) throw new PatchbayError("HOOK_FAILED", `There is no hook ${hookId}.`);
    const signal = AbortSignal.any([scope.signal, this.#stopped.signal]);
    const log = (text: string) => services.log("info", text, "patchbay", scope);
    await this.#lookAgain();
    return this.#track(
      runHook(hook.name, hook.command, folderOf(plugin.artifact), this.#options.path, {
        signal,
        log,
        cwd: this.#cells.cwd,
        env: { ...ownVariables(this.#options.request.config), FLEDGE_PLUGIN_DIR: this.#own.dir },
        cell: this.#cells.exec,
      }),
    );
  }

  #offer(): InstanceContributions {
    const { manifest, request } = this.#options;
    const { plugin, limits } = request;
    const names = namesOf(manifest);
    for (const command of manifest.commands) {
      this.#commands.set(names.tools.get(command.name) ?? command.name, command);
    }
    return {
      tools: [...this.#commands].map(([name, command]) => ({
        name,
        title: titleOf(names, name),
        label: command.name,
        description: command.description || `The command ${command.name} of ${plugin.displayName}.`,
        parameters: inputSchema(command.args),
        readOnly: false,
        danger: command.danger,
        owner: plugin.manifestKey,
      })),
      toolsets: [],
      hooks: hookInfos(detailsOf(plugin.declaration).lifecycle, limits.hookMs),
      commands: [],
      skills: [],
      prompts: [],
      channel: null,
    };
  }

  async #run(
    command: FledgeCommand,
    argv: string[],
    call: CallOf<"tool">,
    scope: CallScope,
  ): Promise<ToolOutput> {
    const signal = AbortSignal.any([scope.signal, this.#stopped.signal]);
    const end = await this.#options.slots.hold(signal, async () => {
      const request = await this.#requestOf(command, argv, call, scope, signal);
      const run = this.#execute(request).catch((error: unknown) => {
        // The program was checked at an earlier call and may have changed since: check it again at the next one.
        this.#launches.delete(command.name);
        throw explainSpawn(error, command.binary);
      });
      // The line is made while the program starts, so that it costs no time.
      const shown = argv.map((text, at) => printable(text, command.args?.[at]?.name)).join(" ");
      request.log("info", `${command.name} ${shown}`.trimEnd(), "patchbay");
      return run;
    });
    signal.throwIfAborted();
    return resultOf(command.name, argv, end);
  }

  async #execute(request: RunRequest): Promise<RunEnd> {
    const { manifest, wasmWorker, dataDir } = this.#options;
    if (manifest.runtime === "wasm") return runWasm(request, { worker: wasmWorker, dataDir });
    return manifest.protocol === null ? runPlain(request) : runProtocol(request);
  }

  async #requestOf(
    command: FledgeCommand,
    argv: string[],
    call: CallOf<"tool">,
    scope: CallScope,
    signal: AbortSignal,
  ): Promise<RunRequest> {
    const { request, manifest, version, store } = this.#options;
    const { plugin, workspace, services } = request;
    const context = `tool ${titleOf(namesOf(manifest), call.name)}`;
    const dir = folderOf(plugin.artifact);
    await this.#lookAgain();
    const { cwd, exec, git } = this.#cells;
    return {
      plugin: { name: manifest.name, version: manifest.version, dir: this.#own.dir },
      command,
      argv,
      launch: await this.#launch(command),
      root: workspace,
      cwd,
      cells: {
        program: this.#cells.of(join(dir, command.binary)),
        exec,
        git,
        module: (sees) => this.#cells.module(sees),
      },
      seesProject: request.walls.grants.files.workspace !== "none",
      env: this.#environment,
      grants: manifest.grants,
      hostVersion: version,
      store,
      asking: (over) => ({
        mode: promptModeOf(request.config, scope),
        root: workspace,
        ask: (question) => services.ask(question, context, scope, AbortSignal.any([over, signal])),
      }),
      signal,
      progress: (text) => call.onUpdate(text),
      log: (level, text, origin) => services.log(level, text, origin, scope),
    };
  }

  async #launch(command: FledgeCommand): Promise<Launch> {
    const known = this.#launches.get(command.name);
    if (known !== undefined) return known;
    const { request, manifest, path } = this.#options;
    const dir = folderOf(request.plugin.artifact);
    const launch =
      manifest.runtime === "wasm"
        ? { file: await findProgram(dir, command.binary), args: [] }
        : await this.#checkedLaunch(command, dir, path);
    this.#launches.set(command.name, launch);
    return launch;
  }

  /** To be done before a program starts: files of a linked folder come and go, and earlier calls may have added code. */
  async #lookAgain(): Promise<void> {
    const { plugin, walls } = this.#options.request;
    if (plugin.source.kind === "link" && (await this.#own.isOutdated()))
      this.#own = await this.#options.openOwn();
    for (const target of await this.#own.putAside()) walls.refused({ wall: "files", target, seenBy: "wall" });
  }

  async #checkedLaunch(command: FledgeCommand, dir: string, path: string): Promise<Launch> {
    const installed = await checkProgram(dir, command.binary, path);
    // What is checked are the installed files; where no wall stands, a fresh copy of them is run.
    const program =
      this.#own.dir === dir ? installed : join(this.#own.dir, relative(await realpath(dir), installed));
    const link = await this.#links.get(command.name, program);
    const { platform, env } = process;
    return launchOf(link, await sniffProgram(program), { platform, env, find: (name) => lookUp(name, path) });
  }

  async #track<T>(run: Promise<T>): Promise<T> {
    this.#runs.add(run);
    try {
      return await run;
    } finally {
      this.#runs.delete(run);
    }
  }
}
