import { diffJson } from "../../contract/diff/json-diff.ts";
import type { FiredHook } from "../../contract/index.ts";
import { argumentText } from "../../contract/shown/whole-arguments.ts";
import type { Paint } from "../terminal/output.ts";

/** What each hook did to an event that was fired by hand: its decision, what it changed, asked for and wrote. */
export function firedWords(hooks: readonly FiredHook[], paint: Paint): string {
  if (hooks.length === 0) return "No hook listens to it.";
  return hooks.flatMap((hook, index) => hookLines(hook, index + 1, paint)).join("\n");
}

const bad = new Set<FiredHook["decision"]>(["denied", "dropped", "failed", "timed_out", "not_running"]);

function hookLines(hook: FiredHook, place: number, paint: Paint): string[] {
  const { owner, decision, stage, ms, reason, effects = [], logs = [] } = hook;
  const decided = decision.replaceAll("_", " ");
  const words = [
    bad.has(decision) ? paint.bad(decided) : decided,
    ...(stage === "final" ? ["asked again"] : []),
    `${ms.toFixed(1)} ms`,
    ...(reason ? [reason] : []),
  ];
  return [
    `${place}. ${paint.bold(owner)}  ${words.join(" · ")}`,
    ...changes(hook, paint),
    ...effects.map(({ kind }) => `   asked for ${kind}`),
    ...logs.map(({ level, text }) => paint.dim(`   ${level}: ${text}`)),
  ];
}

/** One line for what was taken out, and one for what stands there now. */
function changes({ before, after }: FiredHook, paint: Paint): string[] {
  if (after === undefined) return [];
  return diffJson(before, after).flatMap((line) => {
    const at = line.path === "" ? "" : `${line.path}: `;
    const removed = (value: unknown) => paint.bad(`   - ${at}${argumentText(value)}`);
    const added = (value: unknown) => paint.good(`   + ${at}${argumentText(value)}`);
    if (line.kind === "changed") return [removed(line.before), added(line.after)];
    if (line.kind === "removed") return [removed(line.value)];
    return line.kind === "added" ? [added(line.value)] : [];
  });
}
