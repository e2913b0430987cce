import { randomBytes } from "node:crypto";
import { PatchbayError, type Problem, toProblem } from "../../contract/errors.ts";
import type { Clock } from "../base/clock.ts";
import type { Keychain } from "../platform/platform.ts";
import type { Storage } from "../store/index.ts";
import {
  createSlot,
  forgetKeyFile,
  hasPassphrase,
  isPassphraseOf,
  type OpenedSlot,
  openSlots,
  type Slot,
  type SlotTools,
  type SlotView,
  upgraded,
  viewSlots,
  withoutPassphrase,
  withPassphrase,
} from "./keys/key-slots.ts";
import { rewrapAll, withoutDeadKeyFiles } from "./keys/rewrap.ts";
import { KEY_BYTES } from "./keys/sealing.ts";
import { UnlockAttempts } from "./unlock-attempts.ts";
import { type Entry, resealed, type VaultContent, VaultFile } from "./vault-file.ts";

export interface VaultOptions {
  storage: Pick<Storage, "rows" | "vaultKey" | "setVaultAside" | "forgetVaultCopies">;
  keychain?: Keychain;
  /** Opens a vault that has a slot for a passphrase. */
  passphrase?: string;
  clock?: Clock;
  onNotice(problem: Problem): void;
}

const asTheyAre = (entries: Entry[]) => entries;

/** Opens the vault and keeps its data key: reads the file, tries the slots in it, and changes them. */
export class VaultLock {
  readonly #options: VaultOptions;
  readonly #attempts: UnlockAttempts;
  #file: VaultFile | undefined;
  #dataKey: Buffer | undefined;
  #backend = "nothing yet";
  #keys: readonly SlotView[] = [];
  #problem: Problem | null = null;

  constructor(options: VaultOptions) {
    this.#options = options;
    this.#attempts = new UnlockAttempts(options.storage, options.clock);
  }

  /** Failed unlocks since the last one that succeeded. */
  get failedUnlocks(): number {
    return this.#attempts.failed;
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
    await this.#finish();
    await this.#lookAtKeys();
  }

  /**
   * Opens the vault with its passphrase. @throws PatchbayError PASSPHRASE_WRONG, VAULT_CLOSED when no passphrase opens
   * it
   */
  async unlock(passphrase: string): Promise<void> {
    const slots = this.#slots();
    if (!hasPassphrase(slots)) this.refuseWhenClosed();
    await this.#attempts.begin();
    const result = await openSlots(slots, { ...this.#tools(), passphrase });
    if ("reasons" in result) {
      throw new PatchbayError("PASSPHRASE_WRONG", "That is not the passphrase of the stored secrets.");
    }
    await this.#attempts.succeeded();
    this.#take(result.opened);
    const better = await upgraded(slots, result.opened.dataKey, passphrase);
    if (better !== slots) await this.rotate(asTheyAre, better);
    else await this.#finish();
  }

  /** Whether this is the passphrase. Opens nothing. */
  isPassphrase(passphrase: string): Promise<boolean> {
    return isPassphraseOf(this.#slots(), { ...this.#tools(), passphrase });
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
    const made =
      passphrase === null
        ? await withoutPassphrase(this.#slots(), dataKey, this.#tools())
        : await withPassphrase(this.#slots(), dataKey, passphrase, alone);
    await this.rotate(asTheyAre, made);
    const slots = this.#slots();
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

  /**
   * Makes a new data key: every entry is sealed anew, every slot gets the new key, a key file gets a new key of its own,
   * and the kept copies of the file go. Whoever had the old key opens nothing with it. A kill leaves a file that opens,
   * with all entries; what is left to do is done at the next start. Where a slot cannot get the new key now (it is of an
   * older form, and its keychain or passphrase is not at hand), or the vault is closed, the entries change and the rest
   * waits until it opens.
   *
   * @throws PatchbayError DISK_FULL, WRITE_FAILED; nothing is changed then
   */
  async rotate(
    change: (entries: Entry[]) => Entry[] = asTheyAre,
    slots: readonly Slot[] = this.#slots(),
  ): Promise<void> {
    const file = this.#file;
    const old = this.#dataKey;
    if (!file) return;
    const fresh = randomBytes(KEY_BYTES);
    const next = old && slots.length > 0 ? await rewrapAll(slots, old, fresh, this.#tools()) : null;
    if (!old || !next) {
      // Nothing is new: it waits on.
      if (change === asTheyAre && slots === file.get().slots && file.get().due === "key") return;
      await file.update((vault) => ({ slots: [...slots], entries: change(vault.entries), due: "key" }));
      return this.#clear("key");
    }
    await file.update((vault) => ({
      slots: next.keyFile?.before ?? next.slots,
      entries: resealed(change(vault.entries), old, fresh),
      due: "copies",
    }));
    this.#dataKey = fresh;
    old.fill(0);
    try {
      if (next.keyFile) {
        await this.#options.storage.vaultKey.write(next.keyFile.key);
        await file.update((vault) => ({ ...vault, slots: next.slots }));
      }
      await this.#clear();
    } catch {
      // The values are safe under the new key. What is left over goes at the next start.
    }
  }

  /** Removes the kept copies, and notes what is still due. */
  async #clear(due?: VaultContent["due"]): Promise<void> {
    await this.#file?.forgetCopies();
    await this.#file?.update((vault) => ({
      slots: vault.slots,
      entries: vault.entries,
      ...(due && { due }),
    }));
  }

  /** Does what a rotation left to do that was cut short or had to wait. Never rejects. */
  async #finish(): Promise<void> {
    const content = this.#file?.get();
    if (!content || !this.#dataKey) return;
    const { passphrase } = this.#options;
    try {
      if (passphrase !== undefined && this.#backend === "your passphrase") {
        const better = await upgraded(content.slots, this.#dataKey, passphrase);
        if (better !== content.slots) return await this.rotate(asTheyAre, better);
      }
      const slots = withoutDeadKeyFiles(content.slots, this.#tools());
      if (slots.length < content.slots.length) await this.#file?.update((vault) => ({ ...vault, slots }));
      if (content.due === "key") await this.rotate();
      else if (content.due === "copies") await this.#clear();
    } catch {
      // Tried again at the next start.
    }
  }

  async close(): Promise<void> {
    await this.#attempts.close();
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
    const result = await this.#tryAtStart(slots);
    if ("reasons" in result) this.#shut(`The stored secrets cannot be opened. ${result.reasons.join(" ")}`);
    else this.#take(result.opened);
  }

  /** What opens by itself comes first; a passphrase from the environment is an attempt as a typed one is. */
  async #tryAtStart(slots: Slot[]): ReturnType<typeof openSlots> {
    const { passphrase, ...tools } = this.#tools();
    const silent = await openSlots(slots, tools);
    if (passphrase === undefined || !("reasons" in silent) || !hasPassphrase(slots)) return silent;
    try {
      await this.#attempts.begin();
    } catch (error) {
      return { reasons: [toProblem(error).message] };
    }
    const result = await openSlots(slots, { ...tools, passphrase });
    if (!("reasons" in result)) await this.#attempts.succeeded();
    return result;
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
