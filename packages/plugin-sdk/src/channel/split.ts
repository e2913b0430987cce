/**
 * The unit in which a platform limits the length of messages: UTF-16 units, code points, UTF-8 bytes, or a function of
 * the text (a longer text must never give a smaller number).
 */
export type Measure = "chars" | "code points" | "bytes" | ((text: string) => number);

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const encoder = new TextEncoder();
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** Most characters of the language name that is repeated when a code fence is opened again. */
const MAX_INFO = 32;
/** The number of characters that is tried first. */
const FIRST_GUESS = 1_024;

export function measure(text: string, unit: Measure): number {
  if (typeof unit === "function") return unit(text);
  if (unit === "chars") return text.length;
  if (unit === "bytes") return encoder.encode(text).length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Splits source text into messages of at most `limit` units: at a blank line, else a newline, else a space, else
 * between two graphemes. A code fence that is open at a cut is closed there and opened again in the next piece. When
 * the text grows, all pieces but the last stay the same, so that drafts already sent stay valid.
 */
export function splitText(text: string, limit: number, unit: Measure): string[] {
  const pieces: string[] = [];
  let rest = text.replace(/\r\n?/g, "\n").trimEnd();
  let opening = "";
  while (rest !== "") {
    const whole = opening + rest;
    if (longestPrefix(whole, (part) => measure(part, unit) <= limit) === whole.length) {
      pieces.push(whole);
      break;
    }
    const { piece, taken, reopen } = firstPiece(opening, rest, limit, unit);
    if (piece.trim() !== "") pieces.push(piece);
    rest = rest.slice(taken);
    // Inside a code fence the indentation of the next line belongs to the text, so only the line end is removed.
    rest = reopen === "" ? rest.replace(/^\s+/, "") : rest.replace(/^\n/, "");
    opening = reopen;
  }
  return pieces;
}

function firstPiece(opening: string, rest: string, limit: number, unit: Measure) {
  // A UTF-16 unit counts at least half in every unit, so more text than `2 * limit` cannot fit.
  const near = typeof unit === "function" ? rest : rest.slice(0, 2 * limit);
  const longest = (closing: string) =>
    longestPrefix(near, (part) => measure(opening + part + closing, unit) <= limit);
  const without = longest("");
  // Whether a fence may be open at the cut is decided only from the text before it, so that pieces stay the same when
  // the text grows.
  const fences = opening + near.slice(0, without);
  const most = /`{3}|~{3}/.test(fences) ? longest(`\n${"`".repeat(fenceLength(fences))}`) : without;
  const cut = breakBefore(rest, Math.max(most, 1));
  const body = (opening + rest.slice(0, cut)).trimEnd();
  const fence = openFence(body);
  if (!fence) return { piece: body, taken: cut, reopen: "" };
  return { piece: `${body}\n${fence.mark}`, taken: cut, reopen: `${fence.mark}${fence.info}\n` };
}

function fenceLength(text: string): number {
  return Math.min(6, Math.max(3, ...Array.from(text.matchAll(/`{3,}|~{3,}/g), ([mark]) => mark.length)));
}

/** The fence that is open at the end of the text. */
function openFence(text: string): { mark: string; info: string } | null {
  let open: { mark: string; info: string } | null = null;
  for (const line of text.split("\n")) {
    const [, mark, info] = fenceLine.exec(line) ?? [];
    if (mark === undefined || info === undefined) continue;
    if (!open) {
      if (mark.startsWith("`") && info.includes("`")) continue;
      open = { mark: mark.slice(0, 6), info: info.trim().slice(0, MAX_INFO) };
    } else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && info.trim() === "") open = null;
  }
  return open;
}

/**
 * Length of the longest prefix that fits, found by doubling and then halving, so that no text is measured that is much
 * longer than what fits.
 */
function longestPrefix(text: string, fits: (part: string) => boolean): number {
  let low = 0;
  let high = Math.min(FIRST_GUESS, text.length);
  while (fits(text.slice(0, high))) {
    if (high === text.length) return high;
    low = high;
    high = Math.min(2 * high, text.length);
  }
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Where to cut `text` at or before `most`. Breaks in the first third are not used, because they would lead to too many
 * messages.
 */
function breakBefore(text: string, most: number): number {
  const least = Math.floor(most / 3);
  for (const mark of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(mark, most);
    if (at > least && at <= most) return at;
  }
  return graphemeBefore(text, most);
}

function graphemeBefore(text: string, most: number): number {
  // Only 64 units around the cut are examined: no written grapheme is longer. A longer one is cut between code points.
  const from = Math.max(0, most - 64);
  const window = text.slice(from, most + 64);
  let boundary = 0;
  for (const { index } of graphemes.segment(window)) {
    if (from + index > most) break;
    boundary = from + index;
  }
  if (boundary > from) return boundary;
  const inPair = isHighSurrogate(text.charCodeAt(most - 1)) && isLowSurrogate(text.charCodeAt(most));
  return inPair ? Math.max(most - 1, most > 1 ? 1 : 2) : most;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
