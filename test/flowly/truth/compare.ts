import { createHash } from "node:crypto";
import type { Outcome, Row, State, Step } from "./record.ts";

/** How ours may differ from the record in one run; see `differences.ts`. */
export interface Leave {
  rules: ReadonlySet<string>;
  /** Names of plugins that failed, there or here: what they have registered nevertheless is gone. */
  failed: ReadonlySet<string>;
}

type Entries = Record<string, Record<string, unknown>>;

/** All differences of our state, a line each. */
export function stateDifferences(ours: State, theirs: State, leave: Leave): string[] {
  const { rules, failed } = leave;
  const found: string[] = [];
  const wanted = theirs.plugins.map((row) => expectedRow(row, theirs, rules));
  for (const row of wanted) {
    const own = ours.plugins.find(({ key, source }) => key === row.key && source === row.source);
    if (!own) found.push(`row ${row.key} is missing`);
    else if (!failed.has(own.name) || row.error !== null) found.push(...rowDifferences(own, row, rules));
  }
  // One that stands there twice is the one that came with Flowly and the one that does not hide it.
  for (const { key } of ours.plugins.filter((row) => !wanted.some(({ key }) => row.key === key)))
    if (!rules.has("contain") && !(rules.has("nested") && key.includes("/")))
      found.push(`row ${key} is too much`);
  const order = theirs.handled_in_order ?? theirs.plugins.map(({ key }) => key);
  const ownOrder = (ours.handled_in_order ?? []).filter((key) => order.includes(key));
  if (!rules.has("suppress") && !same(ownOrder, order))
    found.push(`order ${show(ownOrder)}, not ${show(order)}`);
  for (const [key, manifest] of Object.entries(theirs.manifests ?? {})) {
    const own = ours.manifests?.[key];
    const one = ours.plugins.find((row) => row.key === key);
    const without = one === undefined || one.error !== null;
    if (rules.has("suppress") && without) continue;
    if (!own || !same(manifestOf(own, without), manifestOf(manifest, without)))
      found.push(`manifest of ${key} is ${show(own)}, not ${show(manifest)}`);
  }
  found.push(...entries("tool", ours.tools, without(theirs.tools, "source", theirs, leave), rules, toolOf));
  found.push(...entries("command", ours.commands, without(theirs.commands, "plugin", theirs, leave), rules));
  found.push(...entries("skill", ours.skills, without(theirs.skills, "plugin", theirs, leave), rules));
  found.push(...hookDifferences(ours, theirs, leave));
  found.push(...moduleDifferences(ours, theirs, leave));
  const web = (theirs.web ?? []).filter((name) => failed.size === 0 || ours.web?.includes(name));
  if (!same(ours.web ?? [], web)) found.push(`web is ${show(ours.web)}, not ${show(web)}`);
  return found;
}

/** Whether there may be more of ours than was recorded. */
const mayBeMore = (rules: ReadonlySet<string>): boolean =>
  ["suppress", "asyncreg", "contain", "nested"].some((rule) => rules.has(rule));

/** With `reload`, tools of plugins that are gone stay with Flowly; here not. */
function without(all: Entries | undefined, by: string, theirs: State, { failed, rules }: Leave): Entries {
  const there = new Set(theirs.plugins.filter(({ enabled }) => enabled).map(({ name }) => name));
  const isGone = (owner: unknown) =>
    failed.has(String(owner)) || (rules.has("reload") && owner !== null && !there.has(String(owner)));
  return Object.fromEntries(Object.entries(all ?? {}).filter(([, one]) => !isGone(one[by])));
}

/** Modules of the plugins that are loaded with both; what Flowly keeps of others is not here. */
function moduleDifferences(ours: State, theirs: State, { rules }: Leave): string[] {
  const loaded = ours.plugins.filter((own) =>
    theirs.plugins.some(({ key, enabled }) => key === own.key && enabled),
  );
  const slugs = loaded
    .filter(({ enabled }) => enabled)
    .map(({ key }) => key.replaceAll("/", "__").replaceAll("-", "_"));
  const known = (names: readonly string[] | undefined) =>
    [...new Set(names)].filter((name) =>
      slugs.some((slug) => `${name}.`.startsWith(`flowly_plugins.${slug}.`)),
    );
  const [own, other] = [known(ours.modules), known(theirs.modules)];
  return rules.has("reload") || same(own.sort(), other.sort())
    ? []
    : [`modules are ${show(own)}, not ${show(other)}`];
}

