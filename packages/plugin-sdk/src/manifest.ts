import type { ChannelAgent } from "./channel-agent.ts";
import type { AgentEventName, EventHandler, ResultPart, SubscribeOptions } from "./events.ts";

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
  /** Runs the tool. When it throws, the call has failed, and the model gets the error's message. */
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
  /** For whom the agent works in this turn: the owner at this desktop, or a user of a channel. */
  caller: Caller;
  signal: AbortSignal;
  onUpdate(partial: ToolResult | string): void;
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

/**
 * The setup of a plugin, which a wizard of the host shows. The plugin keeps the sessions of its setup; the host shows
 * the steps and stores the result.
 */
export interface ChannelSetup {
  begin(
    input: Record<string, unknown>,
    ctx: ChannelSetupContext,
  ): Promise<{ sessionId: string; state: SetupState }>;
  poll(sessionId: string, ctx: ChannelSetupContext): Promise<SetupState>;
  submit?(sessionId: string, input: Record<string, unknown>, ctx: ChannelSetupContext): Promise<SetupState>;
  /** Ends a session. May be called twice for the same one. */
  cancel?(sessionId: string, ctx: ChannelSetupContext): Promise<void>;
}
export interface ChannelSetupContext {
  agentId: string;
  logger(message: string): void;
  /**
   * Values to be kept with the stored secrets. They are stored when the setup is done, and dropped when it is not
   * completed. Older hosts do not have it.
   */
  credentialStore?: CredentialStore;
  /** Why the person opened the setup. Older hosts do not say it. */
  reason?: SetupReason;
  /** Aborted when the wizard ends. Older hosts leave it out. */
  signal?: AbortSignal;
}
export type SetupReason = "first" | "reconfigure" | "sign_in_again";

/** Named values in profiles, encrypted, for this plugin and agent. */
export interface CredentialStore {
  get(profile: string, key: string): Promise<string | undefined>;
  list(profile: string): Promise<Record<string, string>>;
  set(profile: string, key: string, value: string): Promise<void>;
  delete(profile: string, key: string): Promise<void>;
  replace(profile: string, values: Record<string, string>): Promise<void>;
  clear(profile: string): Promise<void>;
}

export interface SetupField {
  key: string;
  label: string;
  type: "text" | "phone" | "password" | "number";
  required?: boolean;
  placeholder?: string;
  help?: string;
}

/** Fields that each state that waits for the person may have, for the heading of the wizard. */
interface SetupHeading {
  /** Heading of the step. Default: the host chooses one. */
  title?: string;
  /** The titles of all steps, when they are known in advance; `step` is the number of this one, from 0. */
  steps?: string[];
  step?: number;
}

/** The four states of the base contract, with optional additions. */
export type ChannelSetupState =
  | ({
      kind: "awaiting_user_input";
      instructions?: string;
      fields: SetupField[];
      /** What was wrong with the last answer, as a sentence. */
      problem?: string;
      /** A page to open beside the form, for example the one where a token is found. https, or http on this machine. */
      page?: { url: string; label: string };
      /** A text to copy, for example an app manifest to paste into that page. At most 16,000 characters. */
      copy?: { text: string; label: string };
    } & SetupHeading)
  | ({
      kind: "awaiting_external";
      instructions: string;
      qrText?: string;
      /** https, or http on this machine. */
      redirectUrl?: string;
      pollIntervalMs: number;
      /** A code to type instead of scanning. */
      code?: string;
      /** Milliseconds from now for which the shown code or page is valid. */
      expiresInMs?: number;
      /** Number of this code, from 1, and how many there will be at most. */
      attempt?: { number: number; of?: number };
    } & SetupHeading)
  | { kind: "done"; config: Record<string, unknown> /** Who it is connected as. */; account?: string }
  | { kind: "error"; message: string };

/** The person chooses one option. `submit` gets the answer as `{choice}`, the option's `value`. */
export type MenuSetupState = {
  kind: "awaiting_choice";
  instructions?: string;
  options: { value: string; label: string; help?: string }[];
} & SetupHeading;

/** The host signs the person in (OAuth) and passes the tokens to `submit` as {@link OAuthTokens}. */
export type OAuthSetupState = {
  kind: "awaiting_oauth";
  instructions?: string;
  /** Issuer whose discovery document names the endpoints. Without it, give the endpoints below. */
  issuer?: string;
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  deviceAuthorizationEndpoint?: string;
  revocationEndpoint?: string;
  clientId: string;
  clientSecret?: string;
  scopes?: string[];
  /** Where the provider sends the browser back to on this machine; absent: any port of 127.0.0.1. */
  redirect?: { host?: "127.0.0.1" | "localhost"; port?: number; path?: string };
  /** Further parameters of the authorization request. */
  parameters?: Record<string, string>;
  /**
   * The ways to sign in that the provider offers, the preferred one first. Default: the browser, then a device code
   * when there is an endpoint for it.
   */
  ways?: ("browser" | "device")[];
} & SetupHeading;

/**
 * The input of `submit` after a sign-in. The host keeps the refresh token: a running plugin asks `ctx.oauth` for a
 * valid access token.
 */
export interface OAuthTokens {
  accessToken: string;
  refreshToken?: string;
  idToken?: string;
  tokenType: string;
  scope?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

export type SetupState = ChannelSetupState | MenuSetupState | OAuthSetupState;

/** Returns the manifest unchanged; only gives it its type. */
export function definePlugin<M extends PluginManifest>(manifest: M): M {
  return manifest;
}
