import type { Command, Option } from "commander";
import { cleanText } from "../../contract/shown/clean-text.ts";
import { ownStore, storeAt } from "../../main/store/address.ts";
import { type Known, knownIn } from "./known.ts";
import { type Candidate, filesHere } from "./words.ts";

export { completeWord } from "./words.ts";

/**
 * What could stand in the place of the last word, as lines for the shell's function. The other words are those between
 * the command's name and the cursor. Never fails: where nothing is known, nothing is offered.
 */
export async function complete(program: Command, words: readonly string[]): Promise<string> {
  const { options } = typed(program, words);
  const home = options.get("home");
  const known = knownIn(home === undefined ? ownStore() : storeAt(home));
  const found = await candidates(program, words, known).catch(() => []);
  return found.map((one) => `${one === filesHere ? one : lineOf(one)}\n`).join("");
}

/** What goes into a shell as it is: nothing that it would take for more than a word. */
const plain = /^[A-Za-z0-9_./:@+-]+$/;

export async function candidates(
  program: Command,
  words: readonly string[],
  known: Known,
): Promise<(Candidate | typeof filesHere)[]> {
  const { command, options, operands, awaited } = typed(program, words);
  const last = words.at(-1) ?? "";
  const fits = (all: Candidate[]) => all.filter(({ word }) => plain.test(word) && word.startsWith(last));
  if (awaited) {
    if (awaited.argChoices) return fits(awaited.argChoices.map((word) => ({ word })));
    return valuesFor(awaited.attributeName(), known, options, fits);
  }
  if (last.startsWith("-")) return fits(optionsOf(program, command));
  if (command.commands.length > 0) return fits(commandsOf(command));
  const argument = command.registeredArguments[operands];
  if (!argument) return [];
  if (argument.argChoices) return fits(argument.argChoices.map((word) => ({ word })));
  return valuesFor(placeOf(command, argument.name()), known, options, fits);
}

interface Typed {
  command: Command;
  /** The options given so far, by their long names without dashes. */
  options: Map<string, string>;
  /** How many words are neither options nor commands. */
  operands: number;
  /** The option whose value stands at the cursor. */
  awaited: Option | undefined;
}

/** What the words before the cursor say. */
function typed(program: Command, words: readonly string[]): Typed {
  const options = new Map<string, string>();
  let command = program;
  let operands = 0;
  let awaited: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited) {
      options.set(awaited.attributeName(), word);
      awaited = undefined;
    } else if (word.startsWith("-")) {
      const [name, value] = word.split("=", 2);
      const option = [...command.options, ...program.options].find((one) => one.long === name);
      if (option?.required && value === undefined) awaited = option;
      else if (option && value !== undefined) options.set(option.attributeName(), value);
    } else {
      // The old name of a command that is still understood.
      const name = command === program && word === "channel" ? "plugin" : word;
      const next = command.commands.find((one) => one.name() === name);
      if (next) command = next;
      else operands += 1;
    }
  }
  return { command, options, operands, awaited };
}

function commandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), meaning: one.description() }));
}

function optionsOf(program: Command, command: Command): Candidate[] {
  const all = command === program ? program.options : [...command.options, ...program.options];
  return [
    ...all
      .filter(({ hidden, long }) => !hidden && long)
      .map(({ long, description }) => ({ word: long as string, meaning: description })),
    { word: "--help", meaning: "show what the command does" },
  ];
}

/** What an argument of a command stands for: `<id>` is the id of an agent in `agent show` alone. */
function placeOf(command: Command, argument: string): string {
  const parent = command.parent?.name();
  if (argument === "id") return parent === "agent" ? "agent" : "";
  if (argument === "name") return parent === "tool" ? "tool" : "";
  return argument;
}

async function valuesFor(
  place: string,
  known: Known,
  options: ReadonlyMap<string, string>,
  fits: (all: Candidate[]) => Candidate[],
): Promise<(Candidate | typeof filesHere)[]> {
  switch (place) {
    case "agent":
      return fits(known.agents());
    case "key":
      return fits(known.plugins());
    case "job":
      return fits([...known.jobs(), ...known.plugins()]);
    case "tool":
    case "allow":
    case "ask":
    case "deny":
      return fits(await known.tools(options.get("agent")));
    case "spec":
    case "file":
    case "from":
    case "home":
    case "to":
    case "workspace":
      return [filesHere];
    default:
      return [];
  }
}

function lineOf({ word, meaning }: Candidate): string {
  if (!meaning) return word;
  return `${word}\t${cleanText(meaning).replace(/\s+/g, " ").slice(0, 80)}`;
}
