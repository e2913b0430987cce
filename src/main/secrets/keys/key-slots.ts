import { randomBytes } from "node:crypto";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import type { Keychain } from "../../platform/platform.ts";
import type { KeyFile } from "../../store/index.ts";
import { derivedSchema, deriveKey, isOutdated, newDerivation } from "./passphrase.ts";
import { newRecipient, unwrapWith, wrapFor, wrappedSchema } from "./recipient.ts";
import { KEY_BYTES, seal, sealedSchema, unseal } from "./sealing.ts";

/**
 * `wrapped` of a slot with these two is a private key, and `key` the data key, wrapped for it. `recipient`: its public
 * key, sealed under the data key, by which a new data key is wrapped for it. In slots of older versions `wrapped` is
 * the data key itself.
 */
const letterbox = { recipient: sealedSchema.optional(), key: wrappedSchema.optional() };

/**
 * A slot: the vault's data key, encrypted ("wrapped") for one way to open the vault. All slots hold the same data key.
 * A slot of a kind that this version does not know is kept, because a newer version wrote it.
 */
export const slotSchema = z.union([
  z.object({ kind: z.literal("keychain"), name: z.string(), wrapped: z.base64(), ...letterbox }),
  z.object({ kind: z.literal("keyfile"), wrapped: sealedSchema }),
  z.object({ kind: z.literal("passphrase"), ...derivedSchema.shape, wrapped: sealedSchema, ...letterbox }),
  z.looseObject({ kind: z.string() }),
]);
export type Slot = z.infer<typeof slotSchema>;
export type KnownSlot = Extract<Slot, { kind: "keychain" | "keyfile" | "passphrase" }>;

export interface SlotTools {
  keyFile: KeyFile;
  keychain?: Keychain;
  /** The passphrase that the person typed, if they did. */
  passphrase?: string;
}

/** A slot as the person sees it. */
export interface SlotView {
  kind: "keychain" | "keyfile" | "passphrase" | "unknown";
  /** The keychain's name; for the other kinds of slot the kind itself. */
  name: string;
  /** Whether the slot opens the vault on this machine now; null for a passphrase, which only the person can try. */
  opens: boolean | null;
  /** Why it does not open. */
  reason: string | null;
}

export interface OpenedSlot {
  dataKey: Buffer;
  /** Where the key is kept, in words. */
  backend: string;
}

export const BOUND = "patchbay vault data key";
const BOUND_PRIVATE = "patchbay vault private key";
export const BOUND_RECIPIENT = "patchbay vault recipient";

/** Makes the first slot for a new data key: in the keychain where there is one, else in a key file. */
export async function createSlot(dataKey: Buffer, tools: SlotTools): Promise<Slot> {
  if (tools.keychain) {
    const { privateKey, ...rest } = newLetterbox(dataKey);
    const wrapped = await tools.keychain.wrap(privateKey);
    return { kind: "keychain", name: tools.keychain.name, wrapped: wrapped.toString("base64"), ...rest };
  }
  const fileKey = readKeyFile(tools.keyFile) ?? (await makeKeyFile(tools.keyFile));
  return keyFileSlot(dataKey, fileKey);
}

export function keyFileSlot(dataKey: Buffer, fileKey: Buffer): Slot {
  return { kind: "keyfile", wrapped: seal(fileKey, dataKey, BOUND) };
}

/** A new private key, and what a slot says of it. */
function newLetterbox(dataKey: Buffer) {
  const { publicKey, privateKey } = newRecipient();
  return {
    privateKey,
    recipient: seal(dataKey, publicKey, BOUND_RECIPIENT),
    key: wrapFor(publicKey, dataKey, BOUND),
  };
}

/**
 * Tries one slot after the other until one gives the data key. `reasons`: one sentence for each slot, when none did.
 */
export async function openSlots(
  slots: Slot[],
  tools: SlotTools,
): Promise<{ opened: OpenedSlot } | { reasons: string[] }> {
  const reasons: string[] = [];
  for (const slot of slots) {
    if (!isKnown(slot)) {
      reasons.push(unknownKind(slot.kind));
      continue;
    }
    const result = await openSlot(slot, tools);
    if (typeof result !== "string") return { opened: result };
    reasons.push(result);
  }
  return { reasons };
}

/** Makes a slot with a passphrase: the vault then opens on any machine for a person who knows it. */
export async function createPassphraseSlot(dataKey: Buffer, passphrase: string): Promise<Slot> {
  const derived = newDerivation();
  const { privateKey, ...rest } = newLetterbox(dataKey);
  const wrapped = seal(await deriveKey(passphrase, derived), privateKey, BOUND_PRIVATE);
  return { kind: "passphrase", ...derived, wrapped, ...rest };
}

/** All slots as the person sees them. Each is tried, to say whether it opens the vault on this machine. */
export async function viewSlots(slots: readonly Slot[], tools: SlotTools): Promise<SlotView[]> {
  const views: SlotView[] = [];
  for (const slot of slots) {
    if (!isKnown(slot)) {
      views.push({ kind: "unknown", name: slot.kind, opens: false, reason: unknownKind(slot.kind) });
    } else if (slot.kind === "passphrase") {
      views.push({ kind: slot.kind, name: slot.kind, opens: null, reason: null });
    } else {
      const result = await openSlot(slot, tools);
      if (typeof result !== "string") result.dataKey.fill(0);
      const reason = typeof result === "string" ? result : null;
      const name = slot.kind === "keychain" ? slot.name : slot.kind;
      views.push({ kind: slot.kind, name, opens: reason === null, reason });
    }
  }
  return views;
}

/** Whether one of the slots opens with a passphrase. */
export function hasPassphrase(slots: readonly Slot[]): boolean {
  return slots.some((slot) => slot.kind === "passphrase" && isKnown(slot));
}

