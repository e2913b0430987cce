import { LineSplitter } from "../../../../platform/lines/byte-lines.ts";
import { cleanText } from "./clean-text.ts";

const LONGEST = 4_000;
/** Lines of one stream of one run that are logged. */
const MOST_LINES = 2_000;

/** Passes a stream's lines on, cleaned and cut; reads it to its end whatever it holds. */
export function logLines(stream: NodeJS.ReadableStream, log: (line: string) => void): void {
  const splitter = new LineSplitter(64 * 1024);
  let count = 0;
  const pass = (line: { text: string } | { tooLong: number }) => {
    count += 1;
    if (count > MOST_LINES) return;
    const text =
      "text" in line ? cleanText(line.text).slice(0, LONGEST) : `[a line of ${line.tooLong} bytes]`;
    if (text !== "") log(count === MOST_LINES ? `${text} [further lines are left out]` : text);
  };
  stream.on("data", (chunk: Buffer) => {
    for (const line of splitter.push(chunk)) pass(line);
  });
  stream.on("end", () => {
    const last = splitter.end();
    if (last) pass(last);
  });
}
