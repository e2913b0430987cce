import type { ChannelAgent } from "./channel-agent.ts";
import type { CallEffects } from "./effects.ts";
import type { AgentEventName, EventHandler, ResultPart, SubscribeOptions } from "./events.ts";
import type { ChannelSetup } from "./setup.ts";

/** A JSON Schema, any draft that Ajv reads. */
export type JsonSchema = Record<string, unknown>;

/** Anything that carries the Standard Schema `~standard` property, zod types among them. */
export interface SchemaLike {
  readonly "~standard": { readonly version: number; readonly vendor: string };
}

/**
 * The type of the default export of a native plugin package. The first block of fields is the base contract; everything
 * below it is optional.
 */
export interface PluginManifest {
  manifestVersion: 1;
  /** Stable id: lower-case letters, digits and dashes, at most 64 characters. */
  key: string;
  displayName: string;
  /** One line. */
  description: string;
  /**
   * Called with the settings before each start. Its return value is passed to `start`; the message of an error is shown
   * as the plugin's last error.
   */
  parseConfig?: (input: unknown) => unknown;
  tools?: ToolCapability;
  channel?: ChannelCapability;
  hooks?: HookCapability;

  configSchema?: JsonSchema | SchemaLike;
  secretKeys?: SecretKeyDeclaration[];
  configFields?: ChannelConfigField[];
  defaultConfig?: Record<string, unknown>;
  setup?: ChannelSetup;
  commands?: PluginCommand[] | CommandCapability;
  skills?: { name: string; description: string; path: string }[];
  permissions?: { network?: string[] | true; files?: "none" | "workspace" | "all"; subprocess?: boolean };
  /** Path of an image inside the package, or a data URL. At most 64 KiB. */
  icon?: string;
  homepage?: string;
  helpUrl?: string;
}

export interface SecretKeyDeclaration {
  key: string;
  label: string;
  placeholder?: string;
  optional?: boolean;
  help?: string;
  url?: string;
  /**
   * The plugin never gets the value: it holds a placeholder, for which Patchbay puts the value in when a header or the
   * address of an HTTPS request to one of exactly these hosts contains it. `api.example.com`, or with a port where that
   * is not 443: `localhost:8443`.
   */
  sentOnlyTo?: string[];
}

interface CapabilitySettings {
  secretKeys?: SecretKeyDeclaration[];
  configFields?: ChannelConfigField[];
  defaultConfig?: Record<string, unknown>;
}

export interface ToolCapability extends CapabilitySettings {
  /** `^[a-z][a-z0-9_]{0,31}$`. Joined with each tool's name: `<namespace>__<tool>`, at most 64 characters. */
  namespace: string;
  /** The names of all tools that it may offer, for the question of consent; one that is not listed counts as more. */
  names?: string[];
  start(config: unknown, ctx: PluginContext): Promise<ToolCapabilityHandle | undefined>;
}
export interface ToolCapabilityHandle {
  toolsets: Toolset[];
  stop(): Promise<void>;
}
export interface Toolset {
  id: string;
  /** Added to the system prompt of the agent. */
  description: string;
  tools: (PluginTool | PiTool)[];
}

export interface ToolResult {
  content: ResultPart[];
  details?: unknown;
}

export interface PluginTool {
  name: string;
  label?: string;
  description: string;
  /** JSON Schema of the input, an object. */
  parameters: JsonSchema;
  /** The tool changes nothing, so that a policy may allow it without asking. */
  readOnly?: boolean;
  /** Says that `execute` takes `(input, call)`. Needed only where it cannot be told from a tool for pi (see there). */
  form?: "patchbay";
  /** Runs the tool. When it throws, the call has failed, and the model gets the error's message. */
  execute(
    input: Record<string, unknown>,
    call: ToolCallContext,
  ): Promise<ToolResult | string> | ToolResult | string;
}

/**
 * A tool written for pi's agent core; accepted and adapted. It is told from a {@link PluginTool} by its fields, by the number
 * of the parameters of `execute`, and by how they are named and used. Minified, bound or with `...args`, it should say
 * `form: "pi"`: else it is called as a {@link PluginTool}, and fails with that advice where it shows that it is none.
 */
export interface PiTool {
  name: string;
  label: string;
  description: string;
  parameters: JsonSchema;
  form?: "pi";
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ): Promise<ToolResult>;
}

export interface ToolCallContext {
  toolCallId: string;
  agentId: string;
  sessionId: string;
  /** For whom the agent works in this turn: the owner at this desktop, or a user of a channel. */
  caller: Caller;
  signal: AbortSignal;
  onUpdate(partial: ToolResult | string): void;
  /** What the tool may ask for beside its result. */
  effects: CallEffects;
}

export type Caller = { kind: "owner" } | { kind: "channel"; channel: string; userId: string; role?: string };

export interface HookCapability extends CapabilitySettings {
  events: AgentEventName[];
  /** While the plugin is enabled but not running, everything that these hooks would check is refused. */
  required?: boolean;
  start(config: unknown, ctx: HookContext): Promise<HookCapabilityHandle>;
}
export interface HookCapabilityHandle {
  /** Handlers by event, one each, as another way to subscribe than `ctx.on`. */
  handlers?: { [E in AgentEventName]?: EventHandler<E> };
  stop(): Promise<void>;
}

