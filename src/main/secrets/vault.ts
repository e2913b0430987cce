import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { PatchbayError, type Problem, toProblem } from "../../contract/errors.ts";
import type { Keychain } from "../platform.ts";
import { openStateFile, type StateFile } from "../store/index.ts";
import { readBackup, writeBackup } from "./backup.ts";
import { createPassphraseSlot, createSlot, openSlots, type SlotTools, slotSchema } from "./key-slots.ts";
import { refuseWeak } from "./passphrase.ts";
import { Redaction } from "./redaction.ts";
import { KEY_BYTES, seal, sealedSchema, unseal } from "./sealing.ts";

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
  readonly changes = new EventEmitter<{ changed: [name: string, agentId: string | null] }>();
  readonly #options: VaultOptions;
  readonly #values = new Map<string, string>();
  readonly #redaction = new Redaction();
  #file: StateFile<VaultData> | undefined;
  #dataKey: Buffer | undefined;
  #backend = "nothing yet";
  #problem: Problem | null = null;
  /** Ends when the changes asked for so far are done; never rejects. */
  #queue: Promise<unknown> = Promise.resolve();

  /** Never rejects: a vault that does not open says why in `status()`, and its values throw VAULT_CLOSED. */
  static async open(options: VaultOptions): Promise<Vault> {
    const vault = new Vault(options);
    await vault.#open();
    return vault;
  }

  private constructor(options: VaultOptions) {
    this.#options = options;
  }

  /** Where the key is kept, in words, and why the vault is closed if it is. */
  status(): { backend: string; open: boolean; problem: Problem | null } {
    return { backend: this.#backend, open: this.#problem === null, problem: this.#problem };
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
    this.#refuseWhenClosed();
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
      this.#refuseWhenClosed();
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
   * Lets the vault be opened with a passphrase too; null takes that away.
   *
   * @throws PatchbayError BAD_INPUT, VAULT_CLOSED (also when nothing else would open it any more), DISK_FULL, WRITE_FAILED
   */
  setPassphrase(passphrase: string | null): Promise<void> {
    return this.#enqueue(async () => {
      if (passphrase !== null) refuseWeak(passphrase);
      this.#refuseWhenClosed();
      const dataKey = this.#dataKey ?? (await this.#create());
      const others = (this.#file?.get().slots ?? []).filter(({ kind }) => kind !== "passphrase");
      const added = passphrase === null ? [] : [await createPassphraseSlot(dataKey, passphrase)];
      if (others.length + added.length === 0) {
        throw new PatchbayError("VAULT_CLOSED", "The passphrase is the only key to the stored secrets.");
      }
      this.#file?.update((vault) => ({ ...vault, slots: [...others, ...added] }));
    });
  }

  /** Every secret in one text, locked with a passphrase. @throws PatchbayError BAD_INPUT, VAULT_CLOSED */
  async backup(passphrase: string): Promise<string> {
    await this.#queue;
    this.#refuseWhenClosed();
    const secrets = this.#entries().flatMap(({ name, agentId }) => {
      const value = this.#values.get(placeOf(name, agentId));
      return value === undefined ? [] : [{ name, agentId, value }];
    });
    return writeBackup(secrets, passphrase);
  }

  /**
   * Stores what a backup holds; what is stored under the same name stays, unless `replace`.
   *
   * @returns the names that were stored and those that stayed
   * @throws PatchbayError BACKUP_INVALID, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  async restore(
    text: string,
    passphrase: string,
    replace: boolean,
  ): Promise<{ stored: string[]; kept: string[] }> {
    const secrets = await readBackup(text, passphrase);
    const isKept = ({ name, agentId }: { name: string; agentId: string | null }) =>
      !replace && this.#find(name, agentId) !== undefined;
    const kept = secrets.filter(isKept);
    const wanted = secrets.filter((secret) => !isKept(secret));
    for (const agentId of new Set(wanted.map((secret) => secret.agentId))) {
      const own = wanted.filter((secret) => secret.agentId === agentId);
      await this.setAll(new Map(own.map(({ name, value }) => [name, value])), agentId);
    }
    return { stored: wanted.map(({ name }) => name), kept: kept.map(({ name }) => name) };
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
    if ("reasons" in result) {
      this.#close(`The stored secrets cannot be opened. ${result.reasons.join(" ")}`);
      return;
    }
    this.#dataKey = result.opened.dataKey;
    this.#backend = result.opened.backend;
    for (const entry of entries) this.#unsealEntry(entry, result.opened.dataKey);
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
    const problem = new PatchbayError("VAULT_CLOSED", message, { help, details }).toProblem();
    this.#problem = problem;
    this.#backend = "nothing that opens here";
    this.#options.onNotice(problem);
  }

  #refuseWhenClosed(): void {
    if (this.#problem) throw new PatchbayError("VAULT_CLOSED", this.#problem.message, this.#problem);
  }

  /** Without its file nobody knows whether a name is missing or only hidden. */
  #refuseWhenUnreadable(): void {
    if (!this.#file) this.#refuseWhenClosed();
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
