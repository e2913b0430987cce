import type { Value } from "../values/value.ts";
import { type Form, Parser } from "./parser.ts";

/** Source that is no Janet. The message has one char per byte; `line` and `column` are where the parser stood. */
export class ParseError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The forms of a source (bytes), one after the other, each as soon as it is complete. @throws ParseError where it is no Janet */
export function* readForms(bytes: string): Generator<Form, void> {
  for (const form of readPieces(bytes, bytes.length)) if (form !== null) yield form;
}

/** As {@link readForms}; gives null each time so many bytes more are read, so that the caller can do other work. @throws ParseError */
export function* readPieces(bytes: string, piece: number): Generator<Form | null, void> {
  const parser = new Parser();
  for (let at = 0; at < bytes.length && parser.peekError() === null; at++) {
    parser.byte(bytes.charCodeAt(at));
    if (parser.hasMore) yield* produced(parser);
    if (at % piece === piece - 1) yield null;
  }
  if (parser.peekError() === null) {
    parser.eof();
    yield* produced(parser);
  }
  const message = parser.peekError();
  if (message !== null) throw new ParseError(message, parser.line, parser.column);
}

function* produced(parser: Parser): Generator<Form, void> {
  for (let form = parser.produce(); form !== undefined; form = parser.produce()) yield form;
}

/** All values of a source (bytes). @throws ParseError */
export function readAll(bytes: string): Value[] {
  return Array.from(readForms(bytes), (form) => form.value);
}
