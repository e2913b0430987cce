import { toProblem } from "../../contract/index.ts";
import { type Clock, isoTime, systemClock } from "../base/clock.ts";
import { type AuditLog, agentNotFound, saveNew } from "../store/index.ts";
import { type BroughtIn, backUp, bringIn, parseSecrets, restore } from "./transfer.ts";
import type { Vault } from "./vault.ts";

export interface SecretServiceOptions {
  vault: Vault;
  audit: Pick<AuditLog, "record">;
  isAgent(agentId: string): boolean;
  /** The folder that files for the person are saved in; absent where there is none. */
  downloads?: string | undefined;
  clock?: Clock;
}

/** What a person does to the stored secrets. Each act is in the audit log, by names and never with a value. */
export class SecretService {
  readonly #options: SecretServiceOptions;

  constructor(options: SecretServiceOptions) {
    this.#options = options;
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  async set(name: string, agentId: string | null, value: string): Promise<void> {
    this.#refuseUnknown(agentId);
    await this.#options.vault.set(name, agentId, value);
    this.#record("secret.set", { name, ...ofAgent(agentId) });
  }

  /** @throws PatchbayError SECRET_NOT_FOUND, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  async remove(name: string, agentId: string | null): Promise<void> {
    await this.#options.vault.remove(name, agentId);
    this.#record("secret.removed", { name, ...ofAgent(agentId) });
  }

  /**
   * Stores what another program has written (see `parseSecrets`). Throws as `set` does.
   *
   * @param replace also those of which a value is stored already
   */
  async import(text: string, agentId: string | null, replace: boolean): Promise<BroughtIn> {
    this.#refuseUnknown(agentId);
    const broughtIn = await bringIn(this.#options.vault, parseSecrets(text), agentId, replace);
    this.#record("secret.imported", { names: broughtIn.stored, ...ofAgent(agentId) });
    return broughtIn;
  }

  /** @throws PatchbayError PASSPHRASE_WRONG, UNLOCK_PAUSED, VAULT_CLOSED when no passphrase opens the vault */
  async unlock(passphrase: string): Promise<void> {
    const { vault } = this.#options;
    try {
      await vault.unlock(passphrase);
    } catch (error) {
      const { code } = toProblem(error);
      if (code === "PASSPHRASE_WRONG" || code === "UNLOCK_PAUSED") {
        this.#record("vault.unlock_failed", { code, failures: vault.failedUnlocks });
      }
      throw error;
    }
    this.#record("secret.unlocked");
  }

  /**
   * Puts a vault that does not open aside, and begins an empty one.
   *
   * @returns the folder in which the old one lies now; null when there was none
   * @throws PatchbayError BAD_INPUT when it is open, WRITE_FAILED
   */
  async startOver(): Promise<string | null> {
    const setAside = await this.#options.vault.startOver();
    this.#record("secret.started_over", { setAside });
    return setAside;
  }

  /**
   * @param askAtStart the passphrase becomes the only way to open the vault
   * @throws PatchbayError BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  async setPassphrase(passphrase: string | null, askAtStart?: boolean): Promise<void> {
    await this.#options.vault.setPassphrase(passphrase, askAtStart);
    if (passphrase === null) this.#record("secret.passphrase_removed");
    else this.#record("secret.passphrase_set", { askAtStart });
  }

  /**
   * All secrets, encrypted with a passphrase.
   *
   * @param save into the folder for downloads, where there is one; `path` then says where, and `backup` is empty
   * @throws PatchbayError BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  async backUp(
    passphrase: string,
    save?: boolean,
  ): Promise<{ fileName: string; backup: string; path: string | null }> {
    const { vault, downloads, clock = systemClock } = this.#options;
    const fileName = `patchbay-secrets-${isoTime(clock).slice(0, 10)}.backup`;
    const backup = await backUp(vault, passphrase);
    const path = save && downloads ? await saveNew(downloads, fileName, backup) : null;
    this.#record("secret.backed_up");
    return { fileName, backup: path === null ? backup : "", path };
  }

  /** @throws PatchbayError BACKUP_INVALID, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  async restore(backup: string, passphrase: string, replace: boolean): Promise<BroughtIn> {
    const restored = await restore(this.#options.vault, backup, passphrase, replace);
    this.#record("secret.restored", { names: restored.stored });
    return restored;
  }

  #record(kind: string, details: Record<string, unknown> = {}): void {
    this.#options.audit.record({ kind, ...details });
  }

  #refuseUnknown(agentId: string | null): void {
    if (agentId !== null && !this.#options.isAgent(agentId)) throw agentNotFound(agentId);
  }
}

function ofAgent(agentId: string | null): { agentId?: string } {
  return agentId === null ? {} : { agentId };
}
