import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { plainReferences } from "../../main/secrets/references.ts";

/** A channel of an OpenHermit agent, as its export tells it. */
export interface HermitChannel {
  type: string;
  config: Record<string, unknown>;
}

/** One of our own plugins with the settings that could be carried over. */
export interface CarriedChannel {
  type: string;
  /** The key of our plugin. */
  key: string;
  settings: Record<string, unknown>;
  /** Values that were written out in the export; they go to the vault. */
  secrets: Record<string, string>;
  /** Names of secrets that the settings refer to. */
  references: string[];
  /** Keys of the export that mean nothing here. */
  left: string[];
}

type Rule = { to: string; secret?: true; take?: (value: unknown) => unknown };

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === "string" ? value.split(/[\s,]+/) : [value])
    .filter((one) => typeof one === "string" || typeof one === "number")
    .map(String)
    .filter((one) => one !== "");

/** Signal's own id of a group is written in base64 once more by the bridge. */
const groupId = (id: string) =>
  id.startsWith("group.") ? id : `group.${Buffer.from(id).toString("base64")}`;

/** OpenHermit's settings of its built-in channels, and ours. Where one list holds people and groups, two rules take it. */
const rules: Record<string, Record<string, Rule[]>> = {
  telegram: {
    bot_token: [{ to: "token", secret: true }],
    allowed_chat_ids: [
      { to: "users", take: (value) => texts(value).filter((id) => !id.startsWith("-")) },
      { to: "groups", take: (value) => texts(value).filter((id) => id.startsWith("-")) },
    ],
  },
  slack: {
    bot_token: [{ to: "botToken", secret: true }],
    app_token: [{ to: "appToken", secret: true }],
  },
  discord: { bot_token: [{ to: "token", secret: true }] },
  wechat: {
    bot_token: [{ to: "botToken", secret: true }],
    base_url: [{ to: "baseUrl" }],
    // Who scanned the code.
    ilink_user_id: [{ to: "owners", take: texts }],
  },
  signal: {
    http_url: [{ to: "server" }],
    account: [{ to: "number" }],
    allowed_senders: [{ to: "users", take: texts }],
    allowed_group_ids: [{ to: "groups", take: (value) => texts(value).map(groupId) }],
  },
};
/** What nobody misses: it says nothing to Patchbay, or is learned again. */
const ofItsOwn = new Set(["enabled", "mode", "ilink_bot_id", "bot_agent"]);

/** The keys of the plugins of ours that stand for a built-in channel, by its type. */
export const ownChannels: readonly string[] = Object.keys(rules);

const rowSchema = z.looseObject({
  channelType: z.string().nullish(),
  channel_type: z.string().nullish(),
  type: z.string().nullish(),
  key: z.string().nullish(),
  namespace: z.string().nullish(),
  config: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * The channels of an export: the rows that `GET /api/agents/<id>/channels` answers, or an object of settings by type.
 * @throws PatchbayError BAD_INPUT
 */
export function readHermitChannels(value: unknown, where: string): HermitChannel[] {
  const content = isObject(value) && value.channels !== undefined ? value.channels : value;
  if (isObject(content) && !Array.isArray(content)) {
    return Object.entries(content).map(([type, config]) => {
      if (!isObject(config)) throw wrong(where, type);
      return { type, config };
    });
  }
  if (!Array.isArray(content)) throw wrong(where);
  return content.map((one, index) => {
    const { data: row } = rowSchema.safeParse(one);
    const type = row?.channelType ?? row?.channel_type ?? row?.type ?? row?.key ?? row?.namespace;
    if (!row || !type) throw wrong(where, `entry ${index + 1}`);
    return { type, config: row.config ?? {} };
  });
}

/** A channel in our own terms; null for one that none of our plugins stands for. */
export function carryOver({ type, config }: HermitChannel): CarriedChannel | null {
  const known = Object.hasOwn(rules, type) ? rules[type] : undefined;
  if (!known) return null;
  const carried: CarriedChannel = { type, key: type, settings: {}, secrets: {}, references: [], left: [] };
  const references = new Set<string>();
  for (const [name, value] of Object.entries(config)) {
    if (value === null || value === "" || ofItsOwn.has(name)) continue;
    const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!wanted) {
      carried.left.push(name);
      continue;
    }
    for (const { to, secret, take } of wanted) {
      const plain = plainReferences(take ? take(value) : value);
      const names = referencesIn(plain);
      for (const found of names) references.add(found);
      if (Array.isArray(plain) && plain.length === 0) continue;
      if (secret && names.length === 0) carried.secrets[to] = String(plain);
      else carried.settings[to] = plain;
    }
  }
  return { ...carried, references: [...references] };
}

/**
 * The settings of a package of OpenHermit that is installed here, which reads them as they are; written out secrets are
 * taken out of them. `secretKeys`: the names of its settings that are secrets.
 */
export function asItIs({ type, config }: HermitChannel, secretKeys: readonly string[]): CarriedChannel {
  const settings: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  const references = new Set<string>();
  for (const [name, value] of Object.entries(config)) {
    if (value === null || name === "enabled") continue;
    const plain = plainReferences(value);
    const names = referencesIn(plain);
    for (const found of names) references.add(found);
    if (secretKeys.includes(name) && names.length === 0 && typeof plain === "string") {
      if (plain !== "") secrets[name] = plain;
    } else settings[name] = plain;
  }
  return { type, key: type, settings, secrets, references: [...references], left: [] };
}

function referencesIn(value: unknown): string[] {
  const names = (JSON.stringify(value) ?? "").matchAll(/\$\{([A-Za-z_]\w*)\}/g);
  return Array.from(names, ([, found]) => found ?? "");
}

function wrong(where: string, what?: string): PatchbayError {
  const which = what === undefined ? "" : ` (${what.slice(0, 100)})`;
  return new PatchbayError("BAD_INPUT", `${where} is no list of channels as OpenHermit has it${which}.`, {
    help: "Save what GET /api/agents/<agent>/channels of its gateway answers, and name that file.",
  });
}
