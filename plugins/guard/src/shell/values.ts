import { outputOf } from "./output.ts";
import { type Command, ExpandsTooFar, parseScript } from "./parse.ts";
import type { Word } from "./words.ts";

/** A longer value is not followed. */
const longestValue = 4096;
/** Characters that the expansions of one command line may come to. */
const mostExpanded = 256 * 1024;
const deepest = 4;

const assignment = /^([A-Za-z_]\w*)(\+?)=/;
/** `$()`, `$<()`, `${NAME}`, `${NAME:-text}`, `$NAME`. */
const reference = /\$\(\)|\$\{(\w+)(?:(:?[-=])([^}$`]*))?\}|\$([A-Za-z_]\w*|\d)/g;
const declarations = new Set(["export", "declare", "typeset", "local", "readonly"]);
/** Commands that give the variables they name a value that is not known here. */
const readers = new Set(["read", "unset", "for", "select", "mapfile", "readarray", "getopts", "let"]);

/**
 * The variables and aliases of a script, with their values where these are known: texts that the script itself assigns.
 * After an `if`, the values of the later branch count.
 */
export class Values {
  readonly #variables: Map<string, string>;
  readonly #aliases: Map<string, Word[]>;
  readonly #expanded: WeakMap<Command, Command>;
  readonly #spent: { characters: number };
  readonly #depth: number;

  constructor(from?: Values, depth = 0) {
    const shell = [
      ["0", "sh"],
      ["SHELL", "/bin/sh"],
      ["BASH", "/bin/bash"],
    ] as const;
    this.#variables = new Map(from ? from.#variables : shell);
    this.#aliases = new Map(from ? from.#aliases : []);
    this.#expanded = from ? from.#expanded : new WeakMap();
    this.#spent = from ? from.#spent : { characters: 0 };
    this.#depth = depth;
  }

  /** The command as it runs. @throws ExpandsTooFar */
  expand(command: Command): Command {
    const start = command.words.findIndex(({ text }) => !assignment.test(text));
    const declares = declarations.has(command.words[start]?.text ?? "");
    const words = command.words.flatMap((word, index) => {
      const isAssignment = index < start || start === -1 || (declares && assignment.test(word.text));
      return isAssignment ? [this.#filled(word)] : this.#parts(word);
    });
    const first = words[start];
    const alias = first && !first.quoted ? this.#aliases.get(first.text) : undefined;
    if (alias) words.splice(start, 1, ...alias);
    const expanded = {
      ...command,
      words,
      redirects: command.redirects.map((redirect) => ({
        ...redirect,
        target: this.#filled(redirect.target),
      })),
      // The upstream commands come first in the script, so they were expanded already.
      upstream: command.upstream.map((one) => this.#expanded.get(one) ?? one),
    };
    this.#expanded.set(command, expanded);
    return expanded;
  }

  /** Remembers what an expanded command assigns. */
  learn({ words, upstream }: Command): void {
    const start = words.findIndex(({ text }) => !assignment.test(text));
    const name = words[start]?.text ?? "";
    if (start === -1) for (const word of words) this.#assign(word);
    else if (declarations.has(name)) for (const word of words.slice(start + 1)) this.#assign(word);
    else if (name === "for" && words[start + 2]?.text === "in") {
      // The variable gets all values of the loop at once, joined by blanks: a command on one of them is judged as a
      // command on all.
      const list = words.slice(start + 3).map(({ text }) => text);
      this.#variables.set(words[start + 1]?.text ?? "", list.join(" ").slice(0, longestValue));
    } else if (readers.has(name) && upstream.length === 0) {
      for (const { text } of words.slice(start + 1)) this.#variables.delete(text);
    } else if (name === "alias") {
      for (const { text } of words.slice(start + 1)) this.#alias(text);
    }
  }

  #assign(word: Word): void {
    const [all, name, plus] = assignment.exec(word.text) ?? [];
    if (all === undefined || name === undefined) return;
    const given = word.text.slice(all.length).replace(/^~(?=\/|$)/, word.quoted ? "~" : "$HOME");
    const before = plus ? this.#variables.get(name) : "";
    const value = before === undefined || word.dynamic ? undefined : before + given;
    if (value === undefined || value.length > longestValue) this.#variables.delete(name);
    else this.#variables.set(name, value);
  }

  #alias(text: string): void {
    const end = text.indexOf("=");
    const [step] = end === -1 ? [] : parseScript(text.slice(end + 1));
    if (step?.kind === "command" && this.#aliases.size < 100) {
      this.#aliases.set(text.slice(0, end), step.command.words);
    }
  }

  /** The word with known values filled in. Like the shell, splits unquoted values at blanks. */
  #parts(word: Word): Word[] {
    const filled = this.#filled(word);
    if (filled === word || word.quoted || !/\s/.test(filled.text)) return [filled];
    const texts = filled.text.split(/\s+/).filter((text) => text !== "");
    return texts.map((text, index) => ({
      ...filled,
      text,
      glob: /[*?[]/.test(text),
      dynamic: text.includes("$"),
      substitutions: index === 0 ? filled.substitutions : [],
    }));
  }

  #filled(word: Word): Word {
    if (!word.dynamic) return word;
    const outputs = this.#outputs(word);
    let isKnown = true;
    const text = word.text.replace(
      reference,
      (all, braced?: string, mark?: string, other?: string, bare?: string) => {
        const name = braced ?? bare;
        const known = name === undefined ? outputs.shift() : this.#variables.get(name);
        const value = known || (mark === undefined ? known : (other ?? "").replace(/["']/g, ""));
        if (value === undefined || value === null) isKnown = false;
        return value ?? all;
      },
    );
    if (text === word.text) return word;
    this.#spent.characters += text.length;
    if (this.#spent.characters > mostExpanded) throw new ExpandsTooFar();
    const glob = word.glob || (!word.quoted && /[*?[]/.test(text));
    return { ...word, text, glob, dynamic: !isKnown || /\$(HOME|PWD|<\(\))/.test(text) };
  }

  /** What each substitution of a word prints; empty when it is not known which output belongs to which substitution. */
  #outputs({ text, substitutions }: Word): (string | null)[] {
    const places = text.match(/\$\(\)/g)?.length ?? 0;
    if (places !== substitutions.length || this.#depth >= deepest) return [];
    const inner = new Values(this, this.#depth + 1);
    return substitutions.map(
      (source) => outputOf(source, (command) => inner.expand(command))?.replace(/\n+$/, "") ?? null,
    );
  }
}
