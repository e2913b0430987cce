import { join } from "node:path";
import { LoginEnvironment } from "../../platform/login-environment.ts";
import { LoginPath } from "../../platform/login-path.ts";
import type { Platform } from "../../platform/platform.ts";
import type { SettingsStore } from "../../registry/index.ts";
import { DirgeRuntime } from "../../runtimes/dirge/dirge-runtime.ts";
import { fledgeHome, fledgeTeam } from "../../runtimes/fledge/fledge-home.ts";
import { FledgeRuntime, type FledgeRuntimeOptions } from "../../runtimes/fledge/fledge-runtime.ts";
import { FlowlyRuntime } from "../../runtimes/flowly/flowly-runtime.ts";
import { Packages } from "../../runtimes/flowly/python/packages.ts";
import { Pythons } from "../../runtimes/flowly/python/pythons.ts";
import { ExactVersions } from "../../runtimes/mcp/fetched/exact-version.ts";
import { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";
import { McpRuntime } from "../../runtimes/mcp/mcp-runtime.ts";
import { NativeRuntime } from "../../runtimes/native/native-runtime.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";

/** The Pythons of this machine, and the packages that plugins have of them. */
export interface PythonParts {
  /** Where the person's shell looks for programs. The shell is asked once for all systems. */
  loginPath: LoginPath;
  pythons: Pythons;
  packages: Packages;
  /** The MCP servers of the person's other programs. */
  brought: BroughtServers;
  /** The versions of what commands of servers fetch. */
  exactVersions: ExactVersions;
}

export function openPythons(
  { resourcesDir }: Pick<Platform, "resourcesDir">,
  { root }: Pick<FledgeRuntimeOptions["storage"]["places"], "root">,
  settings: Pick<SettingsStore, "get">,
): PythonParts {
  const loginPath = new LoginPath();
  const pythons = new Pythons({ settings, root, resourcesDir, loginPath });
  const brought = new BroughtServers({ environment: new LoginEnvironment() });
  return {
    loginPath,
    pythons,
    packages: new Packages({ pythons, root }),
    brought,
    exactVersions: new ExactVersions(loginPath),
  };
}

/** The plugin systems, in the order in which they are asked whether a folder is theirs; `more` come last. */
export function openRuntimes(
  platform: Platform,
  storage: FledgeRuntimeOptions["storage"],
  settings: Pick<SettingsStore, "get">,
  { loginPath, pythons, packages, brought }: PythonParts,
  more: readonly PluginRuntime[] = [],
): PluginRuntime[] {
  return [
    // Native is asked after the others, because their plugins may also have a package.json.
    new FledgeRuntime({
      storage,
      version: platform.version,
      wasmWorker: join(platform.bundleDir, "wasm.js"),
      team: () => fledgeTeam(fledgeHome()),
      loginPath,
    }),
    new FlowlyRuntime({ platform, storage, pythons, packages }),
    new DirgeRuntime({ platform, storage }),
    new McpRuntime({
      platform,
      storage,
      loginPath,
      brought,
      clientMetadataUrl: () => settings.get().clientMetadataUrl,
    }),
    new NativeRuntime({
      platform,
      root: storage.places.root,
      inspectMs: () => settings.get().limits.inspectMs,
    }),
    ...more,
  ];
}
