import type {
  ChannelAnswer,
  ChannelApproval,
  ChannelApprovalOutcome,
  ChannelMessage,
} from "@patchbay/plugin-sdk";
import type { z } from "zod";
import type {
  Artifact,
  Asks,
  Capabilities,
  CommandInfo,
  Declaration,
  DialogAnswer,
  DialogQuestion,
  HookInfo,
  LogEntry,
  LogLevel,
  Plugin,
  RuntimeId,
  RuntimeState,
  Settings,
  SetupReason,
  SourceKind,
  ToolInfo,
  Trust,
} from "../../contract/index.ts";
import type { HostExit } from "../platform/platform.ts";
import type { CallResult, CallScope, PluginCall } from "./plugin-call.ts";
import type { setupStateSchema } from "./setup-state.ts";

/** What a plugin declares, read without running its code in the app. */
export interface Inspection {
  runtime: RuntimeId;
  manifestKey: string;
  packageName: string;
  packageVersion: string;
  displayName: string;
  description: string;
  capabilities: Capabilities;
  declaration: Declaration;
  /** What the person is asked to agree to. */
  consent: Asks;
  /** Things that are odd but do no harm, as sentences: unknown manifest keys, … */
  warnings: string[];
}

/** One plugin system. A fifth is a new folder with one of these. */
export interface PluginRuntime {
  readonly id: RuntimeId;
  /** Its name on screens. */
  readonly displayName: string;
  /**
   * The address of the endpoint that a spec names, where plugins of this system need no files; null for a spec that is
   * none of its own. Asks nobody.
   * @throws PatchbayError SPEC_UNSUPPORTED for one of its own that cannot be right
   */
  endpointOf?(spec: string): string | null;
  /** Cheap, by file names or the form of the address alone. */
  recognise(artifact: Artifact): Promise<boolean>;
  /** @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID, INSPECT_TIMEOUT, INSPECT_CRASHED; never runs foreign code in the app. */
  inspect(artifact: Artifact, signal: AbortSignal): Promise<Inspection>;
  /** @throws PatchbayError when it does not start; then nothing of it is left running. */
  start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance>;
  /**
   * Opens the plugin's own setup in a process of its own, before the plugin is enabled; absent: such plugins have none.
   * @throws PatchbayError when it does not open; then nothing of it is left running.
   */
  openSetup?(request: SetupRequest, signal: AbortSignal): Promise<SetupPlugin>;
  /**
   * Settings as they are stored, where people and older tools may write them in another form; absent: they are stored as given.
   * @throws PatchbayError CONFIG_INVALID with `details.fields` ({path, message}) when they are neither
   */
  acceptSettings?(plugin: Plugin, given: unknown): Record<string, unknown>;
  /** Stored settings with those that a setup gives laid over them; absent: by the names at their top. */
  mergeSettings?(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown>;
  /** A sentence for the consent page: what this runtime can and cannot enforce. */
  readonly enforcement: string;
  /** Who vouches for a plugin, where the system has rules of its own for that; null leaves it to the source. */
  trustOf?(source: { kind: SourceKind; spec: string; resolved?: string }): Trust | null;
  /** Why a plugin of that trust is refused unless the person takes the risk; null when nothing speaks against it. */
  riskOf?(inspection: Inspection, trust: Trust): string | null;
  /**
   * Makes the files of a package that lies in staging ready to run, before it is placed; with `allowScripts` also by running what
   * it brings for that.
   * @throws PatchbayError SCRIPT_FAILED, PROGRAM_MISSING
   */
  prepare?(dir: string, options: PrepareOptions): Promise<void>;
  /** Called when a plugin has been stopped for good and is about to be removed. @throws PatchbayError SCRIPT_FAILED */
  beforeRemoval?(plugin: Plugin, options: PrepareOptions): Promise<void>;
}

export interface PrepareOptions {
  allowScripts: boolean;
  signal: AbortSignal;
  log(text: string): void;
}

export interface StartRequest {
  agentId: string;
  plugin: Plugin;
  /** The settings as they are stored, with secrets already resolved. */
  config: Record<string, unknown>;
  /** The secrets that this plugin may see, by name. */
  secrets: Record<string, string>;
  workspace: string;
  services: HostServices;
  limits: Settings["limits"];
  memoryMb: number;
}

export interface SetupRequest {
  agentId: string;
  plugin: Plugin;
  reason: SetupReason;
  workspace: string;
  services: Pick<HostServices, "log" | "credentials">;
  memoryMb: number;
}

/** What a plugin's setup says, judged; addresses that may not be opened are refused before this. */
export type SetupPluginState = z.infer<typeof setupStateSchema>;

/** A plugin's setup, open. All calls reject with PatchbayError: SETUP_FAILED, SETUP_INVALID, HOST_CRASHED, the signal's reason. */
export interface SetupPlugin {
  readonly pid: number | null;
  begin(
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ sessionId: string; state: SetupPluginState }>;
  poll(sessionId: string, signal: AbortSignal): Promise<SetupPluginState>;
  submit(sessionId: string, input: Record<string, unknown>, signal: AbortSignal): Promise<SetupPluginState>;
  cancel(sessionId: string, signal: AbortSignal): Promise<void>;
  /** Whether `parseConfig` takes these settings, secrets resolved. @throws PatchbayError CONFIG_REFUSED */
  check(config: Record<string, unknown>, signal: AbortSignal): Promise<void>;
  /** Ends its process. Never rejects. */
  close(): Promise<void>;
  /** Resolves when its process is gone, for whatever reason. */
  readonly exited: Promise<HostExit>;
}

export interface InstanceContributions {
  tools: ToolInfo[];
  /** Texts that the toolsets add to the system prompt. */
  toolsets: { id: string; description: string }[];
  hooks: HookInfo[];
  commands: CommandInfo[];
  skills: { name: string; description: string; path: string }[];
  prompts: PromptInfo[];
  channel: { name: string; webhook: boolean } | null;
}

/** A text for models that a plugin has ready, to be filled in with a call of the kind `prompt`. */
export interface PromptInfo {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

/** Started plugin code. Each call rejects with PatchbayError HOST_CRASHED when its process ends under it. */
export interface PluginInstance {
  readonly pid: number | null;
  readonly contributions: InstanceContributions;
  /**
   * Makes one call. The result's type follows from the call's kind.
   * @throws PatchbayError CALL_UNSUPPORTED for a kind that this runtime does not know, and why the call failed
   */
  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>>;
  /** Asks the process whether it lives; resolves with its memory in bytes. */
  ping(signal: AbortSignal): Promise<{ memoryBytes: number }>;
  /** Stops within the stop limit, by force if need be. Never rejects. */
  stop(reason: "disabled" | "restart" | "shutdown" | "not_responding"): Promise<void>;
  /** Resolves when its process is gone, for whatever reason. */
  readonly exited: Promise<HostExit>;
}

/** What a plugin may ask of its host: the same for all runtimes. Bound to one generation of one (agent, plugin). */
export interface HostServices {
  /** `during` is the call that it was written in. */
  log(level: LogLevel, text: string, origin: LogEntry["origin"], during?: CallScope): void;
  /** `credentialsRefused`: signing in again would help. */
  reportError(message: string | null, credentialsRefused?: boolean): void;
  reportState(patch: RuntimeState): void;
  /**
   * Something that the instance offers came or went after its start; `all` is everything that it offers now. What is
   * the same as before should be the same object: schemas of tools are compiled once for each object.
   */
  contributionsChanged(all: InstanceContributions): void;
  storage: {
    get(key: string): Promise<unknown>;
    set(key: string, value: unknown): Promise<void>;
    delete(key: string): Promise<void>;
  };
  /** Profiles of named secret values; null removes one. */
  credentials: {
    get(profile: string): Promise<Record<string, string> | null>;
    set(profile: string, values: Record<string, string> | null): Promise<void>;
  };
  /** A good access token of the sign-in; `refused` is one that the service did not take. */
  oauthToken(refused?: string): Promise<string>;
  /** `during` is the call that asks; its clock stands still until the answer is there. */
  ask(
    question: DialogQuestion,
    context: string,
    during?: CallScope,
    /** Closes the question when it is aborted; the answer is then null. */
    signal?: AbortSignal,
  ): Promise<DialogAnswer>;
  /** What only channels have; absent for every other plugin. */
  channel?: ChannelDoor;
}

/** The way of one channel plugin to its agent. */
export interface ChannelDoor {
  agent: ChannelServices;
  /** What older channel packages are given; a token is made by the first call of this. */
  access(): ChannelAccess;
}

/** Where an agent's HTTP interface is, and the token of one plugin for it. */
export interface ChannelAccess {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  token: string;
}

export interface ChannelPrompt extends ChannelMessage {
  onDelta?: (text: string) => void;
  /** Stops the turn; with a HOST_CRASHED as its reason it only leaves it, when the message has an id to ask for it again. */
  signal: AbortSignal;
}

/** The typed client of a channel, behind the wall of its process. All reject with PatchbayError. */
export interface ChannelServices {
  /** Runs a turn, or a slash command. @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, and why the turn failed */
  prompt(input: ChannelPrompt): Promise<ChannelAnswer>;
  /** Stores a message without a turn. */
  append(input: ChannelMessage): Promise<{ sessionId: string }>;
  followApprovals(listener: ApprovalListener): () => void;
  /** @throws PatchbayError NOT_THE_OWNER, APPROVAL_NOT_FOUND */
  review(input: ChannelReview): Promise<{ outcome: ChannelApprovalOutcome }>;
}

export interface ApprovalListener {
  asked(approval: ChannelApproval): void;
  settled(requestId: string, outcome: ChannelApprovalOutcome): void;
}

export interface ChannelReview {
  request: string;
  decision: "allow" | "refuse";
  userId: string;
  role?: string;
}
