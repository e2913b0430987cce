import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { PatchbayError, type Problem, toProblem } from "../../contract/errors.ts";
import type { Keychain } from "../platform.ts";
import { openStateFile, type StateFile } from "../store/index.ts";
import {
  createSlot,
  forgetKeyFile,
  hasPassphrase,
  type OpenedSlot,
  openSlots,
  type Slot,
  type SlotTools,
  type SlotView,
  slotSchema,
  viewSlots,
  withoutPassphrase,
  withPassphrase,
} from "./key-slots.ts";
import { refuseWeak } from "./passphrase.ts";
import { Redaction } from "./redaction.ts";
import { KEY_BYTES, seal, sealedSchema, unseal } from "./sealing.ts";
import { setVaultAside } from "./set-aside.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const entrySchema = z.object({
  name: z.string(),
  agentId: z.string().nullable(),
  sealed: sealedSchema,
  updatedAt: z.iso.datetime(),
});
type Entry = z.infer<typeof entrySchema>;

const vaultSchema = z.object({ slots: z.array(slotSchema), entries: z.array(entrySchema) });
type VaultData = z.infer<typeof vaultSchema>;

export interface VaultOptions {
  home: string;
  keychain?: Keychain;
  /** Opens a vault that was locked with one. */
  passphrase?: string;
  onNotice(problem: Problem): void;
}

/**
 * The secrets of this person: `<home>/vault.json`, each value encrypted with AES-256-GCM under one random data key and
 * bound to its name and agent. Names are known even when the values cannot be opened.
 */
export class Vault {
  readonly changes = new EventEmitter<{
    changed: [name: string, agentId: string | null];
    /** Whether it is open, or what opens it, changed. */
    status: [];
  }>();
  readonly #options: VaultOptions;
  readonly #values = new Map<string, string>();
  readonly #redaction = new Redaction();
  #file: StateFile<VaultData> | undefined;
  #dataKey: Buffer | undefined;
  #backend = "nothing yet";
  #keys: readonly SlotView[] = [];
  #problem: Problem | null = null;
  /** Ends when the changes asked for so far are done; never rejects. */
  #queue: Promise<unknown> = Promise.resolve();

  /** Never rejects: a vault that does not open says why in `status()`, and its values throw VAULT_CLOSED. */
  static async open(options: VaultOptions): Promise<Vault> {
    const vault = new Vault(options);
    await vault.#open();
    await vault.#lookAtKeys();
    return vault;
  }

  private constructor(options: VaultOptions) {
    this.#options = options;
  }

