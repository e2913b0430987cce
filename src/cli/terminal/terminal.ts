import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { PatchbayError } from "../../contract/index.ts";
import { cleanText } from "../../contract/shown/clean-text.ts";

/** Questions to the person at the terminal. They go to stderr, so that stdout holds the result alone. */
export interface Terminal {
  /** False when nobody can be asked: input or error output is not a terminal. */
  readonly interactive: boolean;
  ask(question: string, signal: AbortSignal): Promise<string>;
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Asks without showing what is typed. Without a terminal, reads all of stdin. @throws PatchbayError BAD_INPUT when it
   * is empty
   */
  secret(question: string, signal: AbortSignal): Promise<string>;
  /** Like `secret`, but an empty answer is allowed. Only at a terminal. */
  optionalSecret(question: string, signal: AbortSignal): Promise<string>;
}

export function createTerminal(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Terminal {
  const interactive = stdin.isTTY === true && stderr.isTTY === true;

  async function ask(question: string, signal: AbortSignal): Promise<string> {
    const lines = createInterface({ input: stdin, output: stderr });
    try {
      return (await lines.question(cleanText(question), { signal })).trim();
    } finally {
      lines.close();
    }
  }

  return {
    interactive,
    ask,
    async confirm(question, signal) {
      return /^y(es)?$/i.test(await ask(`${question} [y/N] `, signal));
    },
    async secret(question, signal) {
      const value = interactive
        ? await askHidden(stdin, stderr, question, signal)
        : (await readText(stdin)).replace(/\r?\n$/, "");
      if (value === "") throw new PatchbayError("BAD_INPUT", "No value was given.");
      return value;
    },
    optionalSecret: (question, signal) => askHidden(stdin, stderr, question, signal),
  };
}

async function askHidden(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  stderr.write(cleanText(question));
  try {
    return (await lines.question("", { signal })).trim();
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