export interface PluginCommand {
  name: string;
  description: string;
  argsHint?: string;
  /** A key that runs it without arguments, such as `ctrl-shift-k`; the person may give it another. */
  keys?: string;
  run(args: string, call: CommandCallContext): Promise<string | void> | string | void;
}
export interface CommandCallContext {
  agentId: string;
  sessionId: string;
  caller: Caller;
  signal: AbortSignal;
  /** What the command may ask for beside its text. */
  effects: CallEffects;
}
export interface CommandCapability {
  start(config: unknown, ctx: PluginContext): Promise<{ commands: PluginCommand[]; stop(): Promise<void> }>;
}

export interface PluginContext {
  agentId: string;
  /** Absolute path of the agent's workspace folder, where its built-in tools work. Older hosts leave it out. */
  workspace?: string;
  logger: PluginLogger;
  secrets: SecretsView;
  /**
   * Shows a sentence about a problem to the person; null when the problem is over. `credentialsRefused`: the service
   * does not accept the stored credentials any more, so that the screen offers to sign in again.
   */
  reportRuntimeError(error: string | null, options?: { credentialsRefused?: boolean }): void;
  /**
   * Merges fields into the state that the screen shows of the plugin. At most 16 KiB of JSON in all; frequent changes
   * are sent together, and an equal value is not sent twice.
   */
  reportRuntimeState(patch: Record<string, unknown>): void;
  /** Aborted when the plugin stops. */
  signal: AbortSignal;
  /** Values that are kept for this agent and plugin, at most 1 MiB. A change is on disk when its promise resolves. */
  storage: PluginStorage;
  /** Asks the person a question. Resolves with null when nobody answers in time. */
  ask: PluginAsk;
  /** The sign-in of the setup wizard. Older hosts leave it out. */
  oauth?: PluginOAuth;
}

export interface PluginOAuth {
  /**
   * A valid access token, which the host renews before it expires. Rejects when the person has to sign in again; the
   * host then tells them by itself.
   *
   * @param refused a token for which the service has just answered 401, so that the host renews it
   */
  token(refused?: string): Promise<string>;
}

/** Writes to the plugin's log. It can be called directly, as in the base contract, or with a level. */
export interface PluginLogger {
  (message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** The secrets that the plugin may see: those that its settings refer to and those that its manifest declares. */
export interface SecretsView {
  get(name: string): string | undefined;
  has(name: string): boolean;
  names(): string[];
}

export interface PluginStorage {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface PluginAsk {
  confirm(message: string, options?: { default?: boolean }): Promise<boolean | null>;
  select(
    message: string,
    options: { options: { value: string; label: string }[]; default?: string },
  ): Promise<string | null>;
  multiSelect(
    message: string,
    options: { options: { value: string; label: string }[]; default?: string[] },
  ): Promise<string[] | null>;
  text(
    message: string,
    options?: { default?: string; placeholder?: string; secret?: boolean },
  ): Promise<string | null>;
}

export interface HookContext extends PluginContext {
  /** Subscribes to one of the events that the manifest declares. The returned function unsubscribes. */
  on<E extends AgentEventName>(event: E, handler: EventHandler<E>, options?: SubscribeOptions): () => void;
}

export interface PluginChannelContext extends PluginContext {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  agentTokens: Record<string, string>;
  /** Runs turns and sends messages for this channel. */
  agent: ChannelAgent;
}

export interface ChannelCapability extends CapabilitySettings {
  start(config: unknown, ctx: PluginChannelContext): Promise<ChannelHandle | undefined>;
  setup?: ChannelSetup;
}

export interface ChannelHandle {
  name: string;
  outbound?: ChannelOutbound;
  stop(): Promise<void>;
  /** Answers a request to the channel's webhook. Names of headers are in lower case; the body is unchanged. */
  handleWebhook?(request: { headers: Record<string, string>; rawBody: string | Uint8Array }): Promise<{
    status: number;
    body?: string;
    headers?: Record<string, string>;
  }>;
}

export interface ChannelOutbound {
  readonly channel: string;
  send(message: {
    sessionId: string;
    to: string;
    text: string;
    actions?: { type: "approval_review"; requestId: string; shortId: string; label?: string }[];
  }): Promise<{ success: boolean; messageId?: string; error?: string }>;
  resolveRecipient?(session: unknown): string | undefined;
}

export type ChannelConfigField = (
  | {
      kind: "select";
      key: string;
      label: string;
      options: { value: string; label: string }[];
      defaultValue?: string;
    }
  | { kind: "text" | "string_list"; key: string; label: string; placeholder?: string }
  | { kind: "webhook_url"; label: string }
) & { help?: string; showWhen?: { field: string; equals: unknown } };

/** Returns the manifest unchanged; only gives it its type. */
export function definePlugin<M extends PluginManifest>(manifest: M): M {
  return manifest;
}
