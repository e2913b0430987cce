import type { ChannelHandle, PluginCommand } from "@patchbay/plugin-sdk";
import { unknownFields, unknownInWords } from "@patchbay/plugin-sdk/describe";
import { isObject } from "../../../../../contract/is-object.ts";
import { HostError, messageOf } from "../../../hosted/node/host-error.ts";
import type { HostPort } from "../../../hosted/node/port.ts";
import type { Requests } from "../../../hosted/node/requests.ts";
import type { Followed } from "../context/channel-agent.ts";
import { createContext, type HostContext, isForChannel } from "../context/context.ts";
import { Hooks } from "../context/hooks.ts";
import type { Reports } from "../context/reports.ts";
import type { HostContributions, HostStart } from "../protocol.ts";
import { parseConfig } from "./config.ts";
import { loadEntry } from "./load-entry.ts";
import { type LoadedPlugin, readManifest, unwrapCommonJs } from "./manifest.ts";
import { collectTools, MAX_TEXT, type RunnableTool, textUpTo } from "./tools.ts";

/** Plugin code that runs. */
export interface StartedPlugin {
  contributions: HostContributions;
  tools: ReadonlyMap<string, RunnableTool>;
  hooks: Hooks;
  commands: ReadonlyMap<string, PluginCommand>;
  channel: ChannelHandle | null;
  /** Stops what was started, last first. Never rejects; each failure is a log line. */
  stop(limitMs: number): Promise<void>;
}

export interface StartParts extends Followed {
  port: HostPort;
  requests: Requests;
  reports: Reports;
  warn(text: string): void;
}

/**
 * Imports the plugin, parses its settings and starts its capabilities in this order: tools, hooks, commands, channel.
 * The channel is last, because messages come in as soon as it runs. When one fails, those already started are stopped
 * and its error is thrown.
 */
export async function startPlugin(start: HostStart, parts: StartParts): Promise<StartedPlugin> {
  const module = await loadEntry(start.dir, "START_FAILED");
  for (const field of unknownFields(unwrapCommonJs(module.default))) parts.warn(unknownInWords(field));
  const plugin = readManifest(module, start.dir);
  const config = await parseConfig(plugin, start.config, start.flatConfig);
  const stopping = new AbortController();
  const stops = new StopStack(stopping, parts.warn);
  const started = { yes: false };
  const hooks = new Hooks(plugin.hooks?.events ?? [], start.hookMs, () => {
    if (started.yes) parts.port.post({ t: "contributions", changed: { hooks: hooks.list() } });
  });
  const ctx = createContext({ start, pluginKey: plugin.key, ...parts, hooks, signal: stopping.signal });
  try {
    const { tools, toolsets } = await startTools(plugin, config.of("tools"), ctx, stops, start.dir);
    await startHooks(plugin, config.of("hooks"), ctx, stops, hooks);
    const commands = await startCommands(plugin, config.whole, ctx, stops);
    const channel = await startChannel(plugin, config.of("channel"), ctx, stops);
    started.yes = true;
    const contributions: HostContributions = {
      namespace: plugin.tools?.namespace ?? null,
      tools: Array.from(tools.values(), (tool) => tool.info),
      toolsets,
      hooks: hooks.list(),
      commands: Array.from(commands.values(), describeCommand),
      skills: plugin.skills.map(({ name, description, path }) => ({ name, description, path })),
      channel: channel && {
        name: textUpTo(channel.name, 128) || plugin.key,
        webhook: typeof channel.handleWebhook === "function",
        outbound: channel.outbound !== undefined && channel.outbound !== null,
      },
      ...shortcutsOf([...commands.values()]),
    };
    return { contributions, tools, hooks, commands, channel, stop: (limitMs) => stops.run(limitMs) };
  } catch (error) {
    await stops.run(start.stopMs);
    throw error;
  }
}

async function startTools(
  plugin: LoadedPlugin,
  config: unknown,
  ctx: HostContext,
  stops: StopStack,
  dir: string,
) {
  const none = { tools: new Map<string, RunnableTool>(), toolsets: [] };
  if (!plugin.tools) return none;
  const handle = await plugin.tools.start(config, ctx);
  if (handle === undefined || handle === null) throw needsSetup("its tools");
  stops.add("tools", handle);
  if (!isObject(handle) || !Array.isArray(handle.toolsets)) {
    throw new HostError("START_FAILED", "`tools.start` returned no list of `toolsets`.");
  }
  const tools = await collectTools(plugin.tools.namespace, handle.toolsets, dir, stops.warn);
  const toolsets = handle.toolsets.map(({ id, description }) => ({
    id: String(id ?? plugin.key).slice(0, 128),
    description: textUpTo(description, MAX_TEXT),
  }));
  return { tools, toolsets };
}

