import type { Problem } from "../../contract/errors.ts";
import { bytesOf } from "./redaction/memory.ts";
import type { Redaction } from "./redaction/redaction.ts";
import { damaged } from "./secret-problems.ts";
import { type Entry, isOwn, placeOf, sealEntry, unsealEntry } from "./vault-file.ts";
import type { VaultLock } from "./vault-lock.ts";

/**
 * The values in the vault. None is kept in memory: each is decrypted when it is used, and wiped as far as it is bytes
 * (a string cannot be wiped). What stays are marks, by which equal values are known as equal, and the fingerprints of
 * the redaction.
 */
export class VaultValues {
  readonly #lock: VaultLock;
  readonly #redaction: Redaction;
  readonly #onNotice: (problem: Problem) => void;
  /** By the entry's place: a mark for each value that can be read. */
  readonly #marks = new Map<string, string>();

  constructor(lock: VaultLock, redaction: Redaction, onNotice: (problem: Problem) => void) {
    this.#lock = lock;
    this.#redaction = redaction;
    this.#onNotice = onNotice;
  }

  entries(): readonly Entry[] {
    return this.#lock.file?.get().entries ?? [];
  }

  find(name: string, agentId: string | null): Entry | undefined {
    return this.entries().find((entry) => entry.name === name && entry.agentId === agentId);
  }

  /** The agent's own entry, else the one that all share. */
  findFor(name: string, agentId: string | null): Entry | undefined {
    return this.find(name, agentId) ?? this.find(name, null);
  }

  /** The value, as the string in which it is used. @throws PatchbayError VAULT_CLOSED when it cannot be read */
  valueOf(entry: Entry): string {
    const bytes = this.#bytesOf(entry);
    const value = bytes.toString("utf8");
    bytes.fill(0);
    return value;
  }

  /** @throws PatchbayError VAULT_CLOSED when it cannot be read */
  markOf(entry: Entry): string {
    this.#lock.refuseWhenClosed();
    const mark = this.#marks.get(placeOf(entry));
    if (mark !== undefined) return mark;
    throw damaged({ name: entry.name, agentId: null });
  }

  /** Redacts texts inside a value that is a JSON document. @throws PatchbayError VAULT_CLOSED */
  hideInside(entry: Entry, keys: readonly string[] | null): void {
    const bytes = this.#bytesOf(entry);
    this.#redaction.addInside(bytes, keys);
    bytes.fill(0);
  }

  /** Looks once at every value, so that each can be redacted. Does nothing while the vault is closed. */
  learnAll(): void {
    this.forgetAll();
    const { dataKey } = this.#lock;
    if (dataKey) for (const entry of this.entries()) this.#learnEntry(entry, dataKey);
  }

  forgetAll(): void {
    this.#marks.clear();
  }

  /** Stores values in one write. */
  async store(dataKey: Buffer, values: ReadonlyMap<string, string>, agentId: string | null): Promise<void> {
    const marks = new Map<string, string>();
    const added = Array.from(values, ([name, value]) => {
      const bytes = bytesOf(value);
      this.#learn(name, bytes);
      marks.set(placeOf({ name, agentId }), this.#redaction.markOf(bytes));
      const entry = sealEntry(dataKey, name, agentId, bytes);
      bytes.fill(0);
      return entry;
    });
    const replaces = this.entries().some((old) => marks.has(placeOf(old)));
    // The kept copies of the file still hold what is replaced.
    if (replaces) await this.#lock.file?.forgetCopies();
    await this.#lock.file?.put(added);
    for (const [place, mark] of marks) this.#marks.set(place, mark);
  }

  /** Removes entries, and with them the key that they were sealed with. Returns them. */
  async drop(gone: (entry: Entry) => boolean): Promise<Entry[]> {
    const dropped = this.entries().filter(gone);
    await this.#lock.rotate((entries) => entries.filter((entry) => !gone(entry)));
    for (const entry of dropped) this.#marks.delete(placeOf(entry));
    return dropped;
  }

  /** What Patchbay keeps for itself reaches no text, and a vault with nothing else must not cost each call a search. */
  #learn(name: string, bytes: Uint8Array): void {
    if (!isOwn(name)) this.#redaction.add(bytes);
  }

  #learnEntry(entry: Entry, dataKey: Buffer): void {
    try {
      const bytes = unsealEntry(dataKey, entry);
      this.#learn(entry.name, bytes);
      this.#marks.set(placeOf(entry), this.#redaction.markOf(bytes));
      bytes.fill(0);
    } catch {
      this.#onNotice(damaged(entry).toProblem());
    }
  }

  #bytesOf(entry: Entry): Buffer {
    this.#lock.refuseWhenClosed();
    const { dataKey } = this.#lock;
    try {
      if (dataKey) return unsealEntry(dataKey, entry);
    } catch {
      // Said below: the entry was changed, or moved from another place.
    }
    throw damaged({ name: entry.name, agentId: null });
  }
}
