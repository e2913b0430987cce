import { type Command, NestedTooDeeply, parseScript } from "../shell/parse.ts";
import { hasOption, type Invocation, isInput, operandsOf, shells, unwrap } from "../shell/unwrap.ts";
import type { Word } from "../shell/words.ts";

const downloaders = new Set(["curl", "wget", "fetch", "aria2c", "http", "https", "lynx"]);
const interpreters = new Set([
  "python",
  "python2",
  "python3",
  "perl",
  "ruby",
  "node",
  "php",
  "osascript",
  "pwsh",
]);

/** Scripts within scripts. */
const maxDepth = 12;

/** Why a command would run what was just downloaded, or null. */
export function downloadedScript({ name, args, command }: Invocation): string | null {
  const isShell = shells.has(name);
  const isEvaluation = name === "source" || name === "." || name === "eval";
  const isInterpreter = interpreters.has(name);
  if (!isShell && !isEvaluation && !isInterpreter) return null;
  const substitutions = [
    ...args.flatMap((word) => word.substitutions),
    ...command.redirects.flatMap(({ target }) => target.substitutions),
    ...command.inputSubstitutions,
  ];
  const readsPipe = isShell ? shellReadsInput(args) : isInterpreter && interpreterReadsInput(args);
  const runs =
    substitutions.some((script) => scriptDownloads(script, 1)) ||
    (readsPipe && command.upstream.some((one) => downloads(one, 0)));
  return runs ? "it runs what it downloads" : null;
}

function downloads(command: Command, depth: number): boolean {
  return (
    unwrap(command).invocations.some(({ name }) => downloaders.has(name)) ||
    command.words.some(({ substitutions }) => substitutions.some((one) => scriptDownloads(one, depth + 1)))
  );
}

function scriptDownloads(source: string, depth: number): boolean {
  if (depth > maxDepth) throw new NestedTooDeeply();
  return parseScript(source).some((step) => step.kind === "command" && downloads(step.command, depth));
}

function shellReadsInput(args: readonly Word[]): boolean {
  if (hasOption(args, "s", "--stdin")) return true;
  return !hasOption(args, "c", "--command") && operandsOf(args).every(({ text }) => isInput(text));
}

function interpreterReadsInput(args: readonly Word[]): boolean {
  return args.length === 0 || args.some(({ text }) => isInput(text));
}
