/** A text and where its caret stands, in UTF-16 units. */
export interface Caret {
  text: string;
  at: number;
}

export type CaretMove =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "lineStart"
  | "lineEnd"
  | "lineUp"
  | "lineDown";

/** Where a move leads. */
export function moved({ text, at }: Caret, move: CaretMove): number {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = endOfLine(text, at);
  switch (move) {
    case "left":
      return lastSign(text, at);
    case "right":
      return nextSign(text, at);
    case "wordLeft":
      return at - (/[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);
    case "wordRight":
      return at + (/^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(at))?.[0].length ?? 0);
    case "lineStart":
      return start;
    case "lineEnd":
      return end;
    case "lineUp": {
      if (start === 0) return 0;
      const above = text.lastIndexOf("\n", start - 2) + 1;
      return Math.min(above + (at - start), start - 1);
    }
    case "lineDown":
      return end === text.length ? end : Math.min(end + 1 + (at - start), endOfLine(text, end + 1));
  }
}

/** Up to where a text is taken away from the caret on. At the end of its line, the line's end itself. */
export function killedTo(caret: Caret, move: CaretMove): number {
  const to = moved(caret, move);
  return move === "lineEnd" && to === caret.at ? nextSign(caret.text, caret.at) : to;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

const signs = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function nextSign(text: string, at: number): number {
  const [first] = signs.segment(text.slice(at));
  return at + (first?.segment.length ?? 0);
}

function lastSign(text: string, at: number): number {
  // A sign is never longer than this.
  const from = Math.max(0, at - 64);
  return at - ([...signs.segment(text.slice(from, at))].at(-1)?.segment.length ?? 0);
}
