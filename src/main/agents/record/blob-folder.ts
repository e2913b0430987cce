import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { addressOf } from "./parts.ts";

/** Bytes of one blob; a larger one is not kept. */
const LARGEST = 8 * 1024 * 1024;
/** Bytes of all blobs of a session. */
const MOST_BYTES = 64 * 1024 * 1024;

const address = /^[0-9a-f]{64}$/;

/**
 * Texts under the SHA-256 of their content, a file each, in a folder that is made with the first. What was not used for
 * longest makes room for what comes.
 */
export class BlobFolder {
  private readonly folder: string;
  private readonly clock: Clock;
  private readonly mostBytes: number;
  /** Sizes by address, the one that was not used for longest first; read from the folder when they are first needed. */
  private sizes: Map<string, number> | undefined;
  private readonly used = new Set<string>();
  private bytes = 0;

  constructor(folder: string, clock: Clock, mostBytes = MOST_BYTES) {
    this.folder = folder;
    this.clock = clock;
    this.mostBytes = mostBytes;
  }

  /** Keeps the texts; says what had to go for them, those that are too large included. */
  async put(blobs: ReadonlyMap<string, string>): Promise<{ dropped: string[]; bytes: number }> {
    const sizes = await this.index();
    const dropped: string[] = [];
    let bytes = 0;
    for (const [name, text] of blobs) {
      if (sizes.has(name)) {
        await this.use(name);
        continue;
      }
      const size = Buffer.byteLength(text);
      if (size > Math.min(LARGEST, this.mostBytes)) {
        dropped.push(name);
        bytes += size;
        continue;
      }
      await this.write(name, text);
      sizes.set(name, size);
      this.used.add(name);
      this.bytes += size;
    }
    for (const [name, size] of sizes) {
      if (this.bytes <= this.mostBytes) break;
      await rm(join(this.folder, name), { force: true });
      sizes.delete(name);
      this.bytes -= size;
      dropped.push(name);
      bytes += size;
    }
    return { dropped, bytes };
  }

  /** The text; undefined when it is gone, or is no longer what its name says. */
  async get(name: string): Promise<string | undefined> {
    if (!address.test(name)) return undefined;
    const text = await readFile(join(this.folder, name), "utf8").catch(() => undefined);
    return text !== undefined && addressOf(text) === name ? text : undefined;
  }

  private async write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** The order of use outlasts the process in the files' times, told once for each. */
  private async use(name: string): Promise<void> {
    const size = this.sizes?.get(name);
    if (size === undefined) return;
    this.sizes?.delete(name);
    this.sizes?.set(name, size);
    if (this.used.has(name)) return;
    this.used.add(name);
    const now = new Date(this.clock.now());
    await utimes(join(this.folder, name), now, now).catch(() => undefined);
  }

  private async index(): Promise<Map<string, number>> {
    if (this.sizes) return this.sizes;
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => address.test(name));
    const files = await Promise.all(
      names.map(async (name) => ({ name, ...(await stat(join(this.folder, name))) })),
    );
    files.sort((left, right) => left.mtimeMs - right.mtimeMs);
    this.sizes = new Map(files.map(({ name, size }) => [name, size]));
    this.bytes = files.reduce((sum, { size }) => sum + size, 0);
    return this.sizes;
  }
}
