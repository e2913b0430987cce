import { posix } from "node:path";
import { printedBy } from "./output.ts";
import { type Command, NestedTooDeeply } from "./parse.ts";
import { plainWord, type Word } from "./words.ts";

/** The command that really runs, after `sudo`, `env`, `xargs` and similar wrappers are removed. */
export interface Invocation {
  /** Last part of the command's path, as in `rm` for `/bin/rm`; "" when the shell computes it. */
  name: string;
  args: Word[];
  command: Command;
}

/** Scripts that a command hands to a shell: `bash -c …`, `eval …`, `ssh host …`. */
export interface Unwrapped {
  invocations: Invocation[];
  scripts: string[];
}

/**
 * For each wrapper: its options that take the next word as their value, and how many plain words come before the
 * wrapped command.
 */
const wrappers: Record<string, { valued: string; operands?: number }> = {
  sudo: { valued: "-u -g -h -p -C -r -t -U -D -R -T --user --group --chdir --host --prompt" },
  doas: { valued: "-u -C" },
  env: { valued: "-u -C --unset --chdir" },
  nohup: { valued: "" },
  nice: { valued: "-n --adjustment" },
  ionice: { valued: "-c -n -p -t" },
  time: { valued: "-f -o" },
  timeout: { valued: "-s -k --signal --kill-after", operands: 1 },
  setsid: { valued: "" },
  stdbuf: { valued: "-i -o -e" },
  builtin: { valued: "" },
  coproc: { valued: "" },
  command: { valued: "" },
  exec: { valued: "-a" },
  parallel: { valued: "-j -N -n -I -S -a --jobs" },
  xargs: { valued: "-I -n -P -d -L -s -E -a -i" },
  chroot: { valued: "", operands: 1 },
  busybox: { valued: "" },
  toybox: { valued: "" },
  unbuffer: { valued: "" },
  caffeinate: { valued: "-t -w" },
  taskset: { valued: "", operands: 1 },
  flock: { valued: "-w -E", operands: 1 },
  strace: { valued: "-e -o -p -s" },
  pkexec: { valued: "--user" },
};

/** Commands within each other, as in `sudo env nice …`. */
const maxWrapped = 16;
/** Commands that one command wraps: `find -exec find -exec find …` would have more than can be counted. */
const mostInvocations = 200;
/** Characters of the scripts that one command hands to shells: with `env -S -S -S …` each has most of the others in it. */
const mostScript = 256 * 1024;

class Found implements Unwrapped {
  readonly invocations: Invocation[] = [];
  readonly scripts: string[] = [];
  #characters = 0;

  invocation(invocation: Invocation): void {
    if (this.invocations.length === mostInvocations) throw new NestedTooDeeply();
    this.invocations.push(invocation);
  }

