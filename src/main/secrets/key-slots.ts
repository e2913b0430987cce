import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import type { Keychain } from "../platform.ts";
import { readError, systemCode, writePrivateFile } from "../store/index.ts";
import { derivedSchema, deriveKey, newDerivation } from "./passphrase.ts";
import { KEY_BYTES, seal, sealedSchema, unseal } from "./sealing.ts";

/** One way to the vault's data key. Each slot wraps the same key another way; a kind that is not known is kept. */
export const slotSchema = z.union([
  z.object({ kind: z.literal("keychain"), name: z.string(), wrapped: z.base64() }),
  z.object({ kind: z.literal("keyfile"), wrapped: sealedSchema }),
  z.object({ kind: z.literal("passphrase"), ...derivedSchema.shape, wrapped: sealedSchema }),
  z.looseObject({ kind: z.string() }),
]);
export type Slot = z.infer<typeof slotSchema>;
type KnownSlot = Extract<Slot, { kind: "keychain" | "keyfile" | "passphrase" }>;

export interface SlotTools {
  home: string;
  keychain?: Keychain;
  /** What the person gave to open the vault with. */
  passphrase?: string;
}

export interface OpenedSlot {
  dataKey: Buffer;
  /** Where the key is kept, in words. */
  backend: string;
}

const BOUND = "patchbay vault data key";

/** Makes the first slot for a new data key: in the keychain where there is one, else in a key file. */
export async function createSlot(dataKey: Buffer, tools: SlotTools): Promise<Slot> {
  if (tools.keychain) {
    const wrapped = await tools.keychain.wrap(dataKey);
    return { kind: "keychain", name: tools.keychain.name, wrapped: wrapped.toString("base64") };
  }
  const fileKey = readKeyFile(tools.home) ?? makeKeyFile(tools.home);
  return { kind: "keyfile", wrapped: seal(fileKey, dataKey, BOUND) };
}

/** Tries one slot after the other. `reasons` says, a sentence a slot, why none opened. */
export async function openSlots(
  slots: Slot[],
  tools: SlotTools,
): Promise<{ opened: OpenedSlot } | { reasons: string[] }> {
  const reasons: string[] = [];
  for (const slot of slots) {
    if (!isKnown(slot)) {
      reasons.push(`This Patchbay does not know keys of the kind "${slot.kind}".`);
      continue;
    }
    const result = await openSlot(slot, tools);
    if (typeof result !== "string") return { opened: result };
    reasons.push(result);
  }
  return { reasons };
}

/** Wraps the data key under a passphrase: the vault then opens wherever the person is. */
export async function createPassphraseSlot(dataKey: Buffer, passphrase: string): Promise<Slot> {
  const derived = newDerivation();
  return {
    kind: "passphrase",
    ...derived,
    wrapped: seal(await deriveKey(passphrase, derived), dataKey, BOUND),
  };
}

function isKnown(slot: Slot): slot is KnownSlot {
  return ["keychain", "keyfile", "passphrase"].includes(slot.kind) && "wrapped" in slot;
}

function openSlot(slot: KnownSlot, tools: SlotTools): Promise<OpenedSlot | string> | OpenedSlot | string {
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
    return "They open with your passphrase: start Patchbay with PATCHBAY_PASSPHRASE set.";
  try {
    const dataKey = unseal(await deriveKey(passphrase, slot), slot.wrapped, BOUND);
    return { dataKey, backend: "your passphrase" };
  } catch {
    return "The passphrase is not the one that these secrets were locked with.";
  }
}

async function openKeychain(
  slot: Extract<KnownSlot, { kind: "keychain" }>,
  { keychain }: SlotTools,
): Promise<OpenedSlot | string> {
  if (!keychain) return `The key is in ${slot.name}, which only the desktop app can open.`;
  try {
    const dataKey = await keychain.unwrap(Buffer.from(slot.wrapped, "base64"));
    if (dataKey.length === KEY_BYTES) return { dataKey, backend: keychain.name };
    return `What ${keychain.name} gave back is not a key.`;
  } catch (error) {
    return `${keychain.name} did not give the key: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function openKeyFile(
  slot: Extract<KnownSlot, { kind: "keyfile" }>,
  { home }: SlotTools,
): OpenedSlot | string {
  try {
    const fileKey = readKeyFile(home);
    if (!fileKey) return "The key file vault.key is missing or is not a key.";
    return { dataKey: unseal(fileKey, slot.wrapped, BOUND), backend: "a key file in Patchbay's folder" };
  } catch (error) {
    if (error instanceof PatchbayError) return error.message;
    return "The key file vault.key does not belong to these secrets.";
  }
}

const keyFile = (home: string) => join(home, "vault.key");

function readKeyFile(home: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(keyFile(home), "utf8").trim(), "base64");
    return key.length === KEY_BYTES ? key : null;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw readError(error, keyFile(home));
  }
}

function makeKeyFile(home: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  writePrivateFile(keyFile(home), `${key.toString("base64")}\n`);
  return key;
}
