import { isNear } from "../models/address.ts";
import type { ProviderInfo } from "./screen-offers.ts";

/** A plugin's provider as a person may choose it for an agent. */
export interface OfferedProvider {
  plugin: string;
  /** Its models are called `name/model`. */
  name: string;
  kind: "anthropic" | "openai-compatible";
  baseUrl: string;
  /** The secret that it wants; null: none. */
  keyVariable: string | null;
  /** Its address lies on this computer or in its network. */
  isNear: boolean;
}

/**
 * Why a provider cannot be chosen. `name`: it is no name; `own`: it is a name of Patchbay's; `speaks`: Patchbay does not speak
 * that; `address`: it is no web address without a password in it; `key`: no secret can have that name; `later`: another plugin's
 * provider of that name came after it.
 */
export type IdleProviderWhy = "name" | "own" | "speaks" | "address" | "key" | "later";

export interface IdleProvider {
  plugin: string;
  name: string;
  why: IdleProviderWhy;
  speaks: string;
  baseUrl: string;
  /** The plugin whose provider has the name. */
  keeper?: string;
}

/** What a person configures under these names comes first. */
const ownNames = new Set(["none", "scripted", "anthropic", "openai", "openai-compatible", "provider"]);

const speaking: Readonly<Record<string, OfferedProvider["kind"]>> = {
  anthropic: "anthropic",
  openai: "openai-compatible",
  "openai-compatible": "openai-compatible",
  openai_compatible: "openai-compatible",
  "openai-completions": "openai-compatible",
  custom: "openai-compatible",
  ollama: "openai-compatible",
  openrouter: "openai-compatible",
  lmstudio: "openai-compatible",
};

/** Which providers can be chosen. `plugins`: in the order of their keys; of two with the same name the last one counts. */
export function providerPlan(plugins: readonly { plugin: string; providers: readonly ProviderInfo[] }[]): {
  offered: OfferedProvider[];
  idle: IdleProvider[];
} {
  const offered = new Map<string, OfferedProvider>();
  const idle: IdleProvider[] = [];
  for (const { plugin, providers } of plugins) {
    for (const { name, speaks, baseUrl, keyVariable } of providers) {
      const judged = judge({ name, speaks, baseUrl, keyVariable });
      if (typeof judged === "string") {
        idle.push({ plugin, name, why: judged, speaks, baseUrl });
        continue;
      }
      const before = offered.get(name);
      if (before && before.plugin !== plugin) {
        const its = { plugin: before.plugin, name, speaks, baseUrl: before.baseUrl };
        idle.push({ ...its, why: "later", keeper: plugin });
      }
      offered.set(name, { plugin, name, keyVariable, ...judged });
    }
  }
  return { offered: [...offered.values()], idle };
}

function judge({
  name,
  speaks,
  baseUrl,
  keyVariable,
}: ProviderInfo): Pick<OfferedProvider, "kind" | "baseUrl" | "isNear"> | IdleProviderWhy {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) return "name";
  if (ownNames.has(name.toLowerCase())) return "own";
  const known = speaks.toLowerCase();
  const kind = Object.hasOwn(speaking, known) ? speaking[known] : undefined;
  if (kind === undefined) return "speaks";
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return "address";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return "address";
  if (keyVariable !== null && !/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(keyVariable)) return "key";
  return { kind, baseUrl: url.href.replace(/\/$/, ""), isNear: isNear(url.hostname) };
}
