import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TruthAgent } from "./agent.ts";
import { type Leave, same, show, stateDifferences, stepDifferences } from "./compare.ts";
import { alsoDiffers, reasons } from "./differences.ts";
import { compiled, minor } from "./plugin-host.ts";
import {
  type Case,
  layOut,
  type Outcome,
  type Recorded,
  type Row,
  type Run,
  readRecord,
  recordFolder,
  type State,
} from "./record.ts";
import { take } from "./steps.ts";

/** Python's own sentences, which the record is full of, were others before 3.11. */
const isOld = !(Number(minor.split(".")[1]) >= 11);
const folder = isOld ? "" : (recordFolder() ?? "");
const only = process.env.TRUTH_ONLY ?? "";
const entries = folder === "" ? [] : readRecord(folder, minor).filter(({ given }) => given.id.includes(only));
const whole = entries.map((entry) => [entry.given.id, entry] as const);
const differing = whole.flatMap(([id, { given }]) =>
  [...rulesOf(given)].map((rule) => [id, rule, reasonOf(id, rule)]),
);
const why = isOld
  ? `the record needs Python 3.11 or newer, and python3 is ${minor || "missing"}: set TRUTH_PYTHON to another`
  : "there is no record: set FLOWLY_TRUTH to its folder, or put it at ../shared/data/flowly-truth";

afterAll(() => rmSync(compiled, { recursive: true, force: true }));

test.runIf(folder === "")(`is left out, because ${why}`, () => {
  expect(entries).toEqual([]);
});

describe.skipIf(folder === "")("what Flowly's own loader does with a plugin, ours does", () => {
  test.each(whole)("%s", { timeout: 120_000 }, async (_, { given, runs }) => {
    const found: string[] = [];
    for (const [at, run] of given.runs.entries()) {
      const truth = runs[at];
      if (!truth) throw new Error(`There is no record of run ${at}.`);
      const lines = await new Comparison(given, run, truth).differences();
      found.push(...lines.map((line) => `run ${at}: ${line}`));
    }
    expect(found).toEqual([]);
  });
});

describe.skipIf(differing.length === 0)("ours differs on purpose", () => {
  test.each(differing)("%s, %s: %s", (_id, rule, reason) => {
    expect(Object.keys(reasons)).toContain(rule);
    expect(reason).not.toBe("");
  });
});

function rulesOf({ id, differs = [], steps = [], runs }: Case): Set<string> {
  const isShown = [steps, ...runs.map((run) => run.steps ?? [])].flat().some(({ op }) => op === "shown");
  return new Set([...differs, ...(alsoDiffers[id]?.rules ?? []), ...(isShown ? ["shown"] : [])]);
}

function reasonOf(id: string, rule: string): string {
  const also = alsoDiffers[id];
  return also?.rules.includes(rule) ? also.because : (reasons[rule] ?? "");
}

/** What came of one run here. */
interface Result {
  state: State;
  out: string;
  outcomes: Outcome[];
  /** By the number of the step: whether a guard failed. */
  guardFailed: boolean[];
  /** Folders inside the tree and faults of what could not be found or loaded. */
  faults: { dir: string; name: string; text: string }[];
  /** All folders of plugins, with their names. */
  all: { dir: string; name: string }[];
  shadowed: Set<string>;
}

