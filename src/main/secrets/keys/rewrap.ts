import { randomBytes } from "node:crypto";
import {
  BOUND,
  BOUND_RECIPIENT,
  createPassphraseSlot,
  createSlot,
  isKnown,
  type KnownSlot,
  keyFileSlot,
  openKeyFile,
  openSlot,
  readKeyFile,
  type Slot,
  type SlotTools,
} from "./key-slots.ts";
import { wrapFor } from "./recipient.ts";
import { KEY_BYTES, seal, unseal } from "./sealing.ts";

/** Slots for a new data key. */
export interface Rewrapped {
  slots: Slot[];
  /**
   * Where there is a key file: the slots that open with the file that is there now, and the key that is to be written
   * into it, after which `slots` open.
   */
  keyFile: { before: Slot[]; key: Buffer } | null;
}

/**
 * The slots with a new data key in the place of the old one. A key file gets a new key, too. A slot that opens with
 * nothing at hand is left out where another one opens: a kind that is not known, a key file that is gone.
 *
 * @returns null when a slot of an older form cannot be opened now, and so holds the old data key for the time being
 */
export async function rewrapAll(
  slots: readonly Slot[],
  old: Buffer,
  fresh: Buffer,
  tools: SlotTools,
): Promise<Rewrapped | null> {
  const others: Slot[] = [];
  let fileKey: Buffer | null = null;
  for (const slot of slots.filter(isKnown)) {
    if (slot.kind === "keyfile") {
      if (typeof openKeyFile(slot, tools) !== "string") fileKey = readKeyFile(tools.keyFile);
      continue;
    }
    const rewrapped = await rewrap(slot, old, fresh, tools);
    if (!rewrapped) return null;
    others.push(rewrapped);
  }
  if (fileKey === null) return others.length > 0 ? { slots: others, keyFile: null } : null;
  const key = randomBytes(KEY_BYTES);
  // First, because it is tried in no time.
  const now = [keyFileSlot(fresh, key), ...others];
  return { slots: now, keyFile: { before: [keyFileSlot(fresh, fileKey), ...now], key } };
}

async function rewrap(
  slot: Exclude<KnownSlot, { kind: "keyfile" }>,
  old: Buffer,
  fresh: Buffer,
  tools: SlotTools,
): Promise<Slot | null> {
  if (slot.recipient) {
    try {
      const publicKey = unseal(old, slot.recipient, BOUND_RECIPIENT);
      return {
        ...slot,
        recipient: seal(fresh, publicKey, BOUND_RECIPIENT),
        key: wrapFor(publicKey, fresh, BOUND),
      };
    } catch {
      // Somebody changed it: it must not get the new key.
      return null;
    }
  }
  const opened = await openSlot(slot, tools);
  if (typeof opened === "string") return null;
  opened.dataKey.fill(0);
  if (slot.kind === "keychain") return createSlot(fresh, tools);
  return tools.passphrase === undefined ? null : createPassphraseSlot(fresh, tools.passphrase);
}

/** Of several slots for a key file those that open; a rotation that was cut short leaves one that does not. */
export function withoutDeadKeyFiles(slots: readonly Slot[], tools: SlotTools): Slot[] {
  const files = slots.filter(({ kind }) => kind === "keyfile");
  if (files.length < 2) return [...slots];
  const isDead = (slot: Slot) =>
    slot.kind === "keyfile" && isKnown(slot) && typeof openSlot(slot, tools) === "string";
  return slots.filter((slot) => !isDead(slot));
}
