import { withDefaults } from "../defaults.ts";
import { describeManifest } from "../describe/index.ts";
import {
  type AgentEventName,
  type AgentEventPayloads,
  agentEventShapes,
  type HandlerResult,
  isAgentEventName,
} from "../events.ts";
import type {
  PiTool,
  PluginManifest,
  PluginTool,
  ToolCallContext,
  ToolResult,
  Toolset,
} from "../manifest.ts";
import { createTestContext, type TestContext, type TestContextOptions } from "./context.ts";

export interface StartedTools {
  test: TestContext;
  toolsets: Toolset[];
  /** The tools by their own names, without the namespace. */
  tools: Map<string, PluginTool | PiTool>;
  /** Runs a tool; a text that it returns becomes a result with one text part. Rejects as the tool does. */
  call(name: string, input?: Record<string, unknown>, call?: Partial<ToolCallContext>): Promise<ToolResult>;
  stop(): Promise<void>;
}

export interface StartedHooks {
  test: TestContext;
  /**
   * Runs the handlers of an event as the agent does: by priority, one after the other, each with a copy. Listener:
   * nothing. Transform: the last payload, or `{drop: true}`. Veto: the decision, with the payload as rewritten. The
   * `failureMode` of a handler that throws decides whether it refuses or is skipped.
   */
  fire<E extends AgentEventName>(event: E, payload: AgentEventPayloads[E]): Promise<HandlerResult<E>>;
  stop(): Promise<void>;
}

/** Starts the tools of a plugin: settings parsed, names checked. `config` is the wrapper, or the inner object alone. */
export async function startTools(
  manifest: PluginManifest,
  config: Record<string, unknown> = {},
  options: TestContextOptions = {},
): Promise<StartedTools> {
  if (!manifest.tools) throw new Error(`The plugin ${manifest.key} has no tools.`);
  const test = createTestContext(options);
  const handle = await manifest.tools.start(await parsedConfig(manifest, "tools", config), test.ctx);
  if (!handle) throw new Error(`The tools of ${manifest.key} need setup: start returned undefined.`);
  const tools = collected(manifest.tools.namespace, handle.toolsets);
  return {
    test,
    toolsets: handle.toolsets,
    tools,
    async call(name, input = {}, call = {}) {
      const tool = tools.get(name);
      if (!tool) throw new Error(`There is no tool ${name}; there are ${[...tools.keys()].join(", ")}.`);
      const context = callContext(test, call);
      const filled = withDefaults(tool.parameters, input);
      // A tool written for pi says so, or is recognised by having at least three parameters.
      const result =
        tool.form === "pi" || (tool.form === undefined && tool.execute.length >= 3)
          ? await (tool as PiTool).execute(context.toolCallId, filled, context.signal, context.onUpdate)
          : await (tool as PluginTool).execute(filled, context);
      return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
    },
    stop: () => stop(test, handle),
  };
}

/** Starts the hooks of a plugin. `config` is the wrapper, or the inner object alone. */
export async function startHooks(
  manifest: PluginManifest,
  config: Record<string, unknown> = {},
  options: TestContextOptions = {},
): Promise<StartedHooks> {
  if (!manifest.hooks) throw new Error(`The plugin ${manifest.key} has no hooks.`);
  const test = createTestContext({ events: manifest.hooks.events, ...options });
  const handle = await manifest.hooks.start(await parsedConfig(manifest, "hooks", config), test.ctx);
  for (const [event, handler] of Object.entries(handle.handlers ?? {})) {
    if (isAgentEventName(event)) test.ctx.on(event, handler as Parameters<typeof test.ctx.on>[1]);
  }
  return { test, fire: (event, payload) => dispatch(test, event, payload), stop: () => stop(test, handle) };
}

/** Starts the hooks of a plugin, fires one event and stops them again. */
export async function fire<E extends AgentEventName>(
  manifest: PluginManifest,
  event: E,
  payload: AgentEventPayloads[E],
  config: Record<string, unknown> = {},
): Promise<HandlerResult<E>> {
  const hooks = await startHooks(manifest, config);
  try {
    return await hooks.fire(event, payload);
  } finally {
    await hooks.stop();
  }
}

