import type { PromptArgument } from "./offered.ts";

type Declared = Pick<PromptArgument, "name" | "required">;

/** What stands behind the name of a slash command, by the arguments of its prompt, and what of it lacks. */
interface Given {
  args: Record<string, string>;
  /** Names of required arguments that have no value. */
  missing: string[];
}

/**
 * Reads `name=value "a value" other="with \"quotes\""`. What has no name goes to the arguments in their order, and what is
 * more than there are arguments is joined to the last of them.
 */
export function argumentsIn(text: string, declared: readonly Declared[]): Given {
  const values = new Map<string, string>();
  const unnamed: string[] = [];
  for (const { name, value } of wordsOf(text, new Set(declared.map((one) => one.name)))) {
    if (name === null) unnamed.push(value);
    else values.set(name, value);
  }
  const free = declared.filter(({ name }) => !values.has(name));
  for (const [index, { name }] of free.entries()) {
    const own = index === free.length - 1 ? unnamed.slice(index) : unnamed.slice(index, index + 1);
    if (own.length > 0) values.set(name, own.join(" "));
  }
  const named = declared.flatMap(({ name }) => {
    const value = values.get(name);
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return {
    args: Object.fromEntries(named),
    missing: declared.filter((one) => one.required && !values.get(one.name)).map(({ name }) => name),
  };
}

/** The line that {@link argumentsIn} reads back as these arguments. `command`: without its slash. */
export function promptLine(command: string, args: ReadonlyMap<string, string>): string {
  const words = [...args].map(
    ([name, value]) => `${plainOrQuoted(name, /^[^\s"=\\]+$/)}=${plainOrQuoted(value)}`,
  );
  return [`/${command}`, ...words].join(" ");
}

function plainOrQuoted(text: string, plain = /^[^\s"\\]+$/): string {
  return plain.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Walks once through the text, however long it is. */
function wordsOf(text: string, names: ReadonlySet<string>): { name: string | null; value: string }[] {
  const words: { name: string | null; value: string }[] = [];
  let at = 0;
  const quoted = (): string => {
    let value = "";
    at += 1;
    while (at < text.length && text[at] !== '"') {
      if (text[at] === "\\" && at + 1 < text.length) at += 1;
      value += text[at];
      at += 1;
    }
    at += 1;
    return value;
  };
  const bare = (stopsAtEquals: boolean): string => {
    const from = at;
    while (at < text.length && !isBlank(text[at]) && !(stopsAtEquals && text[at] === "=")) at += 1;
    return text.slice(from, at);
  };
  const word = (stopsAtEquals: boolean) => (text[at] === '"' ? quoted() : bare(stopsAtEquals));
  while (at < text.length) {
    if (isBlank(text[at])) {
      at += 1;
      continue;
    }
    const begin = at;
    const first = word(true);
    if (text[at] === "=" && names.has(first)) {
      at += 1;
      words.push({ name: first, value: isBlank(text[at]) || at >= text.length ? "" : word(false) });
    } else if (text[begin] === '"') words.push({ name: null, value: first });
    else {
      at = begin;
      words.push({ name: null, value: bare(false) });
    }
  }
  return words;
}

function isBlank(letter: string | undefined): boolean {
  return letter !== undefined && /\s/.test(letter);
}
