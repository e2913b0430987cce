import { createHash } from "node:crypto";
import { isObject } from "../../../contract/index.ts";

/** A part of at least this many characters of JSON gets a blob of its own. */
const PART = 1_024;
/** Elements of a long list in one blob. When a list grows at its end, all blobs but its last one stay the same. */
const CHUNK = 16;

/** The address of a text: a digest of its content, by which it is found and checked. */
export function addressOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * A JSON value with its large parts replaced by `{"$blob": <address>}`. Content that is sent again and again (a system
 * prompt, tools, a history) is stored once, because equal parts have the same address. `put` is called with each part.
 */
export function takeApart(value: unknown, put: (address: string, text: string) => void): unknown {
  const text = JSON.stringify(value);
  if (text === undefined || text.length <= PART) return value;
  const skeleton = skeletonOf(value, put);
  const rest = skeleton === value ? text : JSON.stringify(skeleton);
  if (rest.length <= PART) return skeleton;
  const address = addressOf(rest);
  put(address, rest);
  return { $blob: address };
}

function skeletonOf(value: unknown, put: (address: string, text: string) => void): unknown {
  if (Array.isArray(value)) {
    if (value.length <= CHUNK) return value.map((item) => takeApart(item, put));
    const parts: unknown[] = [];
    for (let start = 0; start < value.length; start += CHUNK) {
      parts.push(takeApart(value.slice(start, start + CHUNK), put));
    }
    return { $parts: parts };
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, takeApart(item, put)]));
}

/** Whether a part of the value was taken out of it. */
export function isTakenApart(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTakenApart);
  if (!isObject(value)) return false;
  return "$blob" in value || "$parts" in value || Object.values(value).some(isTakenApart);
}

/** The whole value again. A part that is gone stays as its `{"$blob": …}`. */
export async function putTogether(
  value: unknown,
  get: (address: string) => Promise<string | undefined>,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => putTogether(item, get)));
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && typeof value.$blob === "string") {
    const text = await get(value.$blob);
    return text === undefined ? value : putTogether(JSON.parse(text), get);
  }
  if (keys.length === 1 && Array.isArray(value.$parts)) {
    const parts = await Promise.all(value.$parts.map((part) => putTogether(part, get)));
    return parts.flat();
  }
  const fields = keys.map(async (key) => [key, await putTogether(value[key], get)] as const);
  return Object.fromEntries(await Promise.all(fields));
}
