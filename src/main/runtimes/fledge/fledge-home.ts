import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, win32 } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { FoundElsewhere } from "../runtime.ts";
import { loadManifest } from "./inspect.ts";
import { fledgeTrust } from "./trust.ts";

const registrySchema = z.object({
  plugins: z
    .array(
      z.object({
        name: z.string().min(1),
        source: z.string().min(1),
        version: z.string().catch(""),
        pinned_ref: z.string().nullish(),
      }),
    )
    .default([]),
});

const trustSchema = z.object({
  trust: z.object({ orgs: z.array(z.string()).catch([]), users: z.array(z.string()).catch([]) }).partial(),
});

/** A plugin of an existing fledge installation, and the spec with which Patchbay can install it. */
export interface FledgeRecord {
  name: string;
  version: string;
  /** Where it came from: `owner/repo@ref`, an address, a folder. */
  spec: string;
  /** Where fledge keeps its files; null: they are not there, or lie at `spec`. */
  files: string | null;
}

/** fledge's own folder: the configuration folder of the system, not that for data. */
export function fledgeHome(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === "win32") {
    return win32.join(env.APPDATA ?? win32.join(homedir(), "AppData", "Roaming"), "fledge");
  }
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "fledge");
  const own = env.XDG_CONFIG_HOME;
  return join(own && isAbsolute(own) ? own : join(env.HOME ?? homedir(), ".config"), "fledge");
}

/**
 * What fledge has installed, from its `plugins.toml`.
 * @throws PatchbayError SOURCE_MISSING when there is no such file, BAD_INPUT when it cannot be read as TOML
 */
export function readFledgeRegistry(folder: string): FledgeRecord[] {
  const file = join(folder, "plugins.toml");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new PatchbayError("SOURCE_MISSING", `There is no fledge installation at ${folder}.`, {
      help: "Name its folder with --from: the one that holds plugins.toml.",
      cause: error,
    });
  }
  try {
    return registrySchema.parse(parse(text)).plugins.map((record) => ({
      name: record.name,
      version: record.version,
      spec: specOf(record.source, record.pinned_ref),
      files: filesOf(folder, record),
    }));
  } catch (error) {
    throw new PatchbayError("BAD_INPUT", `${file} is not the list of plugins that fledge writes.`, {
      cause: error,
    });
  }
}

/**
 * What an installation of fledge has. fledge switches nothing off: each is loaded unless its manifest cannot be read. A
 * folder without `plugins.toml` is no installation.
 */
export async function foundByFledge(folder: string): Promise<FoundElsewhere> {
  const places = [folder];
  let records: FledgeRecord[];
  try {
    records = readFledgeRegistry(folder);
  } catch (error) {
    const { code, message } = toProblem(error);
    return { plugins: [], places, problem: code === "SOURCE_MISSING" ? null : message };
  }
  const plugins = records.map(async (record): Promise<FoundElsewhere["plugins"][number]> => {
    const { name, version, spec } = record;
    const dir = record.files ?? (isAbsolute(spec) && existsSync(spec) ? spec : null);
    const one = { key: name, name, version, place: "user", dir, spec, enabledThere: true } as const;
    try {
      const description = dir === null ? "" : (await loadManifest(dir)).description;
      return { ...one, description, status: "enabled", theirs: null, reason: null };
    } catch (error) {
      return { ...one, description: "", status: "error", theirs: null, reason: toProblem(error).message };
    }
  });
  return { plugins: await Promise.all(plugins), places, problem: null };
}

/**
 * The owners of repositories that fledge's settings count as the person's team; empty when fledge has no readable
 * settings.
 */
export function fledgeTeam(folder: string): string[] {
  try {
    const { trust } = trustSchema.parse(parse(readFileSync(join(folder, "config.toml"), "utf8")));
    return [...(trust.orgs ?? []), ...(trust.users ?? [])];
  } catch {
    return [];
  }
}

function filesOf(folder: string, { name, source }: { name: string; source: string }): string | null {
  const place = source.replace(/^local:/, "");
  if (isAbsolute(place) || win32.isAbsolute(place) || /^\.|[/\\]/.test(name)) return null;
  const files = join(folder, "plugins", name);
  return existsSync(join(files, "plugin.toml")) ? files : null;
}

/**
 * Whether fledge itself would refuse to install this, as one that nobody known vouches for: its files count as the
 * person's own when they are installed from where fledge has them, but they are no less foreign for that.
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID
 */
export async function isForeign(folder: string, { spec, files }: FledgeRecord): Promise<boolean> {
  if (files === null) return false;
  const { grants } = await loadManifest(files);
  const address = /^[\w.-]+\/[\w.-]+(?:@.*)?$/.test(spec) ? `https://github.com/${spec}` : spec;
  const source = { kind: "git" as const, spec: address.replace(/([^/:@])@[^@]*$/, "$1") };
  return (grants.exec || grants.network) && fledgeTrust(source, fledgeTeam(folder)) === "unverified";
}

function specOf(source: string, ref: string | null | undefined): string {
  const place = source.replace(/^local:/, "");
  return ref && !isAbsolute(place) && !win32.isAbsolute(place) ? `${place}@${ref}` : place;
}
