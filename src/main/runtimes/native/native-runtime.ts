import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Artifact } from "../../../contract/index.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import type { Platform } from "../../platform/platform.ts";
import { folderOf } from "../artifact.ts";
import type {
  Inspection,
  PluginInstance,
  PluginRuntime,
  SetupPlugin,
  SetupRequest,
  StartRequest,
} from "../runtime.ts";
import { readManifestFacts } from "./inspect.ts";
import { validateManifest } from "./manifest/validate-manifest.ts";
import { NativeInstance } from "./native-instance.ts";
import { NativeSetup } from "./native-setup.ts";
import { unwrapConfig, wrapConfig } from "./wrap-config.ts";

export interface NativeRuntimeOptions {
  platform: Pick<Platform, "forkHost">;
  /** Milliseconds that reading a manifest may take. */
  inspectMs?: () => number;
}

const INSPECT_MS = 10_000;
const INSPECT_MEMORY_MB = 256;

/** npm packages whose default export is a plugin manifest, each in a Node process of its own. */
export class NativeRuntime implements PluginRuntime {
  readonly id = "native";
  readonly displayName = "native";
  readonly enforcement =
    "Runs as a program of its own under your account: a crash cannot reach Patchbay, and it is given only its own settings and secrets. It is not a sandbox: it can read and write your files and use the network.";
  readonly #platform: NativeRuntimeOptions["platform"];
  readonly #inspectMs: () => number;

  constructor(options: NativeRuntimeOptions) {
    this.#platform = options.platform;
    this.#inspectMs = options.inspectMs ?? (() => INSPECT_MS);
  }

  async recognise(artifact: Artifact): Promise<boolean> {
    if (artifact.kind !== "folder") return false;
    return access(join(artifact.dir, "package.json")).then(
      () => true,
      () => false,
    );
  }

  async inspect(artifact: Artifact, signal: AbortSignal): Promise<Inspection> {
    const fork = () =>
      this.#platform.forkHost({
        entry: "host",
        name: "patchbay-inspect",
        cwd: tmpdir(),
        env: hostEnvironment(),
        memoryMb: INSPECT_MEMORY_MB,
      });
    return validateManifest(await readManifestFacts(folderOf(artifact), fork, this.#inspectMs(), signal));
  }

  async start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance> {
    const { plugin, workspace, memoryMb } = request;
    const process = this.#platform.forkHost({
      entry: "host",
      name: `patchbay-plugin-${plugin.manifestKey}`,
      cwd: existsSync(workspace) ? workspace : tmpdir(),
      env: hostEnvironment(),
      memoryMb,
    });
    const instance = new NativeInstance(process, request);
    const shape = plugin.declaration.flatConfig ? unwrapConfig : wrapConfig;
    await instance.start(shape(request.config, plugin.capabilities), signal);
    return instance;
  }

  async openSetup(request: SetupRequest, signal: AbortSignal): Promise<SetupPlugin> {
    const { plugin, workspace, memoryMb } = request;
    const process = this.#platform.forkHost({
      entry: "host",
      name: `patchbay-setup-${plugin.manifestKey}`,
      cwd: existsSync(workspace) ? workspace : tmpdir(),
      env: hostEnvironment(),
      memoryMb,
    });
    const shape = plugin.declaration.flatConfig ? unwrapConfig : wrapConfig;
    const setup = new NativeSetup(process, request, (config) => shape(config, plugin.capabilities));
    await setup.open(signal);
    return setup;
  }
}
