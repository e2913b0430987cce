export { type AuditEvent, AuditLog } from "./audit-log.ts";
export { ensurePrivateFolder, readError, systemCode, writeError, writePrivateFile } from "./files/files.ts";
export { acquireHomeLock, type HomeLock } from "./files/home-lock.ts";
export { type JsonLines, openJsonLines } from "./files/json-lines.ts";
export { openStateFile, type StateFile, type StateFileOptions } from "./files/state-file.ts";
export { saveNew } from "./save-new.ts";