/** What a manifest is compared by. A module stays in Flowly's row when `register` failed, and is not known here then. */
function manifestOf({ module, ...rest }: Record<string, unknown>, withoutModule: boolean): unknown {
  const shown = Object.entries(rest).map(
    ([name, value]) => [name, isRecursive(value) ? "recursive" : value] as const,
  );
  return { ...Object.fromEntries(shown), ...(!withoutModule && { module }) };
}

const isRecursive = (value: unknown): boolean => JSON.stringify(value)?.includes("[...]") === true;

/** A row as it is to be with ours: without what another plugin has taken over. */
function expectedRow(row: Row, state: State, rules: ReadonlySet<string>): Row {
  if (!rules.has("owner")) return row;
  const own = (all: Entries | undefined, by: string) => (name: string) =>
    (all?.[name]?.[by] ?? row.name) === row.name;
  return {
    ...row,
    tools: row.tools.filter(own(state.tools, "source")),
    commands: row.commands.filter(own(state.commands, "plugin")),
  };
}

function rowDifferences(ours: Row, theirs: Row, rules: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const field of ["name", "version", "description", "source", "kind", "enabled", "error"] as const)
    if (!matches(ours[field], theirs[field]))
      found.push(`${theirs.key}: ${field} is ${show(ours[field])}, not ${show(theirs[field])}`);
  for (const list of ["tools", "hooks", "commands", "web_providers"] as const) {
    const [own, other] = [ours[list], theirs[list].map((name) => name ?? "None")];
    if (rules.has("asyncreg") && other.every((name) => own.includes(name))) continue;
    // Two plugins of one name: each lists its own, not those of both.
    if (rules.has("owner") && own.length > 0 && own.every((name) => other.includes(name))) continue;
    if (!same(own, other)) found.push(`${theirs.key}: ${list} are ${show(own)}, not ${show(other)}`);
  }
  return found;
}

/** Of the agent's own tools only that they are is compared. */
function toolOf(tool: Record<string, unknown>): unknown {
  return tool.builtin ? { builtin: true } : tool;
}

function entries(
  what: string,
  ours: Entries | undefined,
  theirs: Entries,
  rules: ReadonlySet<string>,
  of: (one: Record<string, unknown>) => unknown = (one) => one,
): string[] {
  const found: string[] = [];
  for (const [name, one] of Object.entries(theirs)) {
    const own = ours?.[name];
    if (!own) found.push(`${what} ${name} is missing`);
    else if (!same(of(own), of(one))) found.push(`${what} ${name} is ${show(own)}, not ${show(one)}`);
  }
  for (const name of Object.keys(ours ?? {}))
    if (!mayBeMore(rules) && !Object.hasOwn(theirs, name)) found.push(`${what} ${name} is too much`);
  return found;
}

function hookDifferences(ours: State, theirs: State, { rules, failed }: Leave): string[] {
  const slugs = [...failed].map((name) => name.replaceAll("/", "__").replaceAll("-", "_"));
  const found: string[] = [];
  for (const event of new Set([...Object.keys(ours.hooks ?? {}), ...Object.keys(theirs.hooks ?? {})])) {
    const own = ours.hooks?.[event] ?? [];
    const all = (theirs.hooks?.[event] ?? []).filter(
      (name) => !slugs.some((slug) => name.startsWith(`${slug}.`)),
    );
    const other = rules.has("reload") ? [...new Set(all)] : all;
    // A function of Python's own does not say which plugin it came from, so one of a plugin that failed is not known.
    const ofFailed = failed.size > 0 && other.every((name) => name.startsWith("builtins."));
    if (same(own, other) || (mayBeMore(rules) && other.every((name) => own.includes(name)))) continue;
    if (ofFailed && own.length < other.length) continue;
    found.push(`hooks of ${event} are ${show(own)}, not ${show(other)}`);
  }
  return found;
}

/** Not compared: the wording of logs, warnings of Python; `state` has a comparison of its own. */
const LOOSE = new Set(["log", "err", "state", "raw_result"]);

