import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Blobs } from "../storage.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, readError, systemCode, writeError } from "./files.ts";

const ADDRESS = /^[0-9a-f]{64}$/;

/**
 * Keeps each content in a file named by its digest. A file appears complete or not at all; its modification time is the
 * time of the last use. The folder is made with the first file.
 */
export class FileBlobs implements Blobs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #beforeWrite: () => void;

  /** @param beforeWrite called before each write; when it throws, the write is refused with that error */
  constructor(folder: string, clock: Clock, beforeWrite: () => void) {
    this.#folder = folder;
    this.#clock = clock;
    this.#beforeWrite = beforeWrite;
  }

  async put(content: Uint8Array, known?: string): Promise<string> {
    this.#beforeWrite();
    const address = known ?? addressOf(content);
    if (await this.get(address)) {
      await this.touch(address);
      return address;
    }
    const path = join(this.#folder, address);
    const draft = `${path}.${process.pid}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER });
      await writeFile(draft, content, { mode: PRIVATE_FILE });
      await rename(draft, path);
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

  async touch(address: string): Promise<void> {
    this.#beforeWrite();
    if (!ADDRESS.test(address)) return;
    const now = new Date(this.#clock.now());
    // A failure is ignored: only the order of last use is lost.
    await utimes(join(this.#folder, address), now, now).catch(() => {});
  }

  async list(): Promise<{ address: string; bytes: number }[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => ADDRESS.test(name));
    const files = await Promise.all(
      names.map(async (name) => ({ name, ...(await stat(join(this.#folder, name))) })),
    );
    return files
      .sort((left, right) => left.mtimeMs - right.mtimeMs)
      .map(({ name, size }) => ({ address: name, bytes: size }));
  }
}

function addressOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
