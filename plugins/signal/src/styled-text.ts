/**
 * Writes text with styles so that the bridge's parser (`text_mode: "styled"`) gives back the very same text. Its rules:
 *
 * - Two stars, a star, a tilde and a backtick are marks wherever they are, in code too, and disappear, closed or not.
 *   Two bars are one as well. Two stars are always read as one mark.
 * - A backslash before a star, tilde, backtick or bar is dropped, and that sign is text (two stars or bars: both are).
 *   Before anything else it is text itself. So a backslash is never doubled, and no mark can follow one.
 * - A style ends with the mark that opened it last; marks that cross are read as further openings.
 */
export type Style = "bold" | "italic" | "struck" | "fixed";

export interface Run {
  text: string;
  styles: ReadonlySet<Style>;
}

interface Marked {
  text: string;
  /** The marks that open it, from the outermost. */
  marks: string[];
}

export function styledText(runs: readonly Run[]): string {
  return settled(runs.map(({ text, styles }) => ({ text, marks: marksOf(styles) })))
    .map(({ text, marks }) => `${marks.join("")}${escaped(text)}${marks.toReversed().join("")}`)
    .join("");
}

/** Bold and italic are not put into each other: where their marks meet, the parser cannot tell them apart. */
function marksOf(styles: ReadonlySet<Style>): string[] {
  const marks: string[] = [];
  if (styles.has("struck")) marks.push("~");
  if (styles.has("bold")) marks.push("**");
  else if (styles.has("italic")) marks.push("*");
  if (styles.has("fixed")) marks.push("`");
  return marks;
}

function escaped(text: string): string {
  return text.replace(/[*~`|]/g, "\\$&");
}

/**
 * Moves what no mark may follow (a backslash; before a star, a star) over the mark, into what comes next: the text stays
 * the same, and a sign more or less has the style.
 */
function settled(runs: readonly Marked[]): Marked[] {
  const done: Marked[] = [];
  const rest = merged(runs);
  for (let run = rest.shift(); run; run = rest.shift()) {
    const next = rest[0];
    const after = [...run.marks.toReversed(), ...(next?.marks ?? [])][0];
    const tail = after === undefined ? "" : tailBefore(after, run.text);
    if (tail !== "") {
      const kept = run.text.slice(0, -tail.length);
      if (next) next.text = tail + next.text;
      else rest.push({ text: tail, marks: [] });
      if (kept === "") {
        // The one before has another neighbour now.
        const before = done.pop();
        if (before) rest.unshift(before);
        continue;
      }
      run.text = kept;
    }
    // A single star that closes cannot be told from the first of those that open next.
    const closing = run.marks[0];
    if (closing === "*" && rest[0]?.marks[0]?.startsWith("*")) run.marks = run.marks.slice(1);
    done.push(run);
  }
  return done;
}

function tailBefore(mark: string, text: string): string {
  return (mark.startsWith("*") ? /[\\*]+$/ : /\\+$/).exec(text)?.[0] ?? "";
}

/** Neighbours with the same marks are one. */
function merged(runs: readonly Marked[]): Marked[] {
  const all: Marked[] = [];
  for (const run of runs) {
    const before = all.at(-1);
    if (before && before.marks.join() === run.marks.join()) before.text += run.text;
    else if (run.text !== "") all.push({ ...run });
  }
  return all;
}
