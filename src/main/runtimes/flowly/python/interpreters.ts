import { realpathSync } from "node:fs";
import { eachOf } from "../../../base/each-of.ts";
import { askPython, type PythonFacts } from "./ask.ts";
import { candidates, type Origin } from "./places.ts";

/** A program that is Python, or that was thought to be. */
export interface Interpreter {
  /** The real program, where a shim stands for one. */
  path: string;
  /** Such as `3.11.7`; empty when it did not say. */
  version: string;
  from: Origin | "venv";
  usable: boolean;
  /** Why not: `old`: older than 3.9; `silent`: it gave no answer that a Python gives; `missing`: nothing is there. */
  why: "old" | "silent" | "missing" | null;
}

/** With what it said of itself; null when it said nothing. */
export interface FoundInterpreter extends Interpreter {
  facts: PythonFacts | null;
}

/** The oldest Python that the host runs with. */
export const oldestPython = [3, 9] as const;

/** How many are asked at the same time. */
const AT_ONCE = 3;

/**
 * The Pythons of this machine, the one that `python3` means first; those in virtual environments come last. Each is asked
 * in a short run of its own.
 * @param chosen path that the person chose; it comes first, whatever it is
 * @param path the search path
 */
export async function findInterpreters(
  env: NodeJS.ProcessEnv,
  chosen: string | null,
  path: string,
): Promise<FoundInterpreter[]> {
  const asked = new Map<string, Promise<PythonFacts | null>>();
  const places = await candidates(env, chosen, path);
  const answers = new Map<string, PythonFacts | null>();
  await eachOf(places, AT_ONCE, async ({ file }) => {
    const program = programOf(file);
    const answer = asked.get(program) ?? askPython(file, env, path);
    asked.set(program, answer);
    answers.set(file, await answer);
  });
  const all: FoundInterpreter[] = [];
  for (const { file, from } of places) {
    const found = described(file, from, answers.get(file) ?? null);
    if (found !== null && !all.some((other) => isSame(found, other))) all.push(found);
  }
  return [...all.filter(({ from }) => from !== "venv"), ...all.filter(({ from }) => from === "venv")];
}

/** The one that all of them begin with when that is usable, and no other is asked; else null. */
export async function findFirst(
  env: NodeJS.ProcessEnv,
  chosen: string | null,
  path: string,
): Promise<FoundInterpreter | null> {
  for (const { file, from } of await candidates(env, chosen, path)) {
    const found = described(file, from, await askPython(file, env, path));
    if (found?.usable && found.from !== "venv") return found;
    if (chosen !== null) return null;
  }
  return null;
}

/** What tells programs apart that need not be asked twice: a shim says something else under each of its names. */
function programOf(file: string): string {
  const real = realOf(file);
  return real !== null && /python[\d.]*(?:\.exe)?$/i.test(real) && !isInVenv(file) ? real : file;
}

function isSame(one: FoundInterpreter, other: FoundInterpreter): boolean {
  const venv = one.facts !== null && one.facts.prefix !== one.facts.base;
  return one.path === other.path || (venv && one.facts?.prefix === other.facts?.prefix);
}

/** Null for a program that nobody chose and that is no Python: a shim without a version behind it. */
function described(file: string, from: Origin, facts: PythonFacts | null): FoundInterpreter | null {
  if (facts === null) {
    if (from !== "setting") return null;
    const why = realOf(file) === null ? "missing" : "silent";
    return { path: file, version: "", from, usable: false, why, facts };
  }
  const isVenv = facts.prefix !== facts.base;
  const usable = isRecent(facts.version);
  return {
    // The program of a virtual environment is a link, and knows by its own place that it belongs to one.
    path: isVenv ? facts.executable : (realOf(facts.executable) ?? facts.executable),
    version: facts.version.join("."),
    from: isVenv && from !== "setting" ? "venv" : from,
    usable,
    why: usable ? null : "old",
    facts,
  };
}

function isRecent([major, minor]: readonly [number, number, number]): boolean {
  const [oldest, oldestMinor] = oldestPython;
  return major > oldest || (major === oldest && minor >= oldestMinor);
}

function isInVenv(file: string): boolean {
  return realOf(`${file.replace(/[/\\][^/\\]+$/, "")}/../pyvenv.cfg`) !== null;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
