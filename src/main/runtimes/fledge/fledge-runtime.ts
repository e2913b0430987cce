import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Artifact,
  PatchbayError,
  type Plugin,
  type SourceKind,
  type Trust,
} from "../../../contract/index.ts";
import { Slots } from "../../base/slots.ts";
import { LoginPath } from "../../platform/login-path.ts";
import type { Storage } from "../../store/index.ts";
import { folderOf } from "../artifact.ts";
import type {
  FoundElsewhere,
  Inspection,
  ListedPlugin,
  PluginInstance,
  PluginRuntime,
  PrepareOptions,
  Risk,
  StartRequest,
} from "../runtime.ts";
import { detailsOf } from "./details.ts";
import { fledgeHome, foundByFledge } from "./fledge-home.ts";
import { FledgeInstance } from "./fledge-instance.ts";
import { inspectFledge, loadManifest } from "./inspect.ts";
import { listedByFledge } from "./listed.ts";
import type { FledgeManifest, Grants } from "./manifest/plugin-toml.ts";
import { asInstalled, type OwnFolder, openOwnFolder } from "./own-folder/own-folder.ts";
import { prepareFiles, runRemovalHook } from "./prepare.ts";
import { PluginStore } from "./run/plugin-store.ts";
import { fledgeRisk, fledgeTrust } from "./trust.ts";
import { QUOTA_MB } from "./wasm/quota.ts";

export interface FledgeRuntimeOptions {
  storage: Pick<Storage, "rows" | "places">;
  /** Told to plugins as the host's version. */
  version: string;
  /** The bundled or source file of the process that wasm plugins run in. */
  wasmWorker: string;
  /** Organisations and users of git hosts whose plugins count as the team's. */
  team?: () => readonly string[];
  loginPath?: LoginPath;
}

/** Most runs at the same time, over all plugins and agents. */
const MOST_RUNS = 32;

/** The plugin system for folders with a `plugin.toml`: each call starts a process that ends with the call. */
export class FledgeRuntime implements PluginRuntime {
  readonly id = "fledge";
  readonly displayName = "fledge";
  readonly enforcement =
    "Each call runs its program, walled in where the system can do that: it sees its own files, the workspace and what else you grant, and asks before it reaches a host. Where the system cannot, it is not a sandbox: only a plugin that is WebAssembly is held to what it declares then. Scripts that build it write in its own folder alone and reach the public internet.";
  readonly #options: FledgeRuntimeOptions;
  readonly #path: LoginPath;
  readonly #slots = new Slots(MOST_RUNS);
  /**
   * One store for each (agent, plugin) with instances. It is shared, because during a restart two instances overlap,
   * and each may run several calls at once.
   */
  readonly #stores = new Map<string, { store: PluginStore; users: number }>();

  constructor(options: FledgeRuntimeOptions) {
    this.#options = options;
    this.#path = options.loginPath ?? new LoginPath();
  }

  found(): Promise<FoundElsewhere> {
    return foundByFledge(fledgeHome());
  }

  async recognise(artifact: Artifact): Promise<boolean> {
    if (artifact.kind !== "folder") return false;
    return access(join(artifact.dir, "plugin.toml")).then(
      () => true,
      () => false,
    );
  }

  async inspect(artifact: Artifact, signal: AbortSignal): Promise<Inspection> {
    const path = await this.#path.get();
    signal.throwIfAborted();
    return inspectFledge(folderOf(artifact), path);
  }

  enforcementOf({ declaration }: Inspection): string {
    const { runtime, grants } = detailsOf(declaration);
    return runtime === "wasm" ? heldByItself(grants) : this.enforcement;
  }

  listed(row: unknown): ListedPlugin | null {
    return listedByFledge(row);
  }

