import { EventEmitter } from "node:events";
import type { Approval, Dialog, Problem, Session } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Ids, systemIds } from "../base/ids.ts";
import type { RunNote } from "../pool/ports.ts";
import type { Storage } from "../store/index.ts";
import { allowAlways } from "./allow-always.ts";
import { ApprovalHistory } from "./approval-history.ts";
import { Approvals } from "./approvals.ts";
import { Buses } from "./bus/buses.ts";
import type { EventBus } from "./bus/event-bus.ts";
import { type Fired, fireByHand } from "./bus/firing.ts";
import type { ChannelRights } from "./channels/channel-roles.ts";
import { Channels } from "./channels/channels.ts";
import type { PeopleStore } from "./channels/people.ts";
import { Commands } from "./commands.ts";
import { Dialogs } from "./dialogs.ts";
import { Aftermath } from "./effects/aftermath.ts";
import { OutsideEffects } from "./effects/outside-effects.ts";
import { LaterAudit } from "./later-audit.ts";
import { Lifecycle } from "./lifecycle.ts";
import { readyModel } from "./models/index.ts";
import { modelName } from "./models/model.ts";
import { modelNamed } from "./models/named-model.ts";
import { Prompts } from "./offered/prompts.ts";
import { Resources } from "./offered/resources.ts";
import { Pauses } from "./pause/pauses.ts";
import type {
  AgentDirectory,
  AgentPool,
  AuditSink,
  ChatLanguages,
  JudgeRefusedHost,
  LimitSource,
  PluginReports,
  PluginTrust,
  SecretLookup,
} from "./ports.ts";
import { Recording, type RecordPlace } from "./record/recording.ts";
import { openNew } from "./sessions/open-new.ts";
import { SessionMoves } from "./sessions/session-tree.ts";
import { type SessionStorage, Sessions } from "./sessions/sessions.ts";
import { Shortcuts } from "./shortcuts/shortcuts.ts";
import { shellJudges } from "./tools/builtin/shell-network.ts";
import { ToolPipeline } from "./tools/pipeline.ts";
import { followPlugins } from "./traces/follow-plugins.ts";
import { OutsideCalls } from "./traces/outside-calls.ts";
import { type PromptInput, type RetryInput, Turns } from "./turns/turns.ts";
import { VoiceNotes } from "./voice/voice.ts";

export { modelLabel } from "./models/model.ts";
export type {
  Approvals,
  ChannelRights,
  Channels,
  Commands,
  Dialogs,
  EventBus,
  PeopleStore,
  Sessions,
  ToolPipeline,
  Turns,
};

export interface AgentsOptions {
  storage: SessionStorage & Pick<Storage, "agents" | "places">;
  pool: AgentPool;
  agents: AgentDirectory;
  registry: PluginTrust;
  agentPlugins: PluginReports;
  vault: SecretLookup;
  settings: LimitSource;
  audit: AuditSink;
  /** What the person says of channels and their people; absent: nobody has a role, nothing is decided from a chat. */
  rights?: ChannelRights;
  people?: PeopleStore;
  languages?: ChatLanguages;
  onNotice(problem: Problem): void;
  /** Those of the system, when absent. */
  clock?: Clock;
  ids?: Ids;
  /** The questions of plugins. Given when the pool, which asks them, was made before; otherwise made here. */
  dialogs?: Dialogs;
  /** Ports of this computer at which Patchbay itself answers. */
  ownPorts?(): readonly number[];
  refusedHost: JudgeRefusedHost;
  /** Told all events of a turn when it has ended. */
  onTurnEnded?: ConstructorParameters<typeof Recording>[0]["onEnded"];
}

