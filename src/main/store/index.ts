export { type DesktopPlaces, desktopPlaces, ownStore, storeAt, whereIs } from "./address.ts";
export { type AuditEvent, AuditLog } from "./audit/audit-log.ts";
export type { StoreEngine } from "./files/conf-file.ts";
export { openFileStorage } from "./files/file-storage.ts";
export { systemCode, writePrivateFile } from "./files/files.ts";
export type { Lease } from "./lease.ts";
export { openStorage } from "./open-storage.ts";
export { saveNew } from "./save-new.ts";
export type { Guard, IndexEvent, RowSetAside, Signer } from "./signer.ts";
export {
  agentNotFound,
  type Blobs,
  type Collection,
  type KeyFile,
  type Log,
  only,
  type Places,
  type Rows,
  type SessionFiles,
  type Storage,
} from "./storage.ts";
