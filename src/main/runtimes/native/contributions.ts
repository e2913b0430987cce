import { PatchbayError, type Plugin } from "../../../contract/index.ts";
import { brokenSchema } from "../broken-schema.ts";
import type { HostContributions } from "../hosted/protocol.ts";
import type { InstanceContributions } from "../runtime.ts";
import { detailsOf } from "./manifest/details.ts";

/**
 * What a host says it registered, with tool names joined to the namespace from the plugin's inspection. A host that
 * names another namespace is refused: the plugin could take the names of another one.
 *
 * @throws PatchbayError MANIFEST_CHANGED; MANIFEST_INVALID when arguments cannot be checked against the schema of a tool
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
  assertUsable(host.tools);
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
    ...host.offers,
  };
}

/** How many broken tools one sentence names. */
const MOST_NAMED = 5;

/**
 * The schema of a tool is known when the plugin has started, and not before: one that is broken stops it there, as every
 * other mistake in a tool does. So it never counts as running while a part of it cannot be used.
 */
function assertUsable(tools: HostContributions["tools"]): void {
  const broken = tools.flatMap(({ name, parameters }) => {
    const why = brokenSchema(parameters);
    return why === null ? [] : [`of the tool \`${name}\`: ${why}`];
  });
  if (broken.length === 0) return;
  const more = broken.length > MOST_NAMED ? [`and ${broken.length - MOST_NAMED} more`] : [];
  const named = [...broken.slice(0, MOST_NAMED), ...more].join("; ");
  throw new PatchbayError(
    "MANIFEST_INVALID",
    `\`parameters\` is no schema that arguments can be checked against, ${named}. The plugin's author must correct that.`,
    { help: "Report it to its author. An older version of the plugin may still work." },
  );
}
