import type { Blobs } from "../../store/index.ts";

/** Bytes of one blob; a larger one is not kept. */
const LARGEST = 8 * 1024 * 1024;
/** Bytes of all blobs of a session. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The large texts of a session's record. Their total size is bounded: the text that was not used for longest is dropped
 * first.
 */
export class BoundedBlobs {
  private readonly blobs: Blobs;
  private readonly mostBytes: number;
  /**
   * Address → size in bytes, with the text that was not used for longest first. Read from the store at the first use.
   */
  private sizes: Map<string, number> | undefined;
  private readonly used = new Set<string>();
  private bytes = 0;

  constructor(blobs: Blobs, mostBytes = MOST_BYTES) {
    this.blobs = blobs;
    this.mostBytes = mostBytes;
  }

  /**
   * Stores the texts. Returns the addresses and the total bytes of those that were dropped, which may be among the new
   * ones when they are too large.
   *
   * @param texts address → text
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

  /**
   * Marks a text as used. The store keeps the order of use for the next start, and is told once per process for each
   * text.
   */
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
