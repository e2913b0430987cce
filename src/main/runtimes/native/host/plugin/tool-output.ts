import type { ContentPart } from "../../../../../contract/index.ts";
import { isObject } from "../../../../../contract/is-object.ts";
import { HostError } from "../../../hosted/node/host-error.ts";

export interface ToolOutput {
  content: ContentPart[];
  details?: unknown;
}

/**
 * What a tool returned, as a result: a text, `{content: […]}`, nothing, or any other plain value, which becomes its JSON.
 *
 * @throws HostError TOOL_FAILED for what JSON cannot carry (a generator, a Map, a Response, …), which would otherwise reach
 * the model as `{}`; an Error that was returned, and not thrown, is thrown
 */
export function toOutput(result: unknown): ToolOutput {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  if (result === undefined || result === null) return { content: [] };
  if (!isObject(result) || !Array.isArray(result.content)) {
    return { content: [{ type: "text", text: jsonOf(result) }] };
  }
  const content = result.content.map(toPart);
  return result.details === undefined ? { content } : { content, details: result.details };
}

/** A result as text. @throws HostError as {@link toOutput} */
export function textOfResult(result: unknown): string {
  return toOutput(result)
    .content.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`))
    .join("\n");
}

/** Progress as text. Progress that cannot be written is named by its kind, because a call must not fail for it. */
export function textOf(partial: unknown): string {
  const kind = kindOf(partial);
  if (kind !== undefined) return `[${kind}]`;
  return partial instanceof Error ? partial.message : textOfResult(partial);
}

/** The kind of a value that JSON would turn into `{}` or drop, in words; undefined for plain values. */
function kindOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    case "object":
      return value === null ? undefined : kindOfObject(value);
    default:
      return undefined;
  }
}

function kindOfObject(value: object): string | undefined {
  if (!(Symbol.asyncIterator in value) && !hasNothingToWrite(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === "AsyncGenerator") return "an async generator";
  if (tag === "Generator") return "a generator";
  const made: unknown = value.constructor?.name;
  return `an object of the kind ${typeof made === "string" && made !== "" ? made : tag}`;
}

/** An object of a class that keeps nothing in fields of its own, and does not say how it is written. */
function hasNothingToWrite(value: object): boolean {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || "toJSON" in value) return false;
  return Object.keys(value).length === 0;
}

function toPart(part: unknown): ContentPart {
  if (isObject(part)) {
    if (part.type === "text" && typeof part.text === "string") return { type: "text", text: part.text };
    if (part.type === "image" && typeof part.data === "string" && typeof part.mimeType === "string") {
      return { type: "image", data: part.data, mimeType: part.mimeType };
    }
  }
  return { type: "text", text: typeof part === "string" ? part : jsonOf(part) };
}

function jsonOf(value: unknown): string {
  if (value instanceof Error) throw value;
  const kind = kindOf(value);
  if (kind === undefined) return JSON.stringify(value) ?? String(value);
  const hint = kind.endsWith("generator") ? " For progress there is `call.onUpdate(text)`." : "";
  throw new HostError(
    "TOOL_FAILED",
    `The plugin returned ${kind}, which is no result. It must return a text, or \`{content: [{type: "text", text}]}\`.${hint}`,
  );
}
