import { safeStorage } from "electron";
import type { Keychain } from "../platform/platform.ts";

const linuxNames: Record<string, string> = {
  gnome_libsecret: "GNOME Keyring",
  kwallet: "KWallet",
  kwallet5: "KWallet",
  kwallet6: "KWallet",
};

/**
 * The keychain of the operating system, or undefined where there is none worth the name: `basic_text` on Linux
 * "encrypts" with a password that everybody knows. Call when the app is ready.
 */
export async function openKeychain(): Promise<Keychain | undefined> {
  const name = keychainName();
  if (!name || !(await safeStorage.isAsyncEncryptionAvailable())) return undefined;
  return {
    name,
    wrap: (key) => safeStorage.encryptStringAsync(key.toString("base64")),
    unwrap: async (wrapped) => Buffer.from((await safeStorage.decryptStringAsync(wrapped)).result, "base64"),
  };
}

function keychainName(): string | undefined {
  if (process.platform === "darwin") return "macOS Keychain";
  if (process.platform === "win32") return "Windows Data Protection";
  const backend: string = safeStorage.getSelectedStorageBackend();
  if (backend === "basic_text" || backend === "unknown") return undefined;
  return linuxNames[backend] ?? backend;
}
