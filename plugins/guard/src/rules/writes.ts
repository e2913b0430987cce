import { hasOption, type Invocation, operandsOf } from "../shell/unwrap.ts";
import type { Word } from "../shell/words.ts";
import { type PathPattern, type Place, pathOf } from "./paths.ts";

/** The protected path that a command would write, and the pattern that protects it. */
export function protectedWrite(
  invocation: Invocation,
  patterns: readonly PathPattern[],
  place: Place,
): { path: string; pattern: string } | null {
  for (const word of writtenBy(invocation)) {
    const path = pathOf(word, place);
    const pattern = path === null ? undefined : patterns.find(({ matches }) => matches(path));
    if (pattern) return { path: word.text, pattern: pattern.text };
  }
  return null;
}

function writtenBy({ name, args, command }: Invocation): Word[] {
  const redirected = command.redirects
    .filter(({ operator, target }) => operator.includes(">") && !/^(\d+|-)$/.test(target.text))
    .map(({ target }) => target);
  return [...redirected, ...writtenArguments(name, args)];
}

function writtenArguments(name: string, args: readonly Word[]): Word[] {
  const operands = operandsOf(args);
  switch (name) {
    case "tee":
    case "rm":
    case "rmdir":
    case "unlink":
    case "truncate":
    case "shred":
    case "touch":
      return operands;
    case "cp":
    case "install":
    case "ln":
    case "rsync":
      return destinations(operands);
    case "mv":
      return [...operands, ...destinations(operands)];
    case "sed":
    case "perl":
      return hasOption(args, "i") || args.some(({ text }) => text.startsWith("--in-place")) ? operands : [];
    case "dd":
      return args
        .filter(({ text }) => text.startsWith("of="))
        .map((word) => ({ ...word, text: word.text.slice(3) }));
    default:
      return [];
  }
}

/** The last operand, and, for the case that it is a folder, the paths that the other operands get inside it. */
function destinations(operands: readonly Word[]): Word[] {
  const target = operands.at(-1);
  if (!target || operands.length < 2) return [];
  const isFolder = operands.length > 2 || /(^|\/)\.{0,2}$/.test(target.text);
  if (!isFolder) return [target];
  const inside = operands.slice(0, -1).map((source) => ({
    ...target,
    text: `${target.text}/${source.text.slice(source.text.lastIndexOf("/") + 1)}`,
  }));
  return [target, ...inside];
}
