import { isDeepStrictEqual } from "node:util";
import {
  type AgentPluginRow,
  isObject,
  PatchbayError,
  type Plugin,
  type WorkingSettings,
} from "../../contract/index.ts";
import { ownHostsIn } from "../permissions/own-hosts.ts";
import { givenAfter, givenByHand, givenTo } from "../registry/given-secrets.ts";
import { type AgentPluginPatch, validateConfig } from "../registry/index.ts";
import { isSpellingOf, sealSecrets } from "../registry/settings/secret-fields.ts";
import { settingsOf } from "../registry/settings/settings-of.ts";
import { findReferences, plainReferences, renameReferences } from "../secrets/index.ts";

type Config = Record<string, unknown>;

/** What a person changes of one plugin of an agent. */
export interface Wanted {
  enabled?: boolean;
  /** All settings; they replace the stored ones. */
  config?: Config;
  /** What of them the person typed; absent: the whole form. */
  typed?: readonly unknown[];
  /** Values of declared secrets by their key; an empty text removes the secret. */
  secrets?: Record<string, string>;
  /** Whether owners may decide waiting calls from this channel's chats. */
  decidesApprovals?: boolean;
  /** What becomes of settings that the plugin refused before. */
  refused?: "retry" | "drop";
  /** The revision that was seen; 0 where there is no row yet. */
  revision?: number;
}

/** Settings with every secret taken out of them. */
export interface SealedSave {
  /** The secrets: preferred name → value. */
  values: Map<string, string>;
  /** Names of secrets that are replaced or removed. */
  outdated: string[];
  /** The settings, which refer to each secret by the name under which it was stored (`names`: preferred → stored). */
  config(names: ReadonlyMap<string, string>): Config;
  /** Names of stored secrets that the person gives to the plugin by writing them into its settings. */
  byHand: string[];
}

/** What of other services decides how settings are kept. */
export interface SaveRules {
  /** Settings in the form in which they are stored. @throws PatchbayError CONFIG_INVALID */
  accept(given: Config): Config;
  /** Whether the agent has a secret of that name. */
  isStored(name: string): boolean;
}

/**
 * Takes the secrets out of what a person wants to save; undefined when neither settings nor secrets change.
 *
 * @throws PatchbayError BAD_INPUT, CONFIG_INVALID
 */
export function sealedSave(
  plugin: Plugin,
  row: AgentPluginRow | undefined,
  wanted: Wanted,
  { accept, isStored }: SaveRules,
): SealedSave | undefined {
  if (!wanted.config && !wanted.secrets) return undefined;
  const current = row?.config;
  refuseUndeclared(plugin, Object.keys(wanted.secrets ?? {}));
  const given = wanted.config ?? settingsOf(current, plugin);
  const config = followRotation(accept(plainReferences(given)), current, isStored);
  const sealed = sealSecrets(plugin, config, wanted.secrets ?? {});
  if (wanted.config) validateConfig(plugin.declaration, sealed.config);
  const before = findReferences(settingsOf(current, plugin));
  const values = new Map<string, string>();
  const outdated: string[] = [];
  for (const [name, value] of sealed.store) {
    if (value !== null) values.set(name, value);
    // Only our own spellings of this name are outdated. A secret that the person stored under a name of their own
    // stays.
    outdated.push(name, ...before.filter((old) => isSpellingOf(old, name)));
  }
  const byHand = wanted.config
    ? givenByHand(wanted.config, settingsOf(current, plugin), plugin.declaration).filter(
        (name) => !row?.refusedSettings?.given.includes(name),
      )
    : [];
  return { values, outdated, byHand, config: (names) => renameReferences(sealed.config, names) };
}

/**
 * The row after a save of settings: with them, and beside them those that worked, as long as it is not known whether the
 * plugin starts with the new ones.
 */
export function savedRow(
  plugin: Plugin,
  row: AgentPluginRow | undefined,
  sealed: SealedSave,
  names: ReadonlyMap<string, string>,
  { config: whole, typed, enabled }: Wanted,
  working: WorkingSettings | undefined,
): AgentPluginPatch {
  const config = sealed.config(names);
  const written = [...names.values()];
  const given = [...givenTo(row), ...(row?.refusedSettings?.given ?? [])];
  const isNew = written.length > 0 || !isDeepStrictEqual(config, row?.config);
  return {
    config,
    ...(whole && { ownHosts: ownHostsIn(config, row, plugin.declaration, typed) }),
    given: givenAfter(plugin, { config, given }, config, [...written, ...sealed.byHand]),
    refusedSettings: null,
    ...(working &&
      isNew &&
      enabled !== false && {
        working: { ...working, names: [...new Set([...working.names, ...written])] },
      }),
  };
}

/**
 * A screen may send settings that it read before a secret was stored anew under another name. Where the old name is
 * gone and the present settings refer to the same secret by a new name, the new name is used.
 */
function followRotation(given: Config, current: Config | undefined, isStored: SaveRules["isStored"]): Config {
  return rotated(given, current, isStored) as Config;
}

function rotated(given: unknown, current: unknown, isStored: SaveRules["isStored"]): unknown {
  if (isObject(given) && isObject(current)) {
    const entries = Object.entries(given);
    return Object.fromEntries(entries.map(([key, value]) => [key, rotated(value, current[key], isStored)]));
  }
  const [old, now] = [onlyName(given), onlyName(current)];
  const isRotated = old !== null && now !== null && stemOf(old) === stemOf(now) && !isStored(old);
  return isRotated ? current : given;
}

function onlyName(value: unknown): string | null {
  return typeof value === "string" ? (/^\$\{(\w+)\}$/.exec(value)?.[1] ?? null) : null;
}

function stemOf(name: string): string {
  return name.replace(/_\d+$/, "");
}

function refuseUndeclared({ declaration, displayName }: Plugin, given: readonly string[]): void {
  const declared = new Set(declaration.secretKeys.map((secret) => secret.key));
  const unknown = given.filter((key) => !declared.has(key));
  if (unknown.length === 0) return;
  throw new PatchbayError("BAD_INPUT", `${displayName} declares no secret named ${unknown.join(", ")}.`, {
    help: declared.size > 0 ? `It declares: ${[...declared].join(", ")}.` : "It declares none.",
  });
}
