/** A part of a message in a style, as Signal carries it: in UTF-16 units of the text. */
export interface StyleRange {
  start: number;
  length: number;
  style: "BOLD" | "ITALIC" | "SPOILER" | "STRIKETHROUGH" | "MONOSPACE";
}

const styles = {
  "**": "BOLD",
  "*": "ITALIC",
  "||": "SPOILER",
  "~": "STRIKETHROUGH",
  "`": "MONOSPACE",
} as const;
type Mark = keyof typeof styles;

/**
 * What the bridge makes of a message with `text_mode: "styled"`, by the rules of its parser (signal-cli-rest-api 0.100):
 * it knows the marks and nothing else, no lines and no code. Two stars or bars are one mark. A mark that is the one on
 * top of the stack closes it, any other is put on it; one that is never closed is gone all the same. A backslash before
 * a mark, or before one bar, is dropped, and what follows is text; before anything else it is text itself, so that
 * two of them are two.
 */
export function parseStyled(message: string): { text: string; styles: StyleRange[] } {
  let text = "";
  const found: StyleRange[] = [];
  const open: { mark: Mark; start: number }[] = [];
  for (const [whole, escaped, mark] of message.matchAll(/\\(\*\*|\*|\|\|?|~|`)|(\*\*|\*|\|\||~|`)|[\s\S]/g)) {
    if (mark === undefined) {
      text += escaped ?? whole;
      continue;
    }
    const top = open.at(-1);
    if (top?.mark === mark) {
      open.pop();
      found.push({ start: top.start, length: text.length - top.start, style: styles[mark as Mark] });
    } else open.push({ mark: mark as Mark, start: text.length });
  }
  return { text, styles: found };
}
