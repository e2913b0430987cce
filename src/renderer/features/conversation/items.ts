import type { FilledPrompt } from "../../../contract/conversation/offered.ts";
import type { Problem } from "../../../contract/errors.ts";
import type { Aside, ContentPart, StoredAttachment, ToolOutcome, ToolTrace } from "../../../contract/turn.ts";
import type { SaidItem } from "./said/said-items.ts";
import type { WaitItem } from "./waits/wait-item.ts";

export interface ToolItem {
  kind: "tool";
  id: string;
  turnId: string;
  /** How the tool is named on the screen. */
  title: string;
  owner: string | null;
  arguments: Record<string, unknown>;
  /** Null while it is under way. */
  outcome: ToolOutcome | null;
  /** The steps of the call; null while it is under way, and for old conversations without a trace. */
  trace: ToolTrace | null;
  content: ContentPart[] | null;
  progress: string | null;
  /** The question that it waits for. */
  approvalId: string | null;
}

/** A message to the agent. */
export interface UserItem {
  kind: "user";
  id: string;
  turnId: string;
  /** Without the lines that name its files for the model. */
  text: string;
  /** Absent: none. */
  attachments?: readonly StoredAttachment[];
  /** The name of the sender in a channel; absent for the owner at this screen. */
  from?: string;
  /** It did not address the agent. */
  heard?: true;
  /** What became of one that the model is not sent. */
  aside?: Aside;
  /** Key of the plugin that wrote it to the model. */
  by?: string;
  /** It was made of a prompt of a plugin. */
  prompt?: FilledPrompt;
}

/** What the agent said. `cut`: the answer broke off here. `changedBy`: the plugins that rewrote it. */
export interface AssistantItem {
  kind: "assistant";
  id: string;
  turnId: string;
  text: string;
  streaming: boolean;
  changedBy?: string[];
  cut?: true;
}

/** One thing in a conversation, in the order in which it happened. */
export type Item =
  | UserItem
  | SaidItem
  | AssistantItem
  | ToolItem
  | { kind: "command"; id: string; text: string; output: string }
  | { kind: "compaction"; id: string; summary: string }
  | WaitItem
  | EndItem;

/** `retried`: the turn went on after this end. */
export interface EndItem {
  kind: "end";
  id: string;
  turnId: string;
  outcome: "failed" | "aborted";
  problem: Problem | null;
  retried: boolean;
}