  trustOf(source: { kind: SourceKind; spec: string; resolved?: string }): Trust | null {
    return fledgeTrust(source, this.#options.team?.() ?? []);
  }

  riskOf(inspection: Inspection, trust: Trust): Risk | null {
    return fledgeRisk(inspection, trust);
  }

  async prepare(dir: string, options: PrepareOptions): Promise<void> {
    const { root } = this.#options.storage.places;
    await prepareFiles(dir, await loadManifest(dir), await this.#path.get(), { ...options, root });
  }

  async beforeRemoval(plugin: Plugin, options: PrepareOptions): Promise<void> {
    const { root, programs } = this.#options.storage.places;
    // After a crash links of its instances are left, and none of them runs now.
    await rm(join(programs(this.id), plugin.manifestKey), { recursive: true, force: true });
    await runRemovalHook(plugin, await this.#path.get(), { ...options, root });
  }

  async start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance> {
    const { plugin, agentId } = request;
    const manifest = await loadManifest(folderOf(plugin.artifact));
    refuseGrowth(plugin, manifest.grants);
    const path = await this.#path.get();
    signal.throwIfAborted();
    const { places } = this.#options.storage;
    const key = plugin.manifestKey;
    const files = places.pluginFiles(agentId, key);
    const openOwn = () => ownFolderOf(plugin, manifest, files);
    const own = await openOwn();
    signal.throwIfAborted();
    const instance = new FledgeInstance({
      request,
      manifest,
      path,
      version: this.#options.version,
      wasmWorker: this.#options.wasmWorker,
      store: this.#openStore(agentId, key),
      own,
      openOwn,
      dataDir: join(files, "data"),
      linkDir: join(places.programs(this.id), key, agentId),
      root: places.root,
      slots: this.#slots,
    });
    void instance.exited.then(() => this.#closeStore(agentId, key));
    return instance;
  }

  #openStore(agentId: string, key: string): PluginStore {
    const name = `${agentId}/${key}`;
    const open = this.#stores.get(name) ?? {
      store: new PluginStore(this.#options.storage, agentId, key),
      users: 0,
    };
    open.users += 1;
    this.#stores.set(name, open);
    return open.store;
  }

  /** Closes the store when its last instance is gone. The next instance reads the file again. */
  async #closeStore(agentId: string, key: string): Promise<void> {
    const name = `${agentId}/${key}`;
    const open = this.#stores.get(name);
    if (!open) return;
    open.users -= 1;
    if (open.users > 0) return;
    this.#stores.delete(name);
    await open.store.close();
  }
}

/** What holds a plugin of WebAssembly: it has no way to anything that it is not given. */
function heldByItself({ filesystem, exec }: Grants): string {
  const files = {
    none: "It sees no files",
    project: "It can read the workspace as /project and sees no other files",
    plugin: `It can read the workspace as /project, keep up to ${QUOTA_MB} MB of its own in /plugin, and sees no other files`,
  };
  const rest = exec
    ? "The commands that it asks for are run by Patchbay, walled in where the system can do that."
    : "It starts no programs.";
  return `Its programs are WebAssembly, which is a sandbox on every system. ${files[filesystem]}, and has no network. ${rest} Each call has 256 MiB of memory and a minute.`;
}

/** A WebAssembly module sees nothing of its plugin's folder. */
async function ownFolderOf(plugin: Plugin, manifest: FledgeManifest, files: string): Promise<OwnFolder> {
  if (manifest.runtime === "wasm") return asInstalled(folderOf(plugin.artifact));
  return openOwnFolder(plugin, files, manifest.data);
}

/**
 * Refuses a linked plugin that now asks for more permissions than the person agreed to: the files of a linked folder
 * can change at any time.
 */
function refuseGrowth(plugin: Plugin, now: Grants): void {
  const agreed = detailsOf(plugin.declaration).grants;
  const grown = Object.entries(now).find(
    ([name, value]) => value !== false && value !== "none" && value !== agreed[name as keyof typeof agreed],
  );
  if (!grown) return;
  throw new PatchbayError(
    "MANIFEST_CHANGED",
    `${plugin.displayName} now asks for the capability “${grown[0]}”, to which nobody has agreed.`,
  );
}
