const numeral = /^([+-]?)(?:0x_*|([0-9]{1,2})r_*)?([0-9A-Za-z][0-9A-Za-z_]*)$/;

/** A whole number as Janet writes it, with sign, `0x` or radix prefix and `_` between digits; null when the text is none. */
export function scanInteger(text: string): bigint | null {
  const match = numeral.exec(text);
  if (!match) return null;
  const [, sign, radixText, digits = ""] = match;
  const radix = text.startsWith("0x", sign?.length) ? 16 : radixText ? Number(radixText) : 10;
  if (radix < 2 || radix > 36) return null;
  let value = 0n;
  for (const digit of digits) {
    if (digit === "_") continue;
    const worth = Number.parseInt(digit, 36);
    if (worth >= radix) return null;
    value = value * BigInt(radix) + BigInt(worth);
    // No 64-bit integer any more; a long text must not take long.
    if (value >= 1n << 65n) return null;
  }
  return sign === "-" ? -value : value;
}
