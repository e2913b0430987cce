import type { Plugin } from "../../../contract/index.ts";
import type { HostedKind } from "../hosted/hosted-instance.ts";
import { joinContributions } from "./contributions.ts";

/** How the kit runs one native plugin. */
export function nativeKind(plugin: Plugin): HostedKind {
  const { namespace } = plugin.capabilities.tools ?? {};
  return {
    calls: new Set(["tool", "hook", "command", "shortcut", "webhook", "send"]),
    join: (host) => joinContributions(plugin, host),
    tool(name) {
      const own = namespace && name.startsWith(`${namespace}__`) ? name.slice(namespace.length + 2) : name;
      return { name: own, title: `${namespace ? `${namespace}.` : ""}${own}` };
    },
  };
}
