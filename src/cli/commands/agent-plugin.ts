import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import {
  type AgentPluginView,
  type LogLevel,
  PatchbayError,
  type SetupReason,
} from "../../contract/index.ts";
import { readUntil } from "../../main/base/read-until.ts";
import { type Perform, usageError, withClient } from "../command.ts";
import type { CliContext, Client, Connection, ExitCode } from "../context.ts";
import { describeRow } from "../plugin-words.ts";
import { setUp } from "../setup.ts";
import { applySettings } from "../terminal/settings-input.ts";
import { settingsText } from "../terminal/settings-words.ts";
import { notRun, stateText } from "../terminal/words.ts";
import { assertPlugin } from "./plugin.ts";

/** One plugin for one agent: `patchbay plugin enable | disable | config | restart | logs … --agent A`. */
export function addAgentPluginCommands(program: Command, perform: Perform): void {
  const plugin = program.commands.find((command) => command.name() === "plugin") as Command;

  for (const enabled of [true, false]) {
    plugin
      .command(`${enabled ? "enable" : "disable"} <key>`)
      .description(`switch a plugin ${enabled ? "on" : "off"} for an agent`)
      .requiredOption("--agent <id>", "the agent")
      .action((key: string, { agent }: { agent: string }) =>
        perform(
          withClient(async (context, client, connection) => {
            const row = await client.agentPlugins.set({ agentId: agent, key, enabled });
            return showOutcome(context, connection, await triedOut(client, connection, row));
          }),
        ),
      );
  }

  const config = plugin
    .command("config <key>")
    .description("show or change a plugin's settings for an agent")
    .requiredOption("--agent <id>", "the agent")
    .option("--set <name=value>", "a setting; the value is JSON or text (repeatable)", collect, [])
    .option("--unset <name>", "remove a setting (repeatable)", collect, [])
    .option("--file <file>", "take all settings from a JSON or YAML file")
    .option("--secret <key>", "ask for the value of a declared secret, or read it from stdin")
    .addOption(
      new Option(
        "--refused <what>",
        "settings that the plugin refused: try them once more, or drop them",
      ).choices(["retry", "drop"]),
    )
    .action((key: string, options: ConfigOptions) => {
      const pairs = options.set.map((pair) => splitPair(config, pair));
      return perform(
        withClient((context, client, connection) =>
          configure(context, client, connection, key, options, pairs),
        ),
      );
    });

  const setup = plugin
    .command("setup <key>")
    .description("set a plugin up step by step: questions, a code to scan, a sign-in")
    .requiredOption("--agent <id>", "the agent")
    .addOption(new Option("--reason <reason>", "what for").choices(["first", "reconfigure", "sign_in_again"]))
    .option("--set <field=value>", "an answer that is known in advance (repeatable)", collect, [])
    .action((key: string, options: { agent: string; reason?: SetupReason; set: string[] }) => {
      const given = Object.fromEntries(options.set.map((pair) => splitText(setup, pair)));
      return perform(
        withClient(async (context, client, connection) => {
          const { agent: agentId, reason } = options;
          const { step } = await setUp(context, client, { agentId, key, given, ...(reason && { reason }) });
          const account = step.kind === "done" ? step.account : null;
          if (account) context.output.note(`Connected as ${account}.`);
          return showOutcome(context, connection, await client.agentPlugins.get({ agentId, key }));
        }),
      );
    });

  plugin
    .command("restart <key>")
    .description("start a plugin again, also after repeated crashes")
    .requiredOption("--agent <id>", "the agent")
    .action((key: string, { agent }: { agent: string }) =>
      perform(
        withClient(async (context, client, connection) =>
          showOutcome(context, connection, await client.agentPlugins.restart({ agentId: agent, key })),
        ),
      ),
    );

  const logs = plugin
    .command("logs <key>")
    .description("what a plugin wrote for an agent")
    .requiredOption("--agent <id>", "the agent")
    .option("--follow", "go on as it writes")
    .addOption(
      new Option("--level <level>", "leave out what is less important").choices([
        "debug",
        "info",
        "warn",
        "error",
      ]),
    )
    .option("--limit <n>", "how many lines at most", "1000")
    .action((key: string, options: LogOptions, command: Command) => {
      if (options.follow && command.optsWithGlobals<{ json?: boolean }>().json)
        usageError(logs, "--follow prints as it goes; it cannot be combined with --json");
      return perform(
        withClient((context, client, { alone }) => showLogs(context, client, alone, key, options)),
      );
    });
}

interface ConfigOptions {
  agent: string;
  set: string[];
  unset: string[];
  file?: string;
  secret?: string;
  refused?: "retry" | "drop";
}
interface LogOptions {
  agent: string;
  follow?: boolean;
  level?: LogLevel;
  limit: string;
}

