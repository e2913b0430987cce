import type { Message } from "@earendil-works/pi-ai";
import type { Agent, Caller, ToolInfo } from "../../../contract/index.ts";
import type { Ids } from "../../base/ids.ts";
import type { TurnEffects } from "../effects/turn-effects.ts";
import type { ReadyModel } from "../models/index.ts";
import type { Span } from "../record/recorder.ts";

export interface RunBoundary {
  /** Tells the hooks that the run has ended, once for each run: `run.end@v1`, then `run.prepare@v1`. */
  ended(): Promise<void>;
  /** Another run begins. */
  begins(): void;
}

export interface RunInput {
  turnId: string;
  agent: Agent;
  caller: Caller;
  signal: AbortSignal;
  /** The span of the turn in the record. */
  turn: Span;
  /** Records a change of what plugins offer. Call it wherever the turn reads that. */
  noteOffer(): void;
  /** Makes the ids of the turn's stored entries. */
  ids: Ids;
  /** What plugins ask for beside their answers. */
  effects: TurnEffects;
  /** Where one run ends and another one of the same turn may begin. */
  boundary: RunBoundary;
  /** The model that a plugin asked for, ready, for a run that begins within the turn; null: it stays with the present one. */
  nextModel(): Promise<{ model: ReadyModel; modelName: string } | null>;
  /** How the model is named to plugins. */
  modelName: string;
  systemPrompt: string;
  history: Message[];
  /** The message to answer; for a turn that is continued, also what it had produced before it was cut short. */
  begun: Message[];
  tools: ToolInfo[];
}
