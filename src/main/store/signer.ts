import type { Problem } from "../../contract/index.ts";

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

/** What a collection says about the signing of its documents. */
export interface Guard<T> {
  signer: Signer;
  /** Fields that the signature leaves out, because nothing is decided by them and they change often. */
  volatile: readonly (keyof T & string)[];
  /** What is used of a genuine older document in the place of one that was set aside; as it is when absent. */
  restored?(genuine: T, problem: Problem): T;
  /** Called for each document that does not bear its signature, or that is missing. */
  onSetAside(found: RowSetAside): void;
  /** Called when the index of newest rows was written, or is not the one that was. */
  onIndex?(event: IndexEvent): void;
}

/**
 * `gone`, `changed`: something other than Patchbay removed or changed the index, so that it cannot be said whether rows
 * are the newest ones. `written`: it was, with this number, which only grows.
 */
export type IndexEvent = { kind: "gone" } | { kind: "changed" } | { kind: "written"; n: number };

/** A document that something other than Patchbay has changed, added or removed. */
export interface RowSetAside {
  collection: string;
  agentId: string | null;
  id: string;
  /** The document as it was found; undefined when it was removed. */
  value: unknown;
  /** Path of a copy of the whole file as it was found; null when none could be made. */
  file: string | null;
  /** Whether an older, genuine document is used in its place. */
  restored: boolean;
  /** It is genuine, but an older one than was written last: somebody put it back. */
  older: boolean;
}
