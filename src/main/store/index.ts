export { type AuditEvent, AuditLog } from "./audit-log.ts";
export { ensurePrivateFolder, readError, systemCode, writeError, writePrivateFile } from "./files.ts";
export { acquireHomeLock, type HomeLock } from "./home-lock.ts";
export { type JsonLines, openJsonLines } from "./json-lines.ts";
export { saveNew } from "./save-new.ts";
export { openStateFile, type StateFile, type StateFileOptions } from "./state-file.ts";
