/** Which bytes mean what to the reader. */
const symbolBytes = new Uint8Array(256);
for (const char of "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!$%&*+-./:<=>?@^_")
  symbolBytes[char.charCodeAt(0)] = 1;
symbolBytes.fill(1, 128);

/** May stand in a symbol, keyword or number; all bytes of UTF-8 beyond ASCII may. */
export function isSymbolByte(byte: number): boolean {
  return symbolBytes[byte] === 1;
}

/** Space, tab, newline, vertical tab, form feed, carriage return and the zero byte. */
export function isBlank(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13) || byte === 0;
}

/** The value of a hexadecimal digit; -1 when the byte is none. */
export function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Whether a string of bytes is well-formed UTF-8. */
export function isUtf8(bytes: string): boolean {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes.charCodeAt(at);
    const length =
      first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
    if (length === 0 || at + length > bytes.length) return false;
    for (let next = 1; next < length; next++) if (bytes.charCodeAt(at + next) >> 6 !== 2) return false;
    // Longer than it need be.
    const second = bytes.charCodeAt(at + 1);
    if (first === 0xc0 || first === 0xc1) return false;
    if ((first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)) return false;
    at += length;
  }
  return true;
}

/** The UTF-8 of a code point, one char per byte; surrogates are written as they are. */
export function utf8Of(point: number): string {
  const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x80) return String.fromCharCode(point);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), tail(0));
  if (point < 0x1_0000) return String.fromCharCode(0xe0 | (point >> 12), tail(6), tail(0));
  return String.fromCharCode(0xf0 | (point >> 18), tail(12), tail(6), tail(0));
}
