import type { Message } from "@earendil-works/pi-ai";
import type { Agent, Caller, ToolInfo } from "../../../contract/index.ts";
import type { Ids } from "../../base/ids.ts";
import type { Span } from "../record/recorder.ts";

export interface RunInput {
  turnId: string;
  agent: Agent;
  caller: Caller;
  signal: AbortSignal;
  /** Where the record has the turn. */
  turn: Span;
  /** To be asked where the turn looks at what plugins offer. */
  noteOffer(): void;
  /** Names for what is stored of the turn. */
  ids: Ids;
  systemPrompt: string;
  history: Message[];
  /** The message to answer, and what a turn that was cut short had come to. */
  begun: Message[];
  tools: ToolInfo[];
}