  /** Where the key is kept, in words, and why the vault is closed if it is. `canUnlock`: a passphrase would open it. */
  status(): { backend: string; open: boolean; canUnlock: boolean; problem: Problem | null } {
    const open = this.#problem === null;
    const canUnlock = !open && hasPassphrase(this.#file?.get().slots ?? []);
    return { backend: this.#backend, open, canUnlock, problem: this.#problem };
  }

  /** Everything that opens the vault, and whether it did here when it was looked at last. */
  keys(): readonly SlotView[] {
    return this.#keys;
  }

  list(): { name: string; agentId: string | null; updatedAt: string }[] {
    return this.#entries().map(({ name, agentId, updatedAt }) => ({ name, agentId, updatedAt }));
  }

  has(name: string, agentId: string | null): boolean {
    return this.#find(name, agentId) !== undefined || this.#find(name, null) !== undefined;
  }

  /**
   * The value for an agent: its own, else the one shared by all. `agentId` null: only the shared one.
   *
   * @throws PatchbayError VAULT_CLOSED when there is one but it cannot be opened
   */
  resolve(name: string, agentId: string | null): string | undefined {
    this.#refuseWhenUnreadable();
    const entry = this.#find(name, agentId) ?? this.#find(name, null);
    if (!entry) return undefined;
    this.refuseWhenClosed();
    const value = this.#values.get(placeOf(entry.name, entry.agentId));
    if (value !== undefined) return value;
    throw new PatchbayError("VAULT_CLOSED", `The stored secret ${name} is damaged and cannot be read.`, {
      help: `Store ${name} again.`,
    });
  }

  /**
   * Stores a value for one agent or, with null, for all. On disk when it resolves.
   *
   * @throws PatchbayError BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  set(name: string, agentId: string | null, value: string): Promise<void> {
    return this.setAll(new Map([[name, value]]), agentId);
  }

  /** Stores several values in one write: all of them, or none. Throws as `set` does. */
  setAll(values: ReadonlyMap<string, string>, agentId: string | null): Promise<void> {
    return this.#enqueue(async () => {
      for (const [name, value] of values) refuseUnstorable(name, value);
      if (values.size === 0) return;
      this.refuseWhenClosed();
      for (const value of values.values()) this.#redaction.add(value);
      const dataKey = this.#dataKey ?? (await this.#create());
      const updatedAt = new Date().toISOString();
      const added = Array.from(values, ([name, value]): Entry => {
        const sealed = seal(dataKey, Buffer.from(value), placeOf(name, agentId));
        return { name, agentId, sealed, updatedAt };
      });
      const places = new Set(added.map((entry) => placeOf(entry.name, agentId)));
      this.#file?.update((vault) => ({
        ...vault,
        entries: [...vault.entries.filter((old) => !places.has(placeOf(old.name, old.agentId))), ...added],
      }));
      for (const [name, value] of values) this.#values.set(placeOf(name, agentId), value);
      for (const name of values.keys()) this.changes.emit("changed", name, agentId);
    });
  }

  /** From now on the value is taken out of texts, though it is not stored (yet). */
  hide(value: string): void {
    this.#redaction.add(value);
  }

  /** @throws PatchbayError SECRET_NOT_FOUND, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  remove(name: string, agentId: string | null): Promise<void> {
    return this.#enqueue(async () => {
      this.#refuseWhenUnreadable();
      if (!this.#find(name, agentId)) {
        throw new PatchbayError("SECRET_NOT_FOUND", `There is no secret ${name}${forWhom(agentId)}.`);
      }
      this.#drop((entry) => entry.name === name && entry.agentId === agentId);
    });
  }

  /** Removes what only this agent could use. */
  removeAgent(agentId: string): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#entries().some((entry) => entry.agentId === agentId)) {
        this.#drop((entry) => entry.agentId === agentId);
      }
    });
  }

  /**
   * Lets the vault be opened with a passphrase too, or (`alone`) with nothing else: it is then asked for at each start.
   * Null takes the passphrase away; where it was the only key, the keychain or a key file takes its place.
   *
   * @throws PatchbayError BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  setPassphrase(passphrase: string | null, alone = false): Promise<void> {
    return this.#enqueue(async () => {
      if (passphrase !== null) refuseWeak(passphrase);
      this.refuseWhenClosed();
      const dataKey = this.#dataKey ?? (await this.#create());
      const present = this.#file?.get().slots ?? [];
      const slots =
        passphrase === null
          ? await withoutPassphrase(present, dataKey, this.#tools())
          : await withPassphrase(present, dataKey, passphrase, alone);
      if (passphrase !== null) this.hide(passphrase);
      this.#file?.update((vault) => ({ ...vault, slots }));
      forgetKeyFile(slots, this.#options.home);
      await this.#lookAtKeys();
      await this.#nameBackend(slots);
      this.changes.emit("status");
    });
  }

  /**
   * Opens a vault that is closed with its passphrase.
   *
   * @throws PatchbayError PASSPHRASE_WRONG, VAULT_CLOSED when no passphrase opens it
   */
  unlock(passphrase: string): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#problem === null) return;
      const slots = this.#file?.get().slots ?? [];
      if (!hasPassphrase(slots)) this.refuseWhenClosed();
      const result = await openSlots(slots, { ...this.#tools(), passphrase });
      if ("reasons" in result) {
        throw new PatchbayError("PASSPHRASE_WRONG", "That is not the passphrase of the stored secrets.");
      }
      this.hide(passphrase);
      this.#take(result.opened);
      this.#announceAll();
    });
  }

  /** Looks at the files again: somebody may have put them back, or opened the keychain. */
  retry(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#problem === null) return;
      this.#file?.close();
      await this.#open();
      await this.#lookAtKeys();
      this.#announceAll();
    });
  }

  /**
   * Puts a vault that does not open aside, whole, and begins an empty one.
   *
   * @returns the folder in which the old one lies now
   * @throws PatchbayError BAD_INPUT when it is open, WRITE_FAILED
   */
  startOver(): Promise<string | null> {
    return this.#enqueue(async () => {
      if (this.#problem === null) {
        throw new PatchbayError("BAD_INPUT", "The stored secrets are open: there is nothing to put aside.");
      }
      this.#file?.close();
      const folder = setVaultAside(this.#options.home, new Date());
      await this.#open();
      await this.#lookAtKeys();
      this.#announceAll();
      return folder;
    });
  }

  /** Resolves when the changes asked for so far are done. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  /** The text with `•••` in the place of every stored value of at least 4 characters, replaced values included. */
  redact(text: string): string {
    return this.#redaction.text(text);
  }

  /** As `redact`, for every string in a JSON-like value (keys excepted). */
  redactDeep<V>(value: V): V {
    return this.#redaction.deep(value) as V;
  }

  async close(): Promise<void> {
    await this.#queue;
    this.#file?.close();
    this.#dataKey?.fill(0);
    this.#values.clear();
    this.changes.removeAllListeners();
  }

  async #open(): Promise<void> {
    this.#problem = null;
    this.#dataKey = undefined;
    this.#file = undefined;
    this.#values.clear();
    try {
      this.#file = openStateFile<VaultData>({
        path: join(this.#options.home, "vault.json"),
        schema: vaultSchema,
        version: 1,
        initial: () => ({ slots: [], entries: [] }),
        onNotice: this.#options.onNotice,
        whenLost: "refuse",
      });
    } catch (error) {
      const { message, details } = toProblem(error);
      this.#close(`The stored secrets cannot be opened. ${message}`, undefined, details);
      return;
    }
    const { slots, entries } = this.#file.get();
    if (slots.length === 0 && entries.length === 0) {
      this.#backend = this.#options.keychain?.name ?? "a key file in Patchbay's folder";
      return;
    }
    const result = await openSlots(slots, this.#tools());
    if ("reasons" in result) this.#close(`The stored secrets cannot be opened. ${result.reasons.join(" ")}`);
    else this.#take(result.opened);
  }

  #take({ dataKey, backend }: OpenedSlot): void {
    this.#problem = null;
    this.#dataKey = dataKey;
    this.#backend = backend;
    for (const entry of this.#entries()) this.#unsealEntry(entry, dataKey);
  }

  /** What needed a secret and did not get it looks again, once for each agent that has its own. */
  #announceAll(): void {
    const first = new Map(this.#entries().map(({ name, agentId }) => [agentId, name]));
    for (const [agentId, name] of first) this.changes.emit("changed", name, agentId);
    this.changes.emit("status");
  }

  async #lookAtKeys(): Promise<void> {
    this.#keys = await viewSlots(this.#file?.get().slots ?? [], this.#tools());
  }

  async #nameBackend(slots: Slot[]): Promise<void> {
    const result = await openSlots(slots, this.#tools());
    if ("reasons" in result) this.#backend = "your passphrase";
    else this.#backend = result.opened.backend;
  }

  #unsealEntry(entry: Entry, dataKey: Buffer): void {
    const place = placeOf(entry.name, entry.agentId);
    try {
      const value = unseal(dataKey, entry.sealed, place).toString("utf8");
      this.#values.set(place, value);
      this.#redaction.add(value);
    } catch {
      this.#options.onNotice({
        code: "VAULT_CLOSED",
        message: `The stored secret ${entry.name}${forWhom(entry.agentId)} is damaged and cannot be read.`,
        help: `Store ${entry.name} again.`,
      });
    }
  }

  async #create(): Promise<Buffer> {
    const dataKey = randomBytes(KEY_BYTES);
    const slot = await createSlot(dataKey, this.#tools()).catch((error: unknown) => {
      if (error instanceof PatchbayError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new PatchbayError(
        "VAULT_CLOSED",
        `${this.#backend} did not take the key of the secrets: ${reason}.`,
      );
    });
    this.#file?.update((vault) => ({ ...vault, slots: [slot] }));
    this.#dataKey = dataKey;
    await this.#lookAtKeys();
    this.changes.emit("status");
    return dataKey;
  }

  #drop(gone: (entry: Entry) => boolean): void {
    const dropped = this.#entries().filter(gone);
    this.#file?.update((vault) => ({ ...vault, entries: vault.entries.filter((entry) => !gone(entry)) }));
    for (const entry of dropped) {
      this.#values.delete(placeOf(entry.name, entry.agentId));
      this.changes.emit("changed", entry.name, entry.agentId);
    }
  }

  #close(message: string, help?: string, details?: Record<string, unknown>): void {
    this.#problem = new PatchbayError("VAULT_CLOSED", message, { help, details }).toProblem();
    this.#backend = "nothing that opens here";
  }

  /** @throws PatchbayError VAULT_CLOSED */
  refuseWhenClosed(): void {
    if (this.#problem) throw new PatchbayError("VAULT_CLOSED", this.#problem.message, this.#problem);
  }

  /** Without its file nobody knows whether a name is missing or only hidden. */
  #refuseWhenUnreadable(): void {
    if (!this.#file) this.refuseWhenClosed();
  }

  #entries(): readonly Entry[] {
    return this.#file?.get().entries ?? [];
  }

  #find(name: string, agentId: string | null): Entry | undefined {
    return this.#entries().find((entry) => entry.name === name && entry.agentId === agentId);
  }

  #tools(): SlotTools {
    const { home, keychain, passphrase } = this.#options;
    return { home, keychain, passphrase };
  }

  #enqueue<R>(work: () => Promise<R>): Promise<R> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}

/** What a value is bound to: it cannot be passed off as that of another name or agent. */
function placeOf(name: string, agentId: string | null): string {
  return JSON.stringify(["patchbay secret", name, agentId]);
}

function refuseUnstorable(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw new PatchbayError(
      "BAD_INPUT",
      `"${name}" cannot be a secret's name: use letters, digits and underscores, not starting with a digit.`,
    );
  }
  if (value === "") throw new PatchbayError("BAD_INPUT", `The secret ${name} needs a value.`);
}

function forWhom(agentId: string | null): string {
  return agentId === null ? "" : ` of the agent ${agentId}`;
}
