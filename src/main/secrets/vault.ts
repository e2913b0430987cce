import { EventEmitter } from "node:events";
import { PatchbayError, type Problem } from "../../contract/errors.ts";
import { redactDeep } from "../base/redact-deep.ts";
import { redactWrapped } from "../base/redact-wrapped.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import type { SlotView } from "./keys/key-slots.ts";
import { refuseWeak } from "./keys/passphrase.ts";
import { Redaction } from "./redaction/redaction.ts";
import { notStored, refuseUnstorable } from "./secret-problems.ts";
import { type Entry, isOwn, type OwnName } from "./vault-file.ts";
import { VaultLock, type VaultOptions } from "./vault-lock.ts";
import { VaultValues } from "./vault-values.ts";

/**
 * The secrets of this person, each value encrypted with AES-256-GCM under one random data key and
 * bound to its name and agent. Names are known even when the values cannot be opened. A value is decrypted when it is
 * used and not kept; the data key is made anew when a secret goes or the ways to open the vault change.
 */
export class Vault {
  readonly changes = new EventEmitter<{
    changed: [name: string, agentId: string | null];
    /** The vault was opened or closed, or its slots changed. */
    status: [];
  }>();
  readonly #lock: VaultLock;
  readonly #values: VaultValues;
  readonly #redaction = new Redaction();
  readonly #queue = new SerialQueue();
  /** Whether this is the passphrase that opens the vault. Changes nothing. */
  readonly isPassphrase = (typed: string) => this.#lock.isPassphrase(typed);

  /** Never rejects. For a vault that does not open, `status()` says why, and reading its values throws VAULT_CLOSED. */
  static async open(options: VaultOptions): Promise<Vault> {
    const vault = new Vault(options);
    await vault.#open();
    return vault;
  }

  private constructor(options: VaultOptions) {
    this.#lock = new VaultLock(options);
    this.#values = new VaultValues(this.#lock, this.#redaction, options.onNotice);
  }

  /**
   * `backend`: where the key is kept, in words. `canUnlock`: the vault is closed and a passphrase would open it.
   * `problem`: why it is closed; null while it is open.
   */
  status(): { backend: string; open: boolean; canUnlock: boolean; problem: Problem | null } {
    return this.#lock.status();
  }

  /** Failed unlocks since the last one that succeeded. */
  get failedUnlocks(): number {
    return this.#lock.failedUnlocks;
  }

  /** All slots of the vault, and for each whether it opened the vault on this machine at the last try. */
  keys(): readonly SlotView[] {
    return this.#lock.keys;
  }

  list(): { name: string; agentId: string | null; updatedAt: string }[] {
    return this.#values
      .entries()
      .filter(({ name }) => !isOwn(name))
      .map(({ name, agentId, updatedAt }) => ({ name, agentId, updatedAt }));
  }

  has(name: string, agentId: string | null): boolean {
    if (isOwn(name)) return false;
    return this.#values.findFor(name, agentId) !== undefined;
  }

  /**
   * The value for an agent: its own, else the one shared by all. `agentId` null: only the shared one.
   *
   * @throws PatchbayError VAULT_CLOSED when a value is stored but the vault is closed
   */
  resolve(name: string, agentId: string | null): string | undefined {
    return isOwn(name) ? undefined : this.#valueOf(name, agentId);
  }

  /**
   * What Patchbay keeps for itself under a name that no person, setting or plugin can use (`integrity-key.ts`).
   * @throws PatchbayError VAULT_CLOSED
   */
  ownValue(name: OwnName): string | undefined {
    this.refuseWhenClosed();
    return this.#valueOf(name, null);
  }

  /** Throws as `set` does. */
  setOwnValue(name: OwnName, value: string): Promise<void> {
    return this.#queue.run(() => this.#store(new Map([[name, value]]), null));
  }

  /**
   * A text that is equal for equal values and says nothing about them: what depends on a secret can be compared without
   * it. Throws as `resolve`.
   */
  markOf(name: string, agentId: string | null): string | undefined {
    const entry = isOwn(name) ? undefined : this.#find(name, agentId);
    return entry && this.#values.markOf(entry);
  }

  /**
   * Redacts, from now on, texts inside a value that is a JSON document: those under these keys, or all (null). Throws as
   * `resolve`.
   */
  hideInside(name: string, agentId: string | null, keys: readonly string[] | null): void {
    const entry = this.#find(name, agentId);
    if (entry) this.#values.hideInside(entry, keys);
  }

