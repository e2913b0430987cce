import { isObject } from "../../../../contract/is-object.ts";
import type { Inspection } from "../../inspection.ts";

/**
 * The same plugin under another key, which the person gave it: then its tools and its channel have names after that key as
 * well. What it calls itself is kept, because its own code goes on saying that.
 */
export function namedAs(inspection: Inspection, key: string): Inspection {
  const { manifestKey, displayName, capabilities, declaration, warnings } = inspection;
  if (key === manifestKey) return inspection;
  const { tools, channel } = capabilities;
  return {
    ...inspection,
    manifestKey: key,
    displayName: `${displayName} (${key})`,
    capabilities: {
      ...capabilities,
      ...(tools && { tools: { ...tools, namespace: namespaceOf(key) } }),
      ...(channel?.namespace !== undefined && {
        channel: { ...channel, namespace: key, speaksAs: channel.namespace },
      }),
    },
    declaration: {
      ...declaration,
      ownKey: manifestKey,
      details: {
        ...(isObject(declaration.details) && declaration.details),
        ...(tools?.namespace !== undefined && { ownNamespace: tools.namespace }),
      },
    },
    warnings: [...warnings, `The package calls itself “${manifestKey}”; you gave it the key “${key}”.`],
  };
}

/** A namespace of tools made of a key: letters, digits and underscores, a letter first, and not the reserved one. */
function namespaceOf(key: string): string {
  const name = key.replaceAll("-", "_");
  const begun = /^[a-z]/.test(name) ? name : `p_${name}`;
  return begun === "mcp" ? "mcp_plugin" : begun.slice(0, 32);
}