async function configure(
  context: CliContext,
  client: Client,
  connection: Connection,
  key: string,
  options: ConfigOptions,
  set: [string, unknown][],
): Promise<ExitCode | undefined> {
  const { agent: agentId, refused } = options;
  if (refused)
    return showOutcome(context, connection, await client.agentPlugins.set({ agentId, key, refused }));
  const row = await client.agentPlugins.get({ agentId, key });
  const setsAnything = options.file !== undefined || set.length + options.unset.length > 0;
  if (!setsAnything && options.secret === undefined) {
    context.output.result({ config: row.config, secretsSet: row.secretsSet, revision: row.revision }, () =>
      settingsText(row.config),
    );
    return 0;
  }
  assertPlugin(row);
  const { declaration } = row.plugin;
  const start =
    options.file === undefined
      ? shownSettings(row.config, declaration.defaultConfig)
      : await readSettings(resolve(context.cwd, options.file));
  const secrets =
    options.secret === undefined
      ? undefined
      : { [options.secret]: await context.terminal.secret(`${options.secret}: `, context.signal) };
  const saved = await client.agentPlugins.set({
    agentId: options.agent,
    key,
    // A secret alone changes no setting, so what is wrong with those does not keep it from being stored.
    ...(setsAnything && {
      config: applySettings(start, declaration.settingsRoot ?? [], { set, unset: options.unset }),
    }),
    secrets,
    revision: row.revision,
  });
  return showOutcome(context, connection, saved);
}

/** What a change starts from: the stored settings, or, before anything was set, those that the plugin begins with. */
function shownSettings(
  stored: Record<string, unknown>,
  defaults: Record<string, unknown> | null,
): Record<string, unknown> {
  return Object.keys(stored).length > 0 ? stored : (defaults ?? {});
}

/**
 * Starts a plugin that was switched on and waits for its first use, where this process alone holds the core: what is wrong
 * with it is known then, and not at the first call.
 */
async function triedOut(
  client: Client,
  { alone }: Connection,
  row: AgentPluginView,
): Promise<AgentPluginView> {
  const { agentId, pluginKey: key, enabled, instance, plugin } = row;
  const waits = enabled && instance.state === "stopped" && instance.startsOnUse && instance.reason === null;
  if (!alone || !waits || plugin === null || notRun(plugin)) return row;
  const started = await client.agentPlugins.restart({ agentId, key });
  return started.instance.state === "running" ? row : started;
}

/**
 * Prints the saved row. The exit code is 1 when the plugin is switched on and did not start, although the save worked.
 */
function showOutcome({ output }: CliContext, { alone }: Connection, row: AgentPluginView): ExitCode {
  const { state } = row.instance;
  output.result(row, () => describeRow(row, output.paint));
  const failed = row.enabled && (state === "failed" || state === "quarantined");
  if (failed && !output.json)
    output.note(`${output.paint.bad("✗")} ${row.pluginKey}: ${stateText(row, output.paint)}`);
  if (alone && state === "running" && !output.json)
    output.note("It starts, as this shows. It goes on running while Patchbay is open: `patchbay serve`.");
  return failed ? 1 : 0;
}

async function showLogs(
  context: CliContext,
  client: Client,
  alone: boolean,
  key: string,
  options: LogOptions,
): Promise<ExitCode | undefined> {
  const ref = { agentId: options.agent, key };
  const { output, signal } = context;
  const entries = await client.agentPlugins.logs({
    ...ref,
    level: options.level,
    limit: Number(options.limit),
  });
  const line = (entry: (typeof entries)[number]) =>
    `${output.paint.dim(entry.at)}  ${entry.level.padEnd(5)}  ${entry.text}`;
  output.result(entries, () => entries.map(line).join("\n"));
  if (entries.length === 0)
    output.note(
      alone
        ? `Nothing is kept: ${key} has written nothing for this agent yet, and Patchbay does not run. Start it with \`patchbay serve\`, or open the app.`
        : `${key} has written nothing${options.level ? ` that is at least ${options.level}` : ""} yet.`,
    );
  if (!options.follow) return;
  // Nothing runs that could write, so the wait would have no end.
  if (alone) return 1;
  const ranks: LogLevel[] = ["debug", "info", "warn", "error"];
  const least = ranks.indexOf(options.level ?? "debug");
  const stream = await client.agentPlugins.followLogs({ ...ref, after: entries.at(-1)?.seq }, { signal });
  try {
    for await (const batch of readUntil(stream, signal))
      for (const entry of batch) if (ranks.indexOf(entry.level) >= least) output.line(line(entry));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function readSettings(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new PatchbayError("SOURCE_MISSING", `The file ${path} cannot be read.`, { cause });
  }
  const { parse } = await import("yaml");
  let settings: unknown;
  try {
    settings = parse(text);
  } catch (cause) {
    throw new PatchbayError("BAD_INPUT", `The file ${path} is neither JSON nor YAML.`, { cause });
  }
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    throw new PatchbayError("BAD_INPUT", `The file ${path} does not hold settings: an object was expected.`);
  return settings as Record<string, unknown>;
}

function splitPair(command: Command, pair: string): [string, unknown] {
  const [name, text] = splitText(command, pair);
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}

function splitText(command: Command, pair: string): [string, string] {
  const at = pair.indexOf("=");
  if (at < 1) usageError(command, `--set expects name=value, not "${pair}"`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function collect(value: string, values: string[]): string[] {
  return [...values, value];
}
