import type { RecordEvent } from "../../../contract/index.ts";
import type { SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import { takeApart } from "./parts.ts";

/** Lines longer than this many bytes have their payloads and results moved to blobs. */
const LINE = 32 * 1_024;

/**
 * Fields whose content mostly repeats from one event to the next: always moved to blobs, so that equal content is
 * stored once.
 */
const repeated = ["world", "offer", "request", "response", "raw"] as const;
/** Fields that are moved to blobs when a line is too long. */
const large = [
  "payload",
  "after",
  "sections",
  "arguments",
  "output",
  "result",
  "details",
  "effects",
  "said",
  "edit",
  "question",
  "answer",
] as const;

/** A line of the record, and the blobs that it refers to, by their addresses. */
export interface Encoded {
  line: RecordEvent;
  blobs: ReadonlyMap<string, string>;
}

/** An event as it is written: stored secrets taken out of every text, large parts out of the line. */
export function encode(event: RecordEvent, secrets: Pick<SecretLookup, "redact">): Encoded {
  const blobs = new Map<string, string>();
  const put = (address: string, text: string) => void blobs.set(address, text);
  const line: Record<string, unknown> = { ...redactDeep(event, secrets) };
  for (const field of repeated) if (field in line) line[field] = takeApart(line[field], put);
  if (Buffer.byteLength(JSON.stringify(line)) > LINE) {
    for (const field of large) if (field in line) line[field] = takeApart(line[field], put);
  }
  // The fields that were taken apart may hold any JSON.
  return { line: line as unknown as RecordEvent, blobs };
}
