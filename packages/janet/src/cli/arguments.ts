/** What the command line asks for, step by step in its order. */
export type Action =
  | { kind: "eval"; code: string }
  /** A short function, called with the arguments that follow. */
  | { kind: "expression"; code: string }
  | { kind: "library"; path: string }
  | { kind: "script"; path: string }
  /** Writes the environment of a source as an image. */
  | { kind: "compile"; source: string; image: string }
  | { kind: "stdin" }
  | { kind: "repl" };

export interface CommandLine {
  actions: Action[];
  /** The script and what stands after it, as `(dyn :args)`. */
  args: string[];
  /** Where modules are looked for. */
  syspath: string | undefined;
  /** Shows neither banner nor prompt. */
  quiet: boolean;
  color: boolean;
  /** Goes on after an error. */
  persistent: boolean;
  /** Compiles and does not run. */
  check: boolean;
  /** The script is an image. */
  image: boolean;
  cases: string | undefined;
  /** Milliseconds for each case. */
  limit: number;
  show: "help" | "version" | undefined;
}

export const help = `usage: patchbay-janet [options] [FILE [arguments…]]

  FILE               runs a Janet file; its function main is called with the arguments
  -e CODE            evaluates code
  -E CODE args…      calls code, a short function without |( ), with the arguments
  -l MODULE          imports a module first
  -s                 runs the standard input
  -r                 starts the REPL after the rest (it starts by itself when there is no FILE)
  -k                 compiles and does not run
  -c FILE IMAGE      runs FILE and writes what it defines as an image
  -i                 FILE is an image
  -p                 goes on after an error
  -m DIRECTORY       looks for modules there (:syspath; else JANET_PATH)
  -q                 no banner, no prompt
  -n, -N             no colors, colors
  --cases FILE.json  runs each code of {"cases": [{"code": …}]} in an engine of its own and prints the outcomes as JSON
  --limit MS         time for each case, 5000 unless given
  -v, -h             version, this help
`;

/** @throws Error with a sentence for the person */
export function parseArguments(words: readonly string[]): CommandLine {
  const line: CommandLine = {
    actions: [],
    args: [],
    syspath: undefined,
    quiet: false,
    color: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
    persistent: false,
    check: false,
    image: false,
    cases: undefined,
    limit: 5_000,
    show: undefined,
  };
  const left = [...words];
  let repl = false;
  const operand = (option: string): string => {
    const word = left.shift();
    if (word === undefined) throw new Error(`${option} needs a value after it.`);
    return word;
  };
  while (left.length > 0) {
    const word = left.shift() as string;
    if (word === "-e" || word === "--eval") line.actions.push({ kind: "eval", code: operand(word) });
    else if (word === "-E" || word === "--expression") {
      line.actions.push({ kind: "expression", code: operand(word) });
      line.args = left.splice(0);
    } else if (word === "-l" || word === "--library")
      line.actions.push({ kind: "library", path: operand(word) });
    else if (word === "-s" || word === "--stdin") line.actions.push({ kind: "stdin" });
    else if (word === "-r" || word === "--repl") repl = true;
    else if (word === "-k" || word === "--flycheck") line.check = true;
    else if (word === "-c" || word === "--compile")
      line.actions.push({ kind: "compile", source: operand(word), image: operand(word) });
    else if (word === "-i" || word === "--image") line.image = true;
    // Levels of warnings: there are none.
    else if (["-w", "--lint-warn", "-x", "--lint-error"].includes(word)) operand(word);
    else if (word === "-p" || word === "--persistent") line.persistent = true;
    else if (word === "-m" || word === "--syspath") line.syspath = operand(word);
    else if (word === "-q" || word === "--quiet") line.quiet = true;
    else if (word === "-n" || word === "--nocolor") line.color = false;
    else if (word === "-N" || word === "--color") line.color = true;
    else if (word === "-d" || word === "--debug" || word === "-R" || word === "--noprofile") continue;
    else if (word === "--cases") line.cases = operand(word);
    else if (word === "--limit") {
      line.limit = Number(operand(word));
      if (!(line.limit > 0)) throw new Error("--limit needs a number of milliseconds after it.");
    } else if (word === "-v" || word === "--version") line.show ??= "version";
    else if (word === "-h" || word === "--help") line.show ??= "help";
    else if (word.startsWith("-") && word !== "-" && word !== "--")
      throw new Error(`There is no option ${word}. -h tells which there are.`);
    else {
      const path = word === "--" ? left.shift() : word;
      if (path === undefined) break;
      line.actions.push(path === "-" ? { kind: "stdin" } : { kind: "script", path });
      line.args = [path, ...left.splice(0)];
    }
  }
  if (repl || (line.actions.length === 0 && line.cases === undefined)) line.actions.push({ kind: "repl" });
  return line;
}
