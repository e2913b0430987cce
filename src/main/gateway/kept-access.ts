import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PRIVATE_FILE, writePrivateFile } from "../store/files/files.ts";

const accessSchema = z.object({
  token: z.string().regex(/^[\w-]{43}$/),
  /** Where the gateway answered last; 0: nowhere yet. */
  port: z.number().int().min(0).max(65_535),
});
/** How pages get in: kept from one start to the next, so that a page that is open finds its way back by itself. */
export type Access = z.infer<typeof accessSchema>;

/**
 * Reads what the last start left. A token is made anew when there is none, when `renew` asks for it, and when others than the
 * owner could have read the file.
 */
export async function readAccess(home: string, { renew = false } = {}): Promise<Access> {
  const kept = readKept(accessPath(home));
  return { token: (!renew && kept?.token) || randomBytes(32).toString("base64url"), port: kept?.port ?? 0 };
}

/** @throws PatchbayError DISK_FULL, WRITE_FAILED */
export async function keepAccess(home: string, access: Access): Promise<void> {
  const kept = readKept(accessPath(home));
  if (kept?.token === access.token && kept.port === access.port) return;
  writePrivateFile(accessPath(home), `${JSON.stringify(access, null, 2)}\n`);
}

function readKept(path: string): Access | undefined {
  try {
    // Windows has no such modes; there the folder's own rights are what protects it.
    const mayBeKnown = process.platform !== "win32" && (statSync(path).mode & 0o777 & ~PRIVATE_FILE) !== 0;
    return mayBeKnown ? undefined : accessSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

function accessPath(home: string): string {
  return join(home, "access.json");
}
