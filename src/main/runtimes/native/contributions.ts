import { PatchbayError, type Plugin } from "../../../contract/index.ts";
import type { HostContributions } from "../hosted/protocol.ts";
import type { InstanceContributions } from "../runtime.ts";
import { detailsOf } from "./manifest/details.ts";

/**
 * What a host says it registered, with tool names joined to the namespace from the plugin's inspection. A host that
 * names another namespace is refused: the plugin could take the names of another one.
 *
 * @throws PatchbayError MANIFEST_CHANGED
 */
export function joinContributions(plugin: Plugin, host: HostContributions): InstanceContributions {
  const namespace = plugin.capabilities.tools?.namespace ?? null;
  const own = detailsOf(plugin.declaration.details).ownNamespace ?? namespace;
  if (host.namespace !== own) {
    throw new PatchbayError(
      "MANIFEST_CHANGED",
      `${plugin.displayName} declares the tool namespace \`${host.namespace ?? "none"}\`, but \`${own ?? "none"}\` was inspected.`,
    );
  }
  const owner = plugin.manifestKey;
  return {
    tools: host.tools.map((tool) => ({
      ...tool,
      name: `${namespace}__${tool.name}`,
      title: `${namespace}.${tool.name}`,
      owner,
    })),
    toolsets: host.toolsets,
    hooks: host.hooks,
    commands: host.commands.map((command) => ({ ...command, owner })),
    skills: host.skills,
    prompts: [],
    channel: host.channel && { name: host.channel.name, webhook: host.channel.webhook },
  };
}
