/**
 * Markdown that is still being written. Parsing the whole answer again for each new piece would be slow. Only the last
 * blocks can still change, so the blocks before them are kept from one piece to the next.
 */
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

export type Block = ReturnType<typeof fromMarkdown>["children"][number];

/**
 * The beginning of a link definition (`[name]: address`) or footnote. A later one changes blocks before it, so such a
 * text is parsed as a whole each time.
 */
const defines = /^[ >*+-]*\[[^\]]+\]:/m;

export function parseMarkdown(text: string): Block[] {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
}

/** Reads a text that grows at its end. A finished block stays the same object. */
export class GrowingText {
  /** The finished part: its text, which ends at the beginning of a line, and its blocks. */
  #text = "";
  #blocks: readonly Block[] = [];

  read(text: string): readonly Block[] {
    if (defines.test(text)) return parseMarkdown(text);
    if (!text.startsWith(this.#text)) {
      this.#text = "";
      this.#blocks = [];
    }
    const rest = text.slice(this.#text.length);
    const open = parseMarkdown(rest);
    const all = [...this.#blocks, ...open];
    const closed = countClosed(open, rest);
    const next = open[closed];
    if (closed > 0 && next) {
      this.#text += rest.slice(0, lineStart(rest, startOf(next)));
      this.#blocks = [...this.#blocks, ...open.slice(0, closed)];
    }
    return all;
  }
}

/**
 * How many blocks at the beginning cannot change any more: those before the last block whose first line is complete. A
 * line that is still being written may turn out to belong to the block before it, as `1.` does when it becomes `1.5`.
 */
function countClosed(blocks: readonly Block[], text: string): number {
  const last = blocks.findLastIndex((block) => text.includes("\n", startOf(block)));
  return Math.max(0, last);
}

function startOf(block: Block): number {
  return block.position?.start.offset ?? 0;
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}
