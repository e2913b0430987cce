import type { Blobs } from "../../store/index.ts";

/** Bytes of one blob; a larger one is not kept. */
const LARGEST = 8 * 1024 * 1024;
/** Bytes of all blobs of a session. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The large texts of a session's record, bounded: what was not used for longest makes room for what comes. */
export class BoundedBlobs {
  private readonly blobs: Blobs;
  private readonly mostBytes: number;
  /** Sizes by address, the one that was not used for longest first; asked for when they are first needed. */
  private sizes: Map<string, number> | undefined;
  private readonly used = new Set<string>();
  private bytes = 0;

  constructor(blobs: Blobs, mostBytes = MOST_BYTES) {
    this.blobs = blobs;
    this.mostBytes = mostBytes;
  }

  /**
   * Keeps the texts; says what had to go for them, those that are too large included.
   *
   * @param texts by their addresses
   */
  async put(texts: ReadonlyMap<string, string>): Promise<{ dropped: string[]; bytes: number }> {
    const sizes = await this.index();
    const dropped: string[] = [];
    let bytes = 0;
    for (const [name, text] of texts) {
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
      await this.blobs.put(Buffer.from(text), name);
      sizes.set(name, size);
      this.used.add(name);
      this.bytes += size;
    }
    for (const [name, size] of sizes) {
      if (this.bytes <= this.mostBytes) break;
      await this.blobs.remove(name);
      sizes.delete(name);
      this.bytes -= size;
      dropped.push(name);
      bytes += size;
    }
    return { dropped, bytes };
  }

  /** The text; undefined when it is gone, or is no longer what its address says. */
  async get(name: string): Promise<string | undefined> {
    return (await this.blobs.get(name))?.toString("utf8");
  }

  /** The order of use outlasts the process; it is told once for each. */
  private async use(name: string): Promise<void> {
    const size = this.sizes?.get(name);
    if (size === undefined) return;
    this.sizes?.delete(name);
    this.sizes?.set(name, size);
    if (this.used.has(name)) return;
    this.used.add(name);
    await this.blobs.touch(name);
  }

  private async index(): Promise<Map<string, number>> {
    if (this.sizes) return this.sizes;
    const there = await this.blobs.list();
    this.sizes = new Map(there.map(({ address, bytes }) => [address, bytes]));
    this.bytes = there.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.sizes;
  }
}