/** Whether the passphrase of the tools opens its slot. No other way to open the vault counts. */
export async function isPassphraseOf(slots: Slot[], tools: SlotTools): Promise<boolean> {
  if (!hasPassphrase(slots)) return false;
  const result = await openSlots(
    slots.filter(({ kind }) => kind === "passphrase"),
    tools,
  );
  if ("reasons" in result) return false;
  result.opened.dataKey.fill(0);
  return true;
}

/**
 * The slots with this passphrase in place of an earlier one. `alone`: the other slots of known kinds are dropped, so
 * that nothing but the passphrase opens the vault.
 */
export async function withPassphrase(
  slots: readonly Slot[],
  dataKey: Buffer,
  passphrase: string,
  alone: boolean,
): Promise<Slot[]> {
  const added = await createPassphraseSlot(dataKey, passphrase);
  const others = slots.filter(({ kind }) => kind !== "passphrase");
  return alone ? [...others.filter((slot) => !isKnown(slot)), added] : [...others, added];
}

/**
 * The slots without the one for a passphrase. When no slot that is left would open the vault, a new one is added: in
 * the keychain, or else with a key file.
 */
export async function withoutPassphrase(
  slots: readonly Slot[],
  dataKey: Buffer,
  tools: SlotTools,
): Promise<Slot[]> {
  const kept: Slot[] = [];
  let opens = false;
  for (const slot of slots) {
    if (slot.kind === "passphrase" && isKnown(slot)) continue;
    const result = isKnown(slot) ? await openSlot(slot, tools) : "";
    const elsewhere = slot.kind !== "keyfile";
    if (typeof result !== "string") result.dataKey.fill(0);
    if (typeof result !== "string" || elsewhere) kept.push(slot);
    opens ||= typeof result !== "string" || (slot.kind === "keychain" && !tools.keychain);
  }
  return opens ? kept : [...kept, await createSlot(dataKey, tools)];
}

/** The slots with today's form and cost for a passphrase that has just opened the vault; the same ones when they have it. */
export async function upgraded(
  slots: readonly Slot[],
  dataKey: Buffer,
  passphrase: string,
): Promise<readonly Slot[]> {
  const isOld = (slot: Slot) =>
    slot.kind === "passphrase" && isKnown(slot) && "salt" in slot && (!slot.key || isOutdated(slot));
  return slots.some(isOld) ? withPassphrase(slots, dataKey, passphrase, false) : slots;
}

/** Removes the key file when no slot needs it any more. */
export async function forgetKeyFile(slots: readonly Slot[], keyFile: KeyFile): Promise<void> {
  if (slots.every(({ kind }) => kind !== "keyfile")) await keyFile.remove();
}

function unknownKind(kind: string): string {
  return `This Patchbay does not know keys of the kind "${kind}".`;
}

export function isKnown(slot: Slot): slot is KnownSlot {
  return ["keychain", "keyfile", "passphrase"].includes(slot.kind) && "wrapped" in slot;
}

export function openSlot(
  slot: KnownSlot,
  tools: SlotTools,
): Promise<OpenedSlot | string> | OpenedSlot | string {
  switch (slot.kind) {
    case "keychain":
      return openKeychain(slot, tools);
    case "keyfile":
      return openKeyFile(slot, tools);
    case "passphrase":
      return openPassphrase(slot, tools);
  }
}

async function openPassphrase(
  slot: Extract<KnownSlot, { kind: "passphrase" }>,
  { passphrase }: SlotTools,
): Promise<OpenedSlot | string> {
  if (passphrase === undefined)
    return "They open with your passphrase: type it in the settings or start Patchbay with PATCHBAY_PASSPHRASE set.";
  try {
    const derived = await deriveKey(passphrase, slot);
    const inside = unseal(derived, slot.wrapped, slot.key ? BOUND_PRIVATE : BOUND);
    return { dataKey: slot.key ? unwrapWith(inside, slot.key, BOUND) : inside, backend: "your passphrase" };
  } catch {
    return "The passphrase is not the one that these secrets were locked with.";
  }
}

async function openKeychain(
  slot: Extract<KnownSlot, { kind: "keychain" }>,
  { keychain }: SlotTools,
): Promise<OpenedSlot | string> {
  if (!keychain)
    return `The key is in ${slot.name}, which only the desktop app can open: set a passphrase there to open them here too.`;
  try {
    const inside = await keychain.unwrap(Buffer.from(slot.wrapped, "base64"));
    const dataKey = slot.key && inside.length === KEY_BYTES ? unwrapWith(inside, slot.key, BOUND) : inside;
    if (dataKey.length === KEY_BYTES) return { dataKey, backend: keychain.name };
    return `What ${keychain.name} gave back is not a key.`;
  } catch (error) {
    return `${keychain.name} did not give the key: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

export function openKeyFile(
  slot: Extract<KnownSlot, { kind: "keyfile" }>,
  { keyFile }: SlotTools,
): OpenedSlot | string {
  try {
    const fileKey = readKeyFile(keyFile);
    if (!fileKey) return "The key file vault.key is missing or is not a key.";
    return { dataKey: unseal(fileKey, slot.wrapped, BOUND), backend: "a key file in Patchbay's folder" };
  } catch (error) {
    if (error instanceof PatchbayError) return error.message;
    return "The key file vault.key does not belong to these secrets.";
  }
}

export function readKeyFile(keyFile: KeyFile): Buffer | null {
  const key = keyFile.read();
  return key?.length === KEY_BYTES ? key : null;
}

async function makeKeyFile(keyFile: KeyFile): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await keyFile.write(key);
  return key;
}
