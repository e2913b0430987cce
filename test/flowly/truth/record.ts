import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readJson } from "../../../src/main/runtimes/flowly/manifest/python/json.ts";
import { pyRepr } from "../../../src/main/runtimes/flowly/manifest/python/text.ts";
import { type Py, PyDict, PyList } from "../../../src/main/runtimes/flowly/manifest/python/values.ts";

/** One step after discovery; its other fields depend on `op`. See the README of the record. */
export interface Step {
  op: string;
  [field: string]: unknown;
}

interface Setup {
  do: "mkdir" | "symlink" | "text" | "bytes";
  path: string;
  target?: string;
  text?: string;
  base64?: string;
}

export interface Run {
  enabled?: string[];
  disabled?: string[];
  configFile?: string;
  useConfig?: boolean;
  env?: Record<string, string>;
  plugins?: string[];
  setup?: Setup[];
  steps?: Step[];
}

export interface Case {
  id: string;
  area: string;
  title: string;
  differs?: string[];
  files?: Record<string, string>;
  setup?: Setup[];
  noHome?: boolean;
  builtinTools?: string[];
  steps?: Step[];
  runs: Run[];
}

/** One of `state.plugins`. */
export interface Row {
  key: string;
  name: string;
  version: string;
  description: string;
  source: string;
  kind: string;
  enabled: boolean;
  error: string | null;
  tools: string[];
  hooks: string[];
  commands: string[];
  web_providers: string[];
}

export interface State {
  plugins: Row[];
  manifests?: Record<string, Record<string, unknown>>;
  handled_in_order?: string[];
  tools?: Record<string, Record<string, unknown>>;
  hooks?: Record<string, string[]>;
  commands?: Record<string, Record<string, unknown>>;
  skills?: Record<string, Record<string, unknown>>;
  web?: string[];
  modules?: string[];
}

/** What came of one step. Which fields there are depends on the step. */
export interface Outcome {
  out?: string;
  state?: State;
  raised?: string;
  [field: string]: unknown;
}

export interface Recorded {
  discover: { aborted?: string; out?: string };
  process_exit?: unknown;
  state: State;
  steps: Outcome[];
}

/** Where the record lies: FLOWLY_TRUTH, else beside the project; null when it is nowhere. */
export function recordFolder(): string | null {
  const given = process.env.FLOWLY_TRUTH;
  if (given) return resolve(given);
  let beside = import.meta.dirname;
  for (let level = 0; level < 6; level += 1) {
    const folder = join(beside, "shared", "data", "flowly-truth");
    if (existsSync(join(folder, "truth.json"))) return folder;
    beside = dirname(beside);
  }
  return null;
}

export interface Entry {
  given: Case;
  runs: Recorded[];
}

/**
 * All cases of a record, with what came of each run. `minor`: of the Python that will run them, such as `3.12`; texts that
 * are known to differ there are put in.
 */
export function readRecord(folder: string, minor: string): Entry[] {
  const { cases } = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));
  return readdirSync(join(folder, "fixtures"))
    .sort()
    .map((id) => {
      const given = readCase(readFileSync(join(folder, "fixtures", id, "case.json"), "utf8"));
      const truth = cases[id];
      if (!truth) throw new Error(`truth.json has nothing about ${id}.`);
      const runs: Recorded[] = [];
      truth.runs.forEach((run: Record<string, unknown>) => {
        const whole = Object.fromEntries(
          Object.entries(run).map(([part, value]) => [part, repeated(value, part, runs)]),
        );
        runs.push({ discover: {}, state: { plugins: [] }, steps: [], ...whole } as Recorded);
      });
      for (const [pointer, texts] of Object.entries(truth.varies ?? {})) {
        const text = (texts as Record<string, string>)[minor];
        if (text !== undefined) put({ runs }, pointer.split("/").slice(1), text);
      }
      return { given, runs };
    });
}

/** A case. Arguments with numbers that JavaScript does not have (`1.0`, huge ones) are given as Python would write them. */
function readCase(text: string): Case {
  const given: Case = JSON.parse(text);
  const whole = readJson(text);
  if (!(whole instanceof PyDict)) throw new Error("A case must be an object.");
  keepNumbers(given.steps, whole.get("steps"));
  const runs = whole.get("runs");
  for (const [at, run] of given.runs.entries()) {
    const theirs = runs instanceof PyList ? runs.items[at] : null;
    if (theirs instanceof PyDict) keepNumbers(run.steps, theirs.get("steps"));
  }
  return given;
}

function keepNumbers(steps: Step[] | undefined, theirs: Py | undefined): void {
  if (!steps || !(theirs instanceof PyList)) return;
  for (const [at, step] of steps.entries()) {
    const one = theirs.items[at];
    const params = one instanceof PyDict ? one.get("params") : undefined;
    if (params !== undefined && hasOddNumber(params)) step.paramsPy = pyRepr(params);
  }
}

function hasOddNumber(value: Py): boolean {
  if (typeof value === "bigint") return !Number.isSafeInteger(Number(value));
  if (typeof value === "number") return !Number.isFinite(value) || Number.isInteger(value);
  if (value instanceof PyList) return value.items.some(hasOddNumber);
  return value instanceof PyDict && value.entries().some(([, inner]) => hasOddNumber(inner));
}

function repeated(value: unknown, part: string, runs: readonly Recorded[]): unknown {
  const same = typeof value === "string" ? /^same as runs\[(\d+)\]$/.exec(value) : null;
  if (!same) return value;
  return structuredClone(runs[Number(same[1])]?.[part as keyof Recorded]);
}

function put(target: unknown, [first = "", ...rest]: string[], text: string): void {
  const object = target as Record<string, unknown>;
  if (rest.length === 0) object[first] = text;
  else put(object[first], rest, text);
}

/** A fresh copy of a case's tree for one run, at the three places. */
export interface Tree {
  root: string;
  home: string;
  project: string;
}

/** @param without folders of plugins that are left out, as paths inside the tree */
export function layOut(
  folder: string,
  { id, files = {}, setup = [], noHome }: Case,
  run: Run,
  root: string,
  without: readonly string[] = [],
): Tree {
  const tree = { root, home: join(root, "home"), project: join(root, "project") };
  const whole = (text: string) => text.replaceAll("${ROOT}", root);
  cpSync(join(folder, "fixtures", id), root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => from !== join(folder, "fixtures", id, "case.json"),
  });
  for (const name of ["bundled", "project", "userhome", ...(noHome ? [] : ["home"])])
    mkdirSync(join(root, name), { recursive: true });
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  for (const one of [...setup, ...(run.setup ?? [])]) {
    if (one.do === "mkdir") mkdirSync(join(root, one.path), { recursive: true });
    else if (one.do === "text") write(one.path, one.text ?? "");
    else if (one.do === "bytes") write(one.path, Buffer.from(one.base64 ?? "", "base64"));
    else {
      mkdirSync(dirname(join(root, one.path)), { recursive: true });
      symlinkSync(whole(one.target ?? ""), join(root, one.path));
    }
  }
  if (run.configFile !== undefined) write("home/config.json", whole(run.configFile));
  const kept = run.plugins;
  for (const place of ["bundled", "home/plugins", "project/.flowly/plugins"]) {
    if (!existsSync(join(root, place))) continue;
    for (const name of readdirSync(join(root, place))) {
      const path = `${place}/${name}`;
      if ((kept && !kept.includes(path)) || without.includes(path))
        rmSync(join(root, path), { recursive: true, force: true });
    }
  }
  return tree;
}
