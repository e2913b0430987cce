import { EventEmitter } from "node:events";
import { PatchbayError, type Problem } from "../../contract/errors.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import type { SlotView } from "./key-slots.ts";
import { refuseWeak } from "./passphrase.ts";
import { Redaction } from "./redaction.ts";
import { damaged, notStored, refuseUnstorable } from "./secret-problems.ts";
import { type Entry, placeOf, sealEntry, unsealEntry } from "./vault-file.ts";
import { VaultLock, type VaultOptions } from "./vault-lock.ts";

/**
 * The secrets of this person, each value encrypted with AES-256-GCM under one random data key and
 * bound to its name and agent. Names are known even when the values cannot be opened.
 */
export class Vault {
  readonly changes = new EventEmitter<{
    changed: [name: string, agentId: string | null];
    /** The vault was opened or closed, or its slots changed. */
    status: [];
  }>();
  readonly #onNotice: (problem: Problem) => void;
  readonly #lock: VaultLock;
  readonly #values = new Map<string, string>();
  readonly #redaction = new Redaction();
  readonly #queue = new SerialQueue();

  /** Never rejects. For a vault that does not open, `status()` says why, and reading its values throws VAULT_CLOSED. */
  static async open(options: VaultOptions): Promise<Vault> {
    const vault = new Vault(options);
    await vault.#open();
    return vault;
  }

  private constructor(options: VaultOptions) {
    this.#onNotice = options.onNotice;
    this.#lock = new VaultLock(options);
  }

  /**
   * `backend`: where the key is kept, in words. `canUnlock`: the vault is closed and a passphrase would open it.
   * `problem`: why it is closed; null while it is open.
   */
  status(): { backend: string; open: boolean; canUnlock: boolean; problem: Problem | null } {
    return this.#lock.status();
  }

