import type { WasmMemory } from "./engine.ts";
import { errno } from "./wasi-errors.ts";
import { refuse } from "./wasi-files.ts";

/** The memory of a guest, read and written at addresses that it names. An address outside of it is refused with `inval`. */
export class GuestMemory {
  readonly #memory: () => WasmMemory | undefined;

  /** @param memory asked at each use: it is undefined before the module's start, and changes when the guest grows it */
  constructor(memory: () => WasmMemory | undefined) {
    this.#memory = memory;
  }

  /** The pieces of a scattered read or write: `count` pairs of address and length at `at`. */
  *vectors(at: number, count: number): Generator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      const view = this.view(at + index * 8, 8);
      yield this.bytes(view.getUint32(0, true), view.getUint32(4, true));
    }
  }

  /** UTF-8. */
  text(at: number, length: number): string {
    return Buffer.from(this.bytes(at, length)).toString("utf8");
  }

  bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    const buffer = this.#buffer(at, length);
    return new Uint8Array(buffer, at >>> 0, length >>> 0);
  }

  view(at: number, length: number): DataView<ArrayBuffer> {
    return new DataView(this.#buffer(at, length), at >>> 0, length >>> 0);
  }

  #buffer(at: number, length: number): ArrayBuffer {
    const buffer = this.#memory()?.buffer;
    if (!(buffer instanceof ArrayBuffer) || (at >>> 0) + (length >>> 0) > buffer.byteLength)
      return refuse(errno.inval);
    return buffer;
  }

  /** Writes the number; little-endian. @returns success, as a call answers */
  u32(at: number, value: number): number {
    this.view(at, 4).setUint32(0, value, true);
    return errno.success;
  }

  u64(at: number, value: bigint): number {
    this.view(at, 8).setBigUint64(0, value, true);
    return errno.success;
  }
}
