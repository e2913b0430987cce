import type {
  Artifact,
  CommandInfo,
  Declaration,
  DialogAnswer,
  DialogQuestion,
  HookInfo,
  Insight,
  LogEntry,
  LogLevel,
  Plugin,
  RuntimeId,
  RuntimeState,
  SaidThing,
  ScreenOffers,
  Settings,
  SetupReason,
  SourceKind,
  ToolInfo,
  Trust,
} from "../../contract/index.ts";
import type { CodeServices } from "../languages/code-services.ts";
import type { HostExit } from "../platform/platform.ts";
import type { Attempt, PutInSecret } from "../platform/walls/wall.ts";
import type { ChannelDoor, ChannelRules } from "./channel-door.ts";
import type { FoundElsewhere, ListedPlugin } from "./found-or-listed.ts";
import type { Inspection, Risk, Undescribed } from "./inspection.ts";
import type {
  CallResult,
  CallScope,
  ModelReply,
  ModelRequest,
  PersonOffers,
  PluginCall,
  PromptInfo,
} from "./plugin-call.ts";
import type { SetupPlugin } from "./setup-state.ts";
import type { PluginWalls } from "./wall-of.ts";

export type { SetupPlugin, SetupPluginState } from "./setup-state.ts";
export type { PluginWalls } from "./wall-of.ts";
export type { FoundElsewhere, Inspection, ListedPlugin, PromptInfo, PutInSecret, Risk, Undescribed };

