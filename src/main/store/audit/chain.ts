import { hash } from "node:crypto";
import { isObject } from "../../../contract/is-object.ts";

/** A line of the audit log as the chain sees it. */
export interface ChainLine {
  /** The running number; null for a line of an older Patchbay, which had no chain. */
  n: number | null;
  /** What the line says is the hash of the line before it. */
  prev: string | null;
  at: string | null;
  /** The hash of this line. */
  hash: string;
}

/** The end of the chain: what the next line is tied to. */
export interface ChainEnd {
  /** 0 before the first chained line. */
  n: number;
  /** The hash of the last line; empty when there is none. */
  hash: string;
}

/** The hash of a line's text, without its line end. */
export function hashOf(line: string): string {
  return hash("sha256", line, "base64url");
}

/** Ties an event to the end of the chain. Returns what is to be written, and the new end. */
export function tie<T extends object>(
  event: T,
  end: ChainEnd,
): { entry: T & { n: number; prev: string }; end: ChainEnd } {
  const entry = { ...event, n: end.n + 1, prev: end.hash };
  return { entry, end: { n: entry.n, hash: hashOf(JSON.stringify(entry)) } };
}

/** Null for a line that is no JSON object. */
export function readLine(line: string): ChainLine | null {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry)) return null;
    const { n, prev, at } = entry;
    return {
      n: typeof n === "number" && Number.isSafeInteger(n) ? n : null,
      prev: typeof prev === "string" ? prev : null,
      at: typeof at === "string" ? at : null,
      hash: hashOf(line),
    };
  } catch {
    return null;
  }
}
