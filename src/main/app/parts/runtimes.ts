import { join } from "node:path";
import type { Platform } from "../../platform/platform.ts";
import type { SettingsStore } from "../../registry/index.ts";
import { fledgeHome, fledgeTeam } from "../../runtimes/fledge/fledge-home.ts";
import { FledgeRuntime, type FledgeRuntimeOptions } from "../../runtimes/fledge/fledge-runtime.ts";
import { FlowlyRuntime } from "../../runtimes/flowly/flowly-runtime.ts";
import { Pythons } from "../../runtimes/flowly/python/pythons.ts";
import { NativeRuntime } from "../../runtimes/native/native-runtime.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";

/** The plugin systems, in the order in which they are asked whether a folder is theirs; `more` come last. */
export function openRuntimes(
  platform: Platform,
  storage: FledgeRuntimeOptions["storage"],
  settings: Pick<SettingsStore, "get">,
  more: readonly PluginRuntime[] = [],
): PluginRuntime[] {
  return [
    // Fledge and Flowly are asked before native, because their plugins may also have a package.json.
    new FledgeRuntime({
      storage,
      version: platform.version,
      wasmWorker: join(platform.bundleDir, "wasm.js"),
      team: () => fledgeTeam(fledgeHome()),
    }),
    new FlowlyRuntime({
      platform,
      storage,
      pythons: new Pythons({ settings, root: storage.places.root, resourcesDir: platform.resourcesDir }),
    }),
    new NativeRuntime({
      platform,
      root: storage.places.root,
      inspectMs: () => settings.get().limits.inspectMs,
    }),
    ...more,
  ];
}
