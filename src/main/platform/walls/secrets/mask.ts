import { Transform } from "node:stream";

/** Shorter texts are likely to stand in an answer for another reason. */
const SHORTEST = 8;

/** Texts as they are in bytes, each byte one character; the longest first. */
function needlesOf(texts: readonly string[]): string[] {
  const needles = texts.map((text) => Buffer.from(text).toString("latin1"));
  return [...new Set(needles)]
    .filter((needle) => needle.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
}

/** The text with each of the others replaced by as many stars, so that lengths stay true. */
export function masked(text: string, hidden: readonly string[]): string {
  return maskedNeedles(text, needlesOf(hidden));
}

/** Lets bytes through, with stars in the place of the texts, also of those that come in pieces. */
export function maskStream(hidden: readonly string[]): Transform {
  const needles = needlesOf(hidden);
  let kept = "";
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = maskedNeedles(kept + chunk.toString("latin1"), needles);
      // What could be the beginning of one waits for the next piece; everything else goes on at once.
      const wait = Math.max(0, ...needles.map((needle) => beginningAtEnd(text, needle)));
      kept = wait === 0 ? "" : text.slice(-wait);
      done(null, Buffer.from(text.slice(0, text.length - wait), "latin1"));
    },
    flush(done) {
      done(null, Buffer.from(kept, "latin1"));
    },
  });
}

function maskedNeedles(text: string, needles: readonly string[]): string {
  return needles.reduce((left, needle) => left.replaceAll(needle, "*".repeat(needle.length)), text);
}

/** How many characters at the end of a text are the beginning of another. */
function beginningAtEnd(text: string, of: string): number {
  for (let length = Math.min(of.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(of.slice(0, length))) return length;
  return 0;
}