/** Agents at work: their events, tools, approvals, dialogs, conversations, turns and commands. */
export class Agents {
  readonly changes = new EventEmitter<{
    approval: [Approval];
    dialog: [Dialog];
    dialogClosed: [id: string];
    session: [Session];
    /** What stands still at breakpoints, or the breakpoints. */
    pauses: [];
  }>();
  readonly tools: ToolPipeline;
  readonly outsideCalls: OutsideCalls;
  readonly approvals: Approvals;
  readonly approvalHistory: ApprovalHistory;
  readonly dialogs: Dialogs;
  readonly pauses: Pauses;
  readonly sessions: Sessions;
  readonly moves: SessionMoves;
  readonly commands: Commands;
  readonly prompts: Prompts;
  readonly resources: Resources;
  readonly shortcuts: Shortcuts;
  readonly turns: Turns;
  readonly channels: Channels;
  private readonly options: AgentsOptions;
  private readonly audit: LaterAudit;
  private readonly recording: Recording;
  private readonly buses: Buses;
  private readonly lifecycle: Lifecycle;
  private readonly effects: OutsideEffects;
  private readonly unfollow: () => void;

  constructor(options: AgentsOptions) {
    this.options = options;
    const { pool, agents, settings, vault: secrets, registry, storage } = options;
    const { clock = systemClock, ids = systemIds } = options;
    this.audit = new LaterAudit(options.audit, clock);
    this.recording = new Recording({ clock, audit: this.audit, onEnded: options.onTurnEnded });
    const outside = (place: RecordPlace) => this.recording.outside(place);
    this.outsideCalls = new OutsideCalls(this.recording, secrets);
    const { busOf } = this;
    const effectsOf = (...of: Parameters<OutsideEffects["of"]>) => this.effects.of(...of);
    this.dialogs = options.dialogs ?? new Dialogs({ settings, clock, ids });
    const keeper = this.dialogs.limits;
    const pauses = new Pauses({
      clock,
      ids,
      secrets,
      limits: keeper,
      stopTurn: (...of) => this.turns.abort(...of),
      onChange: () => this.changes.emit("pauses"),
    });
    this.pauses = pauses;
    this.buses = new Buses({ ...options, keeper, clock, pauses, recording: this.recording });
    this.approvalHistory = new ApprovalHistory(options);
    this.approvals = new Approvals({
      settings,
      secrets,
      clock,
      ids,
      allowAlways: (approval, origin) => allowAlways(agents, approval, origin),
      onDecided: (approval) => this.approvalHistory.add(approval),
    });
    this.lifecycle = new Lifecycle({
      agents,
      clock,
      recording: this.recording,
      busOf,
      modelOf: (agentId) => modelName(agents.get(agentId)?.model ?? { kind: "none" }),
      sessionEnded: (agentId, sessionId) => this.approvals.endSession(agentId, sessionId),
      effectsOf,
    });
    this.sessions = new Sessions({ storage, clock, ids, secrets, lifecycle: this.lifecycle });
    this.moves = new SessionMoves({ sessions: this.sessions, clock, ids });
    const run = (...of: Parameters<Turns["runOf"]>) => this.turns.runOf(...of);
    const aftermath = new Aftermath({ tree: this.moves, clock, ids, run });
    this.effects = new OutsideEffects({ aftermath, secrets, open: (...of) => this.sessions.open(...of) });
    this.tools = new ToolPipeline({
      pool,
      agents,
      trust: registry,
      settings,
      secrets,
      clock,
      ids,
      outside: (place) => this.outsideCalls.begin(place),
      approvals: this.approvals,
      keeper,
      pauses,
      root: storage.places.root,
      audit: options.audit,
      networkOf: shellJudges({ ...options, dialogs: this.dialogs }),
      refusedHost: options.refusedHost,
      effectsOf,
      busOf,
    });
    const calling = { pool, agents, settings, secrets, keeper, clock, outside, effectsOf };
    this.commands = new Commands({
      ...calling,
      languages: options.languages,
      audit: this.audit,
      ids,
      busOf,
      openNew: (agentId, from) => openNew(this.sessions, (id) => this.createSession(id), agentId, from),
    });
    this.shortcuts = new Shortcuts(calling);
    this.prompts = new Prompts({ ...calling, audit: this.audit, commands: this.commands });
    this.resources = new Resources(calling);
    this.turns = new Turns({
      agents,
      sessions: this.sessions,
      moves: this.moves,
      root: storage.places.root,
      commands: this.commands,
      prompts: this.prompts,
      resources: this.resources,
      ids,
      services: {
        pool,
        pipeline: this.tools,
        pauses,
        secrets,
        recording: this.recording,
        clock,
        limits: () => settings.get().limits,
        trustOf: (key) => registry.get(key)?.trust,
        isCommand: (agentId, text) => this.commands.has(agentId, text),
        modelName: (agent) => modelName(agent.model),
        modelNamed: (agent, name) => modelNamed(agent, name, secrets, clock),
        readyModel: (agent, entries) => readyModel(agent, secrets, entries, clock),
      },
      aftermath,
      busOf,
      activate: (agentId) => this.lifecycle.activate(agentId),
    });
    this.channels = new Channels({
      ...options,
      ...calling,
      sessions: this.sessions,
      commands: this.commands,
      prompts: this.prompts,
      turns: this.turns,
      voice: new VoiceNotes({ ...options, secrets, clock }),
      approvals: this.approvals,
      dialogs: this.dialogs,
      root: storage.places.root,
      ids,
      busOf,
      activate: (agentId) => this.lifecycle.activate(agentId),
    });
    this.approvals.changes.on("approval", (approval) => this.changes.emit("approval", approval));
    this.dialogs.changes.on("dialog", (dialog) => this.changes.emit("dialog", dialog));
    this.dialogs.changes.on("dialogClosed", (id) => this.changes.emit("dialogClosed", id));
    this.sessions.changes.on("session", (session) => this.changes.emit("session", session));
    this.unfollow = followPlugins(pool, this.dialogs, this.recording, this.lifecycle);
  }

