import { show } from "../../print/describe.ts";
import type { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { bufferAt, numberAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

/** The bits of a buffer: bit 0 is the lowest of the first byte. */
export function install(core: Registrar): void {
  core.cfun("buffer/bit", 2, 2, "(buffer/bit buffer index)", "Whether a bit is set.", (args) => {
    const { buffer, byte, mask } = bitAt(args);
    return ((buffer.bytes[byte] as number) & mask) !== 0;
  });
  const changes: [name: string, doc: string, change: (byte: number, mask: number) => number][] = [
    ["buffer/bit-set", "Sets a bit; gives the buffer.", (byte, mask) => byte | mask],
    ["buffer/bit-clear", "Clears a bit; gives the buffer.", (byte, mask) => byte & ~mask],
    ["buffer/bit-toggle", "Turns a bit over; gives the buffer.", (byte, mask) => byte ^ mask],
  ];
  for (const [name, doc, change] of changes)
    core.cfun(name, 2, 2, `(${name} buffer index)`, doc, (args) => {
      const { buffer, byte, mask } = bitAt(args);
      buffer.bytes[byte] = change(buffer.bytes[byte] as number, mask);
      return buffer;
    });
}

function bitAt(args: Value[]): { buffer: JBuffer; byte: number; mask: number } {
  const buffer = bufferAt(args, 0);
  const index = numberAt(args, 1);
  if (!Number.isInteger(index) || index < 0 || index >= buffer.length * 8)
    panic(`invalid bit index ${show(index)}`);
  return { buffer, byte: Math.floor(index / 8), mask: 1 << (index % 8) };
}
