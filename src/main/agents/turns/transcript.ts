import type {
  AssistantMessage,
  ImageContent,
  Message,
  ToolResultMessage,
  UserMessage,
} from "@earendil-works/pi-ai";
import type { AgentMessage } from "@patchbay/plugin-sdk";
import { z } from "zod";
import type { ContentPart, SessionEntry } from "../../../contract/index.ts";
import type { Pictures } from "../files/pictures.ts";
import { interrupted } from "../sessions/repair.ts";

/** The command that starts the context of a session afresh; what came before stays in the file. */
export const CLEAR = "/clear";

/** What the model is sent of a session: everything since the last compaction or `/clear`. */
export function toMessages(entries: readonly SessionEntry[], pictures: Pictures = new Map()): Message[] {
  let messages: Message[] = [];
  /**
   * Messages that were stored without a turn. They must not stand between a tool call and its result, so they wait
   * here.
   */
  let heard: Message[] = [];
  /** The turn that ended last. When it goes on, it is tried again, and the answer that it had begun is not told. */
  let ended: string | null = null;
  /** Names of the tools whose calls have no result yet, by call. A provider refuses calls that stay open. */
  const open = new Map<string, string>();
  const closeCalls = (at: string) => {
    for (const [id, tool] of open) messages.push(toolMessage(id, tool, [interrupted], "failed", at));
    open.clear();
  };
  for (const entry of entries) {
    if (open.size === 0 && heard.length > 0) {
      messages.push(...heard);
      heard = [];
    }
    switch (entry.type) {
      case "user":
        closeCalls(entry.at);
        if (entry.aside) break;
        for (const one of entry.prompt?.before ?? [])
          messages.push(
            one.role === "user"
              ? userMessage(one.text, entry.at)
              : inAgentsName({ ...one, at: entry.at }, messages.length === 0),
          );
        messages.push(userMessage(entry.text, entry.at, pictures.get(entry.id)));
        break;
      case "heard":
        heard.push(userMessage(entry.text, entry.at, pictures.get(entry.id)));
        break;
      case "steer":
        closeCalls(entry.at);
        messages.push(userMessage(entry.text, entry.at));
        break;
      case "assistant":
        closeCalls(entry.at);
        if (entry.turnId === ended) while (messages.at(-1)?.role === "assistant") messages.pop();
        ended = null;
        messages.push(assistantMessage(entry));
        for (const { id, name } of entry.toolCalls) open.set(id, name);
        break;
      case "tool_result":
        open.delete(entry.toolCallId);
        messages.push(toolMessage(entry.toolCallId, entry.tool, entry.content, entry.outcome, entry.at));
        break;
      case "compaction":
        messages = [userMessage(`Summary of the conversation so far:\n\n${entry.summary}`, entry.at)];
        break;
      case "command":
        if (entry.text.trim() === CLEAR) messages = [];
        break;
      case "turn_end":
        closeCalls(entry.at);
        ended = entry.turnId;
        break;
      case "sent":
        if (entry.inAgentsName) heard.push(inAgentsName(entry, messages.length + heard.length === 0));
        break;
      case "session":
      case "title":
      case "answer":
      case "about":
      case "closed":
      case "branch":
      case "label":
      case "pin":
      case "plugin":
        break;
    }
  }
  return [...messages, ...heard];
}

/**
 * The messages of a turn that is to be run: the user's message and, when the turn was cut short, what it had produced.
 * An unfinished answer at the end is left out and asked for again.
 */
export function begunMessages(entries: readonly SessionEntry[], pictures: Pictures): Message[] {
  const messages = toMessages(entries, pictures);
  while (messages.at(-1)?.role === "assistant") messages.pop();
  return messages;
}

export function userMessage(text: string, at?: string, pictures?: readonly ImageContent[]): UserMessage {
  const content = pictures?.length ? [{ type: "text" as const, text }, ...pictures] : text;
  return { role: "user", content, timestamp: timeOf(at) };
}

