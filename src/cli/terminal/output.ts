import { stripVTControlCharacters } from "node:util";
import type { Problem } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { cleanJson, cleanText } from "../../contract/shown/clean-text.ts";

type Stream = Pick<NodeJS.WriteStream, "write"> & { isTTY?: boolean };

export interface OutputOptions {
  json: boolean;
  stdout: Stream;
  stderr: Stream;
  env: Record<string, string | undefined>;
}

/**
 * The output of a command. Nothing that others wrote reaches the terminal raw: all text is cleaned here once more, and
 * only our own colours get through. With `--json`, exactly one document goes to stdout; text for people goes to stderr or is
 * left out.
 */
export class Output {
  readonly json: boolean;
  /** Whether a person sees the result where it is printed: it goes neither to a file nor to another program. */
  readonly isSeen: boolean;
  readonly paint: Paint;
  private readonly stdout: Stream;
  private readonly stderr: Stream;
  private readonly added: Record<string, unknown> = {};

  constructor(options: OutputOptions) {
    this.json = options.json;
    this.isSeen = options.stdout.isTTY === true && !options.json;
    this.stdout = options.stdout;
    this.stderr = options.stderr;
    const coloured = options.stdout.isTTY === true && !options.env.NO_COLOR && options.env.TERM !== "dumb";
    this.paint = coloured && !options.json ? ansi : plain;
  }

  /** Fields for the document of the result, where that is an object, besides its own. */
  add(fields: Record<string, unknown>): void {
    Object.assign(this.added, fields);
  }

  /** Prints the result: the document with `--json`, else the text. */
  result(document: unknown, text: () => string): void {
    if (this.json) this.document(isObject(document) ? { ...document, ...this.added } : document);
    else {
      const lines = text();
      if (lines !== "") this.line(lines);
    }
  }

  /** Prints a piece of text at once; nothing with `--json`. */
  stream(text: string): void {
    if (!this.json) this.stdout.write(this.clean(text));
  }

  line(text: string): void {
    this.stream(`${text}\n`);
  }

  /** Prints a remark for the person to stderr. */
  note(text: string): void {
    this.stderr.write(`${this.clean(text)}\n`);
  }

  failure(problem: Problem): void {
    if (this.json) {
      const { code, message, help, details } = problem;
      this.document({ error: { code, message, help, details } });
      return;
    }
    this.note(`${this.paint.bad("✗")} ${problem.message}`);
    if (problem.help && !problem.message.includes(problem.help)) this.note(`  ${problem.help}`);
  }

  private document(document: unknown): void {
    this.stdout.write(`${cleanJson(JSON.stringify(document, null, 2))}\n`);
  }

  private clean(text: string): string {
    if (this.paint === plain) return cleanText(text);
    // Every second piece is one of our colours.
    const pieces = text.split(OURS);
    return pieces.map((piece, index) => (index % 2 === 1 ? piece : cleanText(piece))).join("");
  }
}

type Painter = (text: string) => string;
export interface Paint {
  good: Painter;
  bad: Painter;
  warn: Painter;
  dim: Painter;
  bold: Painter;
}

const code = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const ansi: Paint = {
  good: code(32, 39),
  bad: code(31, 39),
  warn: code(33, 39),
  dim: code(2, 22),
  bold: code(1, 22),
};
/** The sequences that {@link ansi} writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with it
const OURS = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;
const same: Painter = (text) => text;
const plain: Paint = { good: same, bad: same, warn: same, dim: same, bold: same };

/**
 * Lays out cells in columns, each as wide as its widest cell, with two spaces between them. The last column is not
 * padded. A cell is one line.
 */
export function table(given: string[][]): string {
  const rows = given.map((row) => row.map((cell) => cell.replace(/\s*\n\s*/g, " ")));
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, visibleLength(cell));
    });
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - visibleLength(cell)),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
