/**
 * Memory for a value, full of zeros, which the caller wipes. Small typed arrays lie in V8's heap, where the collector
 * moves them and leaves copies behind; over a buffer of their own they do not.
 *
 * @param length bytes
 */
export function memoryFor(length: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer(length));
}

/** Memory for a text of so many UTF-16 code units. */
export function unitsFor(length: number): Uint16Array<ArrayBuffer> {
  return new Uint16Array(new ArrayBuffer(length * 2));
}

/** A text as bytes in UTF-8, in memory that can be wiped. */
export function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = memoryFor(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
