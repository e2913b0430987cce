export { findReferences, hasReference, resolveReferences } from "./references.ts";
export { Vault, type VaultOptions } from "./vault.ts";