  #valueOf(name: string, agentId: string | null): string | undefined {
    const entry = this.#find(name, agentId);
    return entry && this.#values.valueOf(entry);
  }

  #find(name: string, agentId: string | null): Entry | undefined {
    this.#refuseWhenUnreadable();
    return this.#values.findFor(name, agentId);
  }

  /** Stores a value for one agent or, with null, for all. @throws PatchbayError BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  set(name: string, agentId: string | null, value: string): Promise<void> {
    return this.setAll(new Map([[name, value]]), agentId);
  }

  /** Stores several values in one write: all of them, or none. Throws as `set` does. */
  setAll(values: ReadonlyMap<string, string>, agentId: string | null): Promise<void> {
    return this.#queue.run(async () => {
      for (const [name, value] of values) refuseUnstorable(name, value);
      if (values.size === 0) return;
      await this.#store(values, agentId);
      for (const name of values.keys()) this.changes.emit("changed", name, agentId);
    });
  }

  async #store(values: ReadonlyMap<string, string>, agentId: string | null): Promise<void> {
    this.refuseWhenClosed();
    await this.#values.store(await this.#dataKey(), values, agentId);
  }

  /** Redacts this value from now on, although it is not stored (yet). */
  hide(value: string): void {
    this.#redaction.add(value);
  }

  /** @throws PatchbayError SECRET_NOT_FOUND, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  remove(name: string, agentId: string | null): Promise<void> {
    return this.#queue.run(async () => {
      this.#refuseWhenUnreadable();
      if (isOwn(name) || !this.#values.find(name, agentId)) throw notStored({ name, agentId });
      await this.#drop((entry) => entry.name === name && entry.agentId === agentId);
    });
  }

  /** Removes, in one write, values that this agent has of its own. @throws PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  removeAll(names: Iterable<string>, agentId: string): Promise<void> {
    const gone = new Set(names);
    return this.#queue.run(async () => {
      this.#refuseWhenUnreadable();
      const isGone = (entry: Entry) => entry.agentId === agentId && gone.has(entry.name);
      if (this.#values.entries().some(isGone)) await this.#drop(isGone);
    });
  }

  /** Removes all values that belong to this agent alone. */
  removeAgent(agentId: string): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#values.entries().some((entry) => entry.agentId === agentId)) {
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
      this.#values.learnAll();
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
      this.#values.forgetAll();
      const folder = await this.#lock.startOver();
      this.#values.learnAll();
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
    return this.hasNone ? text : redactWrapped(text, (part) => this.#redaction.text(part));
  }

  /** True when no value is known, so that `redact` would change nothing. */
  get hasNone(): boolean {
    return this.#redaction.hasNone;
  }

  /** As `redact`, for every string in a JSON-like value, names of fields too. */
  redactDeep<V>(value: V): V {
    return this.hasNone ? value : redactDeep(value, (text) => this.redact(text));
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#lock.close();
    this.#values.forgetAll();
    this.changes.removeAllListeners();
  }

  async #open(): Promise<void> {
    this.#values.forgetAll();
    await this.#lock.open();
    this.#values.learnAll();
  }

  /** Announces one change for the shared values and one for each agent's, so that plugins ask again for secrets. */
  #announceAll(): void {
    const first = new Map(this.#values.entries().map(({ name, agentId }) => [agentId, name]));
    for (const [agentId, name] of first) this.changes.emit("changed", name, agentId);
    this.changes.emit("status");
  }

  /** A vault that was never used gets its key with its first secret. */
  async #dataKey(): Promise<Buffer> {
    if (this.#lock.dataKey) return this.#lock.dataKey;
    const dataKey = await this.#lock.create();
    this.changes.emit("status");
    return dataKey;
  }

  async #drop(gone: (entry: Entry) => boolean): Promise<void> {
    for (const { name, agentId } of await this.#values.drop(gone))
      this.changes.emit("changed", name, agentId);
  }

  /** @throws PatchbayError VAULT_CLOSED */
  refuseWhenClosed(): void {
    this.#lock.refuseWhenClosed();
  }

  /** Refuses when the vault's file could not be read: then it is not known whether a value is stored under a name. */
  #refuseWhenUnreadable(): void {
    if (!this.#lock.file) this.refuseWhenClosed();
  }
}
