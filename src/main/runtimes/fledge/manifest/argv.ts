import { PatchbayError } from "../../../../contract/index.ts";
import { type CommandArgument, fits, takesWords } from "./arguments.ts";
import type { FledgeCommand } from "./commands.ts";
import { splitWords } from "./shell-words.ts";

/**
 * Turns the arguments that a model passed into the command line, in the order of their declaration. Arguments are known
 * to the program by position, so none may move to the position of another: one that is left out before one that is
 * given gets its default, and without a default the call is refused.
 *
 * @throws PatchbayError ARGUMENTS_INVALID naming the argument
 */
export function argvFor(
  command: Pick<FledgeCommand, "name" | "args">,
  input: Record<string, unknown>,
): string[] {
  const { args } = command;
  const names = args?.map(({ name }) => name) ?? ["args"];
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalid(
      command,
      unknown,
      `“${unknown}” is not one of its arguments, which are ${names.join(", ")}`,
    );
  }
  const argv = takesWords(args) ? wordsOf(command, input.args) : declaredArgv(command, args ?? [], input);
  const cut = argv.find((text) => text.includes("\0"));
  if (cut !== undefined)
    throw invalid(command, "args", "an argument holds a NUL, which no program can be given");
  return argv;
}

function wordsOf(command: Pick<FledgeCommand, "name" | "args">, value: unknown): string[] {
  if (value === undefined || value === null) {
    if (command.args?.[0]?.required) throw invalid(command, "args", "“args” is missing");
    const fallback = command.args?.[0]?.fallback;
    return typeof fallback === "string" ? splitWords(fallback) : [];
  }
  if (typeof value === "string") return splitWords(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw invalid(command, "args", "“args” must be a text or a list of texts");
}

function declaredArgv(
  command: Pick<FledgeCommand, "name">,
  args: readonly CommandArgument[],
  input: Record<string, unknown>,
): string[] {
  const positional: string[] = [];
  const flagged: string[] = [];
  let hole: string | null = null;
  for (const argument of args) {
    const value = givenOrDefault(
      command,
      argument,
      Object.hasOwn(input, argument.name) ? input[argument.name] : undefined,
    );
    if (argument.flag !== null) {
      if (value === undefined || value === false) continue;
      flagged.push(argument.flag, ...(value === true ? [] : [textOf(value)]));
    } else if (value === undefined) {
      hole ??= argument.name;
    } else if (hole !== null) {
      throw invalid(
        command,
        hole,
        `“${argument.name}” cannot be given without “${hole}”, because arguments are told apart by their place`,
      );
    } else positional.push(textOf(value));
  }
  return [...flagged, ...positional];
}

function givenOrDefault(
  command: Pick<FledgeCommand, "name">,
  argument: CommandArgument,
  given: unknown,
): unknown {
  const { name, type, required, choices, fallback } = argument;
  if (given === undefined || given === null) {
    if (fallback !== undefined) return fallback;
    if (required) throw invalid(command, name, `“${name}” is missing`);
    return undefined;
  }
  const value = coerced(type, given);
  if (!fits(type, value)) throw invalid(command, name, `“${name}” must be of the type ${type}`);
  if (choices && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) {
    throw invalid(command, name, `“${name}” must be one of ${choices.map(textOf).join(", ")}`);
  }
  return value;
}

/** A text as the number or flag that is declared, because models sometimes quote them; other values unchanged. */
function coerced(type: CommandArgument["type"], value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (type === "integer" && /^[+-]?\d{1,15}$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
  return JSON.stringify(value);
}

function invalid(command: Pick<FledgeCommand, "name">, field: string, reason: string): PatchbayError {
  return new PatchbayError(
    "ARGUMENTS_INVALID",
    `The arguments for ${command.name} are not right: ${reason}.`,
    {
      details: { problems: [{ field, message: reason }] },
    },
  );
}
