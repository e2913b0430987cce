import { show, textOfAll } from "../../print/describe.ts";
import { formatArgs } from "../../print/format.ts";
import { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { bufferAt, bytesAt, bytesPart, cstringAt, integerAt, optional, positionAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { makeBytes } from "./limits.ts";

const ANY = Number.POSITIVE_INFINITY;

/** `buffer/*` without pushing (buffer-push.ts) and bits (buffer-bits.ts). */
export function install(core: Registrar): void {
  core.cfun(
    "buffer",
    0,
    ANY,
    "(buffer & xs)",
    "A new buffer of the values' texts, as `string` makes them.",
    (args) => JBuffer.of(textOfAll(args)),
  );
  core.cfun(
    "buffer/new",
    1,
    1,
    "(buffer/new capacity)",
    "An empty buffer with room for capacity bytes.",
    (args) => {
      integerAt(args, 0);
      return new JBuffer();
    },
  );
  core.cfun(
    "buffer/new-filled",
    1,
    2,
    "(buffer/new-filled count &opt byte)",
    "A buffer of count times the byte, which is 0 by default.",
    (args, vm) => {
      const count = Math.max(0, integerAt(args, 0));
      const byte = (args.length > 1 ? integerAt(args, 1) : 0) & 0xff;
      makeBytes(vm, count);
      const buffer = new JBuffer(count);
      buffer.bytes.fill(byte);
      buffer.length = count;
      return buffer;
    },
  );
  core.cfun(
    "buffer/from-bytes",
    0,
    ANY,
    "(buffer/from-bytes & byte-vals)",
    "A buffer of bytes given as integers; only their lowest eight bits count.",
    (args) => {
      const buffer = new JBuffer(args.length);
      for (let at = 0; at < args.length; at++) buffer.pushByte(integerAt(args, at) & 0xff);
      return buffer;
    },
  );
  core.cfun(
    "buffer/fill",
    1,
    2,
    "(buffer/fill buffer &opt byte)",
    "Sets every byte of a buffer, to 0 by default; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      buffer.bytes.fill((args.length > 1 ? integerAt(args, 1) : 0) & 0xff, 0, buffer.length);
      return buffer;
    },
  );
  core.cfun(
    "buffer/trim",
    1,
    1,
    "(buffer/trim buffer)",
    "Gives back room that is not used; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      buffer.bytes = buffer.bytes.slice(0, buffer.length);
      return buffer;
    },
  );
  core.cfun("buffer/clear", 1, 1, "(buffer/clear buffer)", "Removes all bytes; gives the buffer.", (args) => {
    const buffer = bufferAt(args, 0);
    buffer.length = 0;
    return buffer;
  });
  core.cfun(
    "buffer/popn",
    2,
    2,
    "(buffer/popn buffer n)",
    "Removes the last n bytes, or all when there are fewer; gives the buffer.",
    (args) => {
      const buffer = bufferAt(args, 0);
      const count = integerAt(args, 1);
      if (count < 0) panic("n must be non-negative");
      buffer.length = Math.max(0, buffer.length - count);
      return buffer;
    },
  );
  core.cfun(
    "buffer/slice",
    1,
    3,
    "(buffer/slice bytes &opt start end)",
    "A part of a byte sequence as a new buffer, from start up to but without end; negative positions count from past the end.",
    (args) => JBuffer.of(bytesPart(args)),
  );
  core.cfun(
    "buffer/blit",
    2,
    5,
    "(buffer/blit dest src &opt dest-start src-start src-end)",
    "Writes a part of src over dest, which grows when it must; gives dest.",
    blit,
  );
  core.cfun(
    "buffer/format",
    2,
    ANY,
    "(buffer/format buffer format & args)",
    "Adds what `string/format` makes of the format and values; gives the buffer.",
    (args, vm) => {
      const buffer = bufferAt(args, 0);
      buffer.pushString(formatArgs(cstringAt(args, 1), args, 2, vm));
      return buffer;
    },
  );
  core.cfun(
    "buffer/format-at",
    3,
    ANY,
    "(buffer/format-at buffer at format & args)",
    "As `buffer/format`, but writes from a position on over what is there; gives the buffer.",
    formatOver,
  );
}

function formatOver(args: Value[]): Value {
  const buffer = bufferAt(args, 0);
  const index = integerAt(args, 1);
  const at = index < 0 ? index + buffer.length + 1 : index;
  if (at < 0 || at > buffer.length)
    panic(`expected index at to be in range [0, ${buffer.length}), got ${show(index)}`);
  const text = formatArgs(cstringAt(args, 2), args, 3);
  const before = buffer.length;
  buffer.length = at;
  buffer.pushString(text);
  buffer.length = Math.max(before, buffer.length);
  return buffer;
}

function blit(args: Value[]): Value {
  const target = bufferAt(args, 0);
  const source = bytesAt(args, 1);
  const to = optional(args, 2, (all, at) => positionAt(all, at, target.length, "dest-start"), 0);
  const from = optional(args, 3, (all, at) => positionAt(all, at, source.length, "src-start"), 0);
  const end = optional(args, 4, (all, at) => positionAt(all, at, source.length, "src-end"), source.length);
  const part = source.slice(from, Math.max(from, end));
  const length = Math.max(target.length, to + part.length);
  target.ensure(length - target.length);
  for (let at = 0; at < part.length; at++) target.bytes[to + at] = part.charCodeAt(at);
  target.length = length;
  return target;
}