  script(...scripts: string[]): void {
    for (const script of scripts) this.#characters += script.length;
    if (this.#characters > mostScript) throw new NestedTooDeeply();
    this.scripts.push(...scripts);
  }
}

export const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"]);
/** Words that begin a construct of the shell and no command. */
const constructs = new Set(["for", "case", "select", "in", "[[", "function"]);

/** @throws NestedTooDeeply for more wrapped commands than any that people write */
export function unwrap(command: Command): Unwrapped {
  const found = new Found();
  follow(command.words, command, found, 0);
  return found;
}

function follow(words: readonly Word[], command: Command, found: Found, depth: number): void {
  const start = words.findIndex((word) => !isAssignment(word));
  const first = words[start];
  if (!first) return;
  if (depth > maxWrapped) throw new NestedTooDeeply();
  const name = first.dynamic || isPattern(first) ? "" : posix.basename(first.text);
  const args = words.slice(start + 1);
  if (constructs.has(name)) return;
  found.invocation({ name, args, command });

  const wrapper = wrappers[name];
  if (wrapper) {
    if (name === "command" && /^-[vV]+$/.test(args[0]?.text ?? "")) return;
    if (name === "env") for (const script of splitStrings(args)) found.script(script);
    if (name === "flock") found.script(...scriptArguments(args));
    const piped = name === "xargs" || name === "parallel" ? fedTo(command) : [];
    follow([...afterOptions(args, wrapper), ...piped], command, found, depth + 1);
  } else if (name === "find") {
    for (const inner of findActions(args)) follow(inner, command, found, depth + 1);
  } else if (shells.has(name) || /^(su|runuser|script)$/.test(name)) {
    found.script(...scriptArguments(args));
  } else if (name === "eval") {
    found.script(joined(args));
  } else if (name === "alias") {
    found.script(...args.map(({ text }) => text.slice(text.indexOf("=") + 1)));
  } else if (name === "trap") {
    found.script(
      ...operandsOf(args)
        .slice(0, 1)
        .map(({ text }) => text),
    );
  } else if (name === "watch") {
    found.script(joined(afterOptions(args, { valued: "-n -q --interval" })));
  } else if (name === "ssh") {
    const rest = afterOptions(args, {
      valued: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
    });
    found.script(joined(rest.slice(1)));
  }
}

/** The words that a command reads as its input, as far as they can be told. */
function fedTo({ upstream, input }: Command): Word[] {
  const texts = [...printedBy(upstream), input ?? ""].join(" ").split(/\s+/);
  return texts
    .filter((text) => text !== "")
    .map((text) => ({ ...plainWord(text), glob: /[*?[]/.test(text) }));
}

/** The command lines in `env -S …`, in each way of writing it. */
function* splitStrings(args: readonly Word[]): Generator<string> {
  for (const [index, { text }] of args.entries()) {
    const given = /^(?:-[iv0]*S|--split-string(?:=|$))(.*)$/s.exec(text)?.[1];
    if (given !== undefined) yield `${given} ${joined(args.slice(index + 1))}`;
  }
}

/** Whether the command's name is a pattern for files, such as `/bin/r?`. `[` alone is a command, not a pattern. */
function isPattern({ text, glob }: Word): boolean {
  return glob && text !== "[" && text !== "[[";
}

function afterOptions(args: readonly Word[], wrapper: { valued: string; operands?: number }): Word[] {
  const valued = new Set(wrapper.valued.split(" "));
  let index = 0;
  while (args[index]?.text.startsWith("-")) {
    const option = args[index]?.text ?? "";
    index += takesNext(option, valued) ? 2 : 1;
    if (option === "--") break;
  }
  let operands = wrapper.operands ?? 0;
  while (operands > 0 && index < args.length) {
    index += 1;
    operands -= 1;
  }
  return args.slice(index);
}

/** Whether an option takes the next word as its value. In a bundle such as `-nu root` the last letter may. */
function takesNext(option: string, valued: ReadonlySet<string>): boolean {
  if (valued.has(option)) return true;
  const letters = /^-([A-Za-z]{2,})$/.exec(option)?.[1] ?? "";
  const first = [...letters].findIndex((letter) => valued.has(`-${letter}`));
  return first !== -1 && first === letters.length - 1;
}

/** The commands after `-exec`, `-ok` and their like. */
function* findActions(args: readonly Word[]): Generator<Word[]> {
  for (const [index, { text }] of args.entries()) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(text)) continue;
    const rest = args.slice(index + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    yield end === -1 ? rest : rest.slice(0, end);
  }
}

/** The text after `-c`, also in a bundle such as `-lc`. */
function scriptArguments(args: readonly Word[]): string[] {
  const index = args.findIndex(({ text }) => /^-[a-zA-Z]*c$/.test(text) || text === "--command");
  const script = args[index + 1];
  return index === -1 || !script ? [] : [script.text];
}

function joined(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" ");
}

function isAssignment(word: Word): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word.text);
}

/** Options given with one dash are taken apart: `-rf` has `r` and `f`. */
export function hasOption(args: readonly Word[], letters: string, ...names: string[]): boolean {
  for (const { text } of args) {
    if (text === "--") return false;
    if (names.includes(text)) return true;
    if (/^-[A-Za-z]/.test(text) && [...letters].some((letter) => text.slice(1).includes(letter))) return true;
  }
  return false;
}

/** What is not an option. */
export function operandsOf(args: readonly Word[]): Word[] {
  const end = args.findIndex(({ text }) => text === "--");
  const before = end === -1 ? args : args.slice(0, end);
  const after = end === -1 ? [] : args.slice(end + 1);
  return [...before.filter(({ text }) => !text.startsWith("-") || text === "-"), ...after];
}

/** One shell command that has exactly these words, quoted where needed. */
export function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => `'${text.replace(/'/g, "'\\''")}'`).join(" ");
}

/** Whether a file's name stands for the standard input. */
export function isInput(text: string): boolean {
  return text === "-" || text === "/dev/stdin" || text === "/proc/self/fd/0";
}
