import { absolute, compilePattern, type PathPattern, type Place, pathOf } from "./paths.ts";
import { downloadedScript } from "./rules/download.ts";
import { removal, treePermissions } from "./rules/removal.ts";
import { disk, forcePush, forkBomb, shutdown } from "./rules/system.ts";
import { protectedWrite } from "./rules/writes.ts";
import { type GuardSettings, type RuleId, ruleTexts } from "./settings.ts";
import { type Command, NestedTooDeeply, parseScript } from "./shell/parse.ts";
import { type Invocation, operandsOf, printedBy, shells, type Unwrapped, unwrap } from "./shell/unwrap.ts";

/** Why something is blocked: the rule's name and a sentence for the person and the model. */
export interface Refusal {
  rule: string;
  sentence: string;
}

const maxLength = 64 * 1024;
const maxDepth = 12;
const tooDeep: Refusal = {
  rule: "depth",
  sentence: "Guard blocked the command: it is nested too deeply to check.",
};

const rules: { id: RuleId; check(invocation: Invocation, place: Place): string | null }[] = [
  { id: "removeEverything", check: removal },
  { id: "formatDisk", check: disk },
  { id: "openPermissions", check: treePermissions },
  { id: "downloadedScript", check: downloadedScript },
  { id: "forcePush", check: forcePush },
  { id: "shutdown", check: shutdown },
];

/** Judges shell commands and file paths by the settings of one agent. */
export class Inspector {
  readonly #settings: GuardSettings;
  readonly #place: Place;
  readonly #paths: PathPattern[];
  readonly #blocked: { text: string; expression: RegExp }[];

  constructor(settings: GuardSettings, place: Place) {
    this.#settings = settings;
    this.#place = place;
    this.#paths = settings.protectedPaths.map((text) => compilePattern(text, place));
    this.#blocked = settings.blockedCommands.map((text) => ({ text, expression: commandPattern(text) }));
  }

  /** Why a shell command must not run, or null. */
  command(source: string): Refusal | null {
    if (source.length > maxLength) {
      return refusal(
        "length",
        `Guard blocked the command: it is longer than ${maxLength} characters, too long to check.`,
      );
    }
    try {
      return this.#script(source, this.#place, 0);
    } catch (error) {
      if (error instanceof NestedTooDeeply) return tooDeep;
      throw error;
    }
  }

  /** Why a file must not be written, or null. */
  file(path: string): Refusal | null {
    const home = path.replace(/^~(?=[/\\]|$)/, this.#place.home);
    const full = absolute(home, this.#place.workspace);
    const pattern = full === null ? undefined : this.#paths.find(({ matches }) => matches(full));
    return pattern ? protectedPath(path, pattern.text) : null;
  }

  #script(source: string, place: Place, depth: number): Refusal | null {
    if (depth > maxDepth) return tooDeep;
    const bomb = this.#settings.rules.forkBomb ? forkBomb(source) : null;
    if (bomb) return blockedBy("forkBomb", bomb);
    let current = place;
    const outer: Place[] = [];
    for (const step of parseScript(source)) {
      if (step.kind === "enter") outer.push(current);
      else if (step.kind === "leave") current = outer.pop() ?? current;
      else {
        const unwrapped = unwrap(step.command);
        const found = this.#step(step.command, unwrapped, current, depth);
        if (found) return found;
        current = { ...current, cwd: afterChange(unwrapped, current) };
      }
    }
    return null;
  }

  #step(command: Command, { invocations, scripts }: Unwrapped, place: Place, depth: number): Refusal | null {
    // A redirection without a command still writes.
    const judged = invocations.length > 0 ? invocations : [{ name: "", args: [], command }];
    for (const invocation of judged) {
      const found = this.#invocation(invocation, place);
      if (found) return found;
    }
    for (const script of [...scripts, ...innerScripts(command), ...pipedScripts(invocations)]) {
      const found = this.#script(script, place, depth + 1);
      if (found) return found;
    }
    return null;
  }

  #invocation(invocation: Invocation, place: Place): Refusal | null {
    for (const { id, check } of rules) {
      const reason = this.#settings.rules[id] ? check(invocation, place) : null;
      if (reason) return blockedBy(id, reason);
    }
    const line = [invocation.name, ...invocation.args.map(({ text }) => text)].join(" ");
    const blocked = this.#blocked.find(({ expression }) => expression.test(line));
    if (blocked) {
      return refusal(
        "blockedCommands",
        `Guard blocked the command: "${blocked.text}" is among the blocked commands in its settings.`,
      );
    }
    const written = protectedWrite(invocation, this.#paths, place);
    return written ? protectedPath(written.path, written.pattern) : null;
  }
}

function innerScripts(command: Command): string[] {
  return [
    ...command.words.flatMap(({ substitutions }) => substitutions),
    ...command.redirects.flatMap(({ target }) => target.substitutions),
    ...command.inputSubstitutions,
  ];
}

/** What a shell is fed: a here-document, or the words of an echo before the pipe. */
function pipedScripts(invocations: readonly Invocation[]): string[] {
  return invocations
    .filter(({ name, args }) => shells.has(name) && operandsOf(args).length === 0)
    .flatMap(({ command }) => [
      ...(command.input === null ? [] : [command.input]),
      printedBy(command.upstream)
        .map(({ text }) => text)
        .join(" "),
    ]);
}

/** The current folder after a command: `cd` changes it, everything else does not. */
function afterChange({ invocations }: Unwrapped, place: Place): string | null {
  const change = invocations.find(({ name }) => name === "cd" || name === "pushd");
  if (!change || change.command.upstream.length > 0) return place.cwd;
  const [target] = operandsOf(change.args);
  return target ? pathOf(target, place) : place.home;
}

/** `npm publish` → whatever begins with these words; `*` is anything. */
function commandPattern(text: string): RegExp {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*"));
  return new RegExp(`^${words.join("\\s+")}(?:\\s|$)`, "s");
}

function blockedBy(id: RuleId, reason: string): Refusal {
  return refusal(id, `Guard blocked the command: ${reason}. The rule is "${ruleTexts[id]}".`);
}

function protectedPath(path: string, pattern: string): Refusal {
  return refusal(
    "protectedPaths",
    `Guard blocked the write: ${path} is protected by "${pattern}" in its protected paths.`,
  );
}

function refusal(rule: string, sentence: string): Refusal {
  return { rule, sentence };
}
