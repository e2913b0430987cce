import { Abstract, type AbstractType } from "../../values/abstract.ts";
import { Native } from "../../values/functions.ts";
import { Kw, kw } from "../../values/names.ts";
import { JBuffer } from "../../values/sequences.ts";
import { isInt32 } from "../../values/types.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { abstractAt, bufferAt, bytesAt, naturalAt, optional } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

/** A generator of random numbers: Chris Doty-Humphrey's small fast counter with 128 bits of state. Not for secrets. */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  /** Two generators of the same seed give the same numbers. `seed` has one char per byte. */
  constructor(seed: string) {
    for (let at = 0; at < seed.length; at += 4) {
      for (const [place, shift] of [0, 8, 16, 24].entries())
        this.a ^= (seed.charCodeAt(at + place) || 0) << shift;
      this.next();
    }
    for (let round = 0; round < 12; round++) this.next();
  }

  /** All that decides the numbers to come. */
  get state(): number[] {
    return [this.a, this.b, this.c, this.counter];
  }
  set state([a = 0, b = 0, c = 0, counter = 0]: number[]) {
    this.a = a;
    this.b = b;
    this.c = c;
    this.counter = counter;
  }

  /** 32 random bits, as a number that is not negative. */
  next(): number {
    const result = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** From 0 up to but without 1, in steps of 2^-53. */
  uniform(): number {
    return ((this.next() >>> 5) * 2 ** 26 + (this.next() >>> 6)) / 2 ** 53;
  }
}

const methods = new Map<Kw, Native>();

export const rngType: AbstractType<Random> = {
  name: "core/rng",
  get: (_random, key) => (key instanceof Kw ? methods.get(key) : undefined),
  next(_random, key) {
    const keys = [...methods.keys()];
    return keys[key === null ? 0 : keys.indexOf(key as Kw) + 1] ?? null;
  },
};

export function install(core: Registrar): void {
  // The generator of `math/random` belongs to one engine.
  let common = new Random(Math.random().toString());
  core.cfun("math/random", 0, 0, "(math/random)", "A random number from 0 up to but without 1.", () =>
    common.uniform(),
  );
  core.cfun(
    "math/seedrandom",
    1,
    1,
    "(math/seedrandom seed)",
    "Seeds the generator of `math/random` with an integer or bytes.",
    (args) => {
      common = new Random(seedAt(args, 0));
      return null;
    },
  );
  core.cfun(
    "math/rng",
    0,
    1,
    "(math/rng &opt seed)",
    "A generator of random numbers, seeded with an integer or bytes, by default 0.",
    (args) => new Abstract(rngType, new Random(args.length > 0 ? seedAt(args, 0) : seedOf(0))),
  );
  const onRng = (
    name: string,
    max: number,
    usage: string,
    doc: string,
    run: (random: Random, args: Value[]) => Value,
  ) => {
    const native = (args: Value[]) => run(abstractAt(args, 0, rngType), args);
    core.cfun(`math/rng-${name}`, 1, max, `(math/rng-${name} rng${usage})`, doc, native);
    methods.set(kw(name), new Native("cfunction", `math/rng-${name}`, 1, max, native, null));
  };
  onRng("uniform", 1, "", "A random number from 0 up to but without 1.", (random) => random.uniform());
  onRng(
    "int",
    2,
    " &opt max",
    "A random whole number from 0 up to but without max, by default 2^31 - 1.",
    (random, args) => {
      const max = optional(args, 1, naturalAt, 2 ** 31 - 1);
      return max === 0 ? 0 : Math.floor(random.uniform() * max);
    },
  );
  onRng(
    "buffer",
    3,
    " n &opt buf",
    "Adds n random bytes to a buffer, by default a new one.",
    (random, args) => {
      const count = naturalAt(args, 1);
      const buffer = optional(args, 2, bufferAt, null) ?? new JBuffer(Math.min(count, 1 << 16));
      if (count > 1 << 28) panic("out of memory");
      for (let at = 0; at < count; at++) buffer.pushByte(random.next() >>> 24);
      return buffer;
    },
  );
}

/** The seed of an integer or a byte sequence. */
function seedAt(args: Value[], at: number): string {
  const value = args[at] ?? null;
  return isInt32(value) ? seedOf(value) : bytesAt(args, at);
}

function seedOf(seed: number): string {
  return String.fromCharCode(...[24, 16, 8, 0].map((shift) => (seed >>> shift) & 0xff));
}