/** One plugin system. To add one, make a folder that exports an object of this type. */
export interface PluginRuntime {
  readonly id: RuntimeId;
  /** Its name on screens. */
  readonly displayName: string;
  /** A single file whose name ends so is a plugin by itself. Absent: plugins of this system are never single files. */
  readonly fileEnding?: string;
  /**
   * For systems whose plugins need no files: the address that a spec names, or null when the spec is not one of this
   * system's. Only looks at the text; nothing is contacted.
   * @throws PatchbayError SPEC_UNSUPPORTED when the spec is one of this system's but not valid
   */
  endpointOf?(spec: string): string | null;
  /**
   * Whether the artifact is a plugin of this system. Must be cheap: only file names or the form of the address are
   * looked at.
   */
  recognise(artifact: Artifact): Promise<boolean>;
  /**
   * What the plugin declares, read from its files or its address. Nothing of the plugin runs. {@link Undescribed} when
   * only its code can tell; {@link look} then asks the code.
   * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID, INSPECT_TIMEOUT
   */
  inspect(artifact: Artifact, signal: AbortSignal): Promise<Inspection | Undescribed>;
  /**
   * What the plugin's code declares. The code runs for that, in a process of its own behind the tightest wall that this
   * machine has; so it is called only after the person agreed to it. Absent: all plugins of this system say in files
   * what they are.
   * @param refused told of what it tried meanwhile and did not get
   * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID, INSPECT_TIMEOUT, INSPECT_CRASHED
   */
  look?(artifact: Artifact, signal: AbortSignal, refused?: (attempt: Attempt) => void): Promise<Inspection>;
  /**
   * The same plugin under a key that the person gave it, so that two packages that claim one key can both be installed;
   * `declaration.ownKey` is then the package's own. Absent: plugins of this system keep theirs.
   */
  namedAs?(inspection: Inspection, key: string): Inspection;
  /**
   * Milliseconds that the next start of a plugin for an agent may take because its program may have to fetch it first; null
   * when nothing is fetched. The runtime itself waits as long as the signal of the start lets it then. Absent: never.
   */
  fetchMs?(plugin: Plugin, agentId: string): number | null;
  /**
   * What plugins of this system offer is known only while they run: each is started once right after its installation, to be
   * seen before it is switched on. Absent: their files say it.
   */
  readonly tellsAtStart?: true;
  /** @throws PatchbayError when it does not start; then nothing of it is left running. */
  start(request: StartRequest, signal: AbortSignal): Promise<PluginInstance>;
  /**
   * Opens the plugin's own setup in a process of its own, before the plugin is enabled; absent: such plugins have none.
   * @throws PatchbayError when it does not open; then nothing of it is left running.
   */
  openSetup?(request: SetupRequest, signal: AbortSignal): Promise<SetupPlugin>;
  /**
   * Turns settings that a person or an older tool wrote into the form that is stored. Absent: they are stored as given.
   * @throws PatchbayError CONFIG_INVALID with `details.fields` ({path, message}) when they are in no accepted form
   */
  acceptSettings?(plugin: Plugin, given: unknown): Record<string, unknown>;
  /**
   * Stored settings, overwritten by those that a setup returned. Absent: each name at the top of `over` replaces that
   * of `base`.
   */
  mergeSettings?(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown>;
  /**
   * The role that the person's settings of the plugin give to a user of its channel: `owner`, `user`, or undefined
   * when they name nobody of that id. Absent: never one.
   */
  roleOf?(settings: Record<string, unknown>, userId: string): string | undefined;
  /** Whom a channel answers, as its settings say; null where the plugin declares no such settings. Absent: always null. */
  rulesOf?(declaration: Declaration, settings: Record<string, unknown>): ChannelRules | null;
  /** Linked plugins of this system are started anew after an edit of their files. Absent: the person restarts them. */
  readonly reloadsEdits?: true;
  /** A sentence for the consent page: what this runtime can and cannot enforce. */
  readonly enforcement: string;
  /** The same for one plugin, where it differs; absent: all are held in the same way. */
  enforcementOf?(inspection: Inspection): string;
  /** A row of the list of plugins that this system publishes; null when it is none. Absent: no list is published. */
  listed?(row: unknown): ListedPlugin | null;
  /** What an installation of this system on this computer has; nothing of it runs or is changed. Absent: none is looked for. */
  found?(signal: AbortSignal): Promise<FoundElsewhere>;
  /** How far a plugin is trusted by the rules of its system; null when the source of the plugin decides. */
  trustOf?(source: { kind: SourceKind; spec: string; resolved?: string }): Trust | null;
  /** Why a plugin with this trust is refused unless the person accepts the risk; null when there is no such reason. */
  riskOf?(inspection: Inspection, trust: Trust): Risk | null;
  /**
   * Makes the files of a package that lies in staging ready to run, before it is placed. With `allowScripts` the
   * scripts of the package are run for that.
   * @throws PatchbayError SCRIPT_FAILED, PROGRAM_MISSING
   */
  prepare?(dir: string, options: PrepareOptions): Promise<void>;
  /**
   * Installs packages of its language that a plugin lacks, beside its files. Absent: plugins of this system have none.
   * @param packages as the person saw them: names of packages, and lines of the plugin's own list of them
   * @returns names of scripts that need not be run any more, because this did what they were for
   * @throws PatchbayError BAD_INPUT, STALE_REVISION when the plugin's list says something else by now, SCRIPT_FAILED,
   * PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE, PROGRAM_MISSING
   */
  addPackages?(
    plugin: Plugin,
    packages: readonly string[],
    told: Pick<PrepareOptions, "signal" | "log">,
  ): Promise<string[]>;
  /** Called when a plugin has been stopped for good and is about to be removed. @throws PatchbayError SCRIPT_FAILED */
  beforeRemoval?(plugin: Plugin, options: PrepareOptions): Promise<void>;
}

export interface PrepareOptions {
  /** Under which the plugin is installed. Absent when it is removed, which is told with its row. */
  key?: string;
  allowScripts: boolean;
  signal: AbortSignal;
  log(text: string): void;
  /** Called with the name of each script that does not run because scripts are not allowed. */
  skipped?(script: string): void;
}

export interface StartRequest {
  agentId: string;
  plugin: Plugin;
  /** The settings as they are stored, with secrets already resolved. */
  config: Record<string, unknown>;
  /** The secrets that this plugin may see, by name. */
  secrets: Record<string, string>;
  workspace: string;
  /** Where it may keep what it makes; absent: in the agent's own folder of it. */
  files?: string;
  /** Nobody speaks to it in this start: what it does comes from its own files and what it kept. */
  alone?: boolean;
  services: HostServices;
  walls: PluginWalls;
  limits: Settings["limits"];
  memoryMb: number;
}

export interface SetupRequest {
  agentId: string;
  plugin: Plugin;
  reason: SetupReason;
  /** Of what the agent says in chats, as a tag such as `de`. */
  language?: string;
  /** The settings as they are stored, with the secrets resolved that the plugin was given. */
  config: Record<string, unknown>;
  /** The rights that the present sign-in has, where its provider said so. */
  scopes: string[];
  workspace: string;
  limits: Settings["limits"];
  services: Pick<HostServices, "log" | "credentials">;
  walls: PluginWalls;
  memoryMb: number;
}

export interface InstanceContributions extends ScreenOffers, PersonOffers {
  tools: ToolInfo[];
  /** Texts that the toolsets add to the system prompt. */
  toolsets: { id: string; description: string }[];
  hooks: HookInfo[];
  commands: CommandInfo[];
  /** `file`: where its text really lies, all links followed; set by the core alone. */
  skills: { name: string; description: string; path: string; file?: string }[];
  channel: { name: string; webhook: boolean } | null;
  /** Sentences about what the core has left out, set by the core alone. */
  leftOut?: string[];
  /**
   * Sentences of the runtime for the person, in English: what the plugin registered otherwise than it declared, and
   * what of it is never called. At most 50 are shown.
   */
  notes?: string[];
  /** What of the agent's work really goes through it. Absent: its system does not tell. */
  insights?: Insight[];
  /**
   * What it says of its tools, prompts and instructions, where that can be other words tomorrow: the person sees each change
   * before it counts. As it came, not cleaned. Absent: its words are those of its files.
   */
  said?: readonly SaidThing[];
}

/** A started plugin. A call that is under way when its process ends rejects with PatchbayError HOST_CRASHED. */
export interface PluginInstance {
  readonly pid: number | null;
  readonly contributions: InstanceContributions;
  /**
   * Makes one call. The result's type follows from the call's kind.
   * @throws PatchbayError CALL_UNSUPPORTED for a kind of call that this runtime does not have; other codes for a call
   * that failed
   */
  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>>;
  /** Asks the process for a sign of life. Resolves with its memory in bytes. */
  ping(signal: AbortSignal): Promise<{ memoryBytes: number }>;
  /** Stops within the stop limit, by force if need be. Never rejects. */
  stop(reason: "disabled" | "restart" | "shutdown" | "not_responding"): Promise<void>;
  /** Resolves when its process is gone, for whatever reason. */
  readonly exited: Promise<HostExit>;
}

/** What a plugin may ask of its host: the same for all runtimes. Bound to one generation of one (agent, plugin). */
export interface HostServices {
  /**
   * The plugin's process tried something that it may not do, and Patchbay did not do it. Written into its log and the
   * audit log. `target`: what it reached for, in a few words; `detail`: a sentence.
   */
  refused(target: string, detail: string): void;
  /** `during`: the call during which the line was written. */
  log(level: LogLevel, text: string, origin: LogEntry["origin"], during?: CallScope): void;
  /** `credentialsRefused`: signing in again would help. */
  reportError(message: string | null, credentialsRefused?: boolean): void;
  reportState(patch: RuntimeState): void;
  /**
   * Tells that the instance offers something else than at its start; `all` is everything that it offers now. Unchanged
   * entries should be the same objects as before, because the schema of a tool is compiled once for each object.
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
  /**
   * A valid access token of the plugin's sign-in. `refused`: a token that the service rejected, which is then renewed;
   * `sentTo`: the address that it is sent to, when the sign-in is for one resource alone.
   */
  oauthToken(refused?: string, sentTo?: string): Promise<string>;
  /** Whether somebody has signed in for it. */
  signedIn(): boolean;
  /** Asks the person. `during`: the call that asks; its time limit is paused until the answer. */
  ask(
    question: DialogQuestion,
    context: string,
    during?: CallScope,
    /** Aborting this closes the question; the answer is then null. */
    signal?: AbortSignal,
  ): Promise<DialogAnswer>;
  /**
   * Asks the agent's model in the middle of a call, whose time limit is paused meanwhile. Absent: the plugin may not. Null:
   * the person did not allow it, or nobody was there.
   * @throws PatchbayError BAD_INPUT for what no model is asked, MODEL_NOT_SET, MODEL_FAILED and the like, ABORTED
   */
  askModel?(
    request: ModelRequest,
    context: string,
    during: CallScope,
    /** Aborting this gives the question or the answer up. */
    signal?: AbortSignal,
  ): Promise<ModelReply | null>;
  /** What language servers know of the code in the workspace, for plugins that may read it; absent: nothing. */
  code?: CodeServices;
  /** What only channels have; absent for every other plugin. */
  channel?: ChannelDoor;
}
