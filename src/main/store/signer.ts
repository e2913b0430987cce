/**
 * Signs what the store keeps, so that a change from outside is noticed. The key lies in the vault, which is built on
 * the store; so the store knows only this much of it.
 */
export interface Signer {
  /**
   * `closed`: the key is out of reach, because the vault is closed: nothing can be signed or judged. `adopting`: this
   * is the first time, so what bears no signature is taken as it is, and signed. `on`: everything must bear one.
   */
  readonly mode: "closed" | "adopting" | "on";
  /** The signature of a text (HMAC-SHA256 in base64url). @throws PatchbayError VAULT_CLOSED in the mode `closed` */
  sign(text: string): string;
  /** Whether a signature belongs to a text; false for everything that is none. @throws as `sign` */
  fits(text: string, signature: unknown): boolean;
}
