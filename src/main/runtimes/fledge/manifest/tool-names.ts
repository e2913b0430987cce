import type { FledgeManifest } from "./plugin-toml.ts";

const LONGEST_NAME = 64;

/** The names of a fledge plugin in Patchbay: its key, the namespace of its tools, and the tool name of each command. */
export interface FledgeNames {
  key: string;
  namespace: string;
  displayName: string;
  /** Full tool name by command name. */
  tools: Map<string, string>;
}

/**
 * Makes these names from the plugin's own name. They begin with `fledge`, so that they cannot clash with those of
 * another plugin system.
 */
export function namesOf(manifest: Pick<FledgeManifest, "name" | "commands">): FledgeNames {
  const short = manifest.name.replace(/^fledge-(?:plugin-)?/i, "") || manifest.name;
  const slug = slugOf(short, "-") || `x${Buffer.from(short).toString("hex").slice(0, 16)}`;
  const namespace = `fledge_${slug.replaceAll("-", "_")}`.slice(0, 32).replace(/_+$/, "");
  return {
    key: `fledge-${slug}`.slice(0, LONGEST_NAME).replace(/-+$/, ""),
    namespace,
    displayName: short,
    tools: toolNames(
      namespace,
      manifest.commands.map(({ name }) => name),
    ),
  };
}

/** A tool's name as screens write it: `namespace.tool`. */
export function titleOf({ namespace }: Pick<FledgeNames, "namespace">, tool: string): string {
  return tool.startsWith(`${namespace}__`) ? `${namespace}.${tool.slice(namespace.length + 2)}` : tool;
}

function toolNames(namespace: string, commands: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const command of commands) {
    const clean = command.replace(/[^A-Za-z0-9_-]+/g, "_") || "command";
    const room = LONGEST_NAME - namespace.length - 2;
    let name = clean.slice(0, room);
    for (let number = 2; taken.has(name); number++) {
      const suffix = `_${number}`;
      name = clean.slice(0, room - suffix.length) + suffix;
    }
    taken.add(name);
    names.set(command, `${namespace}__${name}`);
  }
  return names;
}

function slugOf(text: string, joint: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, joint)
    .replace(new RegExp(`^${joint}+|${joint}+$`, "g"), "");
}
