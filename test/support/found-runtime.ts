import { join } from "node:path";
import type { FoundElsewhere, PluginRuntime } from "../../src/main/runtimes/runtime.ts";
import { fifthRuntime } from "./fifth-runtime.ts";

/** A system with an installation in `dir`: a folder of a plugin for each state that it can be in. */
export function foundRuntime(dir: string): PluginRuntime {
  const one = (key: string, more: Partial<FoundElsewhere["plugins"][number]>) => ({
    key,
    name: key,
    version: "1.2.0",
    description: `Does what ${key} does.`,
    place: "user" as const,
    dir: join(dir, key),
    spec: join(dir, key),
    status: "enabled" as const,
    theirs: null,
    reason: null,
    enabledThere: false,
    ...more,
  });
  return {
    ...fifthRuntime,
    async found() {
      return {
        places: [dir, join(dir, "bundled")],
        problem: null,
        plugins: [
          one("weather", { enabledThere: true, place: "bundled" }),
          one("calendar", { status: "disabled", theirs: "disabled in config" }),
          one("courier", { status: "available", theirs: "not in enabled" }),
          one("torn", {
            status: "error",
            reason: "The plugin.yaml ends in the middle of a text.",
            version: "",
          }),
          one("memory", {
            status: "unsupported",
            reason: "It replaces the memory, which Desk does not allow.",
          }),
          one("twin", { status: "overridden", lostTo: join(dir, "weather"), description: "" }),
        ],
      };
    },
  };
}
