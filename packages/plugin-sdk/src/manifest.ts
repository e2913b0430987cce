import type { AgentEventName, EventHandler, ResultPart, SubscribeOptions } from "./events.ts";

/** A JSON Schema, any draft that Ajv reads. */
export type JsonSchema = Record<string, unknown>;

/** Anything that carries the Standard Schema `~standard` property, zod types among them. */
export interface SchemaLike {
  readonly "~standard": { readonly version: number; readonly vendor: string };
}

/** The default export of a native plugin package. The first block is the base contract; everything below is optional. */
export interface PluginManifest {
  manifestVersion: 1;
  /** Stable id: lower-case letters, digits and dashes, at most 64 characters. */
  key: string;
  displayName: string;
  /** One line. */
  description: string;
  /** Runs before any start. Its return value is what `start` gets; what it throws is shown as the last error. */
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
}

interface CapabilitySettings {
  secretKeys?: SecretKeyDeclaration[];
  configFields?: ChannelConfigField[];
  defaultConfig?: Record<string, unknown>;
}

export interface ToolCapability extends CapabilitySettings {
  /** `^[a-z][a-z0-9_]{0,31}$`. Joined with each tool's name: `<namespace>__<tool>`, at most 64 characters. */
  namespace: string;
  start(config: unknown, ctx: PluginContext): Promise<ToolCapabilityHandle | undefined>;
}
export interface ToolCapabilityHandle {
  toolsets: Toolset[];
  stop(): Promise<void>;
}
export interface Toolset {
  id: string;
  /** Goes into the system prompt of the agent. */
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
  /** Changes nothing anywhere; may then be allowed without asking. */
  readOnly?: boolean;
  /** Throwing is failure; the message goes to the model. */
  execute(
    input: Record<string, unknown>,
    call: ToolCallContext,
  ): Promise<ToolResult | string> | ToolResult | string;
}

/** A tool written for pi's agent core; accepted and adapted. */
export interface PiTool {
  name: string;
  label: string;
  description: string;
  parameters: JsonSchema;
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
  /** Who asked: the owner at this desktop, or a channel user. */
  caller: Caller;
  signal: AbortSignal;
  onUpdate(partial: ToolResult | string): void;
}

export type Caller = { kind: "owner" } | { kind: "channel"; channel: string; userId: string; role?: string };

export interface HookCapability extends CapabilitySettings {
  events: AgentEventName[];
  /** While the plugin is enabled but not running, what these hooks guard is blocked. */
  required?: boolean;
  start(config: unknown, ctx: HookContext): Promise<HookCapabilityHandle>;
}
export interface HookCapabilityHandle {
  /** Instead of `ctx.on`: one handler an event. */
  handlers?: { [E in AgentEventName]?: EventHandler<E> };
  stop(): Promise<void>;
}

export interface PluginCommand {
  name: string;
  description: string;
  argsHint?: string;
  run(args: string, call: CommandCallContext): Promise<string | void> | string | void;
}
export interface CommandCallContext {
  agentId: string;
  sessionId: string;
  caller: Caller;
  signal: AbortSignal;
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
  /** A sentence for the person, or null when the trouble is over. */
  reportRuntimeError(error: string | null): void;
  /** Merged into what the screen shows. At most 16 KB; rate-limited; an equal value is not sent twice. */
  reportRuntimeState(patch: Record<string, unknown>): void;
  /** Aborted when the plugin stops. */
  signal: AbortSignal;
  /** Kept for (agent, plugin), at most 1 MB. */
  storage: PluginStorage;
  /** Asks the person. Answers null when nobody answers in time. */
  ask: PluginAsk;
}

/** Callable as in the base contract; with levels for those who want them. */
export interface PluginLogger {
  (message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Only names that the config refers to or that the manifest declares. */
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
  /** Subscribes to one of the declared events. Returns what unsubscribes. */
  on<E extends AgentEventName>(event: E, handler: EventHandler<E>, options?: SubscribeOptions): () => void;
}

export interface PluginChannelContext extends PluginContext {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  agentTokens: Record<string, string>;
  /** Runs turns and sends messages for this channel. */
  agent: ChannelAgent;
}

/** The typed client of a channel: one conversation of the platform is one session of the agent. */
export interface ChannelAgent {
  /** Runs a turn for a message from outside and resolves with the final answer. */
  prompt(input: {
    /** The platform's id of the conversation. */
    conversation: string;
    userId: string;
    role?: string;
    text: string;
    onDelta?: (text: string) => void;
    signal?: AbortSignal;
  }): Promise<{ sessionId: string; text: string }>;
}

export interface ChannelCapability extends CapabilitySettings {
  start(config: unknown, ctx: PluginChannelContext): Promise<ChannelHandle | undefined>;
  setup?: ChannelSetup;
}

export interface ChannelHandle {
  name: string;
  outbound?: ChannelOutbound;
  stop(): Promise<void>;
  /** Headers are lower-cased; the body is as it came. */
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

/** The pairing machine of a channel. The plugin owns its sessions; the host keeps the wizard. */
export interface ChannelSetup {
  begin(
    input: Record<string, unknown>,
    ctx: ChannelSetupContext,
  ): Promise<{ sessionId: string; state: ChannelSetupState }>;
  poll(sessionId: string, ctx: ChannelSetupContext): Promise<ChannelSetupState>;
  submit?(
    sessionId: string,
    input: Record<string, unknown>,
    ctx: ChannelSetupContext,
  ): Promise<ChannelSetupState>;
  cancel?(sessionId: string, ctx: ChannelSetupContext): Promise<void>;
}
export interface ChannelSetupContext {
  agentId: string;
  logger(message: string): void;
}
export type ChannelSetupState =
  | {
      kind: "awaiting_user_input";
      instructions?: string;
      fields: {
        key: string;
        label: string;
        type: "text" | "phone" | "password" | "number";
        required?: boolean;
        placeholder?: string;
        help?: string;
      }[];
    }
  | {
      kind: "awaiting_external";
      instructions: string;
      qrText?: string;
      redirectUrl?: string;
      pollIntervalMs: number;
    }
  | { kind: "done"; config: Record<string, unknown> }
  | { kind: "error"; message: string };

/** Types a manifest; returns it unchanged. */
export function definePlugin<M extends PluginManifest>(manifest: M): M {
  return manifest;
}
