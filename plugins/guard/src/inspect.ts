import { downloadedScript } from "./rules/download.ts";
import { absolute, compilePattern, type PathPattern, type Place, pathOf } from "./rules/paths.ts";
import { removal, treePermissions } from "./rules/removal.ts";
import { disk, forcePush, forkBomb, shutdown } from "./rules/system.ts";
import { protectedWrite } from "./rules/writes.ts";
import { type GuardSettings, type RuleId, ruleTexts } from "./settings.ts";
import { grammarSteps } from "./shell/grammar.ts";
import { outputOf, printedBy } from "./shell/output.ts";
import {
  type Command,
  ExpandsTooFar,
  NestedTooDeeply,
  PipedTooFar,
  parseScript,
  type Step,
} from "./shell/parse.ts";
import {
  hasOption,
  type Invocation,
  isInput,
  operandsOf,
  shells,
  type Unwrapped,
  unwrap,
} from "./shell/unwrap.ts";
import { Values } from "./shell/values.ts";

/** Why something is blocked: the rule's name and a sentence for the person and the model. */
export interface Refusal {
  rule: string;
  sentence: string;
}

/** Commands longer than this many characters, or nested deeper than this many scripts, are blocked unread. */
const maxLength = 64 * 1024;
const maxDepth = 12;
/** No system has longer paths; such a folder is not known. */
const longestPath = 4096;
/** Characters of scripts that are read for one command: a script within another counts with both. */
const mostRead = 1024 * 1024;
const tooDeep: Refusal = {
  rule: "depth",
  sentence: "Guard blocked the command: it is nested too deeply to check.",
};

const tooManyPipes: Refusal = {
  rule: "length",
  sentence: "Guard blocked the command: more commands feed each other through its pipes than can be checked.",
};

const tooLong: Refusal = {
  rule: "length",
  sentence: "Guard blocked the command: it expands to more than can be checked.",
};

const rules: { id: RuleId; check(invocation: Invocation, place: Place): string | null }[] = [
  { id: "removeEverything", check: removal },
  { id: "formatDisk", check: disk },
  { id: "openPermissions", check: treePermissions },
  { id: "downloadedScript", check: downloadedScript },
  { id: "forcePush", check: forcePush },
  { id: "shutdown", check: shutdown },
];

/** What is known where a script stands, and the way in which it is read. */
interface Around {
  place: Place;
  values: Values;
  read(source: string): Step[];
}

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
      let left = mostRead;
      const judge = (reading: Around["read"]) => {
        const read = (script: string) => {
          left -= script.length;
          if (left < 0) throw new NestedTooDeeply();
          return reading(script);
        };
        return this.#script(source, { place: this.#place, values: new Values(), read }, 0);
      };
      return judge(parseScript) ?? judge(grammarSteps);
    } catch (error) {
      // Both readings go down a level for some things within others; the stack holds some thousand levels.
      if (error instanceof NestedTooDeeply || error instanceof RangeError) return tooDeep;
      if (error instanceof PipedTooFar) return tooManyPipes;
      if (error instanceof ExpandsTooFar) return tooLong;
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

  #script(source: string, { place, values: known, read }: Around, depth: number): Refusal | null {
    if (depth > maxDepth) return tooDeep;
    const bomb = this.#settings.rules.forkBomb ? forkBomb(source) : null;
    if (bomb) return blockedBy("forkBomb", bomb);
    let current = { place, values: new Values(known) };
    const outer: (typeof current)[] = [];
    for (const step of read(source)) {
      if (step.kind === "enter") {
        outer.push(current);
        current = { ...current, values: new Values(current.values) };
      } else if (step.kind === "leave") {
        current = outer.pop() ?? current;
      } else {
        const command = current.values.expand(step.command);
        const unwrapped = unwrap(command);
        const found = this.#step(command, unwrapped, { ...current, read }, depth);
        if (found) return found;
        current.values.learn(command);
        current = { ...current, place: { ...current.place, cwd: afterChange(unwrapped, current.place) } };
      }
    }
    return null;
  }

  #step(
    command: Command,
    { invocations, scripts }: Unwrapped,
    around: Around,
    depth: number,
  ): Refusal | null {
    // A redirection alone (`> file`) is not a command, but it writes.
    const judged = invocations.length > 0 ? invocations : [{ name: "", args: [], command }];
    for (const invocation of judged) {
      const found = this.#invocation(invocation, around.place);
      if (found) return found;
    }
    for (const script of [...scripts, ...innerScripts(command), ...fedScripts(invocations, around.values)]) {
      const found = this.#script(script, around, depth + 1);
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

/** Texts that a shell gets to run as scripts: a here-document, output piped into it, or `<(…)`. */
function fedScripts(invocations: readonly Invocation[], values: Values): string[] {
  return invocations.flatMap(({ name, args, command }) => {
    if (!shells.has(name) && !/^(source|\.|at|batch)$/.test(name)) return [];
    const [script] = operandsOf(args);
    if (script?.text === "$<()") {
      return script.substitutions.flatMap((source) => outputOf(source, (one) => values.expand(one)) ?? []);
    }
    const readsInput = !shells.has(name) || !script || isInput(script.text) || hasOption(args, "s");
    if (!readsInput) return [];
    return [...(command.input === null ? [] : [command.input]), ...printedBy(command.upstream)];
  });
}

/** The current folder after a command: `cd` changes it, everything else does not. */
function afterChange({ invocations }: Unwrapped, place: Place): string | null {
  const change = invocations.find(({ name }) => name === "cd" || name === "pushd");
  if (!change || change.command.upstream.length > 0) return place.cwd;
  const [target] = operandsOf(change.args);
  const cwd = target ? pathOf(target, place) : place.home;
  return cwd !== null && cwd.length > longestPath ? null : cwd;
}

/** A pattern such as `npm publish` matches every command that begins with these words; `*` stands for anything. */
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
