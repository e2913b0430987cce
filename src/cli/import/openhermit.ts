import { resolve } from "node:path";
import type { Command } from "commander";
import { type AgentPluginView, PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { globalFolder, globalPackage } from "./global-packages.ts";
import { type CarriedChannel, carryOver, ownChannels, readHermitChannels } from "./hermit-channels.ts";
import { type HermitPackages, readHermitPackages, readJson } from "./hermit-source.ts";
import { type Agreed, agreeing, install, lineOf, type Taken } from "./take.ts";

interface HermitOptions extends Agreed {
  from?: string;
  packages?: string;
  channels?: string;
  agent?: string;
}

/** One package, and how Patchbay gets it. */
interface HermitRecord {
  name: string;
  /** That of the globally installed one; null: it is not there. */
  version: string | null;
  /** `builtin:<key>` for a channel that Patchbay has a plugin of its own for. */
  spec: string;
  /** Its folder among npm's global packages; null: it is fetched. */
  files: string | null;
}

/** A channel of the export, and what became of it. */
interface ChannelOutcome {
  type: string;
  /** Null: no plugin of Patchbay's own stands for it. */
  key: string | null;
  /** Names of the settings that were carried over. */
  settings: string[];
  /** Names of secrets that OpenHermit's own store holds, and that have to be stored here. */
  missing: string[];
  /** Names of settings that have to be made again. */
  left: string[];
  done: boolean;
  problem: Problem | null;
}

/** `patchbay import openhermit`. */
export function addOpenHermitImport(parent: Command, perform: Perform): void {
  const command = parent
    .command("openhermit")
    .description(
      "install the channel packages of an OpenHermit gateway, from npm's global folder where they are there",
    )
    .option(
      "--from <path>",
      "the gateway's configuration, or the folder that has it (default: ask the hermit command)",
    )
    .option("--packages <names>", "the packages themselves, with commas between them")
    .option("--channels <file>", "an export of an agent's channels, whose settings are carried over")
    .option("--agent <id>", "the agent that gets these settings (default: the only one)")
    .action((options: HermitOptions) =>
      perform(
        withClient(async (context, client) => {
          const { from, names } = await packagesOf(context, options);
          const channels = await channelsOf(context, options);
          const records = await recordsOf(context, names, channels);
          if (!options.yes) return list(context, { from, records, channels, options });
          const agentId = channels.length > 0 ? await agentOf(client, options.agent) : null;
          const plugins: Taken[] = [];
          for (const record of records) plugins.push(await take(context, client, record, options));
          const outcomes: ChannelOutcome[] = [];
          for (const channel of channels)
            outcomes.push(agentId === null ? planned(channel) : await configure(client, agentId, channel));
          context.output.result({ from, plugins, channels: outcomes }, () =>
            [
              ...plugins.map(lineOf),
              ...outcomes.flatMap(outcomeLines),
              ...hints(options, agentId, plugins),
            ].join("\n"),
          );
          const failed =
            plugins.some(({ installed }) => !installed) || outcomes.some(({ problem }) => problem);
          return failed ? 1 : 0;
        }),
      ),
    );
  for (const [flag, words] of agreeing) command.option(flag, words);
}

type Channel = { type: string; carried: CarriedChannel | null; names: string[] };

async function packagesOf(context: CliContext, options: HermitOptions): Promise<HermitPackages> {
  const from = options.from === undefined ? undefined : resolve(context.cwd, options.from);
  const packages = options.packages?.split(",");
  try {
    return await readHermitPackages(context, { from, packages });
  } catch (error) {
    // An export of channels is enough to go on with.
    const isEnough = options.channels !== undefined && from === undefined && packages === undefined;
    if (!isEnough || toProblem(error).code !== "SOURCE_MISSING") throw error;
    context.output.note(`${toProblem(error).message} Only the channels of the export are taken over.`);
    return { from: "--channels", names: [] };
  }
}

async function channelsOf({ cwd }: CliContext, { channels }: HermitOptions): Promise<Channel[]> {
  if (channels === undefined) return [];
  const file = resolve(cwd, channels);
  return readHermitChannels(await readJson(file), file).map((channel) => ({
    type: channel.type,
    carried: carryOver(channel),
    names: Object.keys(channel.config),
  }));
}

async function recordsOf(
  context: CliContext,
  names: readonly string[],
  channels: readonly Channel[],
): Promise<HermitRecord[]> {
  const folder = names.length > 0 ? await globalFolder(context) : null;
  const records: HermitRecord[] = [];
  for (const name of names) {
    const there = await globalPackage(folder, name);
    const [, own] = /^@openhermit\/channel-(.+)$/.exec(name) ?? [];
    const version = there?.version ?? null;
    if (own !== undefined && ownChannels.includes(own))
      records.push({ name, version, spec: `builtin:${own}`, files: null });
    else
      records.push({
        name,
        version,
        spec: there ? `${name}@${there.version}` : name,
        files: there?.dir ?? null,
      });
  }
  for (const { carried } of channels) {
    const spec = carried && `builtin:${carried.key}`;
    if (spec && !records.some((record) => record.spec === spec))
      records.push({ name: carried.type, version: null, spec, files: null });
  }
  return records;
}

async function agentOf(client: Client, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) return (await client.agents.get({ agentId: wanted })).id;
  const [only, ...others] = await client.agents.list();
  if (only && others.length === 0) return only.id;
  throw new PatchbayError("BAD_INPUT", "It is not clear which agent gets the settings of the channels.", {
    help: "Name it with --agent.",
  });
}

