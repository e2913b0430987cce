const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A Janet string (one char per byte) from text: its UTF-8. */
export function toBytes(text: string): string {
  // Without a char over 127 both are the same.
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return fromArray(encoder.encode(text));
}

/** Text from a Janet string; bytes that are no UTF-8 become U+FFFD. */
export function toText(bytes: string): string {
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  return decoder.decode(toArray(bytes));
}

/** A Janet string from raw bytes. */
export function fromArray(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** The raw bytes of a Janet string. */
export function toArray(bytes: string): Uint8Array {
  return Buffer.from(bytes, "latin1");
}
