import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** Bytes that are read at a time. */
const PIECE = 4 * 1024 * 1024;

/**
 * Looks for texts in all memory of a process that can be written to, as UTF-8 and as UTF-16, which are the two forms in
 * which V8 keeps strings. Linux alone; needs the right to trace the process.
 *
 * @returns those that were found
 */
export function foundInMemory(pid: number, texts: readonly string[]): string[] {
  const needles = texts.map((text) => ({ text, forms: [Buffer.from(text), Buffer.from(text, "utf16le")] }));
  const overlap = Math.max(...needles.flatMap(({ forms }) => forms.map((form) => form.length)));
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, "r");
  const piece = Buffer.alloc(PIECE);
  try {
    for (const { from, to } of writableRanges(pid)) {
      for (let at = from; at < to; at += PIECE - overlap) {
        const length = readAt(memory, piece, at, Math.min(PIECE, to - at));
        const bytes = piece.subarray(0, length);
        for (const { text, forms } of needles)
          if (forms.some((form) => bytes.includes(form))) found.add(text);
        if (length < PIECE) break;
      }
    }
  } finally {
    closeSync(memory);
  }
  return texts.filter((text) => found.has(text));
}

function writableRanges(pid: number): { from: number; to: number }[] {
  return readFileSync(`/proc/${pid}/maps`, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      return from && to ? [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }] : [];
    });
}

/** Zero for memory that is mapped but cannot be read. */
function readAt(file: number, into: Buffer, at: number, length: number): number {
  try {
    return readSync(file, into, 0, length, at);
  } catch {
    return 0;
  }
}
