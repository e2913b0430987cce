import { parse, TomlError } from "smol-toml";
import { PatchbayError } from "../../../../contract/index.ts";
import { ManifestProblems } from "../../manifest-problems.ts";
import { type FledgeCommand, readCommands } from "./commands.ts";
import { readData } from "./data.ts";
import { type Hooks, readHooks } from "./hooks.ts";
import { isTable, readText, type Table, words } from "./values.ts";

export interface Grants {
  exec: boolean;
  store: boolean;
  metadata: boolean;
  network: boolean;
  filesystem: "none" | "project" | "plugin";
}

/** The content of a valid `plugin.toml`. */
export interface FledgeManifest {
  name: string;
  version: string;
  description: string;
  author: string | undefined;
  license: string | undefined;
  homepage: string | undefined;
  /** Null for a plugin of plain executables. */
  protocol: "fledge-v1" | null;
  runtime: "native" | "wasm";
  commands: FledgeCommand[];
  grants: Grants;
  hooks: Hooks;
  /** Paths in its folder that hold data: unlike its other files, its programs may change these. */
  data: readonly string[];
  warnings: string[];
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Reads a `plugin.toml`. Unknown keys are ignored, as fledge does; the fields are those of fledge 1.7 with Merlin's
 * additions (`args`, `dangerous`).
 *
 * @throws PatchbayError MANIFEST_INVALID with every problem in `details.problems`
 */
export function readPluginToml(text: string): FledgeManifest {
  const root = parseToml(text);
  const problems = new ManifestProblems();
  const plugin = tableOf(root, "plugin", problems);
  if (!plugin) {
    if (!("plugin" in root))
      problems.add("plugin", "There is no `[plugin]` table. The plugin's author must add one.");
    problems.throwIfAny();
    throw new PatchbayError("MANIFEST_INVALID", "`[plugin]` must be a table.");
  }
  const name = readName(plugin, problems);
  const version = readText(plugin, "version", "plugin.version", problems) ?? "";
  if (version === "")
    problems.add(
      "plugin.version",
      "`plugin.version` is missing or empty. The plugin's author must correct it.",
    );
  else if (!SEMVER.test(version)) problems.warn(`The version “${version}” is not of the form 1.2.3.`);
  const runtime = readRuntime(plugin, problems);
  const protocol = readProtocol(plugin, problems);
  if (runtime === "wasm" && protocol === null) {
    problems.add(
      "plugin.protocol",
      'A plugin with `runtime = "wasm"` must have `protocol = "fledge-v1"`. The plugin\'s author must add it.',
    );
  }
  const description = readText(plugin, "description", "plugin.description", problems) ?? "";
  if (description === "") problems.warn("The plugin has no description.");
  const commands = readCommands(root, plugin, problems);
  const hooks = readHooks(root, problems);
  const manifest: FledgeManifest = {
    name,
    version,
    description: description.replace(/\s+/g, " ").trim(),
    author: readText(plugin, "author", "plugin.author", problems) ?? firstText(plugin.authors),
    license: readText(plugin, "license", "plugin.license", problems),
    homepage: webAddress(plugin.homepage) ?? webAddress(plugin.repository),
    protocol,
    runtime,
    commands,
    grants: readGrants(root, problems),
    hooks,
    data: readData(plugin, [...commands.map(({ binary }) => binary), ...Object.values(hooks)], problems),
    warnings: problems.warnings,
  };
  problems.throwIfAny();
  return manifest;
}

function parseToml(text: string): Table {
  try {
    return parse(text.replace(/^\uFEFF/, "")) as Table;
  } catch (error) {
    const where = error instanceof TomlError ? ` in line ${error.line}, column ${error.column}` : "";
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    const message = `The plugin.toml is not valid TOML${where}: ${reason.replace(/^Invalid TOML document: /, "")}.`;
    throw new PatchbayError("MANIFEST_INVALID", message, {
      help: "The author of the plugin must correct this line.",
      details: { problems: [{ field: "plugin.toml", message }] },
      cause: error,
    });
  }
}

function tableOf(root: Table, name: string, problems: ManifestProblems): Table | undefined {
  const value = root[name];
  if (value === undefined) return undefined;
  if (isTable(value)) return value;
  problems.add(
    name,
    `\`[${name}]\` must be a table, but it is ${words(value)}. The plugin's author must correct it.`,
  );
  return undefined;
}

function readName(plugin: Table, problems: ManifestProblems): string {
  const name = readText(plugin, "name", "plugin.name", problems) ?? "";
  if (name === "") {
    if (typeof plugin.name !== "number")
      problems.add("plugin.name", "`plugin.name` is missing or empty. The plugin's author must correct it.");
  } else if (/^\.|[/\\\0]/.test(name)) {
    problems.add(
      "plugin.name",
      `\`plugin.name\` is “${name}”, but it must not begin with a dot or hold a slash. The plugin's author must correct it.`,
    );
  }
  return name;
}

function readRuntime(plugin: Table, problems: ManifestProblems): "native" | "wasm" {
  const value = plugin.runtime ?? "native";
  if (value === "native" || value === "wasm") return value;
  problems.add(
    "plugin.runtime",
    `\`plugin.runtime\` must be "native" or "wasm", but it is ${words(value)}. The plugin's author must correct it.`,
  );
  return "native";
}

function readProtocol(plugin: Table, problems: ManifestProblems): "fledge-v1" | null {
  const value = plugin.protocol ?? null;
  if (value === null || value === "fledge-v1") return value;
  problems.add(
    "plugin.protocol",
    `The protocol ${words(value)} is not supported: Patchbay speaks "fledge-v1". Update Patchbay, or ask the plugin's author.`,
  );
  return null;
}

function readGrants(root: Table, problems: ManifestProblems): Grants {
  const table = tableOf(root, "capabilities", problems) ?? {};
  const flag = (name: "exec" | "store" | "metadata" | "network") => {
    const value = table[name] ?? false;
    if (typeof value === "boolean") return value;
    problems.add(
      `capabilities.${name}`,
      `\`capabilities.${name}\` must be true or false, but it is ${words(value)}. The plugin's author must correct it.`,
    );
    return false;
  };
  const filesystem = table.filesystem ?? "none";
  if (filesystem !== "none" && filesystem !== "project" && filesystem !== "plugin") {
    problems.add(
      "capabilities.filesystem",
      `\`capabilities.filesystem\` must be "none", "project" or "plugin", but it is ${words(filesystem)}. The plugin's author must correct it.`,
    );
  }
  return {
    exec: flag("exec"),
    store: flag("store"),
    metadata: flag("metadata"),
    network: flag("network"),
    filesystem: filesystem === "project" || filesystem === "plugin" ? filesystem : "none",
  };
}

function firstText(value: unknown): string | undefined {
  return Array.isArray(value) && typeof value[0] === "string" && value[0] !== "" ? value[0] : undefined;
}

function webAddress(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const protocol = URL.parse(value)?.protocol;
  return protocol === "https:" || protocol === "http:" ? value : undefined;
}
