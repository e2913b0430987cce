import type { OutputUnit } from "@cfworker/json-schema";

/**
 * The errors without those of the possibilities that nobody chose. Of a choice that fits nowhere the nearest possibility
 * counts: the one whose constants and kind fit. Where none is near, the choice itself is what is wrong.
 */
export function ofChosenBranches(units: readonly OutputUnit[]): OutputUnit[] {
  let left = [...units];
  for (const choice of units) {
    if (choice.keyword !== "oneOf" && choice.keyword !== "anyOf") continue;
    if (!left.includes(choice)) continue;
    const start = `${choice.keywordLocation}/`;
    const isInside = (unit: OutputUnit) => unit.keywordLocation.startsWith(start);
    const branches = new Map<string, OutputUnit[]>();
    for (const unit of left.filter(isInside)) {
      const branch = unit.keywordLocation.slice(start.length).split("/", 1)[0] ?? "";
      branches.set(branch, [...(branches.get(branch) ?? []), unit]);
    }
    const near = [...branches.values()]
      .filter((errors) => !errors.some((unit) => isElsewhere(unit, choice)))
      .sort((one, other) => one.length - other.length)[0];
    left = left.filter((unit) => (isInside(unit) ? near?.includes(unit) : !near || unit !== choice));
  }
  return left;
}

/** Whether an error says that another possibility was meant. */
function isElsewhere({ keyword, instanceLocation }: OutputUnit, choice: OutputUnit): boolean {
  return keyword === "const" || (keyword === "type" && instanceLocation === choice.instanceLocation);
}
