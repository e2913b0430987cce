import { show } from "../../print/describe.ts";
import { kw } from "../../values/names.ts";
import type { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { badSlot, bufferAt, bytesAt, integerAt, keywordAt, numberAt } from "../arguments.ts";
import { integerBytes, unwrapU64 } from "../math/int64.ts";
import type { Registrar } from "../registrar.ts";

const ANY = Number.POSITIVE_INFINITY;

/** What writes bytes, words and numbers at the end of a buffer. */
export function install(core: Registrar): void {
  core.cfun(
    "buffer/push-byte",
    1,
    ANY,
    "(buffer/push-byte buffer & xs)",
    "Adds bytes given as integers; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      for (let at = 1; at < args.length; at++) buffer.pushByte(integerAt(args, at) & 0xff);
      return buffer;
    },
  );
  core.cfun(
    "buffer/push-word",
    1,
    ANY,
    "(buffer/push-word buffer & xs)",
    "Adds integers as four bytes each, the lowest first; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      for (let at = 1; at < args.length; at++) {
        const word = numberAt(args, at);
        if (word !== word >>> 0) panic(`cannot convert ${show(word)} to machine word`);
        buffer.pushBytes(bytesOfNumber(4, (view) => view.setUint32(0, word, true)));
      }
      return buffer;
    },
  );
  core.cfun(
    "buffer/push-string",
    1,
    ANY,
    "(buffer/push-string buffer & xs)",
    "Adds byte sequences; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      for (let at = 1; at < args.length; at++) buffer.pushString(bytesAt(args, at));
      return buffer;
    },
  );
  core.cfun(
    "buffer/push",
    1,
    ANY,
    "(buffer/push buffer & xs)",
    "Adds bytes given as integers, and byte sequences; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      pushMixed(buffer, args, 1);
      return buffer;
    },
  );
  core.cfun(
    "buffer/push-at",
    2,
    ANY,
    "(buffer/push-at buffer index & xs)",
    "As `buffer/push`, but writes from index on over what is there; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      const index = integerAt(args, 1);
      const before = buffer.length;
      if (index < 0 || index > before) panic(`index out of range [0, ${before})`);
      buffer.length = index;
      try {
        pushMixed(buffer, args, 2);
      } finally {
        buffer.length = Math.max(before, buffer.length);
      }
      return buffer;
    },
  );
  numbers(core);
}

/** Adds the arguments from `from` on: integers as bytes, all else as byte sequences. */
function pushMixed(buffer: JBuffer, args: Value[], from: number): void {
  for (let at = from; at < args.length; at++) {
    if (typeof args[at] === "number") buffer.pushByte(integerAt(args, at) & 0xff);
    else buffer.pushString(bytesAt(args, at));
  }
}

function numbers(core: Registrar): void {
  const pusher = (name: string, doc: string, bytes: (args: Value[], little: boolean) => Uint8Array) =>
    core.cfun(name, 3, 3, `(${name} buffer order data)`, `${doc}; order is :le, :be or :native.`, (args) => {
      const buffer = bufferAt(args, 0);
      buffer.pushBytes(bytes(args, littleEndianAt(args, 1)));
      return buffer;
    });
  pusher("buffer/push-uint16", "Adds an unsigned integer as two bytes", (args, little) => {
    const value = unsignedAt(args, 2, 16);
    return bytesOfNumber(2, (view) => view.setUint16(0, value, little));
  });
  pusher("buffer/push-uint32", "Adds an unsigned integer as four bytes", (args, little) => {
    const value = unsignedAt(args, 2, 32);
    return bytesOfNumber(4, (view) => view.setUint32(0, value, little));
  });
  pusher("buffer/push-uint64", "Adds an unsigned integer as eight bytes", (args, little) => {
    const bytes = integerBytes(unwrapU64(args[2] as Value));
    return little ? bytes : bytes.reverse();
  });
  pusher("buffer/push-float32", "Adds a number as four bytes of a float", (args, little) => {
    const value = numberAt(args, 2);
    return bytesOfNumber(4, (view) => view.setFloat32(0, value, little));
  });
  pusher("buffer/push-float64", "Adds a number as the eight bytes of a double", (args, little) => {
    const value = numberAt(args, 2);
    return bytesOfNumber(8, (view) => view.setFloat64(0, value, little));
  });
}

function littleEndianAt(args: Value[], at: number): boolean {
  const order = keywordAt(args, at);
  if (order === kw("be")) return false;
  if (order === kw("le") || order === kw("native")) return true;
  return panic(`expected endianness :le, :be or :native, got ${show(order)}`);
}

function unsignedAt(args: Value[], at: number, bits: 16 | 32): number {
  const value = args[at] ?? null;
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** bits
    ? value
    : badSlot(args, at, `${bits} bit unsigned integer`);
}

function bytesOfNumber(size: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return bytes;
}
