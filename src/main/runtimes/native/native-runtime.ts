import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Artifact, Declaration, Plugin } from "../../../contract/index.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import type { HostProcess, Platform } from "../../platform/platform.ts";
import { authorityOfThisRun } from "../../platform/walls/secrets/authority.ts";
import type { Attempt, PutIn } from "../../platform/walls/wall.ts";
import { folderOf } from "../artifact.ts";
import type { ChannelRules } from "../channel-door.ts";
import { HostedInstance } from "../hosted/hosted-instance.ts";
import { HostedSetup } from "../hosted/hosted-setup.ts";
import type {
  Inspection,
  PluginInstance,
  PluginRuntime,
  SetupPlugin,
  SetupRequest,
  StartRequest,
  Undescribed,
} from "../runtime.ts";
import { startFolder, wallOf, wallOfInspection } from "../wall-of.ts";
import { channelRulesIn } from "./channel-rules.ts";
import type { NativePayloads } from "./host/protocol.ts";
import { readFactsOfCode, readStaticFacts } from "./inspect.ts";
import { detailsOf } from "./manifest/details.ts";
import { roleIn } from "./manifest/legacy-channel-settings.ts";
import type { ManifestFacts } from "./manifest/manifest-facts.ts";
import { namedAs } from "./manifest/named-as.ts";
import { refusalOf } from "./manifest/refused-settings.ts";
import { validateManifest } from "./manifest/validate-manifest.ts";
import { mergeWrapped, wrapConfig as wrapSettings } from "./manifest/wrap-settings.ts";
import { nativeKind } from "./native-kind.ts";
import { givingStored } from "./stored-settings.ts";
import { unmetEngines } from "./unmet-engines.ts";
import { unwrapConfig, wrapConfig } from "./wrap-config.ts";

export interface NativeRuntimeOptions {
  platform: Pick<Platform, "forkHost" | "walls"> & Partial<Pick<Platform, "version">>;
  /** Patchbay's own folder, which plugins never see. */
  root: string;
  /** Milliseconds that reading a manifest may take. */
  inspectMs?: () => number;
}

const INSPECT_MS = 10_000;
const INSPECT_MEMORY_MB = 256;

/** npm packages whose default export is a plugin manifest, each in a Node process of its own. */
export class NativeRuntime implements PluginRuntime {
  readonly id = "native";
  readonly displayName = "native";
  readonly #root: string;
  readonly #platform: NativeRuntimeOptions["platform"];
  readonly #inspectMs: () => number;

  constructor(options: NativeRuntimeOptions) {
    this.#platform = options.platform;
    this.#root = options.root;
    this.#inspectMs = options.inspectMs ?? (() => INSPECT_MS);
  }

  get enforcement(): string {
    const { stands, problem, help } = this.#platform.walls();
    if (stands) {
      return "Runs as a program of its own, behind walls: of your files, programs and network it gets what is granted here, and of settings and secrets its own.";
    }
    const why = [problem, help].filter((sentence) => sentence !== null).join(" ");
    return `Nothing walls it in on this machine: it can read and write your files, use the network and start programs, whatever it says. ${why}`.trim();
  }

  async recognise(artifact: Artifact): Promise<boolean> {
    if (artifact.kind !== "folder") return false;
    return access(join(artifact.dir, "package.json")).then(
      () => true,
      () => false,
    );
  }

  async inspect(artifact: Artifact): Promise<Inspection | Undescribed> {
    const facts = await readStaticFacts(folderOf(artifact));
    if ("defaultExport" in facts) return this.#judged(facts);
    const { name, version, publisher } = facts;
    return { packageName: name, packageVersion: version, ...(publisher && { publisher }) };
  }