async function parsedConfig(
  manifest: PluginManifest,
  section: "tools" | "hooks",
  config: Record<string, unknown>,
): Promise<unknown> {
  const isWrapper = ["tools", "channel", "hooks"].some((key) => key in config);
  const whole: unknown = filledIn(manifest, section, isWrapper ? config : { [section]: config });
  const parsed = manifest.parseConfig ? await manifest.parseConfig(whole) : whole;
  return isRecord(parsed) && section in parsed ? parsed[section] : {};
}

/** The settings with the defaults of the plugin's schema, which describes the wrapper or the inside of one section. */
function filledIn(
  manifest: PluginManifest,
  section: "tools" | "hooks",
  whole: Record<string, unknown>,
): Record<string, unknown> {
  const schema = schemaOfSettings(manifest);
  if (!isRecord(schema)) return whole;
  const isOfWrapper = isRecord(schema.properties) && section in schema.properties;
  if (isOfWrapper) return withDefaults(schema, whole);
  return { ...whole, [section]: withDefaults(schema, whole[section] ?? {}) };
}

/** Undefined for a schema that cannot be written as JSON Schema: it fills in its defaults itself. */
function schemaOfSettings({ configSchema }: PluginManifest): unknown {
  try {
    return describeManifest({ configSchema }).manifest.configSchema;
  } catch {
    return undefined;
  }
}

function collected(namespace: string, toolsets: readonly Toolset[]): Map<string, PluginTool | PiTool> {
  const tools = new Map<string, PluginTool | PiTool>();
  for (const tool of toolsets.flatMap((toolset) => toolset.tools)) {
    const joined = `${namespace}__${tool.name}`;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(joined)) {
      throw new Error(`The tool name ${joined} must be at most 64 letters, digits, _ and -.`);
    }
    if (tools.has(tool.name)) throw new Error(`The plugin offers the tool ${tool.name} twice.`);
    tools.set(tool.name, tool);
  }
  return tools;
}

function callContext(test: TestContext, call: Partial<ToolCallContext>): ToolCallContext {
  return {
    toolCallId: "call-1",
    agentId: test.ctx.agentId,
    sessionId: "session-1",
    caller: { kind: "owner" },
    signal: new AbortController().signal,
    onUpdate: () => {},
    effects: test.hookCall.effects,
    ...call,
  };
}

async function stop(test: TestContext, handle: { stop(): Promise<void> }): Promise<void> {
  test.abort();
  await handle.stop();
}

async function dispatch<E extends AgentEventName>(
  test: TestContext,
  event: E,
  payload: AgentEventPayloads[E],
): Promise<HandlerResult<E>> {
  const shape = agentEventShapes[event];
  let current: unknown = payload;
  for (const { handler, failureMode } of test.subscriptions(event)) {
    let returned: unknown;
    try {
      returned = await handler(structuredClone(current), test.hookCall);
    } catch (error) {
      if (failureMode === "skip") continue;
      if (shape !== "veto") throw error;
      return { allow: false, reason: String(error) } as HandlerResult<E>;
    }
    if (shape === "veto") {
      if (!isRecord(returned) || returned.allow !== true) return refusal(returned) as HandlerResult<E>;
      current = returned.payload ?? current;
    } else if (shape === "transform" && returned !== undefined) {
      if (isRecord(returned) && returned.drop === true) return { drop: true } as HandlerResult<E>;
      current = returned;
    }
  }
  if (shape === "listener") return undefined as HandlerResult<E>;
  return (shape === "veto" ? { allow: true, payload: current } : current) as HandlerResult<E>;
}

/** The refusal for any return value of a veto other than `{allow: true}`. */
function refusal(returned: unknown): { allow: false; reason: string } {
  if (isRecord(returned) && returned.allow === false && typeof returned.reason === "string") {
    return { allow: false, reason: returned.reason };
  }
  return { allow: false, reason: `The handler answered ${JSON.stringify(returned)}, which is no decision.` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