async function play(
  given: Case,
  run: Run,
  options: { without?: string[]; guards?: "allow" | "block" } = {},
): Promise<Result> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "flowly-truth-")));
  const tree = layOut(folder, given, run, root, options.without);
  const agent = new TruthAgent(tree, given, run, options.guards ?? "allow");
  try {
    await agent.discover();
    const out = agent.masked(agent.printed());
    await agent.refresh();
    const state = agent.state();
    const all = agent.found.map(({ dir, key, manifest, place, status }) => ({
      dir: dir.slice(root.length + 1),
      name: manifest?.name ?? key,
      key,
      place,
      status,
    }));
    const faults = agent
      .faults()
      .map((fault) => agent.masked({ ...fault, dir: fault.dir.slice(root.length + 1) }));
    const shadowed = all.filter(({ place, status }) => place !== "bundled" && status === "available");
    const world = { agent, guardFailed: false };
    const outcomes: Outcome[] = [];
    const guardFailed: boolean[] = [];
    for (const step of run.steps ?? given.steps ?? []) {
      outcomes.push(await take(step, world));
      guardFailed.push(world.guardFailed);
    }
    const bundled = new Set(all.filter(({ place }) => place === "bundled").map(({ key }) => key));
    return {
      state,
      out,
      outcomes,
      guardFailed,
      faults,
      all,
      shadowed: new Set(shadowed.map(({ key }) => key).filter((key) => bundled.has(key))),
    };
  } finally {
    await agent.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** One run beside its record. */
class Comparison {
  readonly #given: Case;
  readonly #run: Run;
  readonly #truth: Recorded;
  readonly #rules: ReadonlySet<string>;

  constructor(given: Case, run: Run, truth: Recorded) {
    this.#given = given;
    this.#run = run;
    this.#truth = truth;
    this.#rules = rulesOf(given);
  }

  async differences(): Promise<string[]> {
    const ours = await play(this.#given, this.#run);
    const rules = this.#rules;
    const { state, discover } = this.#truth;
    const stopped = discover.aborted !== undefined || this.#truth.process_exit !== undefined;
    if (stopped && !rules.has("contain"))
      return ["Flowly stopped, and the case does not say that ours differs"];
    const alone = rules.has("isolate") || rules.has("slug") ? await this.#alone(ours) : null;
    const failed = new Set(state.plugins.filter(({ error }) => error !== null).map(({ name }) => name));
    if (stopped || alone) for (const { name } of ours.faults) failed.add(name);
    const leave: Leave = { rules, failed };
    const found = stateDifferences(ours.state, state, leave);
    if (alone) found.push(...differsFromAlone(ours, alone));
    else if (!stopped && (discover.out ?? "").trimEnd() !== ours.out.trimEnd())
      found.push(`it printed ${show(ours.out)}, not ${show(discover.out)}`);
    if (stopped) found.push(...(await this.#contains(ours)));
    if (rules.has("suppress"))
      for (const key of ours.shadowed)
        if (!ours.state.plugins.some((row) => row.key === key && row.source === "bundled" && row.enabled))
          found.push(`the bundled ${key} is hidden`);
    found.push(...this.#steps(ours, leave, alone));
    if (rules.has("failclosed")) found.push(...(await this.#blocks(ours)));
    return found;
  }

  get #theSteps() {
    return this.#run.steps ?? this.#given.steps ?? [];
  }

  #steps(ours: Result, leave: Leave, alone: Map<string, Result> | null): string[] {
    const found: string[] = [];
    let written = false;
    for (const [number, step] of this.#theSteps.entries()) {
      const [own, theirs] = [ours.outcomes[number], this.#truth.steps[number]];
      if (!own || !theirs) continue;
      const sees = [...(alone?.values() ?? [])].some((result) => same(result.outcomes[number], own));
      if (step.op === "write" || step.op === "delete") written = true;
      // What is read anew after a reload may answer otherwise than what Flowly kept.
      const anew = this.#rules.has("reload") && written && step.op === "call";
      // `blocks` looks at what a guard that failed comes to where it counts.
      const open = this.#rules.has("failclosed") && ours.guardFailed[number] && theirs.raised !== undefined;
      if (sees || anew || open || (this.#rules.has("suppress") && ours.shadowed.size > 0)) continue;
      const there = theirs.state ?? this.#truth.state;
      const lines = stepDifferences(step, own, theirs, there, leave);
      if (theirs.state && own.state) lines.push(...stateDifferences(own.state, theirs.state, leave));
      found.push(...lines.map((line) => `step ${number} ${JSON.stringify(step).slice(0, 120)}: ${line}`));
    }
    return found;
  }

  /** Each plugin by itself. */
  async #alone(ours: Result): Promise<Map<string, Result>> {
    const results = new Map<string, Result>();
    for (const { dir, name } of ours.all) {
      const without = ours.all.filter((one) => one.dir !== dir).map((one) => one.dir);
      results.set(name, await play(this.#given, this.#run, { without }));
    }
    return results;
  }

  /** The plugin that stopped Flowly has the error here, and the others are as if it were absent. */
  async #contains(ours: Result): Promise<string[]> {
    const { aborted = "" } = this.#truth.discover;
    const [, said = ""] = /^\w+: ?([\s\S]*)$/.exec(aborted) ?? [];
    const guilty = ours.faults.filter(({ text }) => text.includes(said));
    if (guilty.length === 0 && ours.outcomes.some(({ crashed }) => crashed === true)) return [];
    if (guilty.length === 0) return [`no plugin has the error ${aborted}, only ${show(ours.faults)}`];
    const without = guilty.map(({ dir }) => dir);
    const rest = await play(this.#given, this.#run, { without });
    const names = new Set(guilty.map(({ name }) => name));
    const kept = (state: State) => state.plugins.filter(({ name }) => !names.has(name));
    const found: string[] = [];
    if (!same(kept(ours.state), kept(rest.state)))
      found.push(`the others are ${show(kept(ours.state))}, without it ${show(kept(rest.state))}`);
    if (!same(ours.state.commands, rest.state.commands) || !same(ours.state.tools, rest.state.tools))
      found.push("something of it is left");
    return found;
  }

  /** Where a guard failed, nothing goes through unless the person let it. */
  async #blocks(open: Result): Promise<string[]> {
    const closed = await play(this.#given, this.#run, { guards: "block" });
    return closed.outcomes.flatMap((outcome, number) => {
      if (!open.guardFailed[number]) return [];
      const blocked = outcome.result === null || /^\[blocked: /.test(String(outcome.result));
      return blocked ? [] : [`step ${number}: a guard failed, and it came to ${show(outcome)}`];
    });
  }
}

/** Rows and contributions of each plugin that are not what it has by itself. */
function differsFromAlone(ours: Result, alone: ReadonlyMap<string, Result>): string[] {
  const found: string[] = [];
  const byName = (rows: readonly Row[], name: string) => rows.find((row) => row.name === name);
  for (const [name, result] of alone) {
    const [own, single] = [byName(ours.state.plugins, name), byName(result.state.plugins, name)];
    if (!same(own, single)) found.push(`${name} is ${show(own)}, by itself ${show(single)}`);
    if (!ours.out.includes(result.out)) found.push(`${name} prints ${show(result.out)} by itself`);
  }
  return found;
}