/** Installs one package, from npm's own copy where there is one; what cannot be copied is fetched in that version. */
async function take(
  context: CliContext,
  client: Client,
  { name, spec, files }: HermitRecord,
  options: HermitOptions,
): Promise<Taken> {
  const key = spec.startsWith("builtin:") ? spec.slice("builtin:".length) : null;
  if (key !== null && (await client.plugins.list()).some(({ manifestKey }) => manifestKey === key))
    return { name, spec, installed: true, problem: null, key };
  if (files === null) return install(context, client, { name, spec }, options);
  const taken = await install(context, client, { name, spec: files }, options);
  if (taken.problem?.code !== "UNSAFE_PACKAGE") return { ...taken, spec };
  return install(context, client, { name, spec }, options);
}

/** Gives an agent the settings of one channel. What somebody has set there already is left alone; nothing is switched on. */
async function configure(client: Client, agentId: string, channel: Channel): Promise<ChannelOutcome> {
  const { carried } = channel;
  const outcome = planned(channel);
  if (!carried) return outcome;
  const { key, settings, secrets } = carried;
  try {
    const row = await client.agentPlugins.get({ agentId, key });
    if (isSetUp(row)) {
      const why = new PatchbayError("BAD_INPUT", `${key} has settings already; they are left as they are.`, {
        help: `Remove them first, or change them with \`patchbay plugin config ${key} --agent ${agentId}\`.`,
      });
      return { ...outcome, problem: why.toProblem() };
    }
    const config = { channel: settings };
    await client.agentPlugins.set({ agentId, key, config, secrets, revision: row.revision });
    const stored = new Set((await client.secrets.list()).map(({ name }) => name));
    return { ...outcome, missing: carried.references.filter((name) => !stored.has(name)), done: true };
  } catch (error) {
    return { ...outcome, problem: toProblem(error) };
  }
}

function isSetUp({ config, secretsSet }: AgentPluginView): boolean {
  const { channel = {} } = config as { channel?: object };
  return Object.keys(channel).length > 0 || Object.values(secretsSet).some(Boolean);
}

function planned({ type, carried, names }: Channel): ChannelOutcome {
  const settings = carried ? [...Object.keys(carried.settings), ...Object.keys(carried.secrets)] : [];
  const missing = carried?.references ?? [];
  return {
    type,
    key: carried?.key ?? null,
    settings,
    missing,
    left: carried?.left ?? names,
    done: false,
    problem: null,
  };
}

interface Listed {
  from: string;
  records: HermitRecord[];
  channels: Channel[];
  options: HermitOptions;
}

function list({ output }: CliContext, { from, records, channels, options }: Listed): 0 {
  const outcomes = channels.map(planned);
  output.result({ from, plugins: records, channels: outcomes }, () =>
    records.length + channels.length === 0
      ? `OpenHermit has no channel packages (${from}).`
      : [
          ...records.map(recordLine),
          ...outcomes.map(
            ({ type, key, settings, left }) =>
              `${type}: ${key === null ? "to be set up again" : `takes over ${listOf(settings)}`}${key !== null && left.length > 0 ? `; not ${listOf(left)}` : ""}`,
          ),
          "Install them with --yes. Their scripts run only with --allow-scripts; those that nobody known vouches for need --accept-risk, too.",
          ...hints(options, null, []),
        ].join("\n"),
  );
  return 0;
}

function recordLine({ name, version, spec, files }: HermitRecord): string {
  const place = files === null ? "" : `  (files in ${files})`;
  return `${name}${version === null ? "" : ` ${version}`}  ${spec}${place}`;
}

function outcomeLines({ type, key, settings, missing, left, done, problem }: ChannelOutcome): string[] {
  if (problem) return [`✗ ${type}: ${[problem.message, problem.help].filter(Boolean).join(" ")}`];
  if (key === null || !done)
    return [`▲ ${type}: set it up again${left.length > 0 ? `; OpenHermit had ${listOf(left)}` : ""}.`];
  return [
    `✓ ${type}: ${listOf(settings)} taken over${left.length > 0 ? `; set ${listOf(left)} again` : ""}.`,
    ...missing.map((name) => `▲ ${type}: store its secret with \`patchbay secret set ${name}\`.`),
  ];
}

/** What is left for the person. */
function hints(options: HermitOptions, agentId: string | null, plugins: readonly Taken[]): string[] {
  const keys = plugins.flatMap(({ key }) => key ?? []);
  const agent = options.agent ?? agentId ?? "<agent>";
  return [
    ...(options.channels === undefined
      ? [
          "Settings and secrets are not in this list: set each up with `patchbay plugin setup`, or give an export with --channels.",
        ]
      : []),
    ...(keys.length > 0
      ? [
          `Nothing is switched on: two programs cannot answer for one bot. Stop it in OpenHermit, then \`patchbay plugin enable ${keys[0]} --agent ${agent}\`.`,
        ]
      : []),
  ];
}

const listOf = (names: readonly string[]) => (names.length === 0 ? "nothing" : names.join(", "));