  async look(
    artifact: Artifact,
    signal: AbortSignal,
    refused?: (attempt: Attempt) => void,
  ): Promise<Inspection> {
    const dir = folderOf(artifact);
    const fork = () =>
      this.#platform.forkHost({
        entry: "host",
        name: "patchbay-inspect",
        cwd: tmpdir(),
        env: hostEnvironment(),
        memoryMb: INSPECT_MEMORY_MB,
        wall: { ...wallOfInspection(dir), ...(refused && { refused }) },
      });
    return this.#judged(await readFactsOfCode(dir, fork, this.#inspectMs(), signal));
  }

  namedAs(inspection: Inspection, key: string): Inspection {
    return namedAs(inspection, key);
  }

  async start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance> {
    const { plugin, agentId, workspace, secrets, services, limits } = request;
    const start: NativePayloads["start"] = {
      dir: folderOf(plugin.artifact),
      agentId,
      workspace,
      config: shapeFor(plugin)(request.config),
      flatConfig: detailsOf(plugin.declaration.details).flatConfig,
      secrets,
      ...(services.channel && { channel: services.channel.access() }),
      hookMs: limits.hookMs,
      stopMs: limits.stopMs,
    };
    const { putIn = [] } = request.walls;
    const authority = putIn.length > 0 ? await authorityOfThisRun() : undefined;
    signal.throwIfAborted();
    const host = this.#fork("plugin", request, authority && { secrets: putIn, authority });
    const instance = new HostedInstance(host, request, nativeKind(plugin));
    await instance.start(start, signal).catch((error: unknown) => {
      throw refusalOf(error, plugin.declaration);
    });
    return instance;
  }

  async openSetup(request: SetupRequest, signal: AbortSignal): Promise<SetupPlugin> {
    const { plugin, agentId, reason, language } = request;
    const { flatConfig } = detailsOf(plugin.declaration.details);
    const dir = folderOf(plugin.artifact);
    const setup: NativePayloads["setup"] = {
      dir,
      agentId,
      reason,
      ...(language !== undefined && { language }),
      flatConfig,
    };
    const hosted = new HostedSetup(this.#fork("setup", request), request, { setup, shape: shapeFor(plugin) });
    await hosted.open(signal);
    return givingStored(hosted, plugin);
  }

  acceptSettings({ declaration, capabilities }: Plugin, given: unknown): Record<string, unknown> {
    return wrapSettings(declaration, capabilities, given);
  }

  mergeSettings(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
    return mergeWrapped(base, over);
  }

  roleOf(settings: Record<string, unknown>, userId: string): string | undefined {
    return roleIn(settings, userId);
  }

  rulesOf({ configSchema }: Declaration, settings: Record<string, unknown>): ChannelRules | null {
    return channelRulesIn(configSchema, settings);
  }

  /** What the plugin asks for holds where walls stand, and is no more than its word where none do. */
  #judged(facts: ManifestFacts): Inspection {
    const { version: patchbay } = this.#platform;
    const inspection = validateManifest(facts);
    const engines = unmetEngines(facts.package, patchbay === undefined ? {} : { patchbay });
    return {
      ...inspection,
      consent: { ...inspection.consent, enforced: this.#platform.walls().stands },
      warnings: [...engines, ...inspection.warnings],
    };
  }

  #fork(what: "plugin" | "setup", request: StartRequest | SetupRequest, putIn?: PutIn): HostProcess {
    const { plugin, workspace, walls, memoryMb } = request;
    const wall = wallOf({ walls, dir: folderOf(plugin.artifact), workspace, root: this.#root });
    return this.#platform.forkHost({
      entry: "host",
      name: `patchbay-${what}-${plugin.manifestKey}`,
      cwd: startFolder(request),
      env: hostEnvironment(),
      memoryMb,
      wall: { ...wall, ...(putIn && { putIn }) },
    });
  }
}

/** The function that turns stored settings into the form that the plugin's `parseConfig` expects: flat or wrapped. */
function shapeFor(plugin: Plugin): (config: Record<string, unknown>) => Record<string, unknown> {
  const shape = detailsOf(plugin.declaration.details).flatConfig ? unwrapConfig : wrapConfig;
  return (config) => shape(config, plugin.capabilities);
}
