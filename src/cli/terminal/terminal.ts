import { text as readText } from "node:stream/consumers";
import { PatchbayError } from "../../contract/index.ts";
import { cleanLine, cleanText } from "../../contract/shown/clean-text.ts";
import type { PickOption } from "./picked.ts";
import { type Asker, TypedLines } from "./typed-lines.ts";

interface Default<T> extends Asker {
  /** What Enter takes where nothing was typed. It is shown beside the question. */
  default?: T | undefined;
}

/**
 * Questions to the person at the terminal; nothing else asks them. They go to stderr, so that stdout holds the result alone.
 * Whoever presses Ctrl+C or Ctrl+D has stopped the command: each question then fails with ABORTED. A question whose signal
 * is aborted is taken back, and fails with an AbortPromptError.
 */
export interface Terminal {
  /** False when nobody can be asked: input or error output is not a terminal. */
  readonly interactive: boolean;
  /** A line of text without the blanks around it; empty when nothing was typed and there is no default. */
  ask(question: string, signal: AbortSignal, how?: Default<string>): Promise<string>;
  /** Yes or no; without a default, Enter is no. */
  confirm(question: string, signal: AbortSignal, how?: Default<boolean>): Promise<boolean>;
  /** The value of one option; without a default, Enter alone picks none and the question stays. */
  choose(
    question: string,
    options: readonly PickOption[],
    signal: AbortSignal,
    how?: Default<string>,
  ): Promise<string>;
  /** The values of any number of options; `default` is what is ticked at first. */
  chooseSome(
    question: string,
    options: readonly PickOption[],
    signal: AbortSignal,
    how?: Default<readonly string[]>,
  ): Promise<string[]>;
  /**
   * Asks without showing what is typed. Without a terminal, reads all of stdin. @throws PatchbayError BAD_INPUT when it
   * is empty
   */
  secret(question: string, signal: AbortSignal): Promise<string>;
  /** Like `secret`, but an empty answer is allowed. Only at a terminal. */
  optionalSecret(question: string, signal: AbortSignal, how?: Asker): Promise<string>;
  /** Says what of the pasted lines no question took. Call it once nothing is asked any more. */
  close(): void;
}

/** What the library needs to know of the terminal. */
interface Place {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

/**
 * @param interrupt called when the person presses Ctrl+C or Ctrl+D while a question is open
 * @param note prints a remark for the person
 */
export function createTerminal(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  interrupt: () => void,
  note: (text: string) => void,
): Terminal {
  const interactive = stdin.isTTY === true && stderr.isTTY === true;
  const typed = new TypedLines(stdin, (left) =>
    note(
      `▲ ${left} more ${left === 1 ? "line was" : "lines were"} typed or pasted than asked for, and not taken.`,
    ),
  );

  async function put<T>(signal: AbortSignal, how: Asker, ask: (place: Place) => Promise<T>): Promise<T> {
    const left = new AbortController();
    const leave = () => left.abort();
    const open = await typed.open(how);
    const input = open.keys;
    const answer = ask({ input, output: stderr, signal: AbortSignal.any([signal, left.signal]) });
    // Ctrl+D on an empty line closes the library's reader, which stops reading and tells nobody. This listener comes after its.
    const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
      if (key?.ctrl && key.name === "d" && input.isPaused()) leave();
    };
    input.on("keypress", onKey);
    stdin.once("end", leave);
    try {
      return await answer;
    } catch (error) {
      const stopped = left.signal.aborted || (error instanceof Error && error.name === "ExitPromptError");
      if (!stopped || signal.aborted) throw error;
      interrupt();
      throw new PatchbayError("ABORTED", "It was stopped on request.");
    } finally {
      input.off("keypress", onKey);
      stdin.off("end", leave);
      open.leave();
    }
  }

  async function hidden(question: string, signal: AbortSignal, how: Asker = {}): Promise<string> {
    const { password } = await import("@inquirer/prompts");
    const theme = { style: { maskedText: "(not shown)" } };
    const value = await put(signal, how, (place) =>
      password({ message: asked(question), toggleMask: false, theme }, place),
    );
    return value.trim();
  }

  async function pickFrom(
    question: string,
    given: readonly PickOption[],
    signal: AbortSignal,
    { several, chosen, ...how }: { several: boolean; chosen: readonly string[] } & Asker,
  ): Promise<string[]> {
    const { pick } = await import("./pick.ts");
    const options = given.map((option) => ({ ...option, label: cleanLine(option.label) }));
    return put(signal, how, (place) => pick({ message: asked(question), options, several, chosen }, place));
  }

  return {
    interactive,
    async ask(question, signal, how = {}) {
      const { input } = await import("@inquirer/prompts");
      const shown = how.default === undefined ? undefined : cleanLine(how.default);
      const line = await put(signal, how, (place) =>
        input({ message: asked(question), default: shown }, place),
      );
      return how.default !== undefined && line === shown ? how.default : line.trim();
    },
    async confirm(question, signal, how = {}) {
      const { confirm } = await import("@inquirer/prompts");
      const theme = { keywords: { error: () => "Type y for yes or n for no." } };
      return put(signal, how, (place) =>
        confirm({ message: asked(question), default: how.default ?? false, theme }, place),
      );
    },
    async choose(question, options, signal, how = {}) {
      const chosen = how.default === undefined ? [] : [how.default];
      const [picked] = await pickFrom(question, options, signal, { ...how, several: false, chosen });
      return picked as string;
    },
    chooseSome: (question, options, signal, how = {}) =>
      pickFrom(question, options, signal, { ...how, several: true, chosen: how.default ?? [] }),
    async secret(question, signal) {
      const value = interactive
        ? await hidden(question, signal)
        : (await readText(stdin)).replace(/\r?\n$/, "");
      if (value === "") throw new PatchbayError("BAD_INPUT", "No value was given.");
      return value;
    },
    optionalSecret: hidden,
    close: () => typed.drop(),
  };
}

/** Others wrote some of the questions. */
function asked(question: string): string {
  return cleanText(question).trim();
}
