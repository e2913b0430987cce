import { randomBytes } from "node:crypto";
import { PatchbayError, type Problem, toProblem } from "../../contract/errors.ts";
import type { Keychain } from "../platform/platform.ts";
import type { Storage } from "../store/index.ts";
import {
  createSlot,
  forgetKeyFile,
  hasPassphrase,
  type OpenedSlot,
  openSlots,
  type Slot,
  type SlotTools,
  type SlotView,
  viewSlots,
  withoutPassphrase,
  withPassphrase,
} from "./key-slots.ts";
import { KEY_BYTES } from "./sealing.ts";
import { type Entry, VaultFile } from "./vault-file.ts";

export interface VaultOptions {
  storage: Pick<Storage, "rows" | "vaultKey" | "setVaultAside">;
  keychain?: Keychain;
  /** Opens a vault that has a slot for a passphrase. */
  passphrase?: string;
  onNotice(problem: Problem): void;
}

/** Opens the vault and keeps its data key: reads the file, tries the slots in it, and changes them. */
export class VaultLock {
  readonly #options: VaultOptions;
  #file: VaultFile | undefined;
  #dataKey: Buffer | undefined;
  #backend = "nothing yet";
  #keys: readonly SlotView[] = [];
  #problem: Problem | null = null;

  constructor(options: VaultOptions) {
    this.#options = options;
  }

  get file(): VaultFile | undefined {
    return this.#file;
  }

  /** Undefined while the vault is closed, and before its first secret is stored. */
  get dataKey(): Buffer | undefined {
    return this.#dataKey;
  }

  get isOpen(): boolean {
    return this.#problem === null;
  }

  get keys(): readonly SlotView[] {
    return this.#keys;
  }

  status(): { backend: string; open: boolean; canUnlock: boolean; problem: Problem | null } {
    const canUnlock = !this.isOpen && hasPassphrase(this.#slots());
    return { backend: this.#backend, open: this.isOpen, canUnlock, problem: this.#problem };
  }

  /** Reads the file and tries its slots. Never rejects: `status()` says why the vault stays closed. */
  async open(): Promise<void> {
    await this.#file?.close();
    this.#problem = null;
    this.#dataKey = undefined;
    this.#file = undefined;
    await this.#openFile();
    await this.#lookAtKeys();
  }

  /**
   * Opens the vault with its passphrase. @throws PatchbayError PASSPHRASE_WRONG, VAULT_CLOSED when no passphrase opens
   * it
   */
  async unlock(passphrase: string): Promise<void> {
    const slots = this.#slots();
    if (!hasPassphrase(slots)) this.refuseWhenClosed();
    const result = await openSlots(slots, { ...this.#tools(), passphrase });
    if ("reasons" in result) {
      throw new PatchbayError("PASSPHRASE_WRONG", "That is not the passphrase of the stored secrets.");
    }
    this.#take(result.opened);
  }

  /** Makes the data key of a vault that never had one. @throws PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  async create(): Promise<Buffer> {
    const dataKey = randomBytes(KEY_BYTES);
    const slot = await createSlot(dataKey, this.#tools()).catch((error: unknown) => {
      if (error instanceof PatchbayError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new PatchbayError(
        "VAULT_CLOSED",
        `${this.#backend} did not take the key of the secrets: ${reason}.`,
      );
    });
    await this.#file?.update((vault) => ({ ...vault, slots: [slot] }));
    this.#dataKey = dataKey;
    await this.#lookAtKeys();
    return dataKey;
  }

  /**
   * Sets the passphrase, or removes it (null). `alone`: nothing else opens the vault then.
   * @throws PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  async setPassphrase(dataKey: Buffer, passphrase: string | null, alone: boolean): Promise<void> {
    const slots =
      passphrase === null
        ? await withoutPassphrase(this.#slots(), dataKey, this.#tools())
        : await withPassphrase(this.#slots(), dataKey, passphrase, alone);
    await this.#file?.update((vault) => ({ ...vault, slots }));
    await forgetKeyFile(slots, this.#options.storage.vaultKey);
    await this.#lookAtKeys();
    const result = await openSlots(slots, this.#tools());
    this.#backend = "reasons" in result ? "your passphrase" : result.opened.backend;
  }

  /**
   * Moves the closed vault aside, with all its files, and begins an empty one.
   * @returns the folder in which the old vault lies now, or null when there was none
   */
  async startOver(): Promise<string | null> {
    await this.#file?.close();
    const folder = await this.#options.storage.setVaultAside();
    await this.open();
    return folder;
  }

  /** @throws PatchbayError VAULT_CLOSED */
  refuseWhenClosed(): void {
    if (this.#problem) throw new PatchbayError("VAULT_CLOSED", this.#problem.message, this.#problem);
  }

  /** Removes entries. */
  async rotate(change: (entries: Entry[]) => Entry[]): Promise<void> {
    await this.#file?.update((vault) => ({ ...vault, entries: change(vault.entries) }));
  }

  async purge(): Promise<void> {}

  async close(): Promise<void> {
    await this.#file?.close();
    this.#dataKey?.fill(0);
  }

  async #openFile(): Promise<void> {
    try {
      this.#file = new VaultFile(this.#options.storage);
    } catch (error) {
      const { message, details } = toProblem(error);
      this.#shut(`The stored secrets cannot be opened. ${message}`, details);
      return;
    }
    const { slots, entries } = this.#file.get();
    if (slots.length === 0 && entries.length === 0) {
      this.#backend = this.#options.keychain?.name ?? "a key file in Patchbay's folder";
      return;
    }
    const result = await openSlots(slots, this.#tools());
    if ("reasons" in result) this.#shut(`The stored secrets cannot be opened. ${result.reasons.join(" ")}`);
    else this.#take(result.opened);
  }

  #take({ dataKey, backend }: OpenedSlot): void {
    this.#problem = null;
    this.#dataKey = dataKey;
    this.#backend = backend;
  }

  #shut(message: string, details?: Record<string, unknown>): void {
    this.#problem = new PatchbayError("VAULT_CLOSED", message, { details }).toProblem();
    this.#backend = "nothing that opens here";
  }

  async #lookAtKeys(): Promise<void> {
    this.#keys = await viewSlots(this.#slots(), this.#tools());
  }

  #slots(): Slot[] {
    return this.#file?.get().slots ?? [];
  }

  #tools(): SlotTools {
    const { storage, keychain, passphrase } = this.#options;
    return { keyFile: storage.vaultKey, keychain, passphrase };
  }
}
