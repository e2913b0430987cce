import { resolve } from "node:path";
import type { Command } from "commander";
import { PatchbayError, toProblem } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import { globalFolder, globalPackage } from "./global-packages.ts";
import { type HermitChannel, ownChannels, readHermitChannels } from "./hermit-channels.ts";
import { type HermitSecrets, readHermitSecrets } from "./hermit-secrets.ts";
import { type ChannelOutcome, configure, planned } from "./hermit-settings.ts";
import { type HermitPackages, hermitHome, readHermitPackages, readJson } from "./hermit-source.ts";
import { type Agreed, agreeing, install, lineOf, type Taken } from "./take.ts";

interface HermitOptions extends Agreed {
  from?: string;
  packages?: string;
  channels?: string;
  secrets?: string;
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
    .option(
      "--secrets <file>",
      "the secrets.json of an agent, from which those that its channels name go to the vault (default: the only one)",
    )
    .option("--agent <id>", "the agent that gets these settings (default: the only one)")
    .action((options: HermitOptions) =>
      perform(
        withClient(async (context, client) => {
          const { from, names } = await packagesOf(context, options);
          const channels = await channelsOf(context, options);
          const secrets = channels.length > 0 ? await secretsOf(context, options) : noSecrets;
          const records = await recordsOf(context, names, channels);
          if (!options.yes) return list(context, { from, records, channels, secrets, options });
          const agentId = channels.length > 0 ? await agentOf(client, options.agent) : null;
          const plugins: Taken[] = [];
          for (const record of records) plugins.push(await take(context, client, record, options));
          const outcomes: ChannelOutcome[] = [];
          for (const channel of channels)
            outcomes.push(
              agentId === null
                ? planned(channel, secrets)
                : await configure(client, agentId, channel, secrets),
            );
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

async function channelsOf({ cwd }: CliContext, { channels }: HermitOptions): Promise<HermitChannel[]> {
  if (channels === undefined) return [];
  const file = resolve(cwd, channels);
  return readHermitChannels(await readJson(file), file);
}

async function secretsOf(context: CliContext, { secrets, from }: HermitOptions): Promise<HermitSecrets> {
  const { cwd } = context;
  const home = from === undefined ? hermitHome(context) : resolve(cwd, from);
  return readHermitSecrets(secrets === undefined ? undefined : resolve(cwd, secrets), home);
}

async function recordsOf(
  context: CliContext,
  names: readonly string[],
  channels: readonly HermitChannel[],
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
  for (const { type } of channels) {
    const spec = `builtin:${type}`;
    if (ownChannels.includes(type) && !records.some((record) => record.spec === spec))
      records.push({ name: type, version: null, spec, files: null });
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

interface Listed {
  from: string;
  records: HermitRecord[];
  channels: HermitChannel[];
  secrets: HermitSecrets;
  options: HermitOptions;
}

function list({ output }: CliContext, { from, records, channels, secrets, options }: Listed): 0 {
  const outcomes = channels.map((channel) => planned(channel, secrets));
  output.result({ from, plugins: records, channels: outcomes }, () =>
    records.length + channels.length === 0
      ? `OpenHermit has no channel packages (${from}).`
      : [
          ...records.map(recordLine),
          ...outcomes.map(planLine),
          "Install them with --yes. Their scripts run only with --allow-scripts; those that nobody known vouches for need --accept-risk, too.",
          ...hints(options, null, []),
        ].join("\n"),
  );
  return 0;
}

function planLine({ type, key, settings, stored, left }: ChannelOutcome): string {
  if (key === null)
    return `${type}: settings as they are where its package is installed, else to be set up again`;
  const kept = stored.length > 0 ? `; stores ${listOf(stored)}` : "";
  return `${type}: takes over ${listOf(settings)}${kept}${left.length > 0 ? `; not ${listOf(left)}` : ""}`;
}

function recordLine({ name, version, spec, files }: HermitRecord): string {
  const place = files === null ? "" : `  (files in ${files})`;
  return `${name}${version === null ? "" : ` ${version}`}  ${spec}${place}`;
}

function outcomeLines({
  type,
  key,
  settings,
  stored,
  missing,
  left,
  done,
  problem,
}: ChannelOutcome): string[] {
  if (problem) return [`✗ ${type}: ${[problem.message, problem.help].filter(Boolean).join(" ")}`];
  if (key === null || !done)
    return [`▲ ${type}: set it up again${left.length > 0 ? `; OpenHermit had ${listOf(left)}` : ""}.`];
  return [
    `✓ ${type}: ${listOf(settings)} taken over${left.length > 0 ? `; set ${listOf(left)} again` : ""}.`,
    ...(stored.length > 0 ? [`✓ ${type}: ${listOf(stored)} stored in the vault.`] : []),
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

const noSecrets: HermitSecrets = { from: null, values: new Map() };
const listOf = (names: readonly string[]) => (names.length === 0 ? "nothing" : names.join(", "));
