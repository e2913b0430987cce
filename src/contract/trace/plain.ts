import { isObject } from "../is-object.ts";

/** Names that Patchbay and providers give to one call; they are others in each turn. */
const idsOfPayloads = ["turnId", "sessionId", "agentId", "messageId", "toolCallId", "durationMs", "usage"];

/** What a message to a model says. The rest of it are ids, counts and signatures of its provider. */
const ofMessages = ["role", "content", "toolName", "isError", "sections", "toolsAdded", "toolsRemoved"];
const ofParts = ["type", "text", "thinking", "name", "arguments", "mimeType", "data"];

/** The payload of a hook without ids and times. */
export function plainPayload(payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  const rest = without(payload, idsOfPayloads);
  if (Array.isArray(rest.messages)) rest.messages = rest.messages.map(plainNeutral);
  if ("message" in rest) rest.message = plainNeutral(rest.message);
  return rest;
}

/** A message as hooks see it, without the ids of its calls. */
function plainNeutral(message: unknown): unknown {
  if (!isObject(message)) return message;
  const rest = without(message, ["toolCallId"]);
  if (Array.isArray(rest.toolCalls))
    rest.toolCalls = rest.toolCalls.map((call: unknown) => (isObject(call) ? without(call, ["id"]) : call));
  return rest;
}

/** The messages of a request, as far as they say something. */
export function plainMessages(request: unknown): unknown {
  const messages = isObject(request) ? request.messages : undefined;
  return Array.isArray(messages) ? messages.map(plainMessage) : (messages ?? null);
}

/** Which model was asked, and how much it was to think. */
export function plainModel(request: unknown): unknown {
  if (!isObject(request)) return null;
  const model = isObject(request.model) ? only(request.model, ["provider", "id"]) : {};
  const options = isObject(request.options) ? only(request.options, ["reasoning", "temperature"]) : {};
  return { ...model, ...options };
}

/** A message to a model or from it, as far as it says something. */
export function plainMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const rest = only(message, ofMessages);
  if (Array.isArray(rest.content))
    rest.content = rest.content.map((part: unknown) => (isObject(part) ? only(part, ofParts) : part));
  return rest;
}

function without(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function only(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])));
}

/** The same text for equal JSON, whatever the order of its fields. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  fields.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(",")}}`;
}
