import type {
  Agent,
  Caller,
  FilledPrompt,
  Problem,
  SessionEntry,
  Settings,
  StoredAttachment,
  Trust,
  TurnLink,
} from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { EffectSink } from "../effects/effect-sink.ts";
import type { AfterTurn } from "../effects/turn-effects.ts";
import type { ReadyModel } from "../models/index.ts";
import type { PauseDesk } from "../pause/desk.ts";
import type { AgentPool, SecretLookup } from "../ports.ts";
import type { Recording } from "../record/recording.ts";
import type { LiveSession } from "../sessions/session.ts";
import type { ToolPipeline } from "../tools/pipeline.ts";

export interface TurnServices {
  pool: AgentPool;
  bus: EventBus;
  pipeline: ToolPipeline;
  /** Who stops turns; absent: nobody. */
  pauses?: PauseDesk;
  secrets: SecretLookup;
  recording: Recording;
  clock: Clock;
  limits(): Settings["limits"];
  trustOf(pluginKey: string): Trust | undefined;
  /** Whether a text that a plugin made of a message is one of the agent's commands. */
  isCommand(agentId: string, text: string): boolean;
  /** How the agent's model is named to plugins. */
  modelName(agent: Agent): string;
  /** The settings of the agent's model with another one of its provider; null when that does not know it. */
  modelNamed(agent: Agent, name: string): Promise<Agent["model"] | null>;
  /** Handed what takes the effects of the turn; for a replay, in which hooks outside of the record are not asked. */
  watchEffects?(sink: EffectSink): void;
  /** @throws PatchbayError MODEL_NOT_SET, MISSING_SECRET, SCRIPT_INVALID */
  readyModel(agent: Agent, entries: readonly SessionEntry[]): Promise<ReadyModel>;
}

export interface TurnInput {
  turnId: string;
  agent: Agent;
  session: LiveSession;
  text: string;
  caller: Caller;
  signal: AbortSignal;
  /** The chat that the message came through. */
  channel?: { name: string; group: boolean };
  /** What the person adds to the system prompt in the room that the message came from. */
  roomPrompt?: string | undefined;
  messageId?: string | undefined;
  attachments?: StoredAttachment[];
  /** What whoever wrote is told before the answer. */
  sorry?: string;
  /** The message is stored already and its turn was cut short: it goes on where it ended. */
  resumes?: boolean;
  /** Key of the plugin that wrote the message in the person's place. */
  by?: string | undefined;
  /** The message was made of a prompt. */
  prompt?: FilledPrompt | undefined;
  /** The turn in which a plugin asked for this one, or the conversation that this one was begun from. */
  from?: TurnLink | undefined;
}

export interface TurnEnd {
  outcome: "done" | "failed" | "aborted";
  text: string;
  problem: Problem | null;
  /** Plugins made this command of the message. It runs after the turn. */
  command?: string;
  /** What plugins asked for that is done after the turn. */
  after?: AfterTurn | undefined;
}
