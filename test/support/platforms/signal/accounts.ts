import { randomUUID } from "node:crypto";
import type { StyleRange } from "./styled.ts";

/** A person who uses Signal. */
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

/** A message that was delivered to a person or group. */
export interface Delivered {
  /** A person's number or uuid, or a group's internal id. */
  to: string;
  /** As a phone shows it. */
  message: string;
  styles: StyleRange[];
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
/** The time stamp of a new message. Signal uses it as the message's id, so each is different. */
export const timestamp = () => {
  clock += 1;
  return clock;
};

/**
 * The person or group that a call's `recipient` names. A group must be given in the form for sending, a person by
 * number or id.
 */
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