  /** All slots of the vault, and for each whether it opened the vault on this machine at the last try. */
  keys(): readonly SlotView[] {
    return this.#lock.keys;
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
   * @throws PatchbayError VAULT_CLOSED when a value is stored but the vault is closed
   */
  resolve(name: string, agentId: string | null): string | undefined {
    this.#refuseWhenUnreadable();
    const entry = this.#find(name, agentId) ?? this.#find(name, null);
    if (!entry) return undefined;
    this.refuseWhenClosed();
    const value = this.#values.get(placeOf(entry));
    if (value !== undefined) return value;
    throw damaged({ name, agentId: null });
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
    return this.#queue.run(async () => {
      for (const [name, value] of values) refuseUnstorable(name, value);
      if (values.size === 0) return;
      this.refuseWhenClosed();
      for (const value of values.values()) this.#redaction.add(value);
      const dataKey = await this.#dataKey();
      const added = Array.from(values, ([name, value]) => sealEntry(dataKey, name, agentId, value));
      const places = new Set(added.map(placeOf));
      await this.#lock.file?.update((vault) => ({
        ...vault,
        entries: [...vault.entries.filter((old) => !places.has(placeOf(old))), ...added],
      }));
      for (const [name, value] of values) this.#values.set(placeOf({ name, agentId }), value);
      for (const name of values.keys()) this.changes.emit("changed", name, agentId);
    });
  }

  /** Redacts this value from now on, although it is not stored (yet). */
  hide(value: string): void {
    this.#redaction.add(value);
  }

  /** @throws PatchbayError SECRET_NOT_FOUND, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  remove(name: string, agentId: string | null): Promise<void> {
    return this.#queue.run(async () => {
      this.#refuseWhenUnreadable();
      if (!this.#find(name, agentId)) throw notStored({ name, agentId });
      await this.#drop((entry) => entry.name === name && entry.agentId === agentId);
    });
  }

  /**
   * Removes, in one write, those of the names for which this agent has a value of its own. Shared values stay.
   * @throws PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  removeAll(names: Iterable<string>, agentId: string): Promise<void> {
    const gone = new Set(names);
    return this.#queue.run(async () => {
      this.#refuseWhenUnreadable();
      const isGone = (entry: Entry) => entry.agentId === agentId && gone.has(entry.name);
      if (this.#entries().some(isGone)) await this.#drop(isGone);
    });
  }

  /** Removes all values that belong to this agent alone. */
  removeAgent(agentId: string): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#entries().some((entry) => entry.agentId === agentId)) {
        await this.#drop((entry) => entry.agentId === agentId);
      }
    });
  }

  /**
   * Adds a passphrase as one more way to open the vault. `alone`: the only way; the person is then asked at each start.
   * Null removes the passphrase; where it was the only way, the keychain or a key file takes its place.
   *
   * @throws PatchbayError BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  setPassphrase(passphrase: string | null, alone = false): Promise<void> {
    return this.#queue.run(async () => {
      if (passphrase !== null) refuseWeak(passphrase);
      this.refuseWhenClosed();
      const dataKey = await this.#dataKey();
      if (passphrase !== null) this.hide(passphrase);
      await this.#lock.setPassphrase(dataKey, passphrase, alone);
      this.changes.emit("status");
    });
  }

  get hasPassphrase(): boolean {
    return this.#lock.hasPassphrase;
  }

  /** Whether this is the passphrase that opens the vault. Changes nothing. */
  isPassphrase(passphrase: string): Promise<boolean> {
    return this.#lock.isPassphrase(passphrase);
  }

  /**
   * Opens a closed vault with its passphrase.
   *
   * @throws PatchbayError PASSPHRASE_WRONG, VAULT_CLOSED when no passphrase opens it
   */
  unlock(passphrase: string): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#lock.isOpen) return;
      await this.#lock.unlock(passphrase);
      this.hide(passphrase);
      this.#unsealAll();
      this.#announceAll();
    });
  }

  /** Tries again to open a closed vault: its files may have been put back, or the keychain been unlocked, since. */
  retry(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#lock.isOpen) return;
      await this.#open();
      this.#announceAll();
    });
  }

  /**
   * Moves a vault that does not open aside, with all its files, and begins an empty one.
   *
   * @returns the folder in which the old vault lies now, or null when there was none
   * @throws PatchbayError BAD_INPUT when it is open, WRITE_FAILED
   */
  startOver(): Promise<string | null> {
    return this.#queue.run(async () => {
      if (this.#lock.isOpen) {
        throw new PatchbayError("BAD_INPUT", "The stored secrets are open: there is nothing to put aside.");
      }
      this.#values.clear();
      const folder = await this.#lock.startOver();
      this.#unsealAll();
      this.#announceAll();
      return folder;
    });
  }

  /** Resolves when the changes asked for so far are done. */
  async settled(): Promise<void> {
    await this.#queue.idle();
  }

  /** The text with `•••` in the place of every stored value of at least 4 characters, replaced values included. */
  redact(text: string): string {
    return this.#redaction.text(text);
  }

  /** True when no value is known, so that `redact` would change nothing. */
  get hasNone(): boolean {
    return this.#redaction.hasNone;
  }

  /** As `redact`, for every string in a JSON-like value (keys excepted). */
  redactDeep<V>(value: V): V {
    return this.#redaction.deep(value) as V;
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#lock.close();
    this.#values.clear();
    this.changes.removeAllListeners();
  }

  async #open(): Promise<void> {
    this.#values.clear();
    await this.#lock.open();
    this.#unsealAll();
  }

  /**
   * Announces a change once for the shared values and once for each agent with values of its own, so that plugins that
   * were refused a secret ask for it again.
   */
  #announceAll(): void {
    const first = new Map(this.#entries().map(({ name, agentId }) => [agentId, name]));
    for (const [agentId, name] of first) this.changes.emit("changed", name, agentId);
    this.changes.emit("status");
  }

  #unsealAll(): void {
    const { dataKey } = this.#lock;
    if (dataKey) for (const entry of this.#entries()) this.#unsealEntry(entry, dataKey);
  }

  #unsealEntry(entry: Entry, dataKey: Buffer): void {
    try {
      const value = unsealEntry(dataKey, entry);
      this.#values.set(placeOf(entry), value);
      this.#redaction.add(value);
    } catch {
      this.#onNotice(damaged(entry).toProblem());
    }
  }

  /** A vault that was never used gets its key with its first secret. */
  async #dataKey(): Promise<Buffer> {
    if (this.#lock.dataKey) return this.#lock.dataKey;
    const dataKey = await this.#lock.create();
    this.changes.emit("status");
    return dataKey;
  }

  async #drop(gone: (entry: Entry) => boolean): Promise<void> {
    const dropped = this.#entries().filter(gone);
    await this.#lock.file?.update((vault) => ({
      ...vault,
      entries: vault.entries.filter((entry) => !gone(entry)),
    }));
    for (const entry of dropped) {
      this.#values.delete(placeOf(entry));
      this.changes.emit("changed", entry.name, entry.agentId);
    }
  }

  /** @throws PatchbayError VAULT_CLOSED */
  refuseWhenClosed(): void {
    this.#lock.refuseWhenClosed();
  }

  /** Refuses when the vault's file could not be read: then it is not known whether a value is stored under a name. */
  #refuseWhenUnreadable(): void {
    if (!this.#lock.file) this.refuseWhenClosed();
  }

  #entries(): readonly Entry[] {
    return this.#lock.file?.get().entries ?? [];
  }

  #find(name: string, agentId: string | null): Entry | undefined {
    return this.#entries().find((entry) => entry.name === name && entry.agentId === agentId);
  }
}
