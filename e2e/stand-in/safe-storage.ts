import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { app } from "./app.ts";

/** A keychain of its own: AES-GCM under a key that outlives the process, as an operating system's keychain does. */
export const safeStorage = {
  getSelectedStorageBackend: () => "stand-in",
  isAsyncEncryptionAvailable: async () => true,
  async encryptStringAsync(text: string): Promise<Buffer> {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key(), nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  },
  async decryptStringAsync(sealed: Buffer) {
    const decipher = createDecipheriv("aes-256-gcm", key(), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(12, 28));
    const result = decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
    return { result, shouldReEncrypt: false };
  },
};

function key(): Buffer {
  const path = join(app.getPath("userData"), "stand-in-keychain");
  if (!existsSync(path)) writeFileSync(path, randomBytes(32), { mode: 0o600 });
  return readFileSync(path);
}
