import { join } from "node:path";
import type { Artifact } from "../../../contract/index.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Storage } from "../../store/index.ts";
import { folderOf } from "../artifact.ts";
import { namedAs } from "../hosted/foreign/named-as.ts";
import { HostedInstance } from "../hosted/hosted-instance.ts";
import type { FoundElsewhere, Inspection, PluginInstance, PluginRuntime, StartRequest } from "../runtime.ts";
import { startFolder, wallOf } from "../wall-of.ts";
import { detailsOf } from "./details.ts";
import { DirgeInstance } from "./dirge-instance.ts";
import { DirgeKind } from "./dirge-kind.ts";
import { ENDING, sourcesIn } from "./discovery/files.ts";
import { foundByDirge } from "./found.ts";
import { Sessions } from "./hooks/sessions.ts";
import { theirToolName } from "./hooks/tool-names.ts";
import type { DirgeStart } from "./host/protocol.ts";
import { inspectDirge, sourceOf } from "./inspect.ts";
import { readSettings } from "./settings.ts";

export interface DirgeRuntimeOptions {
  platform: Pick<Platform, "forkHost" | "walls">;
  storage: Pick<Storage, "places">;
}

/** What of the files on this computer is the plugin's own. */
function ownPath(artifact: Artifact): string {
  const dir = folderOf(artifact);
  return artifact.kind === "folder" && artifact.file !== undefined ? join(dir, artifact.file) : dir;
}

/** The Janet plugins of dirge, each in a process of its own with an engine of its own. */
export class DirgeRuntime implements PluginRuntime {
  readonly id = "dirge";
  readonly displayName = "dirge";
  readonly fileEnding = ENDING;
  readonly reloadsEdits = true;
  readonly #options: DirgeRuntimeOptions;
  /** By agent: how many instances run of each plugin. */
  readonly #running = new Map<string, Map<string, number>>();

  constructor(options: DirgeRuntimeOptions) {
    this.#options = options;
  }

  get enforcement(): string {
    const { stands, problem, help } = this.#options.platform.walls();
    if (stands)
      return "It is Janet code, run by an engine of Patchbay's in a process of its own behind walls: of your files, programs and network it gets what is granted here, and of settings and secrets its own.";
    const why = [problem, help].filter((sentence) => sentence !== null).join(" ");
    return `It is Janet code. Patchbay's engine gives it only what is granted here, but no wall of this machine stands behind that. ${why}`.trim();
  }

  found(): Promise<FoundElsewhere> {
    return foundByDirge(process.env, process.cwd());
  }

  async recognise(artifact: Artifact): Promise<boolean> {
    if (artifact.kind !== "folder") return false;
    return artifact.file?.endsWith(ENDING) ?? (await sourcesIn(artifact.dir)).length > 0;
  }

  async inspect(artifact: Artifact): Promise<Inspection> {
    return inspectDirge(artifact, this.#options.platform.walls().stands);
  }

  namedAs(inspection: Inspection, key: string): Inspection {
    return namedAs(inspection, key);
  }

  async start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance> {
    const { plugin, agentId, workspace, walls, memoryMb } = request;
    const { platform, storage } = this.#options;
    const settings = readSettings(request.config);
    const { id } = detailsOf(plugin.declaration);
    // The files are named anew: those of a linked folder may have changed.
    const { dir, files } = await sourceOf(plugin.artifact);
    signal.throwIfAborted();
    const start: DirgeStart = {
      id,
      dir,
      files,
      workspace,
      autoStart: settings.autoStart,
      variables: settings.variables,
      grants: walls.grants,
    };
    const host = platform.forkHost({
      entry: "dirge",
      name: `patchbay-plugin-${plugin.manifestKey}`,
      cwd: startFolder(request),
      env: { ...hostEnvironment(), ...settings.variables },
      memoryMb,
      wall: wallOf({ walls, dir: ownPath(plugin.artifact), workspace, root: storage.places.root }),
    });
    const kind = new DirgeKind({ plugin, guards: settings.guards });
    const hosted = new HostedInstance(host, request, kind);
    await hosted.start(start, signal);
    const running = this.#runningFor(agentId);
    this.#count(running, plugin.manifestKey, 1);
    void hosted.exited.then(() => this.#count(running, plugin.manifestKey, -1));
    return new DirgeInstance(hosted, kind, {
      plugin: plugin.displayName,
      key: plugin.manifestKey,
      guards: settings.guards,
      sessions: new Sessions(),
      workspace,
      toolName: (name) => theirToolName(name, (namespace) => running.has(namespace)),
    });
  }

  #runningFor(agentId: string): Map<string, number> {
    const running = this.#running.get(agentId) ?? new Map<string, number>();
    this.#running.set(agentId, running);
    return running;
  }

  #count(running: Map<string, number>, key: string, by: 1 | -1): void {
    const now = (running.get(key) ?? 0) + by;
    if (now > 0) running.set(key, now);
    else running.delete(key);
  }
}
