import { type AgentPluginView, PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import type { Client } from "../context.ts";
import { asItIs, type CarriedChannel, carryOver, type HermitChannel } from "./hermit-channels.ts";
import type { HermitSecrets } from "./hermit-secrets.ts";

/** A channel of the export, and what became of it. */
export interface ChannelOutcome {
  type: string;
  /** Null: no plugin stands for it. */
  key: string | null;
  /** Names of the settings that were carried over. */
  settings: string[];
  /** Names of secrets that OpenHermit kept in a file, and that were stored here. */
  stored: string[];
  /** Names of secrets that have to be stored here. */
  missing: string[];
  /** Names of settings that have to be made again. */
  left: string[];
  done: boolean;
  problem: Problem | null;
}

/** What would become of a channel. One of a package takes its settings as they are, once the package is installed. */
export function planned(channel: HermitChannel, secrets: HermitSecrets): ChannelOutcome {
  return outcomeOf(channel, carryOver(channel), secrets);
}

/**
 * Gives an agent the settings of one channel, and the secrets that they name. What somebody has set there already is left
 * alone; nothing is switched on.
 */
export async function configure(
  client: Client,
  agentId: string,
  channel: HermitChannel,
  secrets: HermitSecrets,
): Promise<ChannelOutcome> {
  const carried = carryOver(channel) ?? (await ofPackage(client, channel));
  const outcome = outcomeOf(channel, carried, secrets);
  if (!carried) return outcome;
  const { key } = carried;
  try {
    const row = await client.agentPlugins.get({ agentId, key });
    if (isSetUp(row)) {
      const why = new PatchbayError("BAD_INPUT", `${key} has settings already; they are left as they are.`, {
        help: `Remove them first, or change them with \`patchbay plugin config ${key} --agent ${agentId}\`.`,
      });
      return { ...outcome, stored: [], problem: why.toProblem() };
    }
    const config = { channel: carried.settings };
    await client.agentPlugins.set({ agentId, key, config, secrets: carried.secrets, revision: row.revision });
    const there = new Set(
      (await client.secrets.list())
        .filter((secret) => secret.agentId === null || secret.agentId === agentId)
        .map(({ name }) => name),
    );
    const stored = outcome.stored.filter((name) => !there.has(name));
    for (const name of stored)
      await client.secrets.set({ name, value: secrets.values.get(name) ?? "", agentId });
    const missing = outcome.missing.filter((name) => !there.has(name));
    return { ...outcome, stored, missing, done: true };
  } catch (error) {
    return { ...outcome, stored: [], problem: toProblem(error) };
  }
}

/** The settings as they are, for a package of OpenHermit that is installed here; null when it is not. */
async function ofPackage(client: Client, channel: HermitChannel): Promise<CarriedChannel | null> {
  const plugin = (await client.plugins.list()).find(({ manifestKey }) => manifestKey === channel.type);
  if (!plugin?.capabilities.channel) return null;
  const { declaration } = await client.plugins.get({ key: plugin.manifestKey });
  return asItIs(
    channel,
    declaration.secretKeys.map(({ key }) => key),
  );
}

function isSetUp({ config, secretsSet }: AgentPluginView): boolean {
  const { channel = {} } = config as { channel?: object };
  return Object.keys(channel).length > 0 || Object.values(secretsSet).some(Boolean);
}

function outcomeOf(
  { type, config }: HermitChannel,
  carried: CarriedChannel | null,
  { values }: HermitSecrets,
): ChannelOutcome {
  const references = carried?.references ?? [];
  return {
    type,
    key: carried?.key ?? null,
    settings: carried ? [...Object.keys(carried.settings), ...Object.keys(carried.secrets)] : [],
    stored: references.filter((name) => values.has(name)),
    missing: references.filter((name) => !values.has(name)),
    left: carried?.left ?? Object.keys(config),
    done: false,
    problem: null,
  };
}