/** The text of an assistant message. */
export function textOf(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Puts another text in the place of an assistant message's own, in place. */
export function replaceText(message: AssistantMessage, text: string): void {
  const first = message.content.findIndex((part) => part.type === "text");
  const rest: AssistantMessage["content"] = message.content.filter((part) => part.type !== "text");
  rest.splice(first === -1 ? rest.length : first, 0, { type: "text", text });
  message.content = rest;
}

export function callsOf(message: AssistantMessage) {
  return message.content
    .filter((part) => part.type === "toolCall")
    .map(({ id, name, arguments: input }) => ({ id, name, arguments: input as Record<string, unknown> }));
}

/** Messages as hooks see them. System messages are not among them. */
export function toNeutral(messages: readonly Message[]): AgentMessage[] {
  const neutral: AgentMessage[] = [];
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === "user") neutral.push({ role: "user", text });
    if (message.role === "toolResult") neutral.push({ role: "tool", text, toolCallId: message.toolCallId });
    if (message.role === "assistant") {
      const toolCalls = callsOf(message);
      neutral.push({ role: "assistant", text, ...(toolCalls.length > 0 && { toolCalls }) });
    }
  }
  return neutral;
}

/** The messages after a hook has changed them, in the provider's form. Unchanged messages stay the same objects. */
export function fromNeutral(changed: readonly AgentMessage[], originals: readonly Message[]): Message[] {
  const system = originals.filter((message) => message.role === "system");
  const spoken = originals.filter((message) => message.role !== "system");
  const known = new Map<string, Message[]>();
  for (const [index, neutral] of toNeutral(spoken).entries()) {
    const original = spoken[index];
    const key = JSON.stringify(neutral);
    if (original) known.set(key, [...(known.get(key) ?? []), original]);
  }
  return [...system, ...changed.map((one) => known.get(JSON.stringify(one))?.shift() ?? fresh(one, spoken))];
}

function fresh(message: AgentMessage, originals: readonly Message[]): Message {
  switch (message.role) {
    case "user":
      return userMessage(message.text);
    case "assistant":
      return plainAssistant(message.text, message.toolCalls ?? []);
    case "tool": {
      const id = message.toolCallId ?? "";
      const before = originals.find((one) => one.role === "toolResult" && one.toolCallId === id);
      const tool = before?.role === "toolResult" ? before.toolName : "unknown";
      return toolMessage(id, tool, [{ type: "text", text: message.text }], "executed");
    }
  }
}

/**
 * A text that the channel itself wrote in the agent's name. As the first message it is given as a person's, because
 * providers require that.
 */
function inAgentsName({ text, at }: { text: string; at: string }, isFirst: boolean): Message {
  return isFirst
    ? userMessage(`[The channel wrote in your name:]\n${text}`, at)
    : plainAssistant(text, [], at);
}

const rawSchema = z.looseObject({
  role: z.literal("assistant"),
  content: z.array(z.looseObject({ type: z.enum(["text", "thinking", "toolCall"]) })),
  api: z.string(),
  provider: z.string(),
  model: z.string(),
});

function assistantMessage(entry: Extract<SessionEntry, { type: "assistant" }>): AssistantMessage {
  const raw = rawSchema.safeParse(entry.raw);
  if (!raw.success) return plainAssistant(entry.text, entry.toolCalls, entry.at);
  return { ...plainAssistant("", []), ...(raw.data as unknown as AssistantMessage) };
}

/** A message of the assistant that no provider wrote. */
export function plainAssistant(
  text: string,
  calls: readonly { id: string; name: string; arguments: Record<string, unknown> }[],
  at?: string,
): AssistantMessage {
  return {
    role: "assistant",
    content: [
      ...(text ? [{ type: "text" as const, text }] : []),
      ...calls.map((call) => ({
        type: "toolCall" as const,
        id: call.id,
        name: call.name,
        // Read from JSON, or checked by the bus to be a record.
        arguments: call.arguments as Record<string, never>,
      })),
    ],
    api: "patchbay",
    provider: "patchbay",
    model: "patchbay",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    timestamp: timeOf(at),
  };
}

/** A result as providers take it. */
export function forModel(content: readonly ContentPart[]): ContentPart[] {
  return content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : part));
}

function toolMessage(
  toolCallId: string,
  toolName: string,
  content: ContentPart[],
  outcome: string,
  at?: string,
): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName,
    content: forModel(content),
    isError: outcome !== "executed",
    timestamp: timeOf(at),
  };
}

function timeOf(at: string | undefined): number {
  // New messages and those of hooks have no time; 0 stands for it, because times are not sent to providers.
  return at === undefined ? 0 : Date.parse(at);
}
