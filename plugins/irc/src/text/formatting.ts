/**
 * Bytes of text in one line. A line may have 512 bytes with everything that the server puts before the text; 330 fit
 * with the longest such prefix.
 */
export const LINE_BYTES = 330;
/** UTF-16 units of the longest grapheme that is kept whole. */
const LONG_GRAPHEME = 64;
const COLOUR = String.fromCharCode(0x03);
const HEX_COLOUR = String.fromCharCode(0x04);
/** Bold, reset, monospace, reverse, italics, strikethrough, underline. */
const MARKS = [0x02, 0x0f, 0x11, 0x16, 0x1d, 0x1e, 0x1f].map((code) => String.fromCharCode(code));
const colours = new RegExp(`${COLOUR}(?:\\d{1,2}(?:,\\d{1,2})?)?`, "g");
const hexColours = new RegExp(`${HEX_COLOUR}(?:[0-9A-Fa-f]{6}(?:,[0-9A-Fa-f]{6})?)?`, "g");
const marks = new RegExp(`[${MARKS.join("")}]`, "g");
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const encoder = new TextEncoder();

export const BOLD = String.fromCharCode(0x02);
export const ITALIC = String.fromCharCode(0x1d);
export const STRIKE = String.fromCharCode(0x1e);
export const MONOSPACE = String.fromCharCode(0x11);

/** What came in, without bold, colours and the like. */
export function withoutFormatting(text: string): string {
  return text.replace(colours, "").replace(hexColours, "").replace(marks, "");
}

/** Splits a text into lines to send: without code fences, each at most `bytes` bytes, none empty. */
export function toLines(text: string, bytes: number): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => !/^ {0,3}(?:`{3,}|~{3,})[^`]*$/.test(line))
    .map((line) => line.replaceAll("\0", "").trimEnd())
    .filter((line) => line !== "")
    .flatMap((line) => wrap(line, bytes));
}

/** How many lines of so many bytes a text makes. */
export function countLines(text: string, bytes: number): number {
  return toLines(text, bytes).length;
}

function wrap(line: string, bytes: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > bytes || encoder.encode(rest).length > bytes) {
    const cut = cutBefore(rest, bytes);
    const piece = rest.slice(0, cut).trimEnd();
    lines.push(piece);
    // What is bold at the cut is bold in the next line.
    rest = openMarks(piece) + rest.slice(cut).trimStart();
  }
  return withoutFormatting(rest) === "" ? lines : [...lines, rest];
}

/** The marks that are on at the end of a line; each is switched off by itself. */
function openMarks(line: string): string {
  return MARKS.filter((mark) => line.split(mark).length % 2 === 0).join("");
}

/** Where to cut: after the last space that fits, else after the last grapheme that fits. */
function cutBefore(line: string, bytes: number): number {
  let used = 0;
  let end = 0;
  let space = 0;
  // A character has at least one byte, so no more than `bytes` of them can fit; the rest is not looked at.
  for (const { segment, index } of graphemes.segment(line.slice(0, bytes + LONG_GRAPHEME))) {
    used += encoder.encode(segment).length;
    if (used > bytes) break;
    end = index + segment.length;
    if (segment === " ") space = end;
  }
  // A single grapheme that is longer than a line is cut anywhere.
  if (end === 0) return Math.min(line.length, 16);
  return space > end / 3 ? space : end;
}
