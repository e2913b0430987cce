import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import type { Signer } from "../store/index.ts";
import type { Vault } from "./vault.ts";

const NAME = "patchbay:integrity";
const KEY_BYTES = 32;

const storedSchema = z.object({
  /** 32 random bytes. */
  key: z.base64(),
  /** Everything that is signed has been signed once: what bears no signature from then on was made by somebody else. */
  adopted: z.boolean(),
});
type Stored = z.infer<typeof storedSchema>;

/**
 * The key with which rows and the audit log are signed. It lies in the vault like a secret, under a name that no secret
 * can have, so it is sealed anew whenever those are.
 */
export class IntegrityKey implements Signer {
  readonly #vault: Vault;
  #stored: Stored | null = null;
  /** The stored key in the form in which it is used: making that takes longer than a signature. */
  #key: KeyObject | null = null;

  /** Makes the key when the vault is open and has none. Never rejects: without a key the mode is `closed`. */
  static async open(vault: Vault): Promise<IntegrityKey> {
    const integrity = new IntegrityKey(vault);
    await integrity.look();
    return integrity;
  }

  private constructor(vault: Vault) {
    this.#vault = vault;
  }

  get mode(): Signer["mode"] {
    if (this.#stored === null) return "closed";
    return this.#stored.adopted ? "on" : "adopting";
  }

  /** Tries again to get the key: the vault may have been opened, or begun anew, since. Never rejects. */
  async look(): Promise<void> {
    this.#key = null;
    if (!this.#vault.status().open) {
      this.#stored = null;
      return;
    }
    try {
      this.#stored = this.#read();
      if (this.#stored === null) {
        const made = { key: randomBytes(KEY_BYTES).toString("base64"), adopted: false };
        await this.#write(made);
      }
    } catch {
      // A keychain that takes no key: secrets cannot be stored either, and the vault says so.
      this.#stored = null;
    }
  }

  /** Ends the mode `adopting`. @throws PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  async adopted(): Promise<void> {
    if (this.#stored && !this.#stored.adopted) await this.#write({ ...this.#stored, adopted: true });
  }

  sign(text: string): string {
    return this.#mac(text).toString("base64url");
  }

  fits(text: string, signature: unknown): boolean {
    const wanted = this.#mac(text);
    if (typeof signature !== "string") return false;
    const given = Buffer.from(signature, "base64url");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  #mac(text: string): Buffer {
    if (this.#stored === null) {
      throw new PatchbayError(
        "VAULT_CLOSED",
        "What Patchbay keeps cannot be checked while the secrets are closed.",
      );
    }
    this.#key ??= createSecretKey(Buffer.from(this.#stored.key, "base64"));
    return createHmac("sha256", this.#key).update(text).digest();
  }

  #read(): Stored | null {
    const text = this.#vault.ownValue(NAME);
    return text === undefined ? null : storedSchema.parse(JSON.parse(text));
  }

  async #write(stored: Stored): Promise<void> {
    await this.#vault.setOwnValue(NAME, JSON.stringify(stored));
    this.#stored = stored;
    this.#key = null;
  }
}
