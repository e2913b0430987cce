import { substitutionsIn, type Word, WordReader } from "./words.ts";

/** A simple command: its words with assignments and wrappers still in place. */
export interface Command {
  words: Word[];
  redirects: Redirect[];
  /** What a here-document or here-string feeds it. */
  input: string | null;
  /** Sources of substitutions in its here-document. */
  inputSubstitutions: string[];
  /** The commands whose output it reads through a pipe, the nearest last. */
  upstream: Command[];
}

export interface Redirect {
  operator: string;
  target: Word;
}

/** A script as a flat list: commands in order, and where subshells begin and end. */
export type Step = { kind: "command"; command: Command } | { kind: "enter" } | { kind: "leave" };

type Token =
  | { kind: "word"; word: Word }
  | { kind: "operator"; text: string }
  | { kind: "redirect"; operator: string };

const operators = ["&&", "||", ";;&", ";;", ";&", "|&", "&", ";", "|", "(", ")", "\n"];
const redirects = ["<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">"];
/** Words that only begin or end a construct where a command may stand. */
const reserved = new Set("if then elif else fi do done while until esac ! time".split(" "));

const maxGroups = 100;
/** How many commands may feed others through pipes, each counted once for every command that it feeds. */
const mostFeeding = 100_000;
/** Characters that one round of the lists of a word may come to. */
const longestList = 256 * 1024;

/** Thrown for a script whose groups are nested deeper than any that people write. */
export class NestedTooDeeply extends Error {}

/** Thrown for a script whose variables or lists expand to more than any that people write. */
export class ExpandsTooFar extends Error {}

/** Thrown for a script with longer pipelines than any that people write. */
export class PipedTooFar extends Error {}

/** The lists of commands that feed others through pipes. In a pipeline of n commands they have n²/2 entries. */
export class Pipes {
  #entries = 0;

  /** What the commands before feed, and these after them. @throws PipedTooFar */
  after(before: readonly Command[], more: readonly Command[] = []): Command[] {
    this.#entries += before.length + more.length;
    if (this.#entries > mostFeeding) throw new PipedTooFar();
    return [...before, ...more];
  }
}

/**
 * Reads a script as sh and bash do, but only as far as needed to find its commands. An unfinished part (an open quote,
 * a missing parenthesis) ends with the text.
 * Written by hand, so that unfinished and odd scripts are read as far as a shell would run them; `grammar.ts` reads the
 * same script by the whole grammar. (Other libraries measured worse: sh-syntax 0.7 tells only where a command stands and
 * not its words, and takes 6 to 9 ms a parse; tree-sitter-bash needs 0.4 s and 16 MB to start, 0.2 ms a command, and
 * 41 s for 5,000 times `((((x`.)
 * @throws NestedTooDeeply for more than 100 groups within each other
 * @throws PipedTooFar
 */
export function parseScript(source: string): Step[] {
  return new Parser(source).parse();
}

class Parser {
  readonly #reader: WordReader;
  readonly #steps: Step[] = [];
  readonly #groups: { start: number; upstream: Command[]; subshell: boolean }[] = [];
  #command = emptyCommand([]);
  /** Commands of a group that has just ended; they feed what follows a pipe. */
  #closedGroup: Command[] = [];
  readonly #pipes = new Pipes();
  readonly #heredocs: { command: Command; delimiter: Word; stripTabs: boolean }[] = [];

  constructor(source: string) {
    this.#reader = new WordReader(source);
  }

  parse(): Step[] {
    for (let token = this.#next(); token; token = this.#next()) {
      if (token.kind === "word") this.#word(token.word);
      else if (token.kind === "redirect") this.#redirect(token.operator);
      else this.#operator(token.text);
    }
    this.#finish();
    while (this.#groups.length > 0) this.#close();
    return this.#steps;
  }

  #word(word: Word): void {
    if (word.text === "" && !word.quoted && !word.dynamic) return;
    const [first] = this.#command.words;
    const isNamed = first?.text === "function" || first?.text === "coproc";
    if (isNamed && word.text === "{") this.#command = emptyCommand([]);
    const isReserved = this.#command.words.length === 0 && !word.quoted && !word.dynamic;
    if (isReserved && word.text === "{") this.#open(false);
    else if (isReserved && word.text === "}") this.#close();
    else if (!isReserved || (!reserved.has(word.text) && word.text !== "-p"))
      this.#command.words.push(...expandBraces(word));
  }

  #redirect(operator: string): void {
    this.#skipBlanks();
    const target = this.#reader.readWord();
    if (!target) return;
    const command = this.#command;
    if (operator === "<<" || operator === "<<-") {
      this.#heredocs.push({ command, delimiter: target, stripTabs: operator === "<<-" });
    } else if (operator === "<<<") {
      command.input = target.text;
      command.inputSubstitutions.push(...target.substitutions);
    } else {
      command.redirects.push({ operator, target });
    }
  }

  #operator(text: string): void {
    if (text === "(" && this.#command.words.length === 1 && this.#peekFunction()) {
      this.#command = emptyCommand([]);
    } else if (text === "(") {
      this.#open(true);
    } else if (text === ")") {
      this.#close();
    } else {
      const upstream = this.#finish();
      const isPipe = text === "|" || text === "|&";
      this.#command = emptyCommand(isPipe ? upstream : (this.#groups.at(-1)?.upstream ?? []));
      if (text === "\n") this.#readHeredocs();
    }
  }

  /** Reads the `)` of `name()`, if that is what follows. */
  #peekFunction(): boolean {
    const match = /^[ \t]*\)/.exec(this.#reader.source.slice(this.#reader.position));
    if (match) this.#reader.position += match[0].length;
    return match !== null;
  }

  #open(subshell: boolean): void {
    const upstream = this.#command.upstream;
    this.#finish();
    if (this.#groups.length === maxGroups) throw new NestedTooDeeply();
    this.#groups.push({ start: this.#steps.length, upstream, subshell });
    if (subshell) this.#steps.push({ kind: "enter" });
    this.#command = emptyCommand(upstream);
  }

  #close(): void {
    this.#finish();
    const group = this.#groups.pop();
    if (!group) return;
    const inside = this.#steps
      .slice(group.start)
      .flatMap((step) => (step.kind === "command" ? [step.command] : []));
    if (group.subshell) this.#steps.push({ kind: "leave" });
    this.#closedGroup = inside;
    this.#command = emptyCommand([]);
  }

  /** Ends the current command and returns what a pipe after it would read from. */
  #finish(): Command[] {
    const command = this.#command;
    const closed = this.#closedGroup;
    this.#closedGroup = [];
    this.#command = emptyCommand([]);
    if (command.words.length === 0 && command.redirects.length === 0 && command.input === null) return closed;
    this.#steps.push({ kind: "command", command });
    return this.#pipes.after(command.upstream, [...closed, command]);
  }

  #readHeredocs(): void {
    const { source } = this.#reader;
    for (const { command, delimiter, stripTabs } of this.#heredocs.splice(0)) {
      const lines: string[] = [];
      while (this.#reader.position < source.length) {
        const end = source.indexOf("\n", this.#reader.position);
        const stop = end === -1 ? source.length : end;
        const raw = source.slice(this.#reader.position, stop);
        this.#reader.position = stop + 1;
        const line = stripTabs ? raw.replace(/^\t+/, "") : raw;
        if (line === delimiter.text) break;
        lines.push(line);
      }
      command.input = lines.join("\n");
      if (!delimiter.quoted) command.inputSubstitutions.push(...substitutionsIn(command.input));
    }
  }

  #next(): Token | null {
    this.#skipBlanks();
    const { source, position } = this.#reader;
    if (position >= source.length) return null;
    const rest = source.slice(position, position + 12);
    const descriptor = /^(?:\d{1,3}|\{\w+\})(?=[<>])/.exec(rest)?.[0] ?? "";
    const redirect = redirects.find((text) => rest.startsWith(text, descriptor.length));
    if (redirect && !/^[<>]\(/.test(rest)) {
      this.#reader.position += descriptor.length + redirect.length;
      return { kind: "redirect", operator: redirect };
    }
    const operator = operators.find((text) => rest.startsWith(text));
    if (operator) {
      this.#reader.position += operator.length;
      return { kind: "operator", text: operator };
    }
    const word = this.#reader.readWord();
    if (word) return { kind: "word", word };
    this.#reader.position += 1;
    return this.#next();
  }

  #skipBlanks(): void {
    const match = /^(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/.exec(this.#reader.source.slice(this.#reader.position));
    this.#reader.position += match?.[0].length ?? 0;
  }
}

function emptyCommand(upstream: Command[]): Command {
  return { words: [], redirects: [], input: null, inputSubstitutions: [], upstream };
}

/** `{a,b}c` → `ac bc`, at most four lists of a word. @throws ExpandsTooFar */
export function expandBraces(word: Word): Word[] {
  if (!word.braces || word.dynamic) return [word];
  let texts = [word.text];
  for (let round = 0; round < 4 && texts.length < 64; round += 1) {
    const rounds = texts.map(firstListOf);
    if (rounds.every((one) => one === null)) break;
    const length = rounds.reduce((sum, one) => sum + (one ? one.items.length * one.rest : 0), 0);
    if (length > longestList) throw new ExpandsTooFar();
    texts = rounds.flatMap((one, index) => one?.items.map(one.with) ?? [texts[index] ?? ""]);
  }
  return texts.filter((text) => text !== "").map((text) => ({ ...word, text, tilde: text.startsWith("~") }));
}

/** The first `{a,b}` without another in it. */
function firstListOf(text: string) {
  let start = -1;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    const list = text.slice(start + 1, index);
    if (brace === "{") start = index;
    else if (start === -1 || !list.includes(",")) start = -1;
    else {
      const [before, after] = [text.slice(0, start), text.slice(index + 1)];
      return {
        items: list.split(","),
        rest: text.length - list.length,
        with: (item: string) => `${before}${item}${after}`,
      };
    }
  }
  return null;
}
