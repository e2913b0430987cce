type Redact = (text: string) => string;

const MASK = "•••";
/** Bytes of text in a row that a value has at least. */
const SHORTEST = 4;
/** Ends of lines with the blanks and marks of quotation around them. Each expression here takes linear time. */
const BREAK = /(?<![ \t>|])[ \t>|]*\r?\n[ \t>|]*/g;
/** Bytes as hex, at least four, perhaps with a blank, colon or dash between. */
const HEX = /[0-9a-f](?:[\s:,-]?(?:0x)?[0-9a-f]){7,}/gi;
/** Most lines that one value is looked for over. */
const MOST_LINES = 64;
const WORD = /[^\s"']+/g;
/** A character written as `%41`, `\x41` or `\u0041`. */
const ESCAPE = /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u00([0-9a-f]{2})/gi;

/**
 * Finds known values in forms that a plain search misses: broken over lines (as base64 and terminals do), as hex with
 * separators or in mixed case, and with single characters escaped. Such a place is masked whole. Not found are values
 * that were encrypted, compressed, turned round, spelled with words between, or encoded twice in ways that are not
 * listed here.
 *
 * @param redact replaces known values in a text, in their usual spellings
 */
export function redactWrapped(text: string, redact: Redact): string {
  const plain = redact(text);
  const unescaped = /[%\\]/.test(plain) ? plain.replace(WORD, (word) => maskedEscapes(word, redact)) : plain;
  const unhexed = unescaped.replace(HEX, (run) => maskedHex(run, redact));
  return unhexed.includes("\n") ? unwrapped(unhexed, redact) : unhexed;
}

function maskedEscapes(word: string, redact: Redact): string {
  const read = word.replace(ESCAPE, (_all, percent?: string, short?: string, long?: string) =>
    String.fromCharCode(Number.parseInt(percent ?? short ?? long ?? "", 16)),
  );
  if (read === word) return word;
  const readings = [read, Buffer.from(read, "latin1").toString("utf8")];
  return readings.some((said) => redact(said) !== said) ? MASK : word;
}

function maskedHex(run: string, redact: Redact): string {
  const digits = run.replace(/0x|[\s:,-]/gi, "");
  return hides(digits, redact) || hides(digits.slice(1), redact) ? MASK : run;
}

/** Times, ids and digests are hex, too, and no text: most are told apart by their bytes. */
function hides(digits: string, redact: Redact): boolean {
  const bytes = Buffer.from(digits, "hex");
  let words = 0;
  let longest = 0;
  for (const byte of bytes) {
    words = byte >= 0x20 && byte !== 0x7f ? words + 1 : 0;
    if (words > longest) longest = words;
  }
  if (longest < SHORTEST) return false;
  const said = bytes.toString("utf8");
  return redact(said) !== said;
}

/** Joins the words at the ends of lines, and masks those that hold a value together. */
function unwrapped(text: string, redact: Redact): string {
  const joined = text.replace(BREAK, "");
  if (redact(joined) === joined) return text;
  const lines = text.split("\n");
  let shown = "";
  for (let at = 0; at < lines.length; ) {
    const [before, run, rest, next] = runFrom(lines, at);
    const together = run.join("");
    const hides = run.length > 1 && redact(together) !== together;
    if (hides) lines[next - 1] = rest;
    shown += hides ? before + MASK : `${lines[at] ?? ""}${at < lines.length - 1 ? "\n" : ""}`;
    at = hides ? next - 1 : at + 1;
  }
  return shown;
}

/** What may be one word from the end of this line on: the text before it, its pieces, the text after it, and the line after. */
function runFrom(lines: readonly string[], from: number): [string, string[], string, number] {
  const line = bare(lines[from] ?? "");
  const start = line.lastIndexOf(" ") + 1;
  const run = [line.slice(start)];
  for (let at = from + 1; at < lines.length; at += 1) {
    const next = bare(lines[at] ?? "");
    const end = next.indexOf(" ");
    run.push(end === -1 ? next : next.slice(0, end));
    if (end !== -1) return [line.slice(0, start), run, next.slice(end), at + 1];
    if (run.length > MOST_LINES) return [line.slice(0, start), run, "", at + 1];
  }
  return [line.slice(0, start), run, "", lines.length];
}

/** The line without blanks and marks of quotation at its sides. */
function bare(line: string): string {
  return line.replace(/^[\s>|]+/, "").trimEnd();
}
