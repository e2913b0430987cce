export { IntegrityKey } from "./integrity-key.ts";
export {
  findReferences,
  hasReference,
  plainReferences,
  renameReferences,
  resolveReferences,
} from "./references.ts";
export { SecretService } from "./secret-service.ts";
export { type BroughtIn, backUp, parseSecrets, restore } from "./transfer.ts";
export { Vault } from "./vault.ts";
