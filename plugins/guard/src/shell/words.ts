/** A word of a shell command, quotes taken off. Expansions stay as they were written (`$HOME`, `${X}`); `$()` stands for any substitution of a command, `$<()` for one of a process. */
export interface Word {
  text: string;
  /** Has an unquoted `*`, `?` or `[`. */
  glob: boolean;
  /** Has an expansion whose value is not known here. */
  dynamic: boolean;
  /** Begins with an unquoted `~`. */
  tilde: boolean;
  /** Was quoted, in part or whole. */
  quoted: boolean;
  /** Has an unquoted brace list such as `{a,b}`. */
  braces: boolean;
  /** Sources of the command and process substitutions inside it. */
  substitutions: string[];
}

export function plainWord(text: string): Word {
  return { text, glob: false, dynamic: false, tilde: false, quoted: false, braces: false, substitutions: [] };
}

const expansion = /^\$(?:\{[^}]*\}|[A-Za-z_]\w*|[0-9@*#?$!-])/;
const bareExpansion = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/;

/** Reads words of POSIX shell and bash from a text, one after the other. */
export class WordReader {
  readonly source: string;
  position: number;
  readonly #lastBrace: number;

  constructor(source: string, position = 0) {
    this.source = source;
    this.position = position;
    this.#lastBrace = source.lastIndexOf("}");
  }

  /** The word that begins at the position; null where none does. */
  readWord(): Word | null {
    const start = this.position;
    const word = plainWord("");
    while (this.position < this.source.length && this.#readPart(word)) {
      // Each part is appended to the word by the call above.
    }
    return this.position === start ? null : word;
  }

  #readPart(word: Word): boolean {
    const char = this.#at(0);
    const next = this.#at(1);
    if ((char === "<" || char === ">") && next === "(" && word.text === "") {
      this.position += 2;
      return this.#substitution(word, this.#balanced(), "$<()");
    }
    if (/[\s;&|<>()]/.test(char)) return false;
    if (char === "\\") return this.#escape(word);
    if (char === "'") return this.#quote(word, this.#until("'", 1));
    if (char === '"') return this.#doubleQuoted(word);
    if (char === "$" && next === "'") return this.#quote(word, ansiText(this.#ansiQuoted()));
    if (char === "$" && next === '"') this.position += 1;
    else if (char === "$" || char === "`") return this.#expansion(word, false);
    else this.#bare(word, char);
    return true;
  }

  #bare(word: Word, char: string): void {
    if (/[*?[]/.test(char)) word.glob = true;
    if (char === "~" && word.text === "" && !word.quoted) word.tilde = true;
    if (char === "{") word.braces = true;
    word.text += char;
    this.position += 1;
  }

  #escape(word: Word): boolean {
    const next = this.#at(1);
    this.position += 2;
    return next === "\n" ? true : this.#quote(word, next);
  }

  #quote(word: Word, text: string): true {
    // A quoted tilde is part of a file's name. The prefix `./` keeps it from being read as the home folder.
    if (word.text === "" && text.startsWith("~")) word.text = "./";
    word.text += text;
    word.quoted = true;
    return true;
  }

  #doubleQuoted(word: Word): true {
    this.position += 1;
    word.quoted = true;
    while (this.position < this.source.length && this.#at(0) !== '"') {
      const char = this.#at(0);
      if (char === "\\" && /[$`"\\\n]/.test(this.#at(1))) {
        this.#escape(word);
      } else if (char === "$" || char === "`") {
        this.#expansion(word, true);
      } else {
        this.#quote(word, char);
        this.position += 1;
      }
    }
    this.position += 1;
    return true;
  }

  /** `$NAME`, `${…}`, `$(…)` or backticks. */
  #expansion(word: Word, quoted: boolean): boolean {
    const rest = this.source.slice(this.position);
    if (rest.startsWith("`")) {
      const inner = this.#backticks();
      return this.#substitution(word, inner);
    }
    if (rest.startsWith("$(")) {
      this.position += 2;
      return this.#substitution(word, this.#balanced());
    }
    // Without this, each of many `${` without an end would be looked for up to the end of the text.
    const isBraced = this.position < this.#lastBrace;
    const name = (isBraced ? expansion : bareExpansion).exec(rest)?.[0];
    if (!name) {
      word.text += "$";
      this.position += 1;
      return true;
    }
    this.position += name.length;
    // An unquoted `$IFS` separates words like a blank.
    if (!quoted && /^\$\{?IFS\b/.test(name)) return word.text === "";
    word.text += name;
    word.dynamic = true;
    if (name.startsWith("${")) word.substitutions.push(...substitutionsIn(name.slice(2, -1)));
    return true;
  }

  #substitution(word: Word, source: string, place = "$()"): true {
    word.text += place;
    word.dynamic = true;
    word.substitutions.push(source);
    return true;
  }

  /** What stands before the parenthesis that closes the one just read. */
  #balanced(): string {
    const start = this.position;
    for (let depth = 1; this.position < this.source.length; this.position += 1) {
      const char = this.#at(0);
      if (char === "\\") this.position += 1;
      else if (char === "'") this.#skipQuoted("'");
      else if (char === '"') this.#skipQuoted('"');
      else if (char === "(") depth += 1;
      else if (char === ")" && --depth === 0) {
        this.position += 1;
        return this.source.slice(start, this.position - 1);
      }
    }
    return this.source.slice(start);
  }

  #skipQuoted(quote: string): void {
    for (this.position += 1; this.position < this.source.length; this.position += 1) {
      if (this.#at(0) === "\\" && quote === '"') this.position += 1;
      else if (quote === '"' && this.source.startsWith("$(", this.position)) {
        this.position += 2;
        this.#balanced();
        this.position -= 1;
      } else if (this.#at(0) === quote) return;
    }
  }

  #backticks(): string {
    const match = /^`((?:\\[\s\S]|[^`\\])*)`?/.exec(this.source.slice(this.position));
    this.position += match?.[0].length ?? 1;
    return (match?.[1] ?? "").replace(/\\([`\\$])/g, "$1");
  }

  #ansiQuoted(): string {
    const match = /^\$'((?:\\[\s\S]|[^'\\])*)'?/.exec(this.source.slice(this.position));
    this.position += match?.[0].length ?? 2;
    return match?.[1] ?? "";
  }

  #until(end: string, skip: number): string {
    const start = this.position + skip;
    const found = this.source.indexOf(end, start);
    const stop = found === -1 ? this.source.length : found;
    this.position = stop + 1;
    return this.source.slice(start, stop);
  }

  #at(offset: number): string {
    return this.source[this.position + offset] ?? "";
  }
}

/** Sources of the substitutions in a text that is expanded as if it stood in double quotes. */
export function substitutionsIn(text: string): string[] {
  if (!/\$\(|`/.test(text)) return [];
  const quoted = `"${text.replace(/"/g, '\\"')}"`;
  return new WordReader(quoted).readWord()?.substitutions ?? [];
}

const ansiEscapes: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
};

/** A text with the escapes of `$'…'` carried out. */
export function ansiText(raw: string): string {
  return raw.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_all, hex?: string, short?: string, long?: string, octal?: string, char?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return ansiEscapes[char ?? ""] ?? char ?? "";
    },
  );
}
