import { readSync, writeSync } from "node:fs";

/** Lines on this process' input and output, read and written without going on meanwhile: a module has no way to wait. */
let rest: Buffer = Buffer.alloc(0);

/** The next line of the input. @throws Error when it has ended */
export function readLine(): string {
  const pieces = [rest];
  for (let piece = rest; ; ) {
    const end = piece.indexOf(10);
    if (end >= 0) {
      const all = Buffer.concat(pieces);
      const length = all.length - piece.length + end;
      rest = all.subarray(length + 1);
      return all.toString("utf8", 0, length);
    }
    piece = Buffer.alloc(64 * 1024);
    const read = patiently(() => readSync(0, piece));
    if (read === 0) throw new Error("Patchbay is gone");
    piece = piece.subarray(0, read);
    pieces.push(piece);
  }
}

export function writeLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) at += patiently(() => writeSync(1, bytes, at));
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Does it as soon as it can be done, where the system does not wait by itself. */
function patiently(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
