import { i18n } from "./index.ts";

/** What the core calls that which seals the secrets; the name of a keychain is the system's own and stays as it is. */
const keys = {
  "nothing yet": "about.vault.nothingYet",
  "your passphrase": "about.vault.passphrase",
  "a key file in Patchbay's folder": "about.vault.file",
  "nothing that opens here": "about.vaultClosed",
} as const;

/** What seals the secrets, in the language of the screens. */
export function sealedWith(backend: string): string {
  return Object.hasOwn(keys, backend) ? i18n.t(keys[backend as keyof typeof keys]) : backend;
}
