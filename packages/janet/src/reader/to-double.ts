/**
 * mantissa × base^exponent as a double. It is cut to 54 bits and then rounded half up, as Janet does: an exact half goes away from
 * zero, where JS goes to the even neighbour.
 */
export function toDouble(mantissa: bigint, base: number, exponent: number): number {
  if (mantissa === 0n) return 0;
  const size = bitLength(mantissa) + Math.floor(Math.log2(base) * exponent);
  if (size > 1_176) return Number.POSITIVE_INFINITY;
  if (size < -1_175) return 0;
  let shift = 0;
  let whole = mantissa;
  if (exponent >= 0) whole *= BigInt(base) ** BigInt(exponent);
  else {
    const divisor = BigInt(base) ** BigInt(-exponent);
    // Enough room below for 54 exact bits.
    shift = Math.max(0, bitLength(divisor) - bitLength(whole) + 64);
    whole = (whole << BigInt(shift)) / divisor;
  }
  const extra = bitLength(whole) - 54;
  if (extra >= 0) whole = (((whole >> BigInt(extra)) + 1n) >> 1n) << BigInt(extra + 1);
  return scale(whole, -shift);
}

/** whole × 2^power for a `whole` of at most 53 bits before its zeros. */
function scale(whole: bigint, power: number): number {
  const zeros = trailing(whole);
  const top = Number(whole >> BigInt(zeros));
  let left = power + zeros;
  let result = top;
  // In steps, so that only the last one can round.
  while (left > 900) {
    result *= 2 ** 900;
    left -= 900;
  }
  if (left < -900) {
    result *= 2 ** -900;
    left += 900;
  }
  return result * 2 ** left;
}

function trailing(whole: bigint): number {
  const extra = bitLength(whole) - 54;
  return Math.max(0, extra);
}

function bitLength(whole: bigint): number {
  const hex = whole.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex[0] as string, 16)) + 28;
}
