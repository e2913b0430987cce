/**
 * Lays a doc string out: paragraphs are filled to the width; lists, indented lines and fenced code stay as they are. All of it is
 * indented.
 */
export function docLayout(text: string, width = 80, indent = 4): string {
  const room = Math.max(20, width - 2 * indent);
  const margin = " ".repeat(indent);
  const lines = text
    .split(/\n{2,}/)
    .flatMap((block) => ["", ...(isPlain(block) ? fill(block, room) : block.split("\n"))])
    .slice(1);
  return lines.map((line) => (line.trim() === "" ? "" : margin + line)).join("\n");
}

/** A paragraph: nothing in it is indented, an item of a list or a fence. */
function isPlain(block: string): boolean {
  return block.split("\n").every((line) => !/^(\s|[-*+] |\d+\. |```|#)/.test(line));
}

function fill(block: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of block.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** Names in rows that fit into the width, indented. */
export function nameRows(names: readonly string[], width = 80, indent = 4): string {
  return fill(names.join(" "), Math.max(20, width - 2 * indent))
    .map((line) => " ".repeat(indent) + line)
    .join("\n");
}
