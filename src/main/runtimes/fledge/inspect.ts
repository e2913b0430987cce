import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Asks, type Declaration, PatchbayError } from "../../../contract/index.ts";
import { wallReport } from "../../platform/walls/start.ts";
import type { Inspection } from "../runtime.ts";
import { buildOf } from "./build.ts";
import type { FledgeDetails } from "./details.ts";
import { lifecycleOf } from "./lifecycle.ts";
import { type FledgeManifest, readPluginToml } from "./manifest/plugin-toml.ts";
import { checkProgram, findProgram, sniffProgram } from "./manifest/program-file.ts";
import { settingsSchema, settingsWords } from "./manifest/settings.ts";
import { namesOf } from "./manifest/tool-names.ts";
import { QUOTA_MB } from "./wasm/quota.ts";

const LARGEST_MANIFEST = 1024 * 1024;
const MOST_TOOLS = 64;

/** @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID */
export async function loadManifest(dir: string): Promise<FledgeManifest> {
  const file = join(dir, "plugin.toml");
  let bytes: Buffer;
  try {
    if ((await stat(file)).size > LARGEST_MANIFEST) {
      throw new PatchbayError("MANIFEST_INVALID", "The plugin.toml is larger than 1 MiB.");
    }
    bytes = await readFile(file);
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    throw new PatchbayError("NOT_A_PLUGIN", "There is no plugin.toml that can be read.", { cause: error });
  }
  try {
    return readPluginToml(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    throw new PatchbayError(
      "MANIFEST_INVALID",
      "The plugin.toml is not UTF-8 text. The plugin's author must correct it.",
      { cause: error },
    );
  }
}

/**
 * Reads what a fledge plugin declares. None of its programs is run.
 *
 * @param path the search path of programs, to name an interpreter that is missing
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID, TOO_MANY_TOOLS, UNSAFE_PACKAGE
 */
export async function inspectFledge(dir: string, path: string): Promise<Inspection> {
  const manifest = await loadManifest(dir);
  const names = namesOf(manifest);
  if (manifest.commands.length > MOST_TOOLS) {
    throw new PatchbayError(
      "TOO_MANY_TOOLS",
      `The plugin has ${manifest.commands.length} commands; ${MOST_TOOLS} are accepted.`,
    );
  }
  const lifecycle = lifecycleOf(manifest);
  const scripts = scriptsOf(manifest, await buildOf(dir, manifest));
  const events = lifecycle.flatMap(({ event }) => event ?? []);
  return {
    runtime: "fledge",
    manifestKey: names.key,
    packageName: manifest.name,
    packageVersion: manifest.version,
    displayName: names.displayName,
    description: manifest.description,
    capabilities: {
      tools: { namespace: names.namespace, count: manifest.commands.length },
      ...(events.length > 0 && { hooks: { events } }),
    },
    declaration: declarationOf(manifest, scripts, lifecycle),
    consent: asksOfFledge(manifest, scripts, lifecycle, await startsPrograms(dir, manifest)),
    warnings: [
      ...manifest.warnings,
      ...lifecycleWarnings(lifecycle),
      ...(await programWarnings(dir, manifest, path)),
    ],
  };
}

/** The commands that the plugin wants to run when it is installed or removed. */
function scriptsOf({ hooks }: FledgeManifest, build: string | null): FledgeDetails["scripts"] {
  return [
    ...(build !== null ? [{ name: "build" as const, command: build }] : []),
    ...(hooks.post_install !== undefined
      ? [{ name: "post_install" as const, command: hooks.post_install }]
      : []),
    ...(hooks.post_remove !== undefined
      ? [{ name: "post_remove" as const, command: hooks.post_remove }]
      : []),
  ];
}

function declarationOf(
  manifest: FledgeManifest,
  scripts: FledgeDetails["scripts"],
  lifecycle: FledgeDetails["lifecycle"],
): Declaration {
  const { runtime, grants, author, license, homepage } = manifest;
  const details: FledgeDetails = {
    runtime,
    protocol: manifest.protocol !== null,
    grants,
    scripts,
    lifecycle,
  };
  return {
    configSchema: settingsSchema,
    words: settingsWords,
    defaultConfig: null,
    secretKeys: [],
    requiredHooks: [],
    ...(homepage && { homepage }),
    ...(author && { publisher: author }),
    ...(license && { license }),
    details,
  };
}

/**
 * The permissions in the common form. A wasm plugin is always held to them; a native program where the system has walls,
 * and there it gets the workspace, because commands of fledge work on the project. Hosts that it does not declare are asked
 * for.
 */
function asksOfFledge(
  { runtime, grants, commands }: FledgeManifest,
  scripts: Asks["scripts"],
  lifecycle: FledgeDetails["lifecycle"],
  startsPrograms: boolean,
): Asks {
  const isWasm = runtime === "wasm";
  return {
    declared: true,
    // The commands that a wasm plugin asks for are programs like any other.
    enforced: (isWasm && !grants.exec) || wallReport().stands,
    hosts: isWasm ? [] : grants.network ? "any" : null,
    files: isWasm && !grants.exec ? (grants.filesystem === "none" ? "none" : "read") : "workspace",
    programs: isWasm ? grants.exec : grants.exec || startsPrograms,
    grants: grantNames(runtime, grants),
    scripts,
    commands: commands.map(({ name, description, danger }) => ({
      name,
      description,
      dangerous: danger === "dangerous",
    })),
    hooks: lifecycle.map(({ name, command, event }) => ({ name, command, runs: event !== null })),
    ...(isWasm && { sandboxed: true }),
    ...(isWasm && grants.filesystem === "plugin" && { keepsMb: QUOTA_MB }),
  };
}

/** Whether a command is a script, whose every line starts a program, or is only built at installation. */
async function startsPrograms(dir: string, manifest: FledgeManifest): Promise<boolean> {
  if ((await buildOf(dir, manifest)) !== null) return true;
  for (const { binary } of manifest.commands) {
    const kind = await findProgram(dir, binary)
      .then(sniffProgram)
      .catch(() => null);
    if (kind?.kind !== "binary") return true;
  }
  return false;
}

/**
 * fledge's permissions that have no field of their own. Wider access to files lists the narrower ones, too: an update
 * that widens it then has a new name in the list, and asks for consent.
 */
function grantNames(runtime: FledgeManifest["runtime"], grants: FledgeManifest["grants"]): string[] {
  const isWasm = runtime === "wasm";
  return [
    ...(grants.store ? ["store"] : []),
    ...(grants.metadata ? ["metadata"] : []),
    ...(isWasm && grants.network ? ["network (which WebAssembly plugins do not have)"] : []),
    ...(!isWasm && grants.filesystem !== "none" ? ["files of the project"] : []),
    ...(grants.filesystem === "plugin" ? ["files of its own folder"] : []),
  ];
}

function lifecycleWarnings(lifecycle: ReturnType<typeof lifecycleOf>): string[] {
  return lifecycle
    .filter(({ event }) => event === null)
    .map(
      ({ name }) =>
        `The hook \`${name}\` is listed but never runs: agents have no such moment, or the plugin may not start programs.`,
    );
}

/**
 * Sentences about programs that cannot run on this machine. Nothing is checked when the programs are built at
 * installation.
 */
async function programWarnings(dir: string, manifest: FledgeManifest, path: string): Promise<string[]> {
  if ((await buildOf(dir, manifest)) !== null) return [];
  const warnings: string[] = [];
  for (const { binary } of manifest.commands) {
    const file = await findProgram(dir, binary).catch((error: unknown) => {
      if (error instanceof PatchbayError && error.code === "UNSAFE_PACKAGE") throw error;
      const message = `\`${binary}\` is not in the package, and nothing builds it. The plugin's author must add it.`;
      throw new PatchbayError("MANIFEST_INVALID", message, {
        details: { problems: [{ field: "commands", message }] },
      });
    });
    if (manifest.runtime === "wasm") {
      if ((await sniffProgram(file)).kind !== "wasm") warnings.push(`${binary} is not a WebAssembly module.`);
      continue;
    }
    await checkProgram(dir, binary, path).catch((error: unknown) => {
      if (!(error instanceof PatchbayError)) throw error;
      if (!warnings.includes(error.message)) warnings.push(error.message);
    });
  }
  return warnings;
}
