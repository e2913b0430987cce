import type { Message } from "@earendil-works/pi-ai";
import type { Agent, Caller, ToolInfo } from "../../../contract/index.ts";
import type { Ids } from "../../base/ids.ts";
import type { Span } from "../record/recorder.ts";

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
  /** How the model is named to plugins. */
  modelName: string;
  systemPrompt: string;
  history: Message[];
  /** The message to answer; for a turn that is continued, also what it had produced before it was cut short. */
  begun: Message[];
  tools: ToolInfo[];
}