  /** The bus of an agent; made at its first use. */
  readonly busOf = (agentId: string): EventBus => this.buses.of(agentId);

  /** Fires an event by hand. @throws PatchbayError AGENT_NOT_FOUND, EVENT_UNKNOWN, HOOK_BLOCKED */
  async fire(agentId: string, event: string, input: Record<string, unknown>): Promise<Fired> {
    this.lifecycle.known(agentId);
    const sessionId = typeof input.sessionId === "string" ? input.sessionId : "";
    const scope = this.lifecycle.lastingScope(agentId, sessionId);
    return fireByHand(this.busOf(agentId), this.options.pool, { agentId, event, input, scope });
  }

  /** Adds what became of a plugin, or was asked of a model for it, to the records of the turns that run. */
  readonly pluginRan = (note: RunNote) => this.recording.pluginRan(note);
  readonly modelLent = (...lent: Parameters<Recording["modelLent"]>) => this.recording.modelLent(...lent);
  readonly prompt = (agentId: string, input: PromptInput) => this.turns.prompt(agentId, input);
  readonly retry = (agentId: string, input: RetryInput) => this.turns.retry(agentId, input);
  readonly abort = (agentId: string, sessionId: string) => this.turns.abort(agentId, sessionId);

  /** Makes an agent active and tells its hooks so, once. Hooks that come later are told then. */
  readonly activate = (agentId: string) => this.lifecycle.activate(agentId);

  /** Ends everything of an agent; for its removal. */
  async deactivate(agentId: string): Promise<void> {
    this.pauses.forget(agentId);
    await this.effects.settled();
    await this.lifecycle.deactivate(agentId, () => this.sessions.close(agentId));
    this.buses.forget(agentId);
    this.outsideCalls.forget(agentId);
    await this.approvalHistory.forget(agentId);
  }

  /** Opens an empty conversation of the owner. @throws PatchbayError AGENT_NOT_FOUND */
  async createSession(agentId: string, title?: string): Promise<Session> {
    this.lifecycle.known(agentId);
    await this.lifecycle.activate(agentId);
    return (await this.sessions.create(agentId, title ? { title } : {})).view;
  }

  /** Ends a conversation for good. @throws PatchbayError SESSION_NOT_FOUND */
  readonly closeSession = (agentId: string, sessionId: string) => this.sessions.end(agentId, sessionId);

  /** Stops all turns, cancels what waits for the person, and closes the files. */
  async close(): Promise<void> {
    this.turns.stop();
    this.pauses.close();
    this.approvals.close();
    this.dialogs.close();
    await Promise.all(this.lifecycle.active.map((agentId) => this.deactivate(agentId)));
    this.unfollow();
    await this.sessions.close();
    await this.approvalHistory.close();
    this.audit.flush();
  }
}
