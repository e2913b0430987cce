import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact, Plugin } from "../../../contract/index.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import { lineProcess } from "../../platform/lines/line-process.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Storage } from "../../store/index.ts";
import { folderName, folderOf } from "../artifact.ts";
import { namedAs } from "../hosted/foreign/named-as.ts";
import { variablesOf } from "../hosted/foreign/variables.ts";
import { HostedInstance } from "../hosted/hosted-instance.ts";
import type {
  FoundElsewhere,
  Inspection,
  ListedPlugin,
  PluginInstance,
  PluginRuntime,
  PrepareOptions,
  StartRequest,
} from "../runtime.ts";
import { startFolder, wallOf } from "../wall-of.ts";
import { detailsOf } from "./details.ts";
import { FlowlyInstance } from "./flowly-instance.ts";
import { FlowlyKind } from "./flowly-kind.ts";
import { foundByFlowly } from "./found.ts";
import { Injections } from "./hooks/injections.ts";
import { theirToolName } from "./hooks/tool-names.ts";
import { inspectFlowly, packagesScript } from "./inspect.ts";
import { listedByFlowly } from "./listed.ts";
import { withMissingModule } from "./python/missing-module.ts";
import type { Packages } from "./python/packages.ts";
import type { Pythons } from "./python/pythons.ts";
import { requirementsOf } from "./python/requirements.ts";
import { readSettings } from "./settings.ts";

export interface FlowlyRuntimeOptions {
  platform: Pick<Platform, "spawnHost" | "walls">;
  storage: Pick<Storage, "places">;
  pythons: Pick<Pythons, "pick">;
  packages: Pick<Packages, "of" | "install" | "installShown" | "remove">;
}

/** The Python plugins of Flowly, each in an interpreter of its own. */
export class FlowlyRuntime implements PluginRuntime {
  readonly id = "flowly";
  readonly displayName = "Flowly";
  readonly reloadsEdits = true;
  readonly #options: FlowlyRuntimeOptions;
  /** By agent: what the plugins put before the person's messages, and how many instances run of each. */
  readonly #agents = new Map<string, { injections: Injections; running: Map<string, number> }>();

  constructor(options: FlowlyRuntimeOptions) {
    this.#options = options;
  }

  get enforcement(): string {
    const { stands, problem, help } = this.#options.platform.walls();
    if (stands)
      return "It is Python code and can do whatever Python can, in a process of its own behind walls: of your files, programs and network it gets what is granted here, and of settings and secrets its own.";
    const why = [problem, help].filter((sentence) => sentence !== null).join(" ");
    return `It is Python code, and nothing walls it in on this machine: it can read and write your files, use the network and start programs, whatever its manifest says. ${why}`.trim();
  }

  found(): Promise<FoundElsewhere> {
    return foundByFlowly(process.env, process.cwd());
  }

  listed(row: unknown): ListedPlugin | null {
    return listedByFlowly(row);
  }

  async recognise(artifact: Artifact): Promise<boolean> {
    if (artifact.kind !== "folder") return false;
    const has = (name: string) =>
      access(join(artifact.dir, name)).then(
        () => true,
        () => false,
      );
    if ((await has("plugin.yaml")) || (await has("plugin.yml"))) return true;
    // Many systems have a plugin.json; beside Python code it is Flowly's.
    return (await has("plugin.json")) && (await has("__init__.py"));
  }

  async inspect(artifact: Artifact): Promise<Inspection> {
    const { stands } = this.#options.platform.walls();
    return inspectFlowly({ dir: folderOf(artifact), name: folderName(artifact) }, stands);
  }

  namedAs(inspection: Inspection, key: string): Inspection {
    return namedAs(inspection, key);
  }

  /** Installs the packages that the plugin names, into a place of Patchbay's own: the plugin's folder stays as it came. */
  async prepare(dir: string, { key, allowScripts, skipped, ...told }: PrepareOptions): Promise<void> {
    if (key === undefined || (await requirementsOf(dir)).length === 0) return;
    if (!allowScripts) return skipped?.(packagesScript);
    await this.#options.packages.install(key, dir, [], told);
  }

  async addPackages(
    plugin: Plugin,
    packages: readonly string[],
    told: Pick<PrepareOptions, "signal" | "log">,
  ): Promise<string[]> {
    await this.#options.packages.installShown(plugin.manifestKey, folderOf(plugin.artifact), packages, told);
    return [packagesScript];
  }

  async beforeRemoval(plugin: Plugin): Promise<void> {
    await this.#options.packages.remove(plugin.manifestKey);
  }

  async start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance> {
    const { plugin, agentId, workspace, limits, walls, memoryMb } = request;
    const { platform, storage, pythons, packages } = this.#options;
    const python = await pythons.pick();
    const home = join(storage.places.pluginFiles(agentId, plugin.manifestKey), "flowly");
    await mkdir(home, { recursive: true });
    const dir = folderOf(plugin.artifact);
    const found = await packages.of(plugin.manifestKey, dir, python);
    signal.throwIfAborted();
    const { manifest, flowlyKey } = detailsOf(plugin.declaration);
    const settings = readSettings(request.config);
    const wall = wallOf({ walls, dir, workspace, root: storage.places.root, own: [home] });
    const host = platform.spawnHost({
      file: python.file,
      args: [...python.args, python.main],
      cwd: startFolder(request),
      env: { ...hostEnvironment(), ...settings.variables, FLOWLY_HOME: home },
      wire: "private",
      wall: { ...wall, read: [...wall.read, ...python.read, ...found.read] },
    });
    const missing = variablesOf(manifest.requires_env)
      .map(({ name }) => name)
      .filter((name) => (settings.variables[name] ?? "") === "");
    const kind = new FlowlyKind({ plugin, hookMs: limits.hookMs, guards: settings.guards, missing });
    const hosted = new HostedInstance(lineProcess(host), request, kind);
    const start = {
      dir,
      key: flowlyKey,
      home,
      site: found.site,
      manifest: { ...manifest, source: placeOf(plugin), key: flowlyKey },
      memoryMb,
    };
    await hosted.start(start, signal).catch(async (error: unknown) => {
      const { lacking, installed } = found;
      const { version } = python;
      throw await withMissingModule(error, { plugin: plugin.displayName, dir, lacking, installed, version });
    });
    const agent = this.#agentOf(agentId);
    this.#count(agent.running, plugin.manifestKey, 1);
    void hosted.exited.then(() => this.#count(agent.running, plugin.manifestKey, -1));
    return new FlowlyInstance(hosted, {
      plugin: plugin.displayName,
      registered: () => kind.registered,
      guards: settings.guards,
      injections: agent.injections,
      toolName: (name) => theirToolName(name, (namespace) => agent.running.has(namespace)),
    });
  }

  #agentOf(agentId: string) {
    const agent = this.#agents.get(agentId) ?? { injections: new Injections(), running: new Map() };
    this.#agents.set(agentId, agent);
    return agent;
  }

  #count(running: Map<string, number>, key: string, by: 1 | -1): void {
    const now = (running.get(key) ?? 0) + by;
    if (now > 0) running.set(key, now);
    else running.delete(key);
  }
}

/** The word that Flowly has for where a plugin comes from, for `ctx.manifest.source`. */
function placeOf({ source }: Plugin): string {
  return source.kind === "builtin" ? "bundled" : "user";
}
