import type { ChannelAgent } from "../channel-agent.ts";
import { callEffects, type PluginEffect } from "../effects.ts";
import {
  type AgentEventName,
  agentEventShapes,
  type EventHandler,
  type HookCall,
  isAgentEventName,
  type SubscribeOptions,
} from "../events.ts";
import type {
  HookContext,
  PluginAsk,
  PluginChannelContext,
  PluginLogger,
  PluginStorage,
} from "../manifest.ts";

export interface TestContextOptions {
  agentId?: string;
  workspace?: string;
  secrets?: Record<string, string>;
  /** What the storage holds at the start. */
  storage?: Record<string, unknown>;
  /** Answers to the questions that the plugin asks, in order; null is "nobody answered". */
  answers?: (boolean | string | string[] | null)[];
  /** Answers messages of a channel in the place of the agent. Default: repeats the text. */
  prompt?: ChannelAgent["prompt"];
  /** Events that `on` accepts. Default: all. */
  events?: readonly AgentEventName[];
}

export interface TestQuestion {
  kind: "confirm" | "select" | "multiSelect" | "text";
  message: string;
  options: unknown;
}

export interface Subscription {
  event: AgentEventName;
  handler: (payload: unknown, call: HookCall) => unknown;
  priority: number;
  failureMode: "skip" | "fail";
}

/** A plugin context in memory, and everything that a plugin did to it. */
export interface TestContext {
  /** Pass this to `start`. It has everything that tools, hooks and channels are given. */
  ctx: HookContext & PluginChannelContext;
  logs: { level: "debug" | "info" | "warn" | "error"; text: string }[];
  /** The sentence last reported, or null. */
  readonly error: string | null;
  /** Everything given to `reportRuntimeError`, in order. */
  errors: (string | null)[];
  /** The state that the screen would show: all patches merged. */
  readonly state: Record<string, unknown>;
  /** Each patch by itself, in order. */
  patches: Record<string, unknown>[];
  storage: Map<string, unknown>;
  questions: TestQuestion[];
  /** What its hooks, commands and tools asked for beside their answers, in order. */
  effects: PluginEffect[];
  /** The `call` that a hook is given; what it asks for with it is recorded in `effects`. */
  readonly hookCall: HookCall;
  /** The handlers that are subscribed now, in the order in which they run. */
  subscriptions(event?: AgentEventName): Subscription[];
  /** Aborts `ctx.signal`, as stopping does. */
  abort(): void;
}

/** A plugin context in memory that records what a plugin does, with scripted answers to its questions. */
export function createTestContext(options: TestContextOptions = {}): TestContext {
  const stopping = new AbortController();
  const secrets = new Map(Object.entries(options.secrets ?? {}));
  const answers = [...(options.answers ?? [])];
  const subscriptions: Subscription[] = [];
  const recorded = {
    logs: [] as TestContext["logs"],
    errors: [] as (string | null)[],
    patches: [] as Record<string, unknown>[],
    questions: [] as TestQuestion[],
    effects: [] as PluginEffect[],
    storage: new Map(Object.entries(structuredClone(options.storage ?? {}))),
  };

  const ctx: HookContext & PluginChannelContext = {
    agentId: options.agentId ?? "test-agent",
    ...(options.workspace !== undefined && { workspace: options.workspace }),
    logger: recordingLogger(recorded.logs),
    secrets: {
      get: (name) => secrets.get(name),
      has: (name) => secrets.has(name),
      names: () => [...secrets.keys()],
    },
    reportRuntimeError: (error) => recorded.errors.push(error),
    reportRuntimeState: (patch) => recorded.patches.push(structuredClone(patch)),
    signal: stopping.signal,
    storage: mapStorage(recorded.storage),
    ask: scriptedAsk(recorded.questions, answers),
    on: (event, handler, subscribeOptions) =>
      subscribe(subscriptions, options.events, event, handler, subscribeOptions),
    agentBaseUrl: "http://127.0.0.1:1",
    publicAgentBaseUrl: "http://127.0.0.1:1",
    agentTokens: {},
    agent: {
      prompt: options.prompt ?? (async ({ conversation, text }) => ({ sessionId: conversation, text })),
    },
  };

  const effects = callEffects((effect) => recorded.effects.push(structuredClone(effect)));

  return {
    ctx,
    ...recorded,
    hookCall: { signal: stopping.signal, effects },
    get error() {
      return recorded.errors.at(-1) ?? null;
    },
    get state() {
      return Object.assign({}, ...recorded.patches);
    },
    subscriptions: (event) =>
      subscriptions
        .filter((subscription) => event === undefined || subscription.event === event)
        .sort((a, b) => a.priority - b.priority),
    abort: () => stopping.abort(new Error("The plugin stops.")),
  };
}

function recordingLogger(logs: TestContext["logs"]): PluginLogger {
  const at = (level: TestContext["logs"][number]["level"]) => (message: string) => {
    logs.push({ level, text: String(message) });
  };
  return Object.assign(at("info"), {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  });
}

/** A storage in memory. Values are copied in and out, as between a plugin's process and the app. */
function mapStorage(entries: Map<string, unknown>): PluginStorage {
  return {
    get: async (key) => structuredClone(entries.get(key)),
    set: async (key, value) => {
      entries.set(key, structuredClone(value));
    },
    delete: async (key) => {
      entries.delete(key);
    },
  };
}

function scriptedAsk(questions: TestQuestion[], answers: (boolean | string | string[] | null)[]): PluginAsk {
  const next = <Answer>(
    kind: TestQuestion["kind"],
    message: string,
    options: unknown,
    fits: (answer: unknown) => answer is Answer,
  ): Promise<Answer | null> => {
    questions.push({ kind, message, options });
    const answer = answers.shift() ?? null;
    if (answer === null) return Promise.resolve(null);
    if (fits(answer)) return Promise.resolve(answer);
    throw new TypeError(`The scripted answer ${JSON.stringify(answer)} does not fit ${kind} "${message}".`);
  };
  return {
    confirm: async (message, options) => next("confirm", message, options, isBoolean),
    select: async (message, options) => next("select", message, options, isText),
    multiSelect: async (message, options) => next("multiSelect", message, options, isTexts),
    text: async (message, options) => next("text", message, options, isText),
  };
}

const isBoolean = (answer: unknown): answer is boolean => typeof answer === "boolean";
const isText = (answer: unknown): answer is string => typeof answer === "string";
const isTexts = (answer: unknown): answer is string[] => Array.isArray(answer) && answer.every(isText);

function subscribe<E extends AgentEventName>(
  subscriptions: Subscription[],
  declared: readonly AgentEventName[] | undefined,
  event: E,
  handler: EventHandler<E>,
  options: SubscribeOptions = {},
): () => void {
  if (!isAgentEventName(event)) throw new Error(`There is no agent event named "${String(event)}".`);
  if (declared && !declared.includes(event)) {
    throw new Error(`The plugin subscribes to ${event} but does not declare it in hooks.events.`);
  }
  const subscription: Subscription = {
    event,
    // A handler only gets payloads of its own event, which the types cannot express for the whole list.
    handler: handler as Subscription["handler"],
    priority: options.priority ?? 100,
    failureMode: options.failureMode ?? (agentEventShapes[event] === "veto" ? "fail" : "skip"),
  };
  subscriptions.push(subscription);
  return () => {
    const index = subscriptions.indexOf(subscription);
    if (index !== -1) subscriptions.splice(index, 1);
  };
}
