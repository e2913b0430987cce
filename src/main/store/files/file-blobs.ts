import { createHash } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Blobs } from "../storage.ts";
import { ensurePrivateFolder, PRIVATE_FILE, readError, syncFolder, systemCode, writeError } from "./files.ts";

const ADDRESS = /^[0-9a-f]{64}$/;

/** A file for each content, named by its digest; it appears whole or not at all. The folder is made with the first. */
export class FileBlobs implements Blobs {
  readonly #folder: string;
  readonly #beforeWrite: () => void;

  /** @param beforeWrite asked before each write; what it throws is what the write is refused with */
  constructor(folder: string, beforeWrite: () => void) {
    this.#folder = folder;
    this.#beforeWrite = beforeWrite;
  }

  async put(content: Uint8Array): Promise<string> {
    this.#beforeWrite();
    const address = addressOf(content);
    if (await this.get(address)) return address;
    const path = join(this.#folder, address);
    const draft = `${path}.${process.pid}.tmp`;
    try {
      ensurePrivateFolder(this.#folder);
      const file = await open(draft, "w", PRIVATE_FILE);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      syncFolder(this.#folder);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw writeError(error, path);
    }
    return address;
  }

  async get(address: string): Promise<Buffer | undefined> {
    if (!ADDRESS.test(address)) return undefined;
    const path = join(this.#folder, address);
    try {
      const content = await readFile(path);
      return addressOf(content) === address ? content : undefined;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw readError(error, path);
    }
  }

  async has(address: string): Promise<boolean> {
    if (!ADDRESS.test(address)) return false;
    return stat(join(this.#folder, address)).then(
      () => true,
      () => false,
    );
  }

  async remove(address: string): Promise<void> {
    this.#beforeWrite();
    if (ADDRESS.test(address)) await rm(join(this.#folder, address), { force: true });
  }
}

function addressOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