/** All differences of one step's outcome, a line each. */
export function stepDifferences(
  step: Step,
  ours: Outcome,
  theirs: Outcome,
  there: State,
  leave: Leave,
): string[] {
  const { rules, failed } = leave;
  if (isGone(step, there, failed))
    return saysGone(ours) ? [] : [`what a failed plugin left answers ${show(ours)}`];
  if (ours.crashed === true) return rules.has("contain") ? [] : [`its process ended: ${show(ours)}`];
  if (theirs.raised !== undefined && !("raised" in ours))
    return rules.has("contain") ? contained(ours, theirs.raised) : [`it did not raise ${theirs.raised}`];
  const found: string[] = [];
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    if (LOOSE.has(field)) continue;
    const [own, other] = [ours[field], theirs[field]];
    // What a model reads of a long result is the agent's affair; the length of the whole is compared.
    if (field === "result" && "raw_len" in theirs) continue;
    if (field === "out" && matchesPrint(String(own ?? ""), String(other ?? ""), leave)) continue;
    if (rules.has("inject") && field === "result" && same(own, once(other))) continue;
    if (!matches(own, other)) found.push(`${field} is ${show(own)}, not ${show(other)}`);
  }
  return found;
}

/** It left the call there; here it is the answer to it, and says what it was. */
function contained(ours: Outcome, raised: string): string[] {
  const text = String(ours.result ?? ours.reply ?? "");
  const [, said = ""] = /^\w+: ?([\s\S]*)$/.exec(raised) ?? [];
  return "to_model" in ours || text.includes(said) ? [] : [`it answered ${show(ours)}, not raised ${raised}`];
}

function isGone(step: Step, there: State, failed: ReadonlySet<string>): boolean {
  const by = (all: Entries | undefined, name: unknown, field: string) =>
    failed.has(String(all?.[String(name)]?.[field]));
  if (step.op === "call") return by(there.tools, step.tool, "source");
  if (step.op === "slash") return by(there.commands, step.name, "plugin");
  return step.op === "find_skill" && failed.has(String(step.name).split(":")[0] ?? "");
}

function saysGone(ours: Outcome): boolean {
  return (
    ours.found === false || ours.result === null || /^Error: Tool '.*' not found$/.test(String(ours.result))
  );
}

/** The last line may lack its end; lines of plugins that failed, or that were there before a reload, are missing. */
function matchesPrint(ours: string, theirs: string, { rules, failed }: Leave): boolean {
  if (ours.trimEnd() === theirs.trimEnd()) return true;
  if (rules.has("inject")) return ours.split("\n").length === theirs.split("\n").length;
  if (failed.size === 0 && !rules.has("reload")) return false;
  const lines = theirs.split("\n");
  return ours.split("\n").every((line) => {
    const at = lines.indexOf(line);
    lines.splice(0, at + 1);
    return at >= 0;
  });
}

/** Messages with each block of a turn once. */
function once(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((one) =>
    typeof one?.content === "string"
      ? {
          ...one,
          content: one.content.replace(/(<plugin_context>\n[\s\S]*?\n<\/plugin_context>\n\n)\1+/g, "$1"),
        }
      : one,
  );
}

/**
 * Whether a value is the recorded one. Long texts are recorded by length and hash, objects by what Python shows; the order
 * of operands in a text is not certain, and the class of Flowly's adapter is not ours.
 */
function matches(ours: unknown, theirs: unknown): boolean {
  if (typeof theirs === "object" && theirs !== null && "sha256" in theirs) {
    const text = String(ours);
    const hash = createHash("sha256").update(text, "utf8").digest("hex");
    return hash === theirs.sha256 && "len" in theirs && Array.from(text).length === theirs.len;
  }
  if (typeof theirs === "string" && typeof ours === "string") {
    if (theirs.includes("'<' not supported")) return ours.includes("'<' not supported");
    return ours === theirs || theirs.includes("FunctionToolAdapter.");
  }
  if (Array.isArray(theirs) && Array.isArray(ours))
    return theirs.length === ours.length && theirs.every((one, at) => matches(ours[at], one));
  if (isPlain(theirs) && isPlain(ours)) {
    // What Python shows of an object: sets have no order.
    if ("repr" in theirs && "type" in theirs)
      return ours.type === theirs.type && letters(ours.repr) === letters(theirs.repr);
    const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...names].every((name) =>
      theirs[name] === "(present)" ? name in ours : matches(ours[name], theirs[name]),
    );
  }
  return ours === theirs;
}

const letters = (text: unknown): string => Array.from(String(text)).sort().join("");

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const same = (one: unknown, other: unknown): boolean => matches(one, other);

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
