import { isIP } from "node:net";
import { domainToUnicode } from "node:url";
import type { Grants, Plugin, PluginPermissions } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { cleanLine } from "../../contract/shown/clean-text.ts";
import { hostSettingOf, listAt } from "../../contract/shown/host-setting.ts";
import { anyCovers, isHost, ruleFor } from "./host-rules.ts";

/** Texts of the arguments that are looked at, and the longest one. */
const MOST_TEXTS = 200;
const LONGEST = 2_048;

/** Names of this computer and of networks at home and at work (RFC 6761, 6762, 8375 and common use). */
const insideNames = ["localhost", "local", "internal", "localdomain", "lan", "intranet", "home.arpa"];

/** A host that a plugin did not get to, and that the person may add. */
export interface RefusedHost {
  /** The rule that is added: the name, with its port where that is not the usual one. */
  host: string;
  /** How the name reads, where that are other letters than those of the rule. */
  reads?: string;
  /** Whose list it is not on: the plugin's own one in its settings, or the wall's. */
  by: "settings" | "wall";
}

export interface RefusedCall {
  plugin: Pick<Plugin, "declaration">;
  config: unknown;
  network: Grants["network"];
  /** What the plugin says it did not ask; undefined when it says nothing. Counts only for a host that the call asked for. */
  said: unknown;
  /** What the agent asked for, and what of it the hooks left. */
  inputs: readonly unknown[];
  /** What the wall refused, the most recent first; `since`: when the call began, in milliseconds since 1970. */
  refused: PluginPermissions["seen"]["refused"];
  since: number;
}

/**
 * The host that a failed call may be helped by. Of the plugin's words none is believed: the host stands in an address of the
 * arguments, as the agent wrote them and as the plugin got them, or the wall itself refused it while the call ran. Null for
 * everything that the person has to type: addresses, names inside of networks, and plugins that have no list of hosts.
 */
export function refusedHost(call: RefusedCall): RefusedHost | null {
  return bySettings(call) ?? byWall(call);
}

/** The rule when it names one host of the public internet by its name; else null. */
export function addableHost(rule: string): string | null {
  const [, host = "", port] = /^([^:]+)(?::([1-9]\d{0,4}))?$/.exec(rule) ?? [];
  if (!isHost(host) || isIP(host) !== 0 || !/\.[a-z][a-z0-9-]*$/.test(host)) return null;
  if (insideNames.some((name) => host === name || host.endsWith(`.${name}`))) return null;
  return port !== undefined && Number(port) > 65_535 ? null : rule;
}

function bySettings({ plugin, config, said, inputs }: RefusedCall): RefusedHost | null {
  if (typeof said !== "string") return null;
  const { configSchema } = plugin.declaration;
  const path = hostSettingOf(configSchema);
  if (path === null) return null;
  const [first, ...others] = inputs.map(rulesIn);
  const host = first?.find((rule) => rule === plain(said) && others.every((rules) => rules.includes(rule)));
  if (host === undefined || addableHost(host) === null) return null;
  return listAt(configSchema, config, path).includes(host) ? null : { ...shown(host), by: "settings" };
}

function byWall({ network, refused, since }: RefusedCall): RefusedHost | null {
  if (network.reach === "none") return null;
  const tried = refused.find(
    ({ wall, seenBy, at }) => wall === "network" && seenBy === "wall" && Date.parse(at) >= since,
  );
  const host = tried && addableHost(plain(tried.target).replace(/:\d+$/, ""));
  if (!host || (anyCovers(network.hosts, host, null) && !anyCovers(network.refused, host, null))) return null;
  return { ...shown(host), by: "wall" };
}

function shown(host: string): Pick<RefusedHost, "host" | "reads"> {
  const reads = cleanLine(domainToUnicode(host.replace(/:\d+$/, "")));
  return { host, ...(host.startsWith("xn--") || host.includes(".xn--") ? { reads } : {}) };
}

const plain = (host: string) => host.toLowerCase().replace(/\.(?=$|:)/, "");

/** The hosts of all web addresses in some arguments. One with a password leads nowhere. */
function rulesIn(input: unknown): string[] {
  const found: string[] = [];
  const pending = [input];
  for (let seen = 0; pending.length > 0 && seen < MOST_TEXTS; seen += 1) {
    const next = pending.shift();
    if (typeof next === "string") {
      const text = next.trim();
      if (text.length > LONGEST || !/^https?:\/\//i.test(text) || !URL.canParse(text)) continue;
      const url = new URL(text);
      if (url.username !== "" || url.password !== "") continue;
      found.push(ruleFor(plain(url.hostname), url.port === "" ? null : Number(url.port)));
    } else if (Array.isArray(next)) pending.push(...next.slice(0, MOST_TEXTS));
    else if (isObject(next)) pending.push(...Object.values(next));
  }
  return found;
}
