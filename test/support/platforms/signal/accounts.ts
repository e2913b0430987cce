import { randomUUID } from "node:crypto";

/** Somebody on Signal. */
export interface SignalPerson {
  number: string | null;
  uuid: string;
  name: string;
}

export interface SignalGroup {
  /** As it stands in what comes in. */
  internalId: string;
  name: string;
}

/** What people saw arrive. */
export interface Delivered {
  /** A person's number or uuid, or a group's internal id. */
  to: string;
  message: string;
  timestamp: string;
  attachments: { name: string; type: string; bytes: Buffer }[];
}

export const person = (name: string, number: string | null): SignalPerson => ({
  name,
  number,
  uuid: randomUUID(),
});

export function group(name: string): SignalGroup {
  return { name, internalId: Buffer.from(name.padEnd(32, ".")).toString("base64") };
}

let clock = Date.now();
/** Signal names messages by their time; no two of these are the same. */
export const timestamp = () => {
  clock += 1;
  return clock;
};

/** Who is meant by a recipient of a call: a group only in the form for sending, people by number or id. */
export function readRecipient(recipient: string): string | null {
  if (!recipient.startsWith("group."))
    return /^(\+\d{5,15}|[0-9a-f-]{36})$/.test(recipient) ? recipient : null;
  const inner = Buffer.from(recipient.slice("group.".length), "base64").toString();
  return /^[A-Za-z0-9+/]{43}=$/.test(inner) ? inner : null;
}

export function readAttachment(text: string): Delivered["attachments"][number] | null {
  const [, type, name, data] = /^data:([^;,]+);filename=([^;,]+);base64,([A-Za-z0-9+/=]*)$/.exec(text) ?? [];
  return type && name && data !== undefined ? { type, name, bytes: Buffer.from(data, "base64") } : null;
}
