import type { AbstractType } from "../../values/abstract.ts";

function wholeType(name: string): AbstractType<bigint> {
  return {
    name,
    show: (whole) => whole.toString(),
    equals: (a, b) => a === b,
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
    hash: (whole) => Number(BigInt.asIntN(32, whole ^ (whole >> 32n))),
  };
}

/** 64-bit integers with sign. */
export const s64Type: AbstractType<bigint> = wholeType("core/s64");
/** 64-bit integers without sign. */
export const u64Type: AbstractType<bigint> = wholeType("core/u64");
