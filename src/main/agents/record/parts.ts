import { createHash } from "node:crypto";
import { isObject } from "../../../contract/index.ts";

/** Characters of JSON from which a part lies in a blob of its own. */
const PART = 1_024;
/** Elements of a long list that lie in one blob. A list that grows shares all but its last blobs with what it was. */
const CHUNK = 16;

/** The name of a text: what it is found by, and what shows that it is the same. */
export function addressOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * A JSON value with its large parts taken out, each under the name of its content: what is sent again and again (a system
 * prompt, tools, a history) is kept once. `put` is given each part.
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