async function startHooks(
  plugin: LoadedPlugin,
  config: unknown,
  ctx: HostContext,
  stops: StopStack,
  hooks: Hooks,
): Promise<void> {
  if (!plugin.hooks) return;
  const handle = await plugin.hooks.start(config, ctx);
  stops.add("hooks", handle);
  for (const [event, handler] of Object.entries(handle?.handlers ?? {})) hooks.on(event, handler);
}

async function startCommands(
  plugin: LoadedPlugin,
  config: unknown,
  ctx: HostContext,
  stops: StopStack,
): Promise<Map<string, PluginCommand>> {
  const declared = plugin.commands;
  if (!declared) return new Map();
  if (Array.isArray(declared)) return collectCommands(declared);
  const handle = await declared.start(config, ctx);
  stops.add("commands", handle);
  return collectCommands(handle?.commands ?? []);
}

async function startChannel(
  plugin: LoadedPlugin,
  config: unknown,
  ctx: HostContext,
  stops: StopStack,
): Promise<ChannelHandle | null> {
  if (!plugin.channel) return null;
  if (!isForChannel(ctx))
    throw new HostError(
      "START_FAILED",
      "The plugin has a channel that it did not declare when it was installed.",
    );
  const handle = await plugin.channel.start(config, ctx);
  if (handle === undefined || handle === null) throw needsSetup("its channel");
  stops.add("channel", handle);
  return handle;
}

function needsSetup(what: string): HostError {
  return new HostError(
    "NEEDS_SETUP",
    `The plugin is not set up yet: ${what} did not start with these settings.`,
  );
}

function collectCommands(list: readonly PluginCommand[]): Map<string, PluginCommand> {
  const commands = new Map<string, PluginCommand>();
  for (const command of list) {
    if (!isObject(command) || typeof command.run !== "function" || typeof command.name !== "string") {
      throw new HostError("MANIFEST_INVALID", "A command has no `name` or no `run` function.");
    }
    const name = command.name.replace(/^\//, "");
    if (!/^[A-Za-z0-9][A-Za-z0-9_:.-]{0,63}$/.test(name)) {
      throw new HostError(
        "MANIFEST_INVALID",
        `A command is named \`${name}\`, which cannot be typed after a slash.`,
      );
    }
    if (commands.has(name))
      throw new HostError("NAME_CLASH", `The plugin offers the command \`/${name}\` twice.`);
    commands.set(name, { ...command, name, run: command.run.bind(command) });
  }
  return commands;
}

function describeCommand({ name, description, argsHint }: PluginCommand) {
  return {
    name,
    description: textUpTo(description, MAX_TEXT),
    ...(typeof argsHint === "string" && { argsHint }),
  };
}

/** The keys of commands. */
function shortcutsOf(commands: readonly PluginCommand[]): Pick<HostContributions, "offers"> {
  const shortcuts = commands.flatMap(({ name, description, keys }) =>
    typeof keys === "string" && keys.trim() !== ""
      ? [{ id: name, keys: textUpTo(keys, 100), description: textUpTo(description, 500) }]
      : [],
  );
  return shortcuts.length === 0 ? {} : { offers: { shortcuts: shortcuts.slice(0, MOST_SHORTCUTS) } };
}
const MOST_SHORTCUTS = 200;

/** What was started, stopped in reverse order and only once. */
class StopStack {
  readonly #stops: { name: string; stop: () => unknown }[] = [];
  readonly #stopping: AbortController;
  readonly warn: (text: string) => void;

  constructor(stopping: AbortController, warn: (text: string) => void) {
    this.#stopping = stopping;
    this.warn = warn;
  }

  add(name: string, handle: unknown): void {
    if (isObject(handle) && typeof handle.stop === "function") {
      this.#stops.push({ name, stop: handle.stop.bind(handle) as () => unknown });
    }
  }

  async run(limitMs: number): Promise<void> {
    this.#stopping.abort(new HostError("ABORTED", "The plugin stops."));
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.warn(`The plugin did not stop within ${limitMs} ms.`);
        resolve();
      }, limitMs);
    });
    await Promise.race([this.#runAll(), limit]);
    clearTimeout(timer);
  }

  async #runAll(): Promise<void> {
    for (let next = this.#stops.pop(); next; next = this.#stops.pop()) {
      try {
        await next.stop();
      } catch (error) {
        this.warn(`Stopping the ${next.name} failed: ${messageOf(error)}`);
      }
    }
  }
}
