import { WholeLines } from "../../../../base/whole-lines.ts";
import { CappedText } from "./capped-text.ts";
import { cleanText } from "./clean-text.ts";

/** Characters of each kind of text that are kept of one run. */
const OUTPUT_LIMIT = 256 * 1024;
const DIAGNOSTICS_LIMIT = 32 * 1024;
const STDERR_LIMIT = 16 * 1024;

/** Everything that one run printed or sent, within limits. */
export class RunOutput {
  readonly #output = new CappedText(OUTPUT_LIMIT);
  readonly #raw = new CappedText(OUTPUT_LIMIT);
  readonly #complaints = new CappedText(DIAGNOSTICS_LIMIT);
  readonly #stderr = new CappedText(STDERR_LIMIT);
  readonly #stderrDecoder = new TextDecoder();
  readonly #live: WholeLines;
  #openLine = false;

  /** @param live gets the output as it comes, in whole lines */
  constructor(live: (lines: string) => void = () => {}) {
    this.#live = new WholeLines((lines) => live(cleanText(lines)));
  }

  /**
   * Adds the text of an output message. Two such texts never share a line: a line end is added where one is missing.
   */
  output(text: string): void {
    if (text === "") return;
    const piece = this.#openLine ? `\n${text}` : text;
    this.#output.add(piece);
    this.#live.add(piece);
    this.#openLine = !text.endsWith("\n");
  }

  /** A line that was not a message. */
  raw(line: string): void {
    this.#raw.add(`${line}\n`);
  }

  /** Text that is no part of the protocol, in pieces as it comes. */
  rawText(text: string): void {
    this.#raw.add(text);
  }

  /** What a plain program printed. */
  printed(text: string): void {
    this.#output.add(text);
    this.#live.add(text);
  }

  complaint(level: string, text: string): void {
    this.#complaints.add(`${level}: ${text}\n`);
  }

  stderr(chunk: Buffer): void {
    this.#stderr.add(this.#stderrDecoder.decode(chunk, { stream: true }));
  }

  get truncated(): boolean {
    return this.#output.dropped > 0 || this.#raw.dropped > 0;
  }

  /** The text for the agent after a run without failure. */
  text(): string {
    if (!this.#output.isEmpty) return cleanText(this.#output.text());
    return this.#raw.isEmpty ? "" : `[raw output]\n${cleanText(this.#raw.text())}`.trimEnd();
  }

  /** The text for the agent after a failed run. It is shown below the sentence that says how the run failed. */
  failure(): string {
    const parts = [this.text().trimEnd()];
    if (!this.#complaints.isEmpty) parts.push(cleanText(this.#complaints.text()).trimEnd());
    if (!this.#stderr.isEmpty) parts.push(`stderr:\n${cleanText(this.#stderr.text()).trimEnd()}`);
    return parts.filter((part) => part !== "").join("\n");
  }
}
